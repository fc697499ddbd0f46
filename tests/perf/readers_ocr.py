"""How well the reader `ocr` and the grounder on it do on the embedded world: `python tests/perf/readers_ocr.py`.

What is written where is known from what was drawn: display lists, with what covers what.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.tables import Table
from omnipilot.envs import Absent, Box, Click, Element, Image, Modality, Observation, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.registry import apps_of
from omnipilot.envs.sim.render.written_texts import uncovered_shapes
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.envs.sim.ui.scene import Scene
from omnipilot.envs.types.element_query import fold
from omnipilot.grounders import Abstention, Grounding, OcrGrounder
from omnipilot.grounders.sources.detact.colors import COLORS, color_indices
from omnipilot.grounders.sources.detact.regions import LARGEST, SMALLEST
from omnipilot.memory.perception import OcrReader

SEEN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
LEAST = 3
"""Characters of a text that counts."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text that is wholly visible on a screen."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Screen:
    """A look at a device, and what is written and drawn there.

    Attributes:
        icons: with role "image", named as the world draws them.
        shapes: filled rectangles of 8 pixels a side or more, and at most a quarter of the screen, with the name of
            their colour.
    """

    name: str
    observation: Observation
    written: tuple[Written, ...]
    icons: tuple[Element, ...] = ()
    shapes: tuple[Element, ...] = ()

    @property
    def image(self) -> Image:
        """Its screenshot."""
        assert isinstance(self.observation.screenshot, Image)
        return self.observation.screenshot


def screens(instances: Iterable[int], look: Look = Look()) -> Iterator[Screen]:  # noqa: B008
    """Every app of both devices, as it opens and with its first row chosen."""
    for instance in instances:
        world = SimWorld()
        world.reset(instance)
        world.prepare(lambda state: state.looking(look, "phone", "desktop"))
        devices: tuple[DeviceName, ...] = ("phone", "desktop")
        for device in devices:
            env = world.envs[device]
            for app in apps_of(device):
                env.act(OpenApp(app.title))
                world.wait(1.0)
                yield _screen(world, device, f"{app.title}, instance {instance}")
                rows = [e for e in env.ui_tree() if e.role in ("listitem", "treeitem") and e.id and app.name in e.id]
                if rows:
                    env.act(Click(rows[len(rows) // 2].box.center))
                    world.wait(1.0)
                    yield _screen(world, device, f"{app.title} with a row chosen, instance {instance}")


def _screen(world: SimWorld, device: DeviceName, name: str) -> Screen:
    seen = world.envs[device].observe(SEEN, world.now)
    env = world.envs[device]
    return Screen(name, seen, tuple(_written(world, device)), env.drawn_icons().items, tuple(_shapes(env.scene())))


def _shapes(scene: Scene) -> Iterator[Element]:
    for op, rect in uncovered_shapes(scene.ops, scene.size, ("rect",), covered=0.5):
        left, top, right, bottom = rect
        box = Box.clipped(*rect, scene.size)
        if min(right - left, bottom - top) >= SMALLEST and box is not None and box.area <= LARGEST:
            yield Element("color", COLORS[int(color_indices(np.array(op[5])))], box)


def _written(world: SimWorld, device: DeviceName) -> Iterator[Written]:
    for text in world.envs[device].written_texts():
        if len(text.name.strip()) >= LEAST:
            yield Written(text.name, text.box)


def plain(text: str) -> str:
    """Text for comparison: case, spaces, dots between words and how an ellipsis is written do not count."""
    return "".join(re.sub("[…·•]", "", text.casefold()).rstrip(".").split())


def was_read(wanted: Written, lines: Iterable[Element]) -> bool:
    """Whether what was read at its place, put together from left to right, reads so or holds it."""
    here = [line.name for line in sorted(lines, key=lambda line: line.box.left) if _at(line.box, wanted.box)]
    return plain(wanted.text) in plain("".join(here))


def _near(wanted: Written, lines: Iterable[Element]) -> list[str]:
    return [line.name for line in lines if _at(line.box, wanted.box)]


def invented(line: Element, written: Iterable[Written]) -> bool:
    """Whether a line of letters was read where nothing is written: an icon taken for text, say."""
    return not any(_at(line.box, text.box) for text in written)


def _at(line: Box, text: Box) -> bool:
    return line.left <= text.right and line.right >= text.left and text.top <= line.center.y <= text.bottom


@dataclass(slots=True)
class Tally:
    """Counts over screens."""

    screens: int = 0
    texts: int = 0
    read: int = 0
    lines: int = 0
    invented: int = 0
    seconds: float = 0.0
    fresh: int = 0
    again: float = 0.0
    named: int = 0
    pointed: int = 0
    misled: int = 0
    twins: int = 0
    twins_left: int = 0
    icons: int = 0
    icons_left: int = 0


def measure_ocr(shown: Iterable[Screen], reader: OcrReader, misses: list[str] | None = None) -> Tally:
    """Read each screen, then look for each of its named controls by its name."""
    tally = Tally()
    grounder = OcrGrounder(reader)
    for screen in shown:
        reading = reader.read(screen.image)
        tally.screens += 1
        tally.lines += len(reading.elements)
        tally.seconds += reading.seconds
        tally.fresh += reading.recognised
        began = time.perf_counter()
        reader.read(screen.image)
        tally.again += time.perf_counter() - began
        for text in screen.written:
            hit = was_read(text, reading.elements)
            tally.texts, tally.read = tally.texts + 1, tally.read + hit
            if not hit and misses is not None:
                misses.append(f"{screen.name}: {text.text!r} was not read, but {_near(text, reading.elements)}")
        tally.invented += sum(invented(line, screen.written) for line in reading.elements if len(line.name) >= LEAST)
        _point(screen, grounder, tally, misses)
    return tally


def _point(screen: Screen, grounder: OcrGrounder, tally: Tally, misses: list[str] | None) -> None:
    elements = [] if isinstance(screen.observation.elements, Absent) else screen.observation.elements.items
    for element in elements:
        if len(element.name) < LEAST or element.role in ("text", "image"):
            continue
        same = [text for text in screen.written if fold(text.text) == fold(element.name)]
        inside = any(element.box.contains(text.box.center) for text in same)
        bare = not same and not any(element.box.contains(text.box.center) for text in screen.written)
        found = grounder.ground(screen.observation, f"the {element.name} button")
        left = isinstance(found, Abstention)
        right = not isinstance(found, Abstention) and element.box.contains(found.point)
        if inside and len(same) == 1:
            tally.named, tally.pointed = tally.named + 1, tally.pointed + right
            tally.misled += not left and not right
        elif inside:
            tally.twins, tally.twins_left = tally.twins + 1, tally.twins_left + left
        elif bare:
            tally.icons, tally.icons_left = tally.icons + 1, tally.icons_left + left
        if misses is not None and ((inside and len(same) == 1 and not right) or (bare and not left)):
            misses.append(f"{screen.name}: the {element.role} {element.name!r}: {_told(found)}")


def _told(found: Grounding | Abstention) -> str:
    return f"{found.reason}, {found.detail}" if isinstance(found, Abstention) else f"pointed at {found.point}"


def table(tallies: dict[str, Tally]) -> Table:
    """One row a look."""
    columns = ("look", "screens", "texts read", "invented", "seconds", "new lines", "again", "named found", "misled")
    rows = []
    for name, t in tallies.items():
        cells = (
            name,
            str(t.screens),
            share(t.read, t.texts),
            str(t.invented),
            f"{t.seconds / t.screens:.2f} s",
            f"{t.fresh / t.screens:.1f}",
            f"{1e3 * t.again / t.screens:.2f} ms",
            share(t.pointed, t.named),
            share(t.misled, t.named),
            share(t.twins_left, t.twins),
            share(t.icons_left, t.icons),
        )
        rows.append(cells)
    return Table((*columns, "twins left", "icons left"), tuple(rows))


def share(part: int, whole: int) -> str:
    """ "98.5 % (197/200)"."""
    return f"{100 * part / whole:.1f} % ({part}/{whole})" if whole else "–"


def main() -> None:
    """Print the table."""
    reader = OcrReader()
    looks = {"light": Look(), "dark": Look("dark"), "large": Look("light", "large")}
    misses: list[str] = []
    tallies = {name: measure_ocr(screens(range(10, 12), look), reader, misses) for name, look in looks.items()}
    print(reader.engine.name)
    print(table(tallies).text())
    print("\n".join(misses))


if __name__ == "__main__":
    main()
