"""From touches and keys, as `input` and uiautomator send them, to the verbs of the phone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from omnipilot.envs.sim.adb.keycodes import KEYS, MODIFIERS
from omnipilot.envs.sim.apps.phone.music_player import pause, resume, set_volume, skip_by
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui import keyboard
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.types.actions import Click, Drag, LongPress, Scroll, Swipe, System, TypeText

if TYPE_CHECKING:
    from omnipilot.envs.sim.adb.phone import ServedPhone

SLOP = 8
"""Pixels of the unscaled screen within which a finger rests."""
LONG_PRESS = 0.4
"""Seconds from which on a resting finger is a long press."""
DOUBLE_TAP = 0.4
"""Seconds within which a second tap at the same place makes a double tap of both."""
VOLUME_STEP = 10


class Touch:
    """The finger on one phone; remembers the last tap, and where the finger lies.

    Coordinates are pixels of the screenshot.
    """

    def __init__(self, phone: ServedPhone) -> None:
        self._phone = phone
        self._last_tap: tuple[float, float, float] | None = None
        self._path: list[tuple[float, float]] = []
        self._since = 0.0

    def _near(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        content = self._phone.display.content
        return math.hypot(x2 - x1, y2 - y1) <= SLOP * (content[2] - content[0]) / self._phone.state().phone.size.width

    def tap(self, x: float, y: float) -> None:
        """Tap; a second one soon after at the same place is a double tap."""
        phone, now = self._phone, self._phone.now
        point = phone.display.point(x, y) if phone.screen_on else None
        if point is None:
            return
        last, self._last_tap = self._last_tap, (now, x, y)
        if last is not None and now - last[0] <= DOUBLE_TAP and self._near(x, y, *last[1:]):
            target = phone.scene().hit(*point.to_pixel(phone.state().phone.size))
            if target is not None and (target.area is not None or target.double is not None):
                self._last_tap = None
                phone.do(Click(point, count=2))
                return
        phone.do(Click(point))

    def stroke(self, path: list[tuple[float, float]], seconds: float, hold: bool = False) -> None:
        """Press at the path's start, move through it, release at its end, all of which took `seconds`.

        Args:
            hold: whether the finger rested before it moved, so that it takes along what can be carried.
        """
        phone = self._phone
        if not phone.screen_on or not path:
            return
        start, end = path[0], path[-1]
        if all(self._near(*start, *place) for place in path):
            point = phone.display.point(*start)
            if seconds < LONG_PRESS:
                self.tap(*start)
            elif point is not None:
                phone.do(LongPress(point, min(max(seconds, LONG_PRESS), 60.0)))
            return
        self._last_tap = None
        first, last = phone.display.point(*start), phone.display.point(*self._inside(*end))
        if first is None or last is None:
            return
        held = phone.scene().hit(*first.to_pixel(phone.state().phone.size))
        if held is not None and (held.drag is not None or (held.payload and hold)):
            points = [phone.display.point(*self._inside(*place)) for place in path[1:-1]]
            phone.do(Drag(last, first, tuple(point for point in points if point is not None)))
        else:
            phone.do(Swipe(start=first, end=last))

    def _inside(self, x: float, y: float) -> tuple[float, float]:
        """The nearest pixel of the picture: a finger may leave the screen."""
        left, top, right, bottom = self._phone.display.content
        return min(max(x, left), right - 1), min(max(y, top), bottom - 1)

    def slide(self, x: float, start: float, end: float) -> None:
        """Scroll what is under a place by moving a finger from one height to another, whatever it lies on."""
        first, last = self._phone.display.point(x, start), self._phone.display.point(x, end)
        if first is not None and last is not None and self._phone.screen_on:
            self._phone.do(Swipe(start=first, end=last))

    def scroll(self, x: float, y: float, notches: float) -> None:
        """Turn the wheel of a mouse; up is positive."""
        point = self._phone.display.point(x, y) if self._phone.screen_on else None
        if point is not None:
            self._phone.do(Scroll("up" if notches > 0 else "down", point, min(abs(notches), 100.0)))

    def event(self, kind: str, x: float, y: float) -> None:
        """One event of a finger: down, move, up or cancel."""
        if kind == "down":
            self._path, self._since = [(x, y)], self._phone.now
        elif kind == "move" and self._path:
            if len(self._path) < 1000:
                self._path.append((x, y))
        elif kind == "up" and self._path:
            path, self._path = [*self._path, (x, y)], []
            self.stroke(path, self._phone.now - self._since, hold=True)
        elif kind == "cancel":
            self._path = []

    def text(self, text: str) -> str:
        """Type text into what has the focus; returns why nothing happens, or ""."""
        return self._phone.do(TypeText(text)) if text and self._phone.screen_on else ""

    def clear(self) -> None:
        """Empty the text field that has the focus."""
        if self._phone.screen_on:
            self._phone.do(TypeText("", clear=True))

    def keys(self, codes: list[int]) -> None:
        """Press keys together and release them."""
        phone = self._phone
        held = tuple(dict.fromkeys(MODIFIERS[code] for code in codes if code in MODIFIERS))
        for code in codes:
            if code in MODIFIERS:
                continue
            if code == 26:
                phone.screen_on = not phone.screen_on
            elif code in (223, 276):
                phone.screen_on = False
            elif code in (82, 224):
                phone.screen_on = True
            elif code in (24, 25, 91, 164) or code in _MEDIA:
                phone.apply(_MEDIA.get(code) or _volume(code))
            elif not phone.screen_on:
                continue
            elif code == 3:
                phone.do(System("home"))
            elif code == 4:
                phone.do(System("back"))
            elif code in _EDITING or code in KEYS:
                name = _EDITING.get(code, KEYS.get(code, ""))
                combined = ("ctrl", name) if code in _EDITING else (*held, name)
                phone.apply(_press(phone, combined))


_EDITING = {277: "x", 278: "c", 279: "v"}


def _press(phone: ServedPhone, keys: tuple[str, ...]) -> Do:
    return lambda state: keyboard.press(state, "phone", phone.scene_of(state), keys)


def _volume(code: int) -> Do:
    def do(state: WorldState) -> WorldState:
        now = state.account.phone_settings.media
        step = {24: VOLUME_STEP, 25: -VOLUME_STEP}.get(code, -now)
        return set_volume(min(max(now + step, 0), 100))(state)

    return do


def _play_pause(state: WorldState) -> WorldState:
    return pause(state) if state.account.player.since is not None else resume(state)


_MEDIA: dict[int, Do] = {
    79: _play_pause,
    85: _play_pause,
    126: resume,
    127: pause,
    86: pause,
    87: skip_by(1),
    88: skip_by(-1),
}
