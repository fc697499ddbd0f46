"""Several looks at a screen that is smaller than those that were learnt make one list of elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mini_eyes import FORM, drawn_weights

from omnipilot.envs import Size
from omnipilot.grounders.mini.eyes.looks import find_in_looks
from omnipilot.grounders.mini.eyes.network import EyesNetwork, SeenElement

BUTTON, TEXT = FORM.kinds.index("button"), FORM.kinds.index("text -")


class Corners(EyesNetwork):
    """Sees what it is told to, one list for each look, and keeps what it was shown."""

    def __init__(self, *looks: list[SeenElement]) -> None:
        super().__init__(FORM, drawn_weights())
        self.looks = list(looks)
        self.shown: list[Any] = []

    def find(self, pixels: Any) -> list[SeenElement]:
        self.shown.append(pixels)
        return self.looks[len(self.shown) - 1]


def element(left: float, top: float, sure: float, kind: int = BUTTON, name: int = 0) -> SeenElement:
    return SeenElement(kind, name, 0, frozenset(), (left, top, left + 20, top + 10), sure)


def screen(height: int = 60, width: int = 80) -> Any:
    return np.arange(height * width * 3, dtype=np.uint8).reshape(height, width, 3)


def test_the_screen_lies_in_each_corner_of_a_learnt_one() -> None:
    eyes, pixels = Corners([], [], [], [], []), screen()
    find_in_looks(eyes, pixels, Size(100, 90))
    whole, *corners = eyes.shown
    assert np.array_equal(whole, pixels)
    assert [one.shape for one in corners] == [(90, 100, 3)] * 4
    for one, (top, left) in zip(corners, [(0, 0), (30, 0), (0, 20), (30, 20)], strict=True):
        assert np.array_equal(one[top : top + 60, left : left + 80], pixels)


@pytest.mark.parametrize("learnt", [Size(80, 60), Size(70, 40)])
def test_one_look_is_enough_where_no_corner_is_free(learnt: Size) -> None:
    eyes = Corners([element(1, 2, 0.9)])
    assert find_in_looks(eyes, screen(), learnt) == [element(1, 2, 0.9)]


def test_what_several_looks_saw_is_told_once_by_the_surest() -> None:
    eyes = Corners([element(10, 10, 0.7)], [], [element(11, 40, 0.9, name=2)], [element(50, 10, 0.6)], [])
    found = find_in_looks(eyes, screen(), Size(100, 90))
    assert found == [element(11, 10, 0.9, name=2), element(30, 10, 0.6)]


def test_a_text_and_a_button_at_one_place_are_two_and_so_are_two_of_one_look() -> None:
    two = [element(10, 10, 0.7), element(12, 10, 0.6)]
    eyes = Corners(two, [element(10, 10, 0.65, TEXT)], [], [], [])
    assert find_in_looks(eyes, screen(), Size(100, 90)) == [two[0], element(10, 10, 0.65, TEXT), two[1]]


def test_what_lies_beside_the_screen_is_not_told() -> None:
    eyes = Corners([], [element(90, 10, 0.9), element(70, 5, 0.8)], [], [], [])
    (only,) = find_in_looks(eyes, screen(), Size(100, 90))
    assert only.box == (70, 5, 80, 15)
