"""Screens of the embedded world for pointing: every application, light and dark, phone to 4K."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from omnipilot.bench.pointing.evaluation import Kind, Shot, Target
from omnipilot.bench.suites.pointing.functions import FUNCTIONS
from omnipilot.bench.suites.pointing.looks import ICONS, colours
from omnipilot.bench.suites.pointing.words import basic, describe_function, nameable
from omnipilot.envs import Absent, ActionRejected, Click, Element, Modality, Observation, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.render.display_list import Op, Rect
from omnipilot.envs.sim.shell.screen import make_scene
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.envs.sim.ui.scene import Scene
from omnipilot.envs.types import fold

LOOKS: tuple[tuple[DeviceName, Look], ...] = (
    ("phone", Look("light", "normal")),
    ("phone", Look("dark", "large")),
    ("desktop", Look("light", "normal")),
    ("desktop", Look("dark", "large")),
    ("desktop", Look("light", "ultra")),
    ("phone", Look("dark", "normal")),
    ("desktop", Look("dark", "normal")),
    ("phone", Look("light", "large")),
    ("desktop", Look("dark", "ultra")),
    ("desktop", Look("light", "large")),
)
"""In the order in which screens are made, so that a few of them show several sizes and themes already."""
APPS_EACH = 9
TARGETS_EACH = 8
OFTEN = 20
"""How often a button of one name may be a target: every screen has a way back."""
SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
_SMALLEST = 8


def sim_shots(seed: int, looks: Sequence[tuple[DeviceName, Look]] = LOOKS) -> Iterator[Shot]:
    """About 160 screens: several applications for each device, theme and density, two screens of each."""
    used: Counter[tuple[str, str]] = Counter()
    turn: Counter[str] = Counter()
    for number, (device, look) in enumerate(looks):
        titles = _titles(device)
        world = SimWorld()
        for _ in range(APPS_EACH):
            title = titles[turn[device] % len(titles)]
            turn[device] += 1
            rng = random.Random(f"pointing/{seed}/{number}/{title}")
            world.reset(seed * 1000 + number)
            world.prepare(lambda state, look=look, device=device: state.looking(look, device))  # type: ignore[misc]
            world.envs[device].act(OpenApp(title))
            world.wait(1.0)
            for depth in range(2):
                if depth and not _go_on(world, device, rng):
                    break
                id = f"{device}-{look.theme}-{look.density}-{title.lower().replace(' ', '-')}-{depth}"
                yield _shot(id, world, device, look, rng, used)


def _titles(device: DeviceName) -> list[str]:
    """The applications of a device in order, found by trying to open them."""
    titles = []
    for app in APPS.values():
        world = SimWorld()
        try:
            world.envs[device].act(OpenApp(app.title))
        except ActionRejected:
            continue
        if app.title not in titles:
            titles.append(app.title)
    return titles


def _go_on(world: SimWorld, device: DeviceName, rng: random.Random) -> bool:
    """Click something in the application once to reach another of its screens."""
    tree = world.envs[device].ui_tree().items
    rows = [e for e in tree if e.role in ("listitem", "tab", "treeitem", "link") and "disabled" not in e.states]
    if not rows:
        return False
    try:
        world.envs[device].act(Click(rng.choice(rows).box.center))
    except ActionRejected:
        return False
    world.wait(1.0)
    return True


def _shot(
    id: str, world: SimWorld, device: DeviceName, look: Look, rng: random.Random, used: Counter[tuple[str, str]]
) -> Shot:
    seen = world.envs[device].observe(SEEN, world.now)
    scene = make_scene(world.state(), device)
    targets = [target for number in range(len(scene.raw)) if (target := _target(id, number, scene, seen))]
    chosen = _choose(targets, rng, used)
    return Shot(id, device, look.theme, seen, tuple(chosen))


def _choose(targets: Sequence[Target], rng: random.Random, used: Counter[tuple[str, str]]) -> list[Target]:
    """Choose some of a screen's targets: those with a distractor, then icons, then those rarely chosen before."""
    order = sorted(targets, key=lambda target: (used[target.role, target.name], rng.random()))
    order = [target for target in order if used[target.role, target.name] < OFTEN]
    doubles = [target for target in order if target.distractor][:8]
    icons = [target for target in order if target.kind == "icon" and target not in doubles][:4]
    rest = [target for target in order if target not in doubles and target not in icons]
    chosen = [*doubles, *icons, *rest][:TARGETS_EACH]
    used.update((target.role, target.name) for target in chosen)
    return [target for target in targets if target in chosen]


def _target(shot: str, number: int, scene: Scene, seen: Observation) -> Target | None:
    elements: tuple[Element, ...] = scene.elements.items
    element, rect = elements[number], scene.raw[number][2]
    if not nameable(element) or "disabled" in element.states or not _reachable(scene, element, rect):
        return None
    texts, icons = _drawn(scene.ops, rect)
    kind: Kind = "text" if texts else "icon" if icons else "control"
    said = basic(element, elements, _look(kind, icons, element, seen))
    if not said:
        return None
    name = fold(element.name)
    twins = [
        other for other in elements if other is not element and fold(other.name) == name and _apart(other, element)
    ]
    row = _row(element, elements) if twins else ""
    good_for = describe_function(element, FUNCTIONS, row) if row or not twins else ""
    return Target(f"{shot}/{number}", element.box, kind, element.role, element.name, said, good_for, bool(twins))


def _reachable(scene: Scene, element: Element, rect: Rect) -> bool:
    """Whether a press on its centre would reach it and it is large enough to aim at."""
    left, top, right, bottom = rect
    hit = scene.hit((left + right) // 2, (top + bottom) // 2)
    return min(right - left, bottom - top) >= _SMALLEST and hit is not None and hit.id == element.id


def _apart(one: Element, other: Element) -> bool:
    return not (one.box.contains(other.box.center) or other.box.contains(one.box.center))


def _drawn(ops: Sequence[Op], rect: Rect) -> tuple[list[str], list[str]]:
    """The texts and icons drawn in a place since something last filled all of it."""
    left, top, right, bottom = rect
    texts: list[str] = []
    icons: list[str] = []
    for op in ops:
        if op[0] == "rect" and op[1] <= left and op[2] <= top and op[1] + op[3] >= right and op[2] + op[4] >= bottom:
            texts, icons = [], []
        elif op[0] == "text" and left <= op[1] < right and top <= op[2] < bottom and op[3].strip():
            texts.append(op[3])
        elif op[0] == "icon" and left <= op[2] < right and top <= op[3] < bottom:
            icons.append(op[1])
    return texts, icons


def _look(kind: Kind, icons: Sequence[str], element: Element, seen: Observation) -> str:
    ground, ink = ("", "") if isinstance(seen.screenshot, Absent) else colours(seen.screenshot, element.box)
    coloured = f"in {ink} on {ground}" if ink and ink != ground else f"in {ground}"
    if kind == "icon":
        return f"{ICONS.get(icons[-1], 'a small picture')} {coloured}"
    if kind == "control":
        return f"empty, {coloured}" if element.role in ("textbox", "searchbox") and not element.value else coloured
    return coloured


def _row(element: Element, elements: Sequence[Element]) -> str:
    """The text of the row that contains an element, if any."""
    for other in elements:
        around = other.role in ("listitem", "row", "treeitem") and other.box.contains(element.box.center)
        if around and other is not element and nameable(other):
            return other.name
    return ""
