"""What a browser plays and shows, recorded all the time."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from contextlib import closing
from typing import Any, Protocol

from omnipilot.envs.clock import WallClock
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.envs.types.errors import EnvLost, require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Absent

QUALITY = 85
"""Of the JPEG files of a screencast, 0..100."""
PATIENCE = 2.0
"""Seconds to wait for the first frame of a page."""
AGAIN = 0.2
"""Seconds after which a page that could not be recorded is tried again."""


class Sound(Protocol):
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
    def sound(self) -> Sound | None: ...
    @property
    def video(self) -> Video | None: ...


class Screencast:
    """Records the pages of one Chromium through DevTools, in a thread: a picture each time that the page changes.

    Pictures are JPEG files in CSS pixels, at most some 30 a second, and each has the time at which it was drawn. What
    is drawn above a page is in no screencast.

    Args:
        port: on which the browser's DevTools answers. name: of the environment.

    Raises:
        MissingExtra: websocket-client is not installed.
    """

    def __init__(self, port: int, name: str) -> None:
        from omnipilot.envs.desktop.capture.film import FrameRing

        self._websocket: Any = require("websocket", "web")
        self._port, self._name = port, name
        self._size = Size(1, 1)
        self._ring = FrameRing()
        self._news = threading.Condition()
        self._target = ""
        self._shown = ""
        self._problem = "no page has been recorded yet"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._record, name=f"screencast of {name}", daemon=True)
        self._thread.start()

    def follow(self, target: str, size: Size) -> None:
        """Record the page with this DevTools id from now on, at this size in CSS pixels; returns with its first
        picture."""
        with self._news:
            if (target, size) == (self._target, self._size):
                return
            self._target, self._size = target, size
            self._shown = ""
            self._news.notify_all()
            self._news.wait_for(lambda: self._shown == target or self._over.is_set(), PATIENCE)

    def clip(self, start: float, end: float, clock: WallClock) -> VideoClip | Absent:
        """The pictures from `start` to `end`, in seconds on the clock, as far back as they are kept."""
        zero = clock.at(0.0)
        frames = self._ring.between(min(start, end) - zero, end - zero)
        if not frames:
            return Absent("failed", self._problem)
        try:
            images = [Image.encoded(frame.file, self._name, min(frame.at + zero, end)) for frame in frames]
        except EnvLost as error:
            return Absent("failed", str(error))
        # A page of another size begins another film.
        first = max((n + 1 for n, image in enumerate(images) if image.size != images[-1].size), default=0)
        return VideoClip(images[first:], end, self._name)

    def close(self) -> None:
        """Stop recording. May be called twice."""
        self._over.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(timeout=3.0)

    def _record(self) -> None:
        while not self._over.is_set():
            with self._news:
                self._news.wait_for(lambda: self._target or self._over.is_set())
                target, size = self._target, self._size
            if self._over.is_set():
                return
            try:
                self._watch(target, size)
            except (OSError, ValueError, KeyError, self._websocket.WebSocketException) as error:
                self._problem = f"the screencast ended: {error}"
                self._over.wait(AGAIN)

    def _watch(self, target: str, size: Size) -> None:
        """Record one page until another one is wanted."""
        from omnipilot.envs.desktop.capture.film import Frame

        address = f"ws://127.0.0.1:{self._port}/devtools/page/{target}"
        with closing(self._websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)) as line:
            numbers = iter(range(1, 2**62))

            def send(method: str, **params: Any) -> None:
                line.send(json.dumps({"id": next(numbers), "method": method, "params": params}))

            send("Page.startScreencast", format="jpeg", quality=QUALITY, maxWidth=size.width, maxHeight=size.height)
            line.settimeout(AGAIN)
            while not self._over.is_set() and (self._target, self._size) == (target, size):
                try:
                    told = parse_json(line.recv())
                except self._websocket.WebSocketTimeoutException:
                    continue
                if told.get("method") != "Page.screencastFrame":
                    continue
                age = max(0.0, time.time() - told["params"]["metadata"].get("timestamp", time.time()))
                at = time.monotonic() - age
                send("Page.screencastFrameAck", sessionId=told["params"]["sessionId"])
                self._ring.add(Frame(at, base64.b64decode(told["params"]["data"])))
                with self._news:
                    self._shown = target
                    self._news.notify_all()


def free_port() -> int:
    """A port of this machine's loopback interface on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
