"""Verbs as shell lines, by Android version."""

from __future__ import annotations

import base64
import math
import re

import android_texts as told
import pytest

from omnipilot.envs import ActionRejected, Point, Press, Scroll, Size, Swipe
from omnipilot.envs.android import input as touch

SIZE = Size(1000, 2000)
PLACE = Point(0.5, 0.5)
WAYS = [("up", (0, -1)), ("down", (0, 1)), ("left", (-1, 0)), ("right", (1, 0))]
LATIN = "com.android.inputmethod.latin/.LatinIME"


def strokes(lines: list[str]) -> list[tuple[int, int, int, int, int]]:
    found = []
    for line in lines:
        match = re.fullmatch(r"input swipe (\d+) (\d+) (\d+) (\d+) (\d+)", line)
        assert match, line
        found.append(tuple(map(int, match.groups())))
    return found  # type: ignore[return-value]


def test_a_double_tap_is_one_line() -> None:
    assert touch.tap((5, 7), 1) == "input tap 5 7"
    assert touch.tap((5, 7), 2) == "input tap 5 7; input tap 5 7"


def test_a_long_press_rests() -> None:
    assert touch.long_press((5, 7), 1.25) == "input swipe 5 7 5 7 1250"


def test_drags_go_by_version() -> None:
    assert touch.drag([(1, 2), (3, 4)], 34) == "input draganddrop 1 2 3 4 1500"
    assert touch.drag([(1, 2), (3, 4)], 23) == "input swipe 1 2 3 4 1500"
    through = touch.drag([(0, 0), (100, 0), (100, 80)], 30)
    assert through.startswith("input motionevent DOWN 0 0; sleep 0.6; input motionevent MOVE 25 0; ")
    assert through.endswith("; input motionevent MOVE 100 80; input motionevent UP 100 80")
    with pytest.raises(ActionRejected, match="leave out the path"):
        touch.drag([(0, 0), (100, 0), (100, 80)], 29)


@pytest.mark.parametrize(
    ("direction", "way"), [("up", (0, -1)), ("down", (0, 1)), ("left", (-1, 0)), ("right", (1, 0))]
)
def test_a_flick_goes_its_way_about_the_middle(direction: str, way: tuple[int, int]) -> None:
    ((x1, y1, x2, y2, ms),) = strokes([touch.flick(Swipe(direction), None, None, SIZE)])  # type: ignore[arg-type]
    length = touch.FLICK * (SIZE.height if way[1] else SIZE.width)
    assert (x2 - x1, y2 - y1) == pytest.approx((way[0] * length, way[1] * length), abs=1)
    assert ((x1 + x2) / 2, (y1 + y2) / 2) == pytest.approx((500, 1000), abs=1)
    assert ms == touch.SWIPE_MS


def test_a_flick_keeps_away_from_the_edges() -> None:
    ((x1, y1, x2, y2, _),) = strokes([touch.flick(Swipe("left", PLACE), (3, 1999), None, SIZE)])  # type: ignore[arg-type]
    assert min(x1, x2) >= 60 and max(y1, y2) <= 1880


def test_a_flick_between_two_places_is_exact() -> None:
    assert strokes([touch.flick(Swipe(start=PLACE, end=PLACE), (1, 2), (3, 4), SIZE)]) == [(1, 2, 3, 4, 300)]


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
@pytest.mark.parametrize(("amount", "unit"), [(3, "notch"), (250, "px"), (1, "page"), (2.5, "page"), (0.01, "px")])
@pytest.mark.parametrize("at", [(500, 1000), (0, 0), (999, 1999)])
def test_scrolls_add_up_and_stay_inside(direction: str, amount: float, unit: str, at: tuple[int, int]) -> None:
    lines = strokes(touch.scroll(Scroll(direction, amount=amount, unit=unit), at, SIZE))  # type: ignore[arg-type]
    across = direction in ("left", "right")
    side = SIZE.width if across else SIZE.height
    wanted = amount * {"notch": touch.NOTCH * 1000 / 411, "px": 1, "page": 0.9 * side}[unit]
    moved = sum(x2 - x1 if across else y2 - y1 for x1, y1, x2, y2, _ in lines)
    # New content appears in the direction, so the finger goes against it.
    assert moved == round(wanted) * (1 if direction in ("up", "left") else -1)
    for x1, y1, x2, y2, _ms in lines:
        ends = (x1, x2) if across else (y1, y2)
        assert min(ends) >= math.floor(touch.EDGE * side) and max(ends) <= math.ceil((1 - touch.EDGE) * side)
        assert (y1 == y2 == at[1]) if across else (x1 == x2 == at[0])


def test_keys_are_pressed_by_version() -> None:
    assert touch.press(Press(("enter",)), 34) == "input keyevent 66"
    assert touch.press(Press(("a",), repeat=3), 34) == "input keyevent 29 29 29"
    assert touch.press(Press(("ctrl", "a"), repeat=2), 31) == "; ".join(["input keycombination 113 29"] * 2)
    assert touch.press(Press(("down",), seconds=1), 31) == "input keyevent --longpress 20"
    with pytest.raises(ActionRejected, match="Android 12"):
        touch.press(Press(("ctrl", "a")), 30)
    with pytest.raises(ActionRejected, match="several keys"):
        touch.press(Press(("ctrl", "a"), seconds=1), 31)


def test_fields_are_emptied_by_version() -> None:
    assert touch.clear(None, 31) == "input keycombination 113 29; input keyevent 67"
    assert touch.clear(3, 30) == "input keyevent 123; input keyevent 67 67 67"
    assert touch.clear(0, 30) == "input keyevent 123"
    assert touch.clear(None, 30).count(" 67") == 200


@pytest.mark.parametrize("keyboard", touch.KEYBOARDS)
def test_a_broadcast_carries_any_text(keyboard: str) -> None:
    line = touch.broadcast(keyboard, "Zoë's 漢字\n")
    match = re.fullmatch(r"am broadcast -a (\w+) --es (\w+) (\S+)", line)
    assert match
    assert (match[1], match[2]) == touch.KEYBOARDS[keyboard]
    assert base64.b64decode(match[3]).decode() == "Zoë's 漢字\n"


def test_installed_keyboards_are_read() -> None:
    assert touch.parse_keyboards(told.IME_LIST) == (touch.ADB_KEYBOARD,)
    assert touch.parse_keyboards(told.IME_LIST_U2) == (touch.U2_KEYBOARD,)
    assert touch.parse_keyboards("") == ()
    assert touch.parse_keyboard(f"{LATIN}\n") == LATIN
    assert touch.parse_keyboard("null\n") == ""
