"""When a screen has settled, told by the X server's damage events; and what programs answer to a ping."""

from __future__ import annotations

import select
import threading
import time
from collections import deque

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.desktop.x11.windows import Rectangle
from omnipilot.envs.types.errors import EnvLost

SMALL = 64 * 64
"""Pixels up to which a change is no movement: a caret that blinks."""
MEMORY = 2.0
"""Seconds for which changes are remembered."""
CLIENT_MESSAGE = 33
"""Type of the events that programs send to each other (X protocol)."""
MOVING = 4
"""Changes within the last second that make a region one that moves by itself, such as a film."""


class ScreenChanges:
    """Follows what changes on a screen, on a connection and a thread of its own (extension DAMAGE).

    Programs send their answers to a ping to the root window, so it hears them too (`Windows.ping`).

    Raises:
        EnvLost: there is no such X server, or it has no such extension.
    """

    def __init__(self, address: DesktopAddress) -> None:
        from Xlib import X
        from Xlib.ext import damage

        self._x = XConnection(address)
        with self._x.talking():
            if not self._x.display.has_extension("DAMAGE"):
                self._x.close()
                raise EnvLost(f"the X server {address.display} lacks the extension DAMAGE")
            self._x.display.damage_query_version()
            self._x.root.damage_create(damage.DamageReportRawRectangles)
            # GTK sends its answers to those who follow the first, Qt to those who follow the second.
            self._x.root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
            self._ping = (self._x.atom("WM_PROTOCOLS"), self._x.atom("_NET_WM_PING"))
            self._x.sync()
        self._answered = 0
        self._changes: deque[tuple[float, Rectangle]] = deque()
        self._news = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._follow, name=f"changes of {address.display}", daemon=True)
        self._thread.start()

    def moving(self) -> list[Rectangle]:
        """The regions that have changed again and again within the last second."""
        with self._news:
            recent = [place for at, place in self._changes if at >= time.monotonic() - 1.0]
        regions: list[tuple[Rectangle, int]] = []
        for place in recent:
            near = [one for one in regions if _touch(one[0], place)]
            joined, times = place, 1
            for one in near:
                joined, times = _around(joined, one[0]), times + one[1]
            regions = [one for one in regions if one not in near] + [(joined, times)]
        return [region for region, times in regions if times >= MOVING]

    def settle(self, quiet: float, least: float, cap: float, apart_from: list[Rectangle]) -> bool:
        """Return when nothing has changed for a while.

        Args:
            quiet: seconds without a change. least: seconds to wait at least. cap: seconds to wait at most.
            apart_from: regions whose changes do not count, because they changed before.

        Returns:
            Whether the screen has settled before the cap.
        """
        began = time.monotonic()
        with self._news:
            while not self._over:
                now = time.monotonic()
                changed = [
                    at
                    for at, place in self._changes
                    if at >= began and not any(_inside(place, region) for region in apart_from)
                ]
                due = max(began + least, (changed[-1] if changed else began) + quiet)
                if now >= due:
                    return True
                if now >= began + cap:
                    return False
                self._news.wait(min(due, began + cap) - now)
        return False

    def wait_for_answer(self, ping: int, seconds: float) -> bool:
        """Return when a program has answered a ping, or after some seconds; whether it has."""
        with self._news:
            return self._news.wait_for(lambda: self._over or self._answered >= ping, seconds) and not self._over

    def close(self) -> None:
        """Stop following. May be called twice."""
        with self._news:
            self._over = True
            self._news.notify_all()
        self._thread.join(timeout=2.0)
        self._x.close()

    def _follow(self) -> None:
        try:
            while not self._over:
                select.select([self._x], [], [], 0.25)
                self._take()
        except Exception:
            # Whoever looks at the screen next finds out that it is gone, and says so.
            with self._news:
                self._over = True
                self._news.notify_all()

    def _take(self) -> None:
        now = time.monotonic()
        with self._news:
            while self._x.display.pending_events():
                event = self._x.display.next_event()
                if event.type == CLIENT_MESSAGE and (event.client_type, event.data[1][0]) == self._ping:
                    self._answered = max(self._answered, event.data[1][1])
                area = getattr(event, "area", None)
                if area is None or area.width * area.height <= SMALL:
                    continue
                self._changes.append((now, (area.x, area.y, area.x + area.width, area.y + area.height)))
            while self._changes and self._changes[0][0] < now - MEMORY:
                self._changes.popleft()
            self._news.notify_all()


def _inside(inner: Rectangle, outer: Rectangle) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _touch(one: Rectangle, other: Rectangle) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _around(one: Rectangle, other: Rectangle) -> Rectangle:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
