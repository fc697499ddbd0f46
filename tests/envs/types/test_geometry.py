"""Pixels and the unit square."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boxes, points, sizes

from omnipilot.envs import Box, Point, Size

EXTREMES = [
    Size(1, 1),
    Size(1, 4320),
    Size(7680, 1),
    Size(7680, 4320),
    Size(412, 916),
    Size(1280, 800),
    Size(1366, 768),
]


@pytest.mark.parametrize("size", EXTREMES, ids=str)
def test_every_column_and_row_survives_the_unit_square(size: Size) -> None:
    for column in range(size.width):
        for x in (column, column + 0.5):
            point = Point.from_pixels(x, 0, size)
            assert point.to_pixel(size) == (column, 0)
            assert point.to_pixels(size)[0] == pytest.approx(x, abs=1e-9)
    for row in range(size.height):
        for y in (row, row + 0.5):
            point = Point.from_pixels(0, y, size)
            assert point.to_pixel(size) == (0, row)
            assert point.to_pixels(size)[1] == pytest.approx(y, abs=1e-9)


@given(points, sizes)
def test_what_is_pressed_lies_in_the_same_pixel_and_off_its_edges(point: Point, size: Size) -> None:
    pressed = point.pressed(size)
    assert pressed.to_pixel(size) == point.to_pixel(size)
    x, y = pressed.to_pixels(size)
    assert x % 1 == pytest.approx(0.001, abs=1e-6) and y % 1 == pytest.approx(0.001, abs=1e-6)


@given(sizes, st.data())
def test_a_pixel_of_any_screen_survives_the_unit_square(size: Size, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, size.width - 1))
    row = data.draw(st.integers(0, size.height - 1))
    for inside in (0.0, 0.5, 0.999):
        assert Point.from_pixels(column + inside, row + inside, size).to_pixel(size) == (column, row)


@given(sizes, points)
def test_every_point_lies_in_a_pixel_of_every_screen(size: Size, point: Point) -> None:
    column, row = point.to_pixel(size)
    assert 0 <= column < size.width and 0 <= row < size.height
    x, y = point.to_pixels(size)
    assert abs(column + 0.5 - x) <= 0.5 + 1e-9 and abs(row + 0.5 - y) <= 0.5 + 1e-9


@given(points)
def test_permille_round_trip(point: Point) -> None:
    again = Point.from_permille(*(min(value, 1000.0) for value in point.to_permille()))
    assert (again.x, again.y) == (pytest.approx(point.x), pytest.approx(point.y))


@given(sizes, boxes)
def test_boxes_survive_pixels(size: Size, box: Box) -> None:
    left, top, right, bottom = box.to_pixels(size)
    again = Box.from_pixels(left, top, min(right, size.width), min(bottom, size.height), size)
    assert again.left == pytest.approx(box.left) and again.bottom == pytest.approx(box.bottom)
    assert box.contains(box.center)
    assert 0 <= box.area <= 1


@given(sizes, *[st.floats(-10_000, 10_000)] * 4)
def test_clipping_keeps_what_is_on_the_screen_and_nothing_else(
    size: Size, left: float, top: float, right: float, bottom: float
) -> None:
    box = Box.clipped(left, top, right, bottom, size)
    visible = max(left, 0) < min(right, size.width) and max(top, 0) < min(bottom, size.height)
    assert (box is not None) == visible
    if box is not None:
        assert box.to_pixels(size)[0] == pytest.approx(max(left, 0.0), abs=1e-6)
        assert box.to_pixels(size)[2] == pytest.approx(min(right, size.width), abs=1e-6)


@pytest.mark.parametrize("value", [-0.001, 1.001, 640, math.nan, math.inf, "0.5", None])
def test_a_point_refuses_to_be_born_off_the_unit_square(value: object) -> None:
    with pytest.raises(ValueError, match="from_pixels"):
        Point(value, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="from_pixels"):
        Point(0.5, value)  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [(0, 5), (5, -1), (1.5, 2), (True, 2), ("3", 3)])
def test_a_size_is_two_whole_positive_numbers(sides: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        Size(*sides)


def test_a_box_refuses_edges_out_of_order() -> None:
    with pytest.raises(ValueError, match="left <= right"):
        Box(0.6, 0, 0.5, 1)
    with pytest.raises(ValueError, match="top <= bottom"):
        Box(0, 0.6, 1, 0.5)


def test_a_box_encloses_what_lies_in_it_and_with_a_margin_what_sticks_out_by_no_more() -> None:
    box = Box(0.2, 0.2, 0.6, 0.6)
    assert box.encloses(box) and box.encloses(Box(0.3, 0.2, 0.4, 0.6))
    for out in (Box(0.1, 0.3, 0.4, 0.4), Box(0.3, 0.1, 0.4, 0.4), Box(0.3, 0.3, 0.7, 0.4), Box(0.3, 0.3, 0.4, 0.7)):
        assert not box.encloses(out) and not box.encloses(out, 0.05) and box.encloses(out, 0.11)
