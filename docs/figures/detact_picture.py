"""Draw a screen as DetACT reads it, as a PNG file, and print its list, filter and script for docs/omniact.md.

python docs/figures/detact_picture.py FILE
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import cast

import typer
from small_png import small_png

from omnipilot.bench.suites.omniact.lexical import write_script
from omnipilot.bench.suites.omniact.script import script_of
from omnipilot.envs import Action, Element, Image, Modality, Observation, OpenApp, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.grounders.sources.detact import DetAct

TASK = "Click Trash, then Compose"
COLORS = {"text": (24, 98, 214), "image": (226, 88, 12), "color": (20, 140, 70)}
KEPT, GROWN = 6, 3
"""Elements that the filter leaves, and pixels by which their frames are larger than what they hold."""


def look() -> tuple[Observation, DetAct]:
    """The screen, and DetACT with the icons of its world."""
    world = SimWorld()
    world.reset(10)
    desktop = world.envs["desktop"]
    desktop.act(OpenApp("Mail"))
    with tempfile.TemporaryDirectory() as folder:
        write_icons(Path(folder))
        return desktop.observe({Modality.SCREENSHOT}, world.now), DetAct(pack=folder, keep=KEPT)


def picture(screen: Image, elements: list[Element], kept: set[Element]) -> bytes:
    """The screen with a thin frame around each element, in the colour of its kind; thick around those that are kept."""
    import numpy as np
    from PIL import Image as pil
    from PIL import ImageDraw

    shown = pil.frombytes("RGB", (screen.size.width, screen.size.height), screen.rgb)
    pen = ImageDraw.Draw(shown)
    for one in sorted(elements, key=lambda one: one in kept):
        left, top, right, bottom = one.box.to_pixels(screen.size)
        grown = GROWN if one in kept else 0
        frame = (left - grown, top - grown, right + grown, bottom + grown)
        pen.rectangle(frame, outline=COLORS[one.role], width=3 if one in kept else 1)
    return small_png(np.asarray(shown))


def lines(elements: list[Element], size: Size) -> str:
    """Elements as a list, one a line."""
    told = []
    for one in elements:
        x, y = one.box.center.to_pixel(size)
        told.append(f'{one.role} "{one.name}" at ({x}, {y})')
    return "\n".join(told)


def main() -> None:
    """Draw, and print."""
    seen, detact = look()
    screen = cast(Image, seen.screenshot)
    every = list(detact.find(seen).elements)
    kept = list(detact.find(seen, TASK).elements)
    Path(sys.argv[1]).write_bytes(picture(screen, every, set(kept)))
    counts = ", ".join(f"{sum(one.role == role for one in every)} {role}" for role in COLORS)
    typer.echo(f"{len(every)} elements: {counts}\n\n{lines(kept, screen.size)}\n")
    typer.echo(script_of([cast(Action, intent) for intent in write_script(TASK, kept)], screen.size))


if __name__ == "__main__":
    main()
