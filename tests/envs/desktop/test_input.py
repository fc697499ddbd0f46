"""What each verb does arrives at the window that it is meant for."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from desktop_hands import wait_for
from event_window import EventWindow
from Xlib import XK

from omnipilot.envs import (
    ActionRejected,
    Click,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Point,
    Press,
    Scroll,
    System,
    TypeText,
)
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.env import DOUBLE_CLICK
from omnipilot.envs.desktop.private import PrivateDesktop

pytestmark = pytest.mark.desktop
SHIFT, CONTROL = 1, 4
NAMES = {XK.string_to_keysym(name): name for name in ("Control_L", "Shift_L", "Alt_L", "F5", "t")}


@pytest.fixture
def window(desktop: PrivateDesktop) -> Iterator[EventWindow]:
    made = EventWindow(desktop.address)
    yield made
    made.close()


def at(env: DesktopEnv, window: EventWindow, x: int, y: int) -> Point:
    left, top = window.origin
    return Point.from_pixels(left + x + 0.5, top + y + 0.5, env.size)


def keys(window: EventWindow, kind: str = "key") -> list[str]:
    """Names of the keys that were pressed."""
    codes = [detail for name, detail in window.kinds(kind)]
    return [NAMES[window.display.keycode_to_keysym(code, 0)] for code in codes]


class Busy:
    """A window whose program takes in what reaches it only after some seconds, and then what `does` says."""

    def __init__(self, desktop: PrivateDesktop, seconds: float, does: Callable[[EventWindow], None]) -> None:
        self.window = EventWindow(desktop.address, answers=True)
        self.taken: list[float] = []

        def work() -> None:
            select.select([self.window.display], [], [], 20.0)
            time.sleep(seconds)
            does(self.window)
            self.taken.append(time.monotonic())

        self.program = threading.Thread(target=work)

    def click(self, env: DesktopEnv) -> float:
        """Monotonic seconds at which a click on it returned."""
        place = at(env, self.window, 40, 30)
        wait_for(lambda: (front := env._windows.front()) is not None and front.id == self.window.window.id)
        self.window.wait(lambda: False, 0.2)
        self.program.start()
        env.act(Click(place))
        returned = time.monotonic()
        self.program.join()
        return returned


def test_a_click_returns_when_a_busy_program_has_taken_it_in(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    busy = Busy(desktop, 1.0, lambda window: bool(window.wait(lambda: window.kinds("button up"))))
    try:
        returned = busy.click(desktop_env)
        assert busy.taken[0] < returned < busy.taken[0] + 2.0
    finally:
        busy.window.close()


def test_a_click_that_closes_the_window_waits_for_no_answer(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    busy = Busy(desktop, 0.1, lambda window: window.close())
    assert busy.click(desktop_env) < busy.taken[0] + 2.0


def test_a_key_comes_late_enough_after_a_click_for_what_the_click_does(desktop_env: DesktopEnv, window: EventWindow):
    desktop_env.act(Click(at(desktop_env, window, 40, 30)))
    desktop_env.act(Press(("f5",)))
    desktop_env.act(Press(("f5",)))
    assert window.wait(lambda: len(window.kinds("key")) == 2)
    kinds = [event[0] for event in window.events]
    clicked, first = window.times[kinds.index("button up")], window.times[kinds.index("key")]
    assert first - clicked >= 1000 * DOUBLE_CLICK - 5


def test_clicks(desktop_env: DesktopEnv, window: EventWindow):
    place = at(desktop_env, window, 40, 30)
    desktop_env.act(Click(place, count=2))
    desktop_env.act(Click(place, "right", modifiers=("ctrl", "shift")))
    desktop_env.act(Click())
    assert window.wait(lambda: len(window.kinds("button up")) == 4)
    assert window.kinds("button") == [("button", 1), ("button", 1), ("button", 3), ("button", 1)]
    assert [event[4] & (SHIFT | CONTROL) for event in window.events if event[0] == "button"] == [0, 0, 5, 0]
    assert {event[2:4] for event in window.events if event[0] == "button"} == {(40, 30)}


def test_buttons_that_are_held(desktop_env: DesktopEnv, window: EventWindow):
    desktop_env.act(LongPress(at(desktop_env, window, 10, 10), 0.2))
    desktop_env.act(MouseDown(at(desktop_env, window, 20, 20), "middle"))
    desktop_env.act(MouseMove(at(desktop_env, window, 90, 90)))
    desktop_env.act(MouseUp(None, "middle"))
    assert window.wait(lambda: len(window.kinds("button up")) == 2)
    assert window.kinds("button", "button up") == [
        ("button", 1),
        ("button up", 1),
        ("button", 2),
        ("button up", 2),
    ]
    assert window.events[-1][2:4] == (90, 90)


def test_a_drag_goes_through_its_path_in_several_moves(desktop_env: DesktopEnv, window: EventWindow):
    corner = at(desktop_env, window, 300, 20)
    desktop_env.act(Drag(at(desktop_env, window, 300, 200), at(desktop_env, window, 20, 20), (corner,)))
    assert window.wait(lambda: window.kinds("button up"))
    held = [event for event in window.events if event[0] == "move" and event[4] & 256]
    assert len(held) >= 10
    assert (300, 20) in [event[2:4] for event in held]
    assert next(event for event in window.events if event[0] == "button")[2:4] == (20, 20)
    assert window.events[-1][0] == "button up" and window.events[-1][2:4] == (300, 200)


def test_the_wheel(desktop_env: DesktopEnv, window: EventWindow):
    place = at(desktop_env, window, 100, 100)
    desktop_env.act(Scroll("down", place, 3))
    desktop_env.act(Scroll("up", place, 100, "px"))
    desktop_env.act(Scroll("right", place, 1))
    desktop_env.act(Scroll("down", place, 1, "page"))
    assert window.wait(lambda: len(window.kinds("button")) == 11)
    assert [detail for _, detail in window.kinds("button")] == [5] * 3 + [4] * 2 + [7] + [5] * 5


def test_keys_together_and_held(desktop_env: DesktopEnv, window: EventWindow):
    desktop_env.act(Click(at(desktop_env, window, 5, 5)))
    desktop_env.act(Press(("ctrl", "shift", "t"), repeat=2))
    assert window.wait(lambda: len(window.kinds("key up")) == 6)
    assert keys(window) == ["Control_L", "Shift_L", "t"] * 2
    assert keys(window, "key up") == ["t", "Shift_L", "Control_L"] * 2
    window.events.clear()
    desktop_env.act(KeyDown(("alt",)))
    desktop_env.act(Press(("f5",)))
    desktop_env.act(KeyUp(("alt",)))
    assert window.wait(lambda: len(window.kinds("key up")) == 2)
    assert keys(window) == ["Alt_L", "F5"] and keys(window, "key up") == ["F5", "Alt_L"]


def test_what_is_held_is_released_at_the_end(desktop: PrivateDesktop, window: EventWindow):
    env = DesktopEnv(desktop.address, record=False)
    try:
        env.act(Click(at(env, window, 5, 5)))
        env.act(KeyDown(("shift", "ctrl")))
        env.act(MouseDown(at(env, window, 50, 50)))
        env.act(TypeText("漢"))
        spare = window.display.get_keyboard_mapping(8, 248)
    finally:
        env.close()
    assert window.wait(lambda: len(window.kinds("button up")) == 2 and len(window.kinds("key up")) >= 3)
    pointer = window.display.screen().root.query_pointer()
    assert not pointer.mask & (SHIFT | CONTROL | 256)
    assert not any(window.display.query_keymap())
    assert list(spare) != list(window.display.get_keyboard_mapping(8, 248))


def test_keys_that_another_environment_has_lent_are_taken_over(
    desktop_env: DesktopEnv, desktop: PrivateDesktop, window: EventWindow
):
    desktop_env.act(Click(at(desktop_env, window, 5, 5)))
    desktop_env.act(TypeText("".join(chr(0x4E00 + number) for number in range(40))))
    assert window.wait(lambda: len(window.kinds("key up")) == 40)
    other = DesktopEnv(desktop.address, record=False)
    try:
        window.events.clear()
        other.act(TypeText("漢é"))
        assert window.wait(lambda: len(window.kinds("key up")) == 2)
        codes = [detail for _, detail in window.kinds("key")]
        assert [window.display.get_keyboard_mapping(code, 1)[0][0] for code in codes] == [0x01006F22, 0xE9]
        window.events.clear()
        desktop_env.act(TypeText("字"))
        assert window.wait(lambda: len(window.kinds("key up")) == 1)
    finally:
        other.close()


def test_a_rejected_text_types_nothing(desktop_env: DesktopEnv, window: EventWindow):
    with pytest.raises(ActionRejected, match="character '\\\\x07'"):
        desktop_env.act(TypeText("abc\x07"))
    with pytest.raises(ActionRejected, match="no system key power"):
        desktop_env.act(System("power"))
    window.wait(lambda: False, 0.2)
    assert not window.kinds("key")
