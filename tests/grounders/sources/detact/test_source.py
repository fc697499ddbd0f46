"""DetACT on pictures that are drawn here, with a reader of text that is told what to say."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as pil

from omnipilot.envs import Absent, ConfigError, Image, MissingExtra, Observation, Size
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.memory.perception import OcrReader
from omnipilot.memory.perception.ocr.engine import Area, Pixels

BLUE, RED, PAPER = (20, 90, 220), (210, 30, 40), (250, 250, 250)


class Engine:
    """Reads one line, at a known place, and counts how often it is asked."""

    name = "told"

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, pixels: Pixels) -> Sequence[Area]:
        """The place of the line."""
        self.looks += 1
        return [(38.0, 28.0, 92.0, 42.0)]

    def recognise(self, pixels: Pixels) -> tuple[str, float]:
        """The line."""
        return "Save draft", 0.9


def screen() -> Image:
    """A blue and a red button of 60 x 30 pixels on paper, and a line of dark blocks."""
    pixels = np.full((200, 300, 3), PAPER, np.uint8)
    pixels[100:130, 40:100] = BLUE
    pixels[100:130, 160:220] = RED
    pixels[30:40, 40:90:4] = 20
    return Image.from_array(pixels)


def seen(image: Image | None = None) -> Observation:
    """An observation with a picture only."""
    return Observation("screen", 0.0, Size(300, 200), screenshot=image or screen())


def source(**options: object) -> DetAct:
    """A DetACT over the told reader."""
    return DetAct(ocr=OcrReader(Engine()), **options)  # type: ignore[arg-type]


def test_it_tells_texts_before_colors_each_with_its_confidence() -> None:
    found = source().find(seen()).elements.items
    assert [(one.role, one.name, one.source) for one in found] == [
        ("text", "Save draft", "ocr"),
        ("color", "blue", "detector"),
        ("color", "red", "detector"),
    ]
    assert found[0].confidence == 0.9
    assert found[1].confidence is not None and found[1].confidence > 0.9
    x, y = found[1].box.center.to_pixel(Size(300, 200))
    assert (abs(x - 70) <= 1, abs(y - 115) <= 1) == (True, True)


def test_each_part_can_be_left_out() -> None:
    assert {one.role for one in source(texts=False).find(seen()).elements} == {"color"}
    assert {one.role for one in source(colors=False).find(seen()).elements} == {"text"}


def test_a_known_picture_is_read_once_and_costs_no_module() -> None:
    reader = OcrReader(Engine())
    one = DetAct(ocr=reader)
    first, again = one.find(seen()), one.find(seen(screen()))
    assert again.elements == first.elements
    assert set(first.seconds) == {"texts", "regions", "colors"}
    assert dict(again.seconds) == {}


def test_a_tile_that_is_read_as_the_first_letter_of_its_label_keeps_its_colour() -> None:
    pixels = np.full((200, 300, 3), PAPER, np.uint8)
    pixels[24:46, 34:56] = BLUE
    pixels[30:40, 60:90:4] = 20
    found = source().find(seen(Image.from_array(pixels))).elements.items
    assert [one.name for one in found if one.role == "color"] == ["blue"]
    pixels[24:46, 34:56] = PAPER
    pixels[28:42, 56:74] = BLUE
    found = source().find(seen(Image.from_array(pixels))).elements.items
    assert not [one.name for one in found if one.role == "color"], "in the middle of a line it is a letter"


def test_the_filter_keeps_what_the_task_names() -> None:
    found = source().find(seen(), "Press the red button")
    assert [one.name for one in found.elements] == ["red", "blue", "Save draft"]
    assert [one.name for one in source(keep=1).find(seen(), "Press the red button").elements] == ["red"]
    assert set(found.seconds) >= {"filter"}
    assert [one.name for one in source(filter="none").find(seen(), "Press the red button").elements] == [
        "Save draft",
        "blue",
        "red",
    ]


def test_without_a_screenshot_there_is_nothing() -> None:
    blind = Observation("screen", 0.0, Size(300, 200), screenshot=Absent("ablated"))
    assert len(source().find(blind, "Press the red button").elements) == 0


@pytest.mark.parametrize(("option", "value"), [("mode", "median"), ("filter", "lexicon"), ("keep", 0)])
def test_a_wrong_option_says_what_it_takes(option: str, value: object) -> None:
    with pytest.raises(ConfigError, match=option):
        source(**{option: value})


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_segment_anything_needs_an_extra_and_the_error_says_what_does_without() -> None:
    with pytest.raises(MissingExtra, match=r"omnipilot\[local\].*segments"):
        source(segments="facebook/sam-vit-base")
    source(segments="facebook/sam-vit-base", icons=False, colors=False)


def test_icons_are_named_by_the_pictures_of_a_pack(tmp_path: Path) -> None:
    cross = np.full((24, 24, 3), 250, np.uint8)
    for at in range(4, 19):
        cross[at : at + 2, at : at + 2] = cross[at : at + 2, 22 - at : 24 - at] = 40
    pil.fromarray(cross).save(tmp_path / "close.png")
    pixels = screen().array().copy()
    pixels[160:184, 250:274] = 255 - cross
    pixels[155:160, 245:279] = pixels[184:189, 245:279] = pixels[155:189, 245:250] = pixels[155:189, 274:279] = 5
    image = Image.from_array(pixels)
    found = source(pack=str(tmp_path)).find(seen(image)).elements.items
    (icon,) = [one for one in found if one.role == "image"]
    assert (icon.name, icon.source) == ("close", "detector")
    assert icon.confidence is not None and icon.confidence >= 0.95
    x, y = icon.box.center.to_pixel(Size(300, 200))
    assert (abs(x - 262) <= 3, abs(y - 172) <= 3) == (True, True)
    assert not [one for one in source().find(seen(image)).elements if one.role == "image"]
    off = source(pack=str(tmp_path), icons=False)
    assert not [one for one in off.find(seen(image)).elements if one.role == "image"] and off.identity() == {}
