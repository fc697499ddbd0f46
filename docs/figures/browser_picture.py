"""Draw what an agent sees above a page, as a PNG file: `python docs/figures/browser_picture.py FILE`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from omnipilot.envs import Click, Elements, Image, Modality, Size
from omnipilot.envs.web import BrowserWorld

SIZE = Size(560, 360)
PAGE = """<!doctype html><meta charset=utf-8><title>Order</title>
<style>
body { font: 16px sans-serif; margin: 24px; background: #f3f6fb } p, button, select, input { margin: 6px 0 }
</style>
<h2>Order a pizza</h2>
<p><select aria-label="Size"><option>Small<option selected>Medium<option>Large</select></p>
<p><input type=file aria-label="Menu"></p>
<p><button onclick="prompt('Name for the order?', 'Ann')">Order</button></p>"""


def picture() -> bytes:
    """The page and what opens above it, with the boxes of the elements, as a PNG file."""
    from PIL import Image as pil
    from PIL import ImageDraw

    board = pil.new("RGB", (2 * SIZE.width + 12, 2 * SIZE.height + 12), "white")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("menu.pdf", "prices.csv"):
            (Path(folder) / name).write_text(name)
        world = BrowserWorld(url="data:text/html;charset=utf-8," + quote(PAGE), size=SIZE, files=folder)
        try:
            for number, name in enumerate(("", "Order", "Size", "Menu")):
                world.reset(0)
                shot, elements = _look(world)
                if name:
                    where = next(e for e in elements if e.name == name and e.role in ("button", "combobox"))
                    world.browser.act(Click(where.box.center))
                    shot, elements = _look(world)
                shown = pil.frombytes("RGB", (SIZE.width, SIZE.height), shot.rgb)
                pen = ImageDraw.Draw(shown)
                for element in elements:
                    if element.box.area and "offscreen" not in element.states:
                        pen.rectangle(element.box.to_pixels(SIZE), outline=(214, 39, 40))
                board.paste(shown, ((number % 2) * (SIZE.width + 12), (number // 2) * (SIZE.height + 12)))
        finally:
            world.close()
    return Image.raw(Size(*board.size), board.tobytes()).png()


def _look(world: BrowserWorld) -> tuple[Image, Elements]:
    seen = world.browser.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
    assert isinstance(seen.screenshot, Image) and isinstance(seen.elements, Elements)
    return seen.screenshot, seen.elements


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(picture())
