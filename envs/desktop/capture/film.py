"""The last minute of the screen as frames, grabbed all the time."""

from __future__ import annotations

import io
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.capture.screenshot import rgb_bytes
from omnipilot.envs.desktop.x11.connection import xauthority
from omnipilot.envs.types.errors import require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image, VideoClip
from omnipilot.envs.types.observation import Absent
from omnipilot.envs.types.png import encode_png

FPS = 30
LONGEST = 60.0
"""Seconds of film that are kept."""
BUDGET = 256_000_000
"""Bytes of frames that are kept; a screen that never rests fills them in about a minute."""
BUSY = 400_000
"""Bytes of a PNG file above which a frame is kept as JPEG: a photograph or a film."""
QUALITY = 92


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One picture and when it was shown first, in seconds of `time.monotonic`."""

    at: float
    file: bytes


class FrameRing:
    """Frames of one film, the oldest dropped first; a pure store.

    Args:
        longest: seconds that are kept. budget: bytes that are kept.
    """

    def __init__(self, longest: float = LONGEST, budget: int = BUDGET) -> None:
        self._longest, self._budget = longest, budget
        self._frames: deque[FilmFrame] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, frame: FilmFrame) -> None:
        """Add the newest frame."""
        with self._lock:
            self._frames.append(frame)
            self._bytes += len(frame.file)
            # The frame before the oldest moment is still shown at it.
            while len(self._frames) > 1 and (
                self._frames[1].at < frame.at - self._longest or self._bytes > self._budget
            ):
                self._bytes -= len(self._frames.popleft().file)

    def between(self, start: float, end: float) -> list[FilmFrame]:
        """The frame shown at `start`, as of then, and those that came until `end`; empty before the first."""
        with self._lock:
            frames = list(self._frames)
        before = [frame for frame in frames if frame.at <= start]
        first = [FilmFrame(start, before[-1].file)] if before else []
        return first + [frame for frame in frames if start < frame.at < end]


class FilmRecorder:
    """Grabs the screen of one X server 30 times a second, in a thread, from the start; equal frames are kept once.

    A clip reaches back `LONGEST` seconds at most. Its frames are PNG files, exact to the pixel; those of films and
    photographs are JPEG files. A frame is as of the middle of the time between it and the one before, which is when
    what it shows came to the screen on average.

    Args:
        rate: maximum frames a second.
        at: left and top of what is grabbed, in pixels of the screen.

    Raises:
        MissingExtra: PyAV is not installed.
    """

    def __init__(
        self, address: DesktopAddress, name: str, size: Size, rate: int = FPS, at: tuple[int, int] = (0, 0)
    ) -> None:
        self._av: Any = require("av", "desktop")
        self._address, self._name, self._size, self._rate = address, name, size, rate
        self._at = at
        self._ring = FrameRing()
        self._problem = ""
        self._began = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._record, name=f"film of {address.display}", daemon=True)
        self._thread.start()

    def ready(self, seconds: float) -> bool:
        """Wait until the first frame has come; whether it has."""
        return self._began.wait(seconds) and not self._problem

    def clip(self, start: float, end: float, clock: WallClock) -> VideoClip | Absent:
        """The film from `start` to `end`, in seconds on the clock; where it does not reach back so far, from its
        beginning."""
        if self._problem:
            return Absent("failed", self._problem)
        zero = clock.at(0.0)
        frames = self._ring.between(min(start, end) - zero, end - zero)
        if not frames:
            return Absent("failed", self._problem or "no frame of the screen has come yet")
        return VideoClip(
            [Image.encoded(frame.file, self._name, min(frame.at + zero, end)) for frame in frames], end, self._name
        )

    def close(self) -> None:
        """Stop recording. May be called twice."""
        self._over.set()
        self._thread.join(timeout=2.0)

    def _record(self) -> None:
        options = {
            "framerate": str(self._rate),
            "video_size": str(self._size),
            "grab_x": str(self._at[0]),
            "grab_y": str(self._at[1]),
            "draw_mouse": "0",
            "show_region": "0",
        }
        try:
            with xauthority(self._address):
                source = self._av.open(self._address.display, format="x11grab", options=options)
            with source:
                self._follow(source)
        except Exception as error:  # PyAV's errors range from OSError to its own
            self._problem = f"the film of {self._address.display} ended: {error}"
        self._began.set()

    def _follow(self, source: Any) -> None:
        last = b""
        for packet in source.demux(video=0):
            if self._over.is_set():
                return
            arrived, today = time.monotonic(), time.time()
            raw = bytes(packet)
            if not raw or raw == last:
                continue
            last = raw
            # The age of a frame is not touched by a change of the time of day, unless it comes just then.
            age = min(max(today - float(packet.pts * packet.time_base), 0.0), 1.0)
            self._ring.add(FilmFrame(arrived - age - 0.5 / self._rate, frame_file(raw, self._size)))
            self._began.set()


def frame_file(bgrx: bytes, size: Size, png: Callable[[Any], bytes] = encode_png) -> bytes:
    """A frame as a file: PNG, or JPEG where that would be too long for a film."""
    import numpy as np
    from PIL import Image as pil

    rgb = rgb_bytes(bgrx, size)
    pixels = np.frombuffer(rgb, np.uint8).reshape(size.height, size.width, 3)
    # An eighth of the rows tells what the whole will come to.
    if 8 * len(png(np.ascontiguousarray(pixels[::8]))) <= 2 * BUSY:
        file = png(pixels)
        if len(file) <= BUSY:
            return file
    out = io.BytesIO()
    pil.frombytes("RGB", (size.width, size.height), rgb).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
