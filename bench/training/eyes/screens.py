"""Screens that the small eyes are trained on: pictures, their true elements, and the lines of text drawn on them.

They are met along demonstrations of the development tasks of duet, in instances that nothing is measured on, and along
random walks from where a demonstration ends; some of them dark, or at a larger density.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

from omnipilot.bench.suites.duet.kit.play import try_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.task import seed_of
from omnipilot.bench.training.data import read_stored_screens, tasks_of, write_lines
from omnipilot.bench.training.demonstrations import APPS_OF, Demonstration, check_instance, check_number
from omnipilot.envs import Absent, Click, Element, Image, Modality, OpenApp
from omnipilot.envs.sim.render.text import measure, shorten
from omnipilot.envs.sim.render.written_texts import uncovered_shapes
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.types import Box, Size
from omnipilot.grounders.mini.eyes.pictures import layout_picture
from omnipilot.memory import Move
from omnipilot.planners.mini.screens import front_elements

SUITE = "duet"
SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
LOOKS = (Look(),) * 12 + (Look("dark"),) * 4 + (Look("light", "large"), Look("dark", "large"))
"""One of these is drawn for each demonstration."""
WALK = 8
"""Moves at random behind each demonstration."""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of text as it is drawn; (x, y) is the top left of its line box, in layout pixels."""

    text: str
    x: int
    y: int
    size: int
    weight: str


@dataclass(frozen=True, slots=True)
class TrueElement:
    """An element that the tree lists; `box` is left, top, right and bottom in layout pixels."""

    role: str
    name: str
    value: str
    states: tuple[str, ...]
    id: str | None
    box: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class EyesScreen:
    """A screen and what is true of it.

    Attributes:
        picture: file name of the picture, in the folder of its file. size: width and height in layout pixels.
        elements: those in front, see `front_elements`. lines: that nothing cuts off or covers.
    """

    instance: int
    device: str
    picture: str
    size: tuple[int, int]
    elements: tuple[TrueElement, ...]
    lines: tuple[WrittenLine, ...]


class ScreenCollector(Demonstration):
    """A demonstration during which screens are collected; a screen that differs in no element is met once.

    Args:
        look: of both devices.
    """

    def __init__(self, suite: Duet, task: str, instance: int, slips: float, look: Look) -> None:
        self.look = look
        self.met: dict[object, tuple[str, Image, EyesScreen]] = {}
        super().__init__(suite, task, instance, slips)

    def _begin(self) -> Rehearsal:
        trial = super()._begin()
        self.world.prepare(lambda state: state.looking(self.look))
        return trial

    def _look(self) -> None:
        super()._look()
        self.collect()

    def collect(self) -> None:
        """Keep the screens of both devices as they are now."""
        for name, env in self.world.envs.items():
            seen = env.observe(SEEN, self.world.now)
            if isinstance(seen.elements, Absent) or isinstance(seen.screenshot, Absent):
                continue
            scene = make_scene(self.world.state(), "phone" if name == "phone" else "desktop")
            elements = true_elements(front_elements(list(seen.elements)), scene.size)
            key = (name, tuple(one for one in elements if one.role != "time"))
            if key in self.met:
                continue
            lines = tuple(written_lines(scene.ops, scene.size))
            size = (scene.size.width, scene.size.height)
            self.met[key] = name, seen.screenshot, EyesScreen(self.instance, name, "", size, elements, lines)

    def walk(self, moves: int) -> None:
        """Wander about: open applications, and click on what is there."""
        rng = Random(seed_of("eyes walk", self.task, self.instance))
        for _ in range(moves):
            env = rng.choice(list(self.world.envs))
            tree = self.world.envs[env].ui_tree().items
            targets = [one for one in tree if one.id and "disabled" not in one.states]
            if rng.random() < 0.2 or not targets:
                move = Move(env, OpenApp(rng.choice(APPS_OF[env])))
            else:
                move = Move(env, Click(rng.choice(targets).box.center))
            try_move(self.world, move)
            self.world.wait(1.0)
            self.collect()


def true_elements(elements: Sequence[Element], size: Size) -> tuple[TrueElement, ...]:
    """Elements in layout pixels, as they are stored."""
    return tuple(
        TrueElement(one.role, one.name, one.value, tuple(sorted(one.states)), one.id, whole_pixels(one.box, size))
        for one in elements
    )


def whole_pixels(box: Box, size: Size) -> tuple[int, int, int, int]:
    """The edges of a box in whole pixels."""
    left, top, right, bottom = box.to_pixels(size)
    return round(left), round(top), round(right), round(bottom)


def written_lines(ops: Sequence[tuple[object, ...]], size: Size) -> Iterator[WrittenLine]:
    """The lines of text of a display list that nothing cuts off or covers."""
    for op, _ in uncovered_shapes(ops, size, ("text",), covered=0.0):
        _, x, y, text, _, points, weight, width, *_ = op
        shown = str(text) if width is None else shorten(str(text), points, weight, width)
        if shown.strip() and x >= 0 and x + measure(shown, points, weight) <= size.width:
            yield WrittenLine(shown, x, y, points, weight)


def collect_screens(suite: Duet, task: str, instance: int) -> list[tuple[str, Image, EyesScreen]]:
    """The screens of one demonstration and of a walk behind it.

    Raises:
        ConfigError: the task is of the test split, or the instance is kept for measuring.
    """
    check_instance(suite, task, instance)
    look = Random(seed_of("eyes look", task, instance)).choice(LOOKS)
    collector = ScreenCollector(suite, task, instance, 0.05, look)
    collector.play()
    collector.walk(WALK)
    return list(collector.met.values())


def write_eyes_screens(folder: Path, instances: Sequence[int]) -> None:
    """Write the screens of some instances, a file and a folder of pictures each; files that are there are kept.

    Raises:
        ConfigError: an instance is kept for measuring.
    """
    suite = Duet("dev")
    for instance in instances:
        check_number(instance, SUITE)
        path = folder / f"{instance:05d}.jsonl"
        if path.exists():
            continue
        (folder / path.stem).mkdir(parents=True, exist_ok=True)
        screens: list[EyesScreen] = []
        met = set()
        for task in tasks_of(suite, instance):
            for _, image, screen in collect_screens(suite, task, instance):
                if image.digest in met:
                    continue
                met.add(image.digest)
                name = f"{path.stem}/{len(screens):04d}.png"
                (folder / name).write_bytes(layout_picture(image).png())
                screens.append(replace(screen, picture=name))
        write_lines(path, screens)


def _screen(elements: list[dict], lines: list[dict], size: list[int], **fields: object) -> EyesScreen:  # type: ignore[type-arg]
    told = tuple(TrueElement(**{**one, "states": tuple(one["states"]), "box": tuple(one["box"])}) for one in elements)
    return EyesScreen(
        elements=told,
        lines=tuple(WrittenLine(**one) for one in lines),
        size=(size[0], size[1]),
        **fields,  # type: ignore[arg-type]
    )


read_eyes_screens = partial(read_stored_screens, make=_screen, suite=SUITE, cure="omnipilot train eyes")
"""The screens of some files, each with the path of its picture."""


def box_of(element: TrueElement, size: tuple[int, int]) -> Box:
    """The box of a stored element, in parts of the screen."""
    left, top, right, bottom = element.box
    return Box(left / size[0], top / size[1], right / size[0], bottom / size[1])
