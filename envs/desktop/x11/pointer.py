"""The pointer: moves, buttons and the wheel."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise

from omnipilot.envs.desktop.x11.connection import XConnection

BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
BETWEEN_CLICKS = 0.03
"""Seconds between the clicks of one double click."""
APART = 0.5
"""Seconds after which two clicks at one place are two, and no double click."""
NEAR = 8
"""Pixels within which they are at one place."""
STEPS, STEP = 6, 0.01
"""Moves from one place of a drag to the next, and seconds between them; a single leap selects the wrong range."""


class Pointer:
    """The pointer of an X server, moved through the XTEST extension. Places are pixels of the screen."""

    def __init__(self, connection: XConnection) -> None:
        self._x = connection
        self._held: list[int] = []
        self._last = (0.0, 0, 0, 0)  # monotonic seconds, button, x, y of the last click

    @property
    def place(self) -> tuple[int, int]:
        """Where the pointer is."""
        answer = self._x.root.query_pointer()
        return answer.root_x, answer.root_y

    def move(self, x: int, y: int) -> None:
        """Move there."""
        self._move(x, y)
        self._x.sync()

    def click(self, place: tuple[int, int], button: str = "left", count: int = 1) -> None:
        """Click `count` times; never so soon after the click before that both together are a double click."""
        number, (x, y) = BUTTONS[button], place
        self._move(x, y)
        since, before, x0, y0 = self._last
        if before == number and abs(x - x0) <= NEAR and abs(y - y0) <= NEAR:
            self._x.pause(since + APART - time.monotonic())
        for one in range(count):
            if one:
                self._x.pause(BETWEEN_CLICKS)
            self._fake(number, True)
            self._fake(number, False)
            self._x.sync()
        self._last = (time.monotonic(), number, x, y)

    def press(self, button: str = "left") -> None:
        """Press a button and keep it down."""
        self._fake(BUTTONS[button], True)
        self._x.sync()

    def let_go(self, button: str = "left") -> None:
        """Release a button."""
        self._fake(BUTTONS[button], False)
        self._x.sync()

    def hold(self, place: tuple[int, int], seconds: float) -> None:
        """Press at a place, hold, release."""
        self._move(*place)
        try:
            self.press()
            self._x.pause(seconds)
        finally:
            self.let_go()

    def drag(self, places: Sequence[tuple[int, int]], button: str = "left") -> None:
        """Press at the first place, pass through the others, release at the last."""
        self._move(*places[0])
        try:
            self.press(button)
            for (x0, y0), (x1, y1) in pairwise(places):
                for step in range(1, STEPS + 1):
                    self._x.pause(STEP)
                    self._move(round(x0 + (x1 - x0) * step / STEPS), round(y0 + (y1 - y0) * step / STEPS))
                    self._x.sync()
            self._x.pause(STEP)
        finally:
            self.let_go(button)

    def scroll(self, direction: str, notches: int) -> None:
        """Turn the wheel where the pointer is."""
        number = WHEEL[direction]
        for _ in range(notches):
            self._fake(number, True)
            self._fake(number, False)
        self._x.sync()

    def release(self) -> None:
        """Release every button that is held."""
        for number in self._held[:]:
            self._fake(number, False)
        self._x.sync()

    def _move(self, x: int, y: int) -> None:
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)

    def _fake(self, number: int, press: bool) -> None:
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self._x.display, X.ButtonPress if press else X.ButtonRelease, number)
        if press:
            self._held.append(number)
        elif number in self._held:
            self._held.remove(number)
