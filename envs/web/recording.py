"""What a browser plays and shows, recorded all the time."""

from __future__ import annotations

import base64
import time
from functools import cache
from pathlib import Path
from typing import Protocol

from omnipilot.envs.clock import WallClock
from omnipilot.envs.types.errors import EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Absent
from omnipilot.envs.web.chromium import Chromium

QUALITY = 85
"""Of the JPEG files of a screencast, 0..100."""
PATIENCE = 2.0
"""Seconds to wait for the first frame of a page."""
BUDGET = 128_000_000
"""Characters of pictures, in Base64, that the browser keeps until they are fetched."""
PORTION = 4_000_000
"""Characters of pictures that are fetched at a time."""
FETCH = 10.0
"""Seconds that one such portion may take."""


class BrowserSound(Protocol):
    """Records what a browser plays."""

    def clip(self, start: float, end: float, clock: WallClock) -> AudioClip | Absent:
        """What was played between two times on the clock; absent with the reason if it was not recorded."""
        ...


class Video(Protocol):
    """Records what a browser shows."""

    def follow(self, target: str, size: Size) -> None:
        """Record the page with this DevTools id from now on; `size` is that of the viewport in CSS pixels."""
        ...

    def clip(self, start: float, end: float, clock: WallClock) -> VideoClip | Absent:
        """What was shown between two times on the clock; absent with the reason if it was not recorded."""
        ...


class Recorders(Protocol):
    """The recorders of one browser; None where it is mute or not filmed."""

    @property
    def sound(self) -> BrowserSound | None: ...
    @property
    def video(self) -> Video | None: ...


class Screencast:
    """Records the pages of one Chromium through DevTools: a picture each time that the page changes.

    The browser itself records, by a script in a page that no site can reach, so that it goes on while the calling
    thread is busy elsewhere, and nobody but that page is given DevTools. Pictures are JPEG files in CSS pixels, at most
    some 30 a second, and each has the time at which it was drawn. What is drawn above a page is in no screencast. For
    the thread of the browser.

    Args:
        name: of the environment.
    """

    def __init__(self, chromium: Chromium, name: str) -> None:
        from omnipilot.envs.desktop.capture.film import FrameRing

        self._chromium, self._name = chromium, name
        self._size = Size(1, 1)
        self._target = ""
        self._ring = FrameRing()
        self._page = chromium.browser.new_context().new_page()
        session = self._page.context.new_cdp_session(self._page)
        own = session.send("Target.getTargetInfo")["targetInfo"]["targetId"]
        session.detach()
        chromium.session.send("Target.exposeDevToolsProtocol", {"targetId": own, "bindingName": "devtools"})
        self._page.evaluate(f"() => {{ {_script()} }}")
        # Both clocks go on alike; of several looks the quickest says best how far they are apart.
        self._zero = min(self._compare_clocks() for _ in range(3))[1]

    def _compare_clocks(self) -> tuple[float, float]:
        """How long it took to ask, and what `time.monotonic` says where the page's clock says 0; both in seconds."""
        before = time.monotonic()
        there = self._page.evaluate("() => performance.now()") / 1000
        took = time.monotonic() - before
        return took, before + took / 2 - there

    def follow(self, target: str, size: Size) -> None:
        """Record the page with this DevTools id from now on, at this size in CSS pixels; returns with its first
        picture."""
        if (target, size) == (self._target, self._size):
            return
        self._target, self._size = target, size
        page = {"target": target, "width": size.width, "height": size.height, "quality": QUALITY}
        self._page.evaluate("page => follow(page)", {**page, "patience": 1000 * PATIENCE, "budget": BUDGET})

    def clip(self, start: float, end: float, clock: WallClock) -> VideoClip | Absent:
        """The pictures from `start` to `end`, in seconds on the clock, as far back as they are kept.

        Raises:
            EnvLost: the browser is gone.
        """
        problem = self._fetch()
        zero = clock.at(0.0)
        frames = self._ring.between(min(start, end) - zero, end - zero)
        if not frames:
            return Absent("failed", problem)
        try:
            images = [Image.encoded(frame.file, self._name, min(frame.at + zero, end)) for frame in frames]
        except EnvLost as error:
            return Absent("failed", str(error))
        # A page of another size begins another film.
        first = max((n + 1 for n, image in enumerate(images) if image.size != images[-1].size), default=0)
        return VideoClip(images[first:], end, self._name)

    def _fetch(self) -> str:
        """Take what the browser has recorded meanwhile; returns why there is nothing, if so."""
        from omnipilot.envs.desktop.capture.film import FilmFrame

        while True:
            with self._chromium.talking(FETCH):
                told = self._page.evaluate("length => fetchPictures(length)", PORTION)
            for picture in told["pictures"]:
                self._ring.add(FilmFrame(self._zero + picture["at"] / 1000, base64.b64decode(picture["data"])))
            if not told["more"]:
                return str(told["problem"])


@cache
def _script() -> str:
    return (Path(__file__).parent / "record.js").read_text(encoding="utf-8")
