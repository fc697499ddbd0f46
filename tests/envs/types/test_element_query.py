"""Phrases for elements: regions of the screen (names, roles and ordinals are tested with the grounder `elements`)."""

from __future__ import annotations

from omnipilot.envs import Box, Element
from omnipilot.envs.types import describe
from omnipilot.envs.types.element_query import lies_in, matches


def test_a_region_decides_between_those_that_answer_alike() -> None:
    top, low = (Element("button", "Open", Box(0.7, y, 0.9, y + 0.1)) for y in (0.05, 0.8))
    for phrase, found in (
        ('the "Open" button at the top right of the screen', [top]),
        ("the Open button in the lower right corner", [low]),
        ('the "Open" button, in blue, at the bottom of the screen', [low]),
        ('the "Open" button at the left of the screen', [top, low]),
        ('the second "Open" button at the top of the screen', [low]),
    ):
        assert matches(describe(phrase), [top, low]) == found, phrase


def test_the_middle_of_a_side() -> None:
    side = Element("button", "Up", Box(0.8, 0.4, 1.0, 0.6))
    assert lies_in(side, frozenset({"right", "middle"})) and not lies_in(side, frozenset({"middle"}))
    assert describe("the Up button in the middle of the screen").region == {"middle"}
