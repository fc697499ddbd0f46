"""The document about the report's page tells the truth."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from shared_folders import ROOT
from timeline_picture import timeline

TEXT = (ROOT / "docs/report.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs/pictures/timeline.png"
LARGEST = 120_000


def test_every_key_is_one_that_the_page_knows() -> None:
    """Each key of the table stands in the handler of the page or of the timeline."""
    scripts = "".join((ROOT / f"bench/viewer/static/{name}.js").read_text("utf-8") for name in ("app", "timeline"))
    words = {"←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown", "Esc": "Escape", "Space": '" "'}
    rows = re.findall(r"^\| (`.+?) \| ", TEXT, re.M)
    keys = [key for row in rows for key in re.findall(r"`([^`]+)`", row) if key not in ("Ctrl", "Shift")]
    assert len(keys) > 15
    for key in keys:
        name = words.get(key, key).strip('"')
        assert re.search(rf'(?<!\w)"?{re.escape(name)}"?: \(\) =>', scripts), key


def test_the_help_of_the_page_has_every_key() -> None:
    shown = (ROOT / "bench/viewer/static/help.js").read_text("utf-8")
    told = set(" ".join(re.findall(r'\["([^"\[]+)", "', shown)).replace("−", "-").split())
    rows = re.findall(r"^\| (`.+?) \| ", TEXT, re.M)
    keys = {key for row in rows for key in re.findall(r"`([^`]+)`", row)} - {"Ctrl", "Shift", "[", "]"}
    assert keys <= told, keys - told


def test_the_picture_is_small_and_its_command_named() -> None:
    assert "](pictures/timeline.png)" in TEXT.replace("\n", " ")
    assert "python docs/figures/timeline_picture.py docs/pictures/timeline.png" in TEXT
    assert PICTURE.stat().st_size <= LARGEST


@pytest.mark.slow
@pytest.mark.web
def test_the_picture_is_made_by_its_command(tmp_path: Path) -> None:
    """Of the same size; its letters are those of the machine's fonts."""
    made = Image.open(BytesIO(timeline(tmp_path)))
    assert made.size == Image.open(PICTURE).size
