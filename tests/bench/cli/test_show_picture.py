"""`omnipilot show PICTURE`: the elements that are read from a picture."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as pil
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.envs import ConfigError


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A blue and a red button on paper, 300 x 200 pixels."""
    pixels = np.full((200, 300, 3), 250, np.uint8)
    pixels[100:130, 40:100] = (20, 90, 220)
    pixels[100:130, 160:220] = (210, 30, 40)
    pil.fromarray(pixels).save(tmp_path / "screen.png")
    return tmp_path / "screen.png"


def shown(*words: str) -> str:
    """What the command prints."""
    done = CliRunner().invoke(app, ["show", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_prints_a_line_for_each_element_and_what_the_modules_cost(picture: Path) -> None:
    head, *lines = shown(str(picture)).splitlines()
    assert head.startswith("2 elements, texts ") and "regions" in head and "colors" in head
    assert [line.split(" at ")[0] for line in lines] == ["colour 'blue'", "colour 'red'"]
    one = shown(str(picture), "Press the red one", "-o", "perception.keep=1").splitlines()
    assert len(one) == 2 and one[1].startswith("colour 'red' at (190, 115), ") and "filter" in one[0]


def test_as_json_it_says_boxes_in_pixels_and_seconds_of_each_module(picture: Path) -> None:
    told = json.loads(shown(str(picture), "--json", "-o", "perception.texts=false"))
    assert told["size"] == [300, 200] and set(told["seconds"]) == {"texts", "regions", "colors"}
    assert [one["name"] for one in told["elements"]] == ["blue", "red"]
    left, top, right, bottom = told["elements"][0]["box"]
    assert (left, top, right, bottom) == pytest.approx((40, 100, 100, 130), abs=1.5)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--turn", "2"], "--turn: for runs alone"),
        (["-o", "planner.keep=1"], "written perception.KEY=VALUE"),
        (["--perception", "detcat"], "detact"),
    ],
)
def test_what_does_not_go_with_a_picture_is_refused(picture: Path, words: list[str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        shown(str(picture), *words)


def test_a_file_that_is_no_picture_and_a_run_with_options_of_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(ConfigError, match="cannot be read as a picture"):
        shown(str(tmp_path / "notes.txt"))
    with pytest.raises(ConfigError, match="are for a picture"):
        shown(str(tmp_path), "--perception", "detact")
