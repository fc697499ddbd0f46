"""The clipboard: read from whoever owns it, and owned by us for as long as somebody may paste."""

from __future__ import annotations

import select
import threading
import time
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.types.errors import EnvLost

PATIENCE = 1.0
"""Seconds that the owner of the clipboard gets for its answer."""
GLANCE = 0.3
"""The same, where the clipboard is only looked at beside other things."""
LONGEST = 16_000_000
"""Bytes after which a text that comes piece by piece is cut."""


class Clipboard:
    """The selection CLIPBOARD of an X server (Inter-Client Communication Conventions Manual, version 2.0, section 2).

    What was put there is answered for by a thread, on a connection of its own, until another program takes the
    clipboard over or this is closed.
    """

    def __init__(self, address: DesktopAddress) -> None:
        self._address = address
        self._owner: _Owner | None = None
        self._silent = 0

    def get(self) -> str:
        """The text on the clipboard; "" if there is none, or its owner does not answer.

        Raises:
            EnvLost: the X server is gone.
        """
        return self._ask(PATIENCE) or ""

    def glance(self) -> str:
        """The same with little patience: an owner that did not answer is not asked again while it owns the clipboard.

        Raises:
            EnvLost: the X server is gone.
        """
        return self._ask(GLANCE, self._silent) or ""

    def _ask(self, patience: float, silent: int = 0) -> str | None:
        """The text; None if the owner does not answer, or is the one that is known to be silent."""
        if self._owner is not None and self._owner.owns:
            return self._owner.text
        connection = XConnection(self._address)
        try:
            with connection.talking(2 * patience):
                owner = connection.display.get_selection_owner(connection.atom("CLIPBOARD"))
                if not owner:
                    return ""
                if owner.id == silent:
                    return None
                text = _read(connection, patience)
                self._silent = owner.id if text is None else 0
                return text
        finally:
            connection.close()

    def set(self, text: str) -> None:
        """Put a text on the clipboard.

        Raises:
            EnvLost: the X server is gone.
        """
        self.close()
        self._owner = _Owner(self._address, text)

    def wait_until_asked(self, seconds: float) -> bool:
        """Wait until a program has asked for the text that was put there; whether it has."""
        return self._owner is not None and self._owner.asked.wait(seconds)

    def close(self) -> None:
        """Give the clipboard up, if it is ours. May be called twice."""
        if self._owner is not None:
            self._owner.close()
            self._owner = None


class _Owner:
    """Answers requests for one text, in a thread."""

    def __init__(self, address: DesktopAddress, text: str) -> None:
        from Xlib import X

        self.text = text
        self.asked = threading.Event()
        self._x = XConnection(address)
        self._over = False
        with self._x.talking():
            self._window = self._x.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            self._selection = self._x.atom("CLIPBOARD")
            self._utf8 = self._x.atom("UTF8_STRING")
            self._texts = {self._utf8, self._x.atom("text/plain;charset=utf-8"), self._x.atom("text/plain")}
            self._targets = self._x.atom("TARGETS")
            self._window.set_selection_owner(self._selection, X.CurrentTime)
            self._x.sync()
        self._thread = threading.Thread(target=self._answer, name=f"clipboard of {address.display}", daemon=True)
        self._thread.start()

    @property
    def owns(self) -> bool:
        """Whether the clipboard is still ours."""
        return not self._over

    def close(self) -> None:
        self._over = True
        self._thread.join(timeout=2.0)
        self._x.close()

    def _answer(self) -> None:
        from Xlib import X

        try:
            while not self._over:
                select.select([self._x], [], [], 0.1)
                with self._x.talking():
                    # Answering one request reads the next ones, which the socket then no longer tells of.
                    while self._x.display.pending_events():
                        event = self._x.display.next_event()
                        if event.type == X.SelectionClear:
                            self._over = True
                        elif event.type == X.SelectionRequest:
                            self._serve(event)
        except (EnvLost, OSError, ValueError):
            self._over = True

    def _serve(self, request: Any) -> None:
        from Xlib import X, Xatom
        from Xlib.protocol import event

        place = request.property or request.target
        if request.target == self._targets:
            request.requestor.change_property(place, Xatom.ATOM, 32, [self._targets, Xatom.STRING, *self._texts])
        elif request.target in self._texts:
            request.requestor.change_property(place, request.target, 8, self.text.encode())
            self.asked.set()
        elif request.target == Xatom.STRING:
            request.requestor.change_property(place, Xatom.STRING, 8, self.text.encode("latin-1", "replace"))
        else:
            place = X.NONE
        told = event.SelectionNotify(
            time=request.time,
            requestor=request.requestor,
            selection=request.selection,
            target=request.target,
            property=place,
        )
        request.requestor.send_event(told)
        self._x.sync()


def _read(connection: XConnection, patience: float) -> str | None:
    """Ask the owner for its text; None if it does not answer."""
    from Xlib import X

    selection, kind = connection.atom("CLIPBOARD"), connection.atom("UTF8_STRING")
    place = connection.atom("OMNIPILOT_PASTE")
    window = connection.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    window.convert_selection(selection, kind, place, X.CurrentTime)
    told = _next(connection, lambda event: event.type == X.SelectionNotify, patience)
    if told is None:
        return None
    if told.property == X.NONE:
        return ""
    answer = window.get_full_property(place, X.AnyPropertyType)
    if answer is None:
        return ""
    content = answer.value
    if answer.property_type == connection.atom("INCR"):
        content = b""
        while len(content) < LONGEST:
            # Taking each piece away asks for the next; the last one is empty.
            window.delete_property(place)
            connection.display.flush()
            if _next(connection, lambda event: event.type == X.PropertyNotify and event.state == 0, patience) is None:
                break
            piece = window.get_full_property(place, X.AnyPropertyType)
            if piece is None or not len(piece.value):
                break
            content += bytes(piece.value)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else str(content)


def _next(connection: XConnection, wanted: Any, patience: float) -> Any:
    """The next event that is wanted, or None after the patience; the others are dropped."""
    until = time.monotonic() + patience
    while True:
        for _ in range(connection.display.pending_events()):
            event = connection.display.next_event()
            if wanted(event):
                return event
        left = until - time.monotonic()
        if left <= 0:
            return None
        select.select([connection], [], [], left)
