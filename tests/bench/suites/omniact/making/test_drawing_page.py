"""The page on which boxes are drawn, in a real Chromium: by mouse, at any size of the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from omnipilot.bench.suites.omniact.making.drawing_page import DrawingPage
from omnipilot.bench.suites.omniact.making.records import MakingFolder
from omnipilot.bench.suites.omniact.making.screens import picture_screens

pytestmark = pytest.mark.web


@pytest.fixture
def folder(tmp_path: Path) -> MakingFolder:
    """One picture of 1280x800 pixels, without a box."""
    Image.new("RGB", (1280, 800), "white").save(tmp_path / "plain.png")
    made = MakingFolder(tmp_path / "made")
    made.write_screens(picture_screens(made, [tmp_path / "plain.png"], "desktop"))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 1800])
def test_a_box_is_drawn_named_and_removed(launched_browser: Any, folder: MakingFolder, width: int) -> None:
    with DrawingPage(folder) as served:
        page = launched_browser.new_page(viewport={"width": width, "height": 700})
        page.goto(served.url)
        page.wait_for_selector("#count:text('0 boxes')")
        stage = page.locator("#stage").bounding_box()
        scale = stage["width"] / 1280

        def drag(left: float, top: float, right: float, bottom: float) -> None:
            page.mouse.move(stage["x"] + left * scale, stage["y"] + top * scale)
            page.mouse.down()
            page.mouse.move(stage["x"] + right * scale, stage["y"] + bottom * scale, steps=3)
            page.mouse.up()

        # From the lower right to the upper left.
        drag(400, 200, 100, 80)
        assert page.locator(".box.drawn").count() == 1
        page.keyboard.type("Open the inbox")
        page.keyboard.press("Enter")
        page.wait_for_selector("#said:text('is not words in hyphens')")
        page.locator("#name").fill("open-inbox")
        page.locator("#label").fill("Inbox")
        page.keyboard.press("Enter")
        page.wait_for_selector("#count:text('1 box')")
        assert page.locator("#form").is_hidden() and page.locator("#said").inner_text() == ""
        ((screen),) = folder.screens().values()
        (box,) = screen.boxes
        assert (box.name, box.label) == ("open-inbox", "Inbox")
        assert box.corners == pytest.approx((100, 80, 400, 200), abs=2)
        page.mouse.move(stage["x"] + 250 * scale, stage["y"] + 100 * scale)
        page.wait_for_selector(".box.lit span:text('open-inbox')")
        # A slip is no box, and Escape drops one.
        drag(500, 300, 501, 301)
        drag(500, 300, 600, 400)
        page.keyboard.press("Escape")
        assert page.locator(".box").count() == 1 and page.locator("#form").is_hidden()
        page.get_by_label("remove open-inbox").click()
        page.wait_for_selector("#count:text('0 boxes')")
        assert next(iter(folder.screens().values())).boxes == ()
        page.close()
