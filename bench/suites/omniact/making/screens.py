"""Screens with named boxes: from the embedded world, from any world's tree of elements, or from picture files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from omnipilot.bench.suites.omniact.making.records import MadeScreen, MakingFolder, NamedBox
from omnipilot.bench.suites.omniact.sample import FIELDS, PRESSED, SCREENS
from omnipilot.bench.suites.pointing.words import nameable
from omnipilot.envs import Absent, Click, ConfigError, Element, Env, Image, Modality, Observation, OpenApp, World
from omnipilot.envs.composite import open_world, read_world
from omnipilot.envs.sim import SimWorld

LOOKS = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
SMALLEST = 6
"""Minimum side of a box, in pixels."""
DOES = {
    "link": "open",
    "listitem": "open",
    "treeitem": "open",
    "row": "open",
    "tab": "show",
    "switch": "toggle",
    "checkbox": "toggle",
    "textbox": "write",
    "searchbox": "search",
}
"""By role, what pressing something does; a button does what it says."""


def name_of(element: Element) -> str:
    """What an element does, in hyphens; "" where it has no plain name."""
    words = re.findall(r"[a-z0-9]+", element.name.lower())
    return "-".join(filter(None, (DOES.get(element.role, ""), *words)))[:60].strip("-")


def boxes_of(seen: Observation) -> tuple[NamedBox, ...]:
    """The boxes of what can be pressed or written into, each the only one of its name; none without elements."""
    if isinstance(seen.elements, Absent):
        return ()
    found: dict[str, NamedBox] = {}
    twice: set[str] = set()
    for element in seen.elements.items:
        if element.role not in PRESSED | FIELDS or not nameable(element):
            continue
        if element.states & {"disabled", "offscreen"}:
            continue
        left, top, right, bottom = (round(side) for side in element.box.to_pixels(seen.size))
        name = name_of(element)
        twice |= {name} & set(found)
        if name and right - left >= SMALLEST and bottom - top >= SMALLEST:
            found[name] = NamedBox(name, (left, top, right, bottom), element.name)
    return tuple(box for name, box in found.items() if name not in twice)


def reach(world: World, seed: int, app: str, first: str) -> Env:
    """Bring the embedded desktop to one of its screens.

    Raises:
        ConfigError: nothing there has the name of what is to be clicked first.
    """
    world.reset(seed)
    env = world.envs["desktop"]
    env.act(OpenApp(app))
    if first:
        tree = (one for one in env.ui_tree() if one.name == first and one.role in PRESSED)
        found = next(tree, None)
        if found is None:
            raise ConfigError(f"nothing called {first!r} can be pressed in {app}")
        env.act(Click(found.box.center))
    world.wait(1.0)
    return env


def embedded_screens(folder: MakingFolder, seeds: Sequence[int]) -> Iterator[MadeScreen]:
    """The screens of the embedded desktop, one for each seed of its content."""
    world = SimWorld()
    for seed in seeds:
        numbers: dict[str, int] = {}
        for part, app, title, first in SCREENS:
            env = reach(world, seed, title, first)
            numbers[app] = numbers.get(app, 0) + 1
            id = f"{part}-{app}-{seed}-{numbers[app]}".replace("_", "-")
            how = {"seed": seed, "app": title, "first": first}
            yield _kept(folder, id, part, app, env.observe(LOOKS, world.now), how)


def world_screens(folder: MakingFolder, world_file: Path) -> Iterator[MadeScreen]:
    """What the devices of a world file show when they have started, a screen each."""
    world = open_world(read_world(world_file))
    try:
        world.reset(0)
        for name, env in world.envs.items():
            part = "web" if env.platform == "browser" else "desktop"
            yield _kept(folder, f"{part}-{name}", part, name, env.observe(LOOKS, world.now), {})
    finally:
        world.close()


def picture_screens(folder: MakingFolder, pictures: Sequence[Path], part: str) -> Iterator[MadeScreen]:
    """Picture files as screens; their boxes are drawn by hand.

    Raises:
        ConfigError: a file is no picture.
    """
    for file in pictures:
        try:
            image = Image.encoded(file.read_bytes())
        except (OSError, ValueError) as error:
            raise ConfigError(f"{file} is no picture: {error}") from None
        stem = "-".join(re.findall(r"[a-z0-9]+", file.stem.lower())) or "screen"
        seen = Observation("device", 0.0, image.size, image)
        yield _kept(folder, f"{part}-{stem}", part, stem, seen, {})


def _kept(folder: MakingFolder, id: str, part: str, app: str, seen: Observation, how: dict[str, object]) -> MadeScreen:
    if isinstance(seen.screenshot, Absent):
        raise ConfigError(f"{app} shows no picture: {seen.screenshot.detail or seen.screenshot.reason}")
    picture = folder.write_picture(f"{id}.png", _png(seen.screenshot))
    return MadeScreen(id, part, app, picture, (seen.size.width, seen.size.height), boxes_of(seen), how)


def _png(image: Image) -> bytes:
    from PIL import Image as Pillow

    out = io.BytesIO()
    Pillow.frombytes("RGB", (image.size.width, image.size.height), image.rgb).save(out, "PNG", optimize=True)
    return out.getvalue()
