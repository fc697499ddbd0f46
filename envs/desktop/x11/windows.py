"""The windows of a desktop: which there are, where, and which is in front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from omnipilot.envs.desktop.x11.connection import XConnection, is_refused

Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the screen; right and bottom excluded."""


@dataclass(frozen=True, slots=True)
class XWindow:
    """One window on the screen.

    Attributes:
        id: of the X server.
        title: as its title bar shows it.
        instance, program: its WM_CLASS: the name of its program, and of its kind of program.
        pid: process id as the program sees it, 0 if it does not say.
        inner: without its frame. outer: with the frame that the window manager draws around it.
        shadow: pixels left, right, top, bottom that a program draws around its window itself, transparent.
        popup: whether it is a menu or a tooltip, which no window manager frames.
    """

    id: int
    title: str
    instance: str
    program: str
    pid: int
    inner: Rectangle
    outer: Rectangle
    shadow: tuple[int, int, int, int] = (0, 0, 0, 0)
    popup: bool = False

    @property
    def seen(self) -> Rectangle:
        """What of it is drawn: its frame included, its transparent shadow left out."""
        left, right, top, bottom = self.shadow
        return self.outer[0] + left, self.outer[1] + top, self.outer[2] - right, self.outer[3] - bottom


class Windows:
    """The windows of an X server (Extended Window Manager Hints, version 1.5)."""

    def __init__(self, connection: XConnection) -> None:
        self._x = connection

    def stack(self) -> list[XWindow]:
        """Every window on the screen, the lowest first; menus and tooltips are windows too. Hidden ones are left
        out."""
        managed = self._ids("_NET_CLIENT_LIST_STACKING") or self._ids("_NET_CLIENT_LIST")
        found, frames = [], set()
        for number in managed:
            window = self._x.display.create_resource_object("window", number)
            frames.add(self._top(window))
            if (one := self._describe(window)) is not None:
                found.append(one)
        for child in self._children(self._x.root):
            if child.id not in frames and child.id not in managed and (one := self._popup(child)) is not None:
                found.append(one)
        return found

    def front(self) -> XWindow | None:
        """The window that is worked in, or None."""
        numbers = self._ids("_NET_ACTIVE_WINDOW")
        if not numbers or not numbers[0]:
            return None
        return self._describe(self._x.display.create_resource_object("window", numbers[0]))

    def find_program(self, name: str) -> XWindow | None:
        """The highest window of a program by its name or the beginning of that, hidden or not; None if it has none."""
        wanted, every = name.casefold().strip(), self._managed()
        for fits in (_is_program, _begins_program):
            for one in every:
                if fits(one, wanted):
                    return one
        return None

    def find_title(self, words: str) -> XWindow | None:
        """The highest window with these words in its title, hidden or not; None if there is none."""
        wanted = words.casefold().strip()
        return next((one for one in self._managed() if wanted in one.title.casefold()), None)

    def _managed(self) -> list[XWindow]:
        """The windows that the window manager knows, hidden ones included, the highest first."""
        numbers = reversed(self._ids("_NET_CLIENT_LIST_STACKING") or self._ids("_NET_CLIENT_LIST"))
        windows = (self._x.display.create_resource_object("window", number) for number in numbers)
        return [one for window in windows if (one := self._describe(window, hidden=True)) is not None]

    def titles(self) -> list[str]:
        """Programs and titles of the open windows, the highest first."""
        return [f"{one.program} ({one.title})" for one in reversed(self.stack()) if not one.popup]

    def activate(self, window: XWindow) -> None:
        """Ask the window manager to bring a window to the front."""
        self._tell(window.id, "_NET_ACTIVE_WINDOW", (2, 0, 0, 0, 0))

    def close_window(self, window: XWindow) -> None:
        """Ask the window manager to close a window, as its title bar's button does."""
        self._tell(window.id, "_NET_CLOSE_WINDOW", (0, 2, 0, 0, 0))

    def show_desktop(self) -> None:
        """Ask the window manager to put all windows away."""
        self._tell(self._x.root.id, "_NET_SHOWING_DESKTOP", (1, 0, 0, 0, 0))

    def ping(self, number: int) -> int:
        """Ask the window that is worked in whether it has come to all that was sent to it before.

        Its program answers to the root window with the same number, from 1 on (`ScreenChanges.wait_for_answer`).

        Returns:
            Number of the window; 0 if there is none, or it answers nobody.
        """
        from Xlib import X
        from Xlib.protocol import event

        ping, protocols = self._x.atom("_NET_WM_PING"), self._x.atom("WM_PROTOCOLS")
        front = (*self._ids("_NET_ACTIVE_WINDOW"), 0)[0]
        if not front:
            return 0
        window = self._x.display.create_resource_object("window", front)
        try:
            if ping not in self._values(window, "WM_PROTOCOLS"):
                return 0
        except Exception as error:
            if is_refused(error):
                return 0
            raise
        asked = event.ClientMessage(window=window, client_type=protocols, data=(32, [ping, number, front, 0, 0]))
        window.send_event(asked, event_mask=X.NoEventMask)
        self._x.sync()
        return int(front)

    def is_there(self, window: int) -> bool:
        """Whether a window has not been closed."""
        try:
            self._x.display.create_resource_object("window", window).get_attributes()
        except Exception as error:
            if is_refused(error):
                return False
            raise
        return True

    def under(self, x: int, y: int) -> XWindow | None:
        """The highest window at a place."""
        for one in reversed(self.stack()):
            left, top, right, bottom = one.seen
            if left <= x < right and top <= y < bottom:
                return one
        return None

    def _tell(self, window: int, message: str, data: Iterable[int]) -> None:
        from Xlib import X
        from Xlib.protocol import event

        told = event.ClientMessage(window=window, client_type=self._x.atom(message), data=(32, list(data)))
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._x.root.send_event(told, event_mask=mask)
        self._x.sync()

    def _describe(self, window: Any, hidden: bool = False) -> XWindow | None:
        """A managed window; None if it is gone, or not on the screen and `hidden` ones are not wanted."""
        try:
            if not hidden:
                if self._x.atom("_NET_WM_STATE_HIDDEN") in self._values(window, "_NET_WM_STATE"):
                    return None
                if window.get_attributes().map_state != 2:
                    return None
            inner = self._place(window)
            left, right, top, bottom = self._sides(window, "_NET_FRAME_EXTENTS")
            outer = (inner[0] - left, inner[1] - top, inner[2] + right, inner[3] + bottom)
            shadow = self._sides(window, "_GTK_FRAME_EXTENTS")
            instance, program = window.get_wm_class() or ("", "")
            pid = (*self._values(window, "_NET_WM_PID"), 0)[0]
            return XWindow(window.id, self._title(window), instance, program, pid, inner, outer, shadow)
        except Exception as error:
            if is_refused(error):
                return None
            raise

    def _popup(self, window: Any) -> XWindow | None:
        try:
            attributes = window.get_attributes()
            if attributes.map_state != 2 or not attributes.override_redirect or attributes.win_class != 1:
                return None
            place = self._place(window)
            if place[2] <= 0 or place[3] <= 0:  # helpers that programs keep beside the screen
                return None
            instance, program = window.get_wm_class() or ("", "")
            pid = (*self._values(window, "_NET_WM_PID"), 0)[0]
            shadow = self._sides(window, "_GTK_FRAME_EXTENTS")
            return XWindow(window.id, self._title(window), instance, program, pid, place, place, shadow, popup=True)
        except Exception as error:
            if is_refused(error):
                return None
            raise

    def _place(self, window: Any) -> Rectangle:
        geometry = window.get_geometry()
        # Added up over the frames, as some tools do it, the frame would count twice.
        origin = self._x.root.translate_coords(window, 0, 0)
        x, y = origin.x, origin.y
        return x, y, x + geometry.width, y + geometry.height

    def _title(self, window: Any) -> str:
        answer = window.get_full_property(self._x.atom("_NET_WM_NAME"), 0)
        if answer is None:
            answer = window.get_full_property(self._x.atom("WM_NAME"), 0)
        value = getattr(answer, "value", "")
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")

    def _values(self, window: Any, name: str) -> list[int]:
        answer = window.get_full_property(self._x.atom(name), 0)
        return [] if answer is None else list(answer.value)

    def _sides(self, window: Any, name: str) -> tuple[int, int, int, int]:
        values = self._values(window, name)
        return (values[0], values[1], values[2], values[3]) if len(values) == 4 else (0, 0, 0, 0)

    def _ids(self, name: str) -> list[int]:
        return self._values(self._x.root, name)

    def _children(self, window: Any) -> list[Any]:
        return list(window.query_tree().children)

    def _top(self, window: Any) -> int:
        """The child of the root that a window lies in: its frame."""
        try:
            while True:
                parent = window.query_tree().parent
                if not parent or parent == self._x.root:
                    return int(window.id)
                window = parent
        except Exception as error:
            if is_refused(error):
                return 0
            raise


def _is_program(window: XWindow, name: str) -> bool:
    return name in (window.program.casefold(), window.instance.casefold())


def _begins_program(window: XWindow, name: str) -> bool:
    return window.program.casefold().startswith(name) or window.instance.casefold().startswith(name)
