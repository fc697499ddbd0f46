"""Coordinate spaces, the resize rule, and the three frames."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import points, sizes

from omnipilot.envs import Point, Size
from omnipilot.envs.types import Frame, OutOfRange
from omnipilot.envs.types.frames import Space, smart_resize

SPACES: list[Space] = ["norm1", "norm1000", "norm999", "abs_resized"]
QWEN2 = (28, 3136, 12_845_056)
QWEN3 = (32, 65_536, 16_777_216)


@pytest.mark.parametrize(
    ("before", "rule", "after"),
    [
        ((1920, 1080), QWEN2, (1932, 1092)),
        ((5120, 1440), QWEN2, (5124, 1428)),
        ((1080, 2400), QWEN2, (1092, 2408)),
        ((2560, 1440), QWEN2, (2548, 1428)),
        ((3840, 2160), QWEN2, (3836, 2156)),
        ((1366, 768), QWEN2, (1372, 756)),
        ((1710, 852), (28, 3136, 1_003_520), (1400, 700)),
        ((5120, 1440), (28, 3136, 4_000_000), (3752, 1036)),
        ((1920, 1080), QWEN3, (1920, 1088)),
        ((1440, 900), QWEN3, (1440, 896)),
        ((3840, 2160), QWEN3, (3840, 2176)),
    ],
)
def test_smart_resize_fixed_points(before: tuple[int, int], rule: tuple[int, int, int], after: tuple[int, int]) -> None:
    assert smart_resize(Size(*before), *rule) == Size(*after)


@given(sizes, st.sampled_from([QWEN2, QWEN3, (28, 78_400, 1_003_520), (14, 3136, 200_000)]))
def test_smart_resize_keeps_its_budget_and_is_an_identity_on_its_own_result(
    size: Size, rule: tuple[int, int, int]
) -> None:
    factor, fewest, most = rule
    if max(size.width, size.height) / min(size.width, size.height) > 200:
        with pytest.raises(ValueError, match="pad the image"):
            smart_resize(size, *rule)
        return
    new = smart_resize(size, *rule)
    assert new.width % factor == new.height % factor == 0
    # A side cannot shrink below the factor, so a sliver may stay above the budget.
    assert fewest <= new.pixels and (new.pixels <= most or factor in (new.width, new.height))
    if new.pixels <= most and max(new.width, new.height) <= 200 * min(new.width, new.height):
        assert smart_resize(new, *rule) == new


def test_smart_resize_may_use_its_whole_budget() -> None:
    # 65 rounds down to 56: the picture has more pixels than the budget, what it becomes has just as many.
    assert smart_resize(Size(65, 56), 28, 56, 56 * 56) == Size(56, 56)
    assert smart_resize(Size(65, 56), 28, 56, 56 * 56 - 1) == Size(56, 28)


def test_smart_resize_rounds_half_to_even() -> None:
    assert smart_resize(Size(28 * 10 + 14, 28 * 11 + 14), 28, 3136, 12_845_056) == Size(28 * 10, 28 * 12)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("order", ["xy", "yx"])
@given(screenshot=sizes, model=sizes, point=points)
def test_a_place_survives_the_model_and_stays_in_its_pixel(
    space: Space, order: str, screenshot: Size, model: Size, point: Point
) -> None:
    frame = Frame(screenshot, model, space, order)  # type: ignore[arg-type]
    again = frame.to_point(*frame.from_point(point))
    # The far edge is drawn in to the last pixel: half-way off the screen there is nothing to click.
    assert again.x == pytest.approx(min(point.x, 1 - 1 / screenshot.width), abs=1e-9)
    assert again.y == pytest.approx(min(point.y, 1 - 1 / screenshot.height), abs=1e-9)
    column, row = point.to_pixel(screenshot)
    near_column, near_row = again.to_pixel(screenshot)
    assert abs(near_column - column) <= (abs(point.x * screenshot.width - column) < 1e-6)
    assert abs(near_row - row) <= (abs(point.y * screenshot.height - row) < 1e-6)


def test_each_space_by_a_known_answer() -> None:
    screen, seen = Size(1920, 1080), Size(1932, 1092)
    for space, answer in {
        "norm1": (0.25, 0.5),
        "norm1000": (250, 500),
        "norm999": (249.75, 499.5),
        "abs_resized": (483, 546),
    }.items():
        assert Frame(screen, seen, space).to_point(*answer) == Point(0.25, 0.5)  # type: ignore[arg-type]
    assert Frame(screen, seen, "norm1000", "yx").to_point(500, 250) == Point(0.25, 0.5)
    # The published example of an absolute model: click(start_box='(197,525)') on 1920x1080.
    x, y = Frame(screen, seen, "abs_resized").to_point(197, 525).to_pixels(screen)
    assert (round(x, 1), round(y, 1)) == (195.8, 519.2)


@given(sizes, st.integers(0, 999), st.integers(0, 999))
def test_thousandths_of_999_and_1000_differ_by_a_thousandth_at_most(size: Size, x: int, y: int) -> None:
    one, other = (Frame(size, size, space).to_point(x, y) for space in ("norm999", "norm1000"))  # type: ignore[arg-type]
    assert abs(one.x - other.x) <= 0.0011 and abs(one.y - other.y) <= 0.0011


@pytest.mark.parametrize("space", SPACES)
def test_a_little_outside_is_drawn_in_and_more_is_refused(space: Space) -> None:
    screen = Size(1000, 500)
    frame = Frame(screen, Size(1008, 504), space)
    across, down = frame.ranges
    assert frame.to_point(-0.019 * across, 1.019 * down).to_pixel(screen) == (0, 499)
    assert frame.to_point(1.019 * across, -0.019 * down).to_pixel(screen) == (999, 0)
    for x, y in ((-0.03, 0.5), (1.03, 0.5), (0.5, -0.03), (0.5, 1.03), (math.nan, 0.5), (0.5, math.inf)):
        with pytest.raises(OutOfRange, match=space):
            frame.to_point(x * across, y * down)


def test_a_frame_refuses_an_unknown_space() -> None:
    with pytest.raises(ValueError, match="norm100"):
        Frame(Size(1, 1), Size(1, 1), "norm100")  # type: ignore[arg-type]
