"""The grounder `ocr`: which line of text answers to a description, and when it abstains."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted import view

from omnipilot.envs import Box, Element, Elements, Image, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, Grounding, OcrGrounder
from omnipilot.memory.perception.ocr.reader import OcrReading

TEXTS = (
    "Inbox",
    "Save",
    "Save as draft",
    "Sarah Kent",
    "Sara Kent",
    "200 gflour",
    "OK",
    "See you at the station with Lee Wong and the others",
    "OK",
    "Order 0l5",
)


class Sheet:
    """A reader of a sheet with one text a row."""

    def __init__(self, texts=TEXTS):
        self.items = tuple(
            Element("text", text, Box(0.1, row / 10, 0.5, row / 10 + 0.08), source="ocr")
            for row, text in enumerate(texts)
        )

    def read(self, image):
        return OcrReading(Elements(self.items), 0.25, len(self.items), 1)


def ground(target, texts=TEXTS):
    seen = replace(view("pc", None), screenshot=Image.raw(Size(2, 1), bytes(6)))
    return OcrGrounder(Sheet(texts)).ground(seen, target)


@pytest.mark.parametrize(
    ("target", "row"),
    [
        ("Save", 1),
        ("the Save button", 1),
        ('the button "Save as draft"', 2),
        ("Sarah Kent", 3),
        ("Sara Kent", 4),
        ("200 g flour", 5),
        ("the second OK button", 8),
        ("order 015", 9),
        ("the Inbox folder", 0),
    ],
)
def test_what_answers_to_a_description(target, row):
    found = ground(target)
    assert isinstance(found, Grounding), found
    assert int(found.point.y * 10) == row and found.usage.seconds == 0.25


def test_a_good_part_of_a_line_is_pointed_at_where_it_stands():
    found = ground("draft", ("Save as draft",))
    assert isinstance(found, Grounding) and found.point.x > 0.35
    assert found.box.right == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("the trash icon", "not_found"),
        ("Lee Wong", "not_found"),
        ("OK", "ambiguous"),
        ("the third OK", "not_found"),
        (Ref("save"), "not_found"),
    ],
)
def test_when_it_abstains(target, reason):
    found = ground(target)
    assert isinstance(found, Abstention) and found.reason == reason, found


def test_ambiguous_places_are_named():
    assert ground("OK").detail.count("'OK'") == 2


def test_without_a_screenshot_it_has_no_view():
    found = OcrGrounder(Sheet()).ground(view("pc", ()), "Save")
    assert isinstance(found, Abstention) and found.reason == "no_view" and "unsupported" in found.detail
