"""`python docs/figures/timeline_picture.py docs/pictures/timeline.png`: the picture of docs/report.md.

It plays a task, writes its page, and takes a picture of it with Chromium.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from PIL import Image

from omnipilot.bench.cli.app import app

TASK = "beeps-to-table"
RUN = "run --suite duet --planner rules --memory episodic -o memory.map=true --gate events --jobs 0".split()
WIDTH, HEIGHT = 1400, 1300
STEP = 8
COLORS = 192
"""Of the saved picture: with fewer, kinds of events are told apart by no colour."""


def timeline(folder: Path) -> bytes:
    """The picture, as a PNG; `folder` receives the run."""
    from playwright.sync_api import sync_playwright

    from omnipilot.envs.web import find_chromium

    out = folder / "beeps"
    app([*RUN, "--tasks", TASK, "--out", str(out)], standalone_mode=False)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(f"{(out / 'report.html').resolve().as_uri()}#0/{TASK}%230.0/{STEP}/time")
        page.wait_for_selector(".track .event")
        page.locator(".track.lane-heard .event").nth(2).click()
        page.wait_for_function("() => [...document.images].every(i => i.loading === 'lazy' || i.complete)")
        page.mouse.move(1, 1)
        main = page.locator("#main").bounding_box()
        shot = page.screenshot(clip=main)
        browser.close()
    few = Image.open(BytesIO(shot)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "png", optimize=True)
    return file.getvalue()


def main(path: Path) -> None:
    """Draw the picture into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        path.write_bytes(timeline(Path(folder)))
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    typer.run(main)
