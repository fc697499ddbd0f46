"""Places on screenshots and in the pixels of `input`: overrides, rotations, and what Android tells of them."""

from __future__ import annotations

import android_texts as told
import pytest

from omnipilot.envs import Point, Size
from omnipilot.envs.android.screen import (
    Display,
    PixelMapping,
    parse_display,
    parse_rotation,
    parse_wm_size,
    screen_map,
)

PANEL = Size(1080, 2400)


def test_wm_size_tells_the_override_beside_the_panel() -> None:
    assert parse_wm_size(told.WM_SIZE) == (PANEL, PANEL)
    assert parse_wm_size(told.WM_SIZE_OVERRIDE) == (PANEL, Size(720, 1280))
    assert parse_wm_size("Error: can't find service: window\n") is None


@pytest.mark.parametrize(
    ("text", "rotation"),
    [
        (told.WINDOW_7, 0),
        ("  mRotation=3 mAltOrientation=false\n", 3),
        ("    mCurrentRotation=ROTATION_270\n", 3),
        (told.INPUT_12, 1),
        (told.INPUT_13, 3),
        (told.DISPLAY_SIDEWAYS, 1),
        ("nothing of the kind", None),
    ],
)
def test_rotations_are_told_in_quarters_and_in_degrees(text: str, rotation: int | None) -> None:
    assert parse_rotation(text) == rotation


@pytest.mark.parametrize(
    ("text", "display"),
    [
        (told.WINDOW_7, Display(Size(1080, 1920), Size(1080, 1920))),
        (told.WINDOW_10_MAKER, Display(PANEL, PANEL)),
        (told.WINDOW_14_OVERRIDE, Display(PANEL, Size(1080, 1920))),
        ("no display here", None),
    ],
)
def test_the_display_is_read(text: str, display: Display | None) -> None:
    assert parse_display(text) == display


def test_of_several_displays_the_first_one_counts() -> None:
    display = parse_display(told.WINDOW_13_SIDEWAYS)
    assert display is not None
    assert (display.panel, display.size) == (PANEL, Size(2400, 1080))
    assert display.rotation in (1, 3)


def shown(display: Display, x: float, y: float, screenshot: Size, turned_with_it: bool = True) -> Point:
    """Where a pixel of the display is seen in a screenshot: a second way to the same map, corner by corner.

    The display is drawn on a canvas of the panel's shape as Android's LogicalDisplay does it, and the canvas is turned.
    """
    canvas = display.panel if not turned_with_it else None
    now = display.size
    if canvas is None:
        shape = Size(display.panel.height, display.panel.width) if display.rotation % 2 else display.panel
        scale = min(shape.width / now.width, shape.height / now.height)
        left, top = (shape.width - now.width * scale) / 2, (shape.height - now.height * scale) / 2
        return Point((left + x * scale) / shape.width, (top + y * scale) / shape.height)
    w, h = display.natural.width, display.natural.height
    nx, ny = {0: (x, y), 1: (w - y, x), 2: (w - x, h - y), 3: (y, h - x)}[display.rotation]
    scale = min(canvas.width / w, canvas.height / h)
    left, top = (canvas.width - w * scale) / 2, (canvas.height - h * scale) / 2
    return Point((left + nx * scale) / canvas.width, (top + ny * scale) / canvas.height)


@pytest.mark.parametrize("override", [None, Size(540, 1200), Size(1080, 1920), Size(1440, 1440), Size(720, 2400)])
@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
@pytest.mark.parametrize("turned_with_it", [True, False])
def test_a_tap_lands_where_it_is_seen(rotation: int, override: Size | None, turned_with_it: bool) -> None:
    display = Display(PANEL, override or PANEL, rotation)  # type: ignore[arg-type]
    if not turned_with_it and rotation == 2:
        return  # upside down or not, the shape is the same: nothing tells the two apart
    shape = PANEL if not turned_with_it or rotation % 2 == 0 else Size(2400, 1080)
    found = screen_map(shape, display)
    size = display.size
    for x, y in [(10, 10), (size.width - 10, 10), (10, size.height - 10), (size.width // 3, size.height // 2)]:
        place = shown(display, x + 0.5, y + 0.5, shape, turned_with_it)
        assert found.to_input(place) == (x, y)
        box = found.to_box(x, y, x + 1, y + 1)
        assert box is not None
        assert box.contains(place)
        assert box.area == pytest.approx((found.width * found.height) / size.pixels, rel=1e-6), (
            "a pixel's box is as large as the pixel"
        )


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
def test_a_screenshot_of_the_overridden_display_is_all_of_it(rotation: int) -> None:
    display = Display(PANEL, Size(720, 1280), rotation)  # type: ignore[arg-type]
    found = screen_map(display.size, display)
    assert found == PixelMapping(display.size, display.size)
    assert found.to_input(Point(0.25, 0.5)) == (display.size.width // 4, display.size.height // 2)


def test_a_place_in_a_black_bar_is_the_nearest_one_of_the_display() -> None:
    display = Display(PANEL, Size(1080, 1920))
    found = screen_map(PANEL, display)
    assert (found.left, found.width) == (0.0, 1.0)
    assert found.top == pytest.approx(240 / 2400)
    assert found.to_input(Point(0.5, 0.01)) == (540, 0)
    assert found.to_input(Point(0.5, 0.99)) == (540, 1919)


def test_what_is_off_the_display_has_no_box() -> None:
    found = screen_map(PANEL, Display(PANEL, PANEL))
    assert found.to_box(0, 2400, 100, 2500) is None
    assert found.to_box(5, 5, 5, 9) is None
    box = found.to_box(-100, -100, 1180, 2500)
    assert box is not None
    assert (box.left, box.top, box.right, box.bottom) == (0, 0, 1, 1)
