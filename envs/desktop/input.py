"""Executing verbs with the pointer, the keyboard and the clipboard of an X server."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.clipboard import Clipboard
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.desktop.x11.keyboard import Keyboard
from omnipilot.envs.desktop.x11.pointer import Pointer
from omnipilot.envs.desktop.x11.windows import Windows
from omnipilot.envs.types.actions import (
    Click,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Press,
    Scroll,
    System,
    TypeText,
    Verb,
)
from omnipilot.envs.types.errors import ActionRejected, EnvLost
from omnipilot.envs.types.geometry import Point, Size

NOTCH = 50.0
"""Pixels that programs scroll by one notch of the wheel, about: three lines."""
PAGE = 0.9
"""Share of a window's height scrolled by one page."""
PASTED = 200
"""Characters without a key in the layout from which on a text is pasted instead of typed."""
SYSTEM_KEYS = {"back": ("alt", "left"), "recents": ("alt", "tab"), "menu": ("menu",)}
TERMINALS = ("term", "konsole", "xterm", "kitty", "alacritty", "tilix")
HANDED_ON = 0.1
"""Seconds that modifiers stay down after a click."""
FOCUS = 0.3
"""Seconds that a field gets to take the focus after it was clicked."""


class DesktopInput:
    """The pointer and the keyboard of one desktop.

    Args:
        size: of the screen, in pixels.
    """

    def __init__(
        self, connection: XConnection, windows: Windows, address: DesktopAddress, size: Callable[[], Size]
    ) -> None:
        self._x = connection
        self._windows = windows
        self._size = size
        self.clipboard = Clipboard(address)
        with connection.talking():
            if not connection.display.has_extension("XTEST"):
                raise EnvLost(f"the X server {address.display} lacks the extension XTEST: it takes no input")
            self._pointer = Pointer(connection)
            self._keys = Keyboard(connection)

    def click(self, action: Click[Point]) -> None:
        with self._keys.down(action.modifiers):
            self._pointer.click(self._at(action.at), action.button, action.count)
            if action.modifiers:
                # A window manager may look at the click first, and hand it on with the modifiers that are down then.
                self._x.pause(HANDED_ON)

    def long_press(self, action: LongPress[Point]) -> None:
        self._pointer.hold(self._at(action.at), action.seconds)

    def move(self, action: MouseMove[Point]) -> None:
        self._pointer.move(*self._at(action.at))

    def mouse_down(self, action: MouseDown[Point]) -> None:
        self._pointer.move(*self._at(action.at))
        self._pointer.press(action.button)

    def mouse_up(self, action: MouseUp[Point]) -> None:
        self._pointer.move(*self._at(action.at))
        self._pointer.let_go(action.button)

    def drag(self, action: Drag[Point]) -> None:
        places = [self._at(action.start), *(self._at(point) for point in (*action.path, action.end))]
        self._pointer.drag(places, action.button)

    def scroll(self, action: Scroll[Point]) -> None:
        x, y = self._at(action.at or Point(0.5, 0.5))
        self._pointer.move(x, y)
        notches = action.amount
        if action.unit == "px":
            notches /= NOTCH
        elif action.unit == "page":
            window = self._windows.under(x, y)
            left, top, right, bottom = window.inner if window else (0, 0, self._size().width, self._size().height)
            notches *= PAGE * (right - left if action.direction in ("left", "right") else bottom - top) / NOTCH
        self._pointer.scroll(action.direction, max(1, round(notches)))

    def type(self, action: TypeText[Point]) -> None:
        if action.at is not None:
            self._pointer.click(self._at(action.at))
            self._x.pause(FOCUS)
        terminal = self._in_terminal()
        if action.clear:
            for keys in (("ctrl", "e"), ("ctrl", "u")) if terminal else (("ctrl", "a"), ("delete",)):
                with self._keys.down(keys):
                    pass
        if not terminal and self._keys.odd(action.text) > PASTED:
            self._paste(action.text)
        else:
            self._keys.type(action.text)
        if action.submit:
            with self._keys.down(["enter"]):
                pass

    def press(self, action: Press) -> None:
        for _ in range(action.repeat):
            with self._keys.down(action.keys):
                self._x.pause(action.seconds or 0.0)

    def key_down(self, action: KeyDown) -> None:
        self._keys.hold(action.keys)

    def key_up(self, action: KeyUp) -> None:
        self._keys.let_go(action.keys)

    def system(self, action: System) -> None:
        if action.name == "home":
            self._windows.show_desktop()
        elif action.name in SYSTEM_KEYS:
            with self._keys.down(SYSTEM_KEYS[action.name]):
                pass
        else:
            raise ActionRejected(
                f"this desktop has no system key {action.name}; it has home, {', '.join(sorted(SYSTEM_KEYS))}"
            )

    def release_quietly(self) -> None:
        """Release every key and button that is held, as far as there is somebody to be told."""
        try:
            with self._x.talking():
                self._pointer.release()
                self._keys.release()
        except EnvLost:
            return  # with the server, all its keys are gone

    def close(self) -> None:
        """Give the clipboard up. May be called twice."""
        self.clipboard.close()

    def _at(self, point: Point | None) -> tuple[int, int]:
        return self._pointer.place if point is None else point.to_pixel(self._size())

    def _in_terminal(self) -> bool:
        front = self._windows.front()
        return front is not None and any(word in front.program.casefold() for word in TERMINALS)

    def _paste(self, text: str) -> None:
        """By the clipboard, whose content is put back afterwards."""
        before = self.clipboard.get()
        self.clipboard.set(text)
        with self._keys.down(["ctrl", "v"]):
            pass
        # The program asks for the text when it comes to it.
        self.clipboard.wait_until_asked(1.0)
        self._x.pause(HANDED_ON)
        self.clipboard.set(before)


def lasts(action: Verb) -> float:
    """Seconds that an action itself takes, at most."""
    seconds = getattr(action, "seconds", None) or 0.0
    places = len(getattr(action, "path", ())) + 1
    return float(seconds * getattr(action, "repeat", 1) + len(getattr(action, "text", "")) * 0.02 + places * 0.1 + 20.0)
