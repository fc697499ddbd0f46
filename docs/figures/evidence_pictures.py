"""`python docs/figures/evidence_pictures.py docs/pictures`: the pictures of docs/evidence.md.

It plays what the document plays, finds the causes of the failures, writes the page of both runs, and takes pictures of
it with Chromium. With `--runs DIR`, what was played there before is not played again.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from PIL import Image

from omnipilot.bench.cli.app import app

TASKS = "send-message,add-alarm,number-by-voicemail,network-by-voicemail"
PLAYED = f"run --suite duet --planner mini --tasks {TASKS}".split()
TASK = "number-by-voicemail%230.0"
WIDTH, HEIGHT = 1280, 800
COLORS = 96
VIEWS = {
    "evidence-causes": ("#?by=cause", ".groups table", ()),
    "evidence-step": (f"#0/{TASK}/3", ".inspector .element-row", ("i",)),
    "evidence-beside": (f"#0/{TASK}/0/beside~1~{TASK}", ".first-difference[aria-pressed=true]", ("d",)),
}
"""By the name of its file: where on the page it is taken, what has to be there then, and the keys that are pressed."""


def commands(folder: str) -> list[list[str]]:
    """What the document plays, as words after `omnipilot`, with its runs in a folder."""
    mini, told = f"{folder}/mini", f"{folder}/told"
    return [
        [*PLAYED, "--out", mini],
        ["attribute", mini],
        [*PLAYED, "--readers", "perception", "--out", told],
        ["report", mini, told, "--out", f"{folder}/both.html"],
    ]


def play(folder: Path) -> Path:
    """The page of the document's two runs, whose failures have causes; `folder` receives the runs."""
    for words in commands(str(folder)):
        app(words, standalone_mode=False)
    return folder / "both.html"


def take_pictures(page: Path) -> dict[str, bytes]:
    """The pictures as PNG files of few colours, by name."""
    from playwright.sync_api import sync_playwright

    from omnipilot.envs.web import find_chromium

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        shots = {name: _shot(browser, page, *view) for name, view in VIEWS.items()}
        browser.close()
    return shots


def _shot(browser: Any, page: Path, where: str, ready: str, keys: tuple[str, ...]) -> bytes:
    view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    view.goto(page.resolve().as_uri() + where)
    view.wait_for_selector("#main > *")
    view.wait_for_function("() => !location.hash.includes('/') || document.querySelector('#stage .frame img')")
    for key in keys:
        view.keyboard.press(key)
    view.wait_for_selector(ready)
    view.wait_for_function("() => [...document.images].every(i => i.loading === 'lazy' || i.complete)")
    few = Image.open(BytesIO(view.screenshot())).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    view.close()
    file = BytesIO()
    few.save(file, "png", optimize=True)
    return file.getvalue()


def main(
    folder: Path,
    runs: Annotated[Path | None, typer.Option(help="Where the runs are kept. Default: nowhere.")] = None,
) -> None:
    """Draw the pictures into a folder."""
    with TemporaryDirectory() as temporary:
        for name, content in take_pictures(play(runs or Path(temporary))).items():
            (folder / f"{name}.png").write_bytes(content)
            sys.stdout.write(f"{folder / name}.png\n")


if __name__ == "__main__":
    typer.run(main)
