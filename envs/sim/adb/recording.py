"""A recording of the phone's screen, encoded as time passes."""

from __future__ import annotations

import io
from typing import Any

from omnipilot.envs.sim.adb.phone import ServedPhone
from omnipilot.envs.types.errors import require
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import VideoClip
from omnipilot.envs.types.observation import Modality

FPS = 10
STEP = 2.0
"""Seconds after which what has been shown is encoded."""
LONGEST = 180.0


class ScreenRecording:
    """Frames of H.264 in an MP4 file, ten a second, from its start until `finish`.

    Args:
        size: of the film; None for the screen's. longest: seconds after which it shows no more.

    Raises:
        MissingExtra: PyAV is not installed.
    """

    def __init__(self, phone: ServedPhone, size: Size | None = None, longest: float = LONGEST) -> None:
        av: Any = require("av", "video")
        self._av, self._phone = av, phone
        shown = size or phone.display.size
        self._size = Size(max(2, shown.width // 2 * 2), max(2, shown.height // 2 * 2))
        self._file = io.BytesIO()
        self._container = av.open(self._file, "w", format="mp4")
        self._stream = self._container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        self._stream.width, self._stream.height = self._size.width, self._size.height
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.thread_count = 1
        self._start = self._until = phone.now
        self._count, self._most = 0, round(longest * FPS)

    def advance(self) -> None:
        """Encode what has been shown since the last time."""
        found = self._phone.observe((Modality.VIDEO,), self._until)
        clip = found.video
        assert isinstance(clip, VideoClip)
        self._until = found.time
        ticks = min(round((self._until - self._start) * FPS), self._most)
        at, encoded, frame = 0, -1, None
        for tick in range(self._count, ticks):
            while at + 1 < len(clip.frames) and clip.frames[at + 1].start <= self._start + tick / FPS + 1e-6:
                at += 1
            if encoded != at or frame is None:
                frame, encoded = self._frame(clip, at), at
            frame.pts = tick
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
        self._count = max(self._count, ticks)

    def _frame(self, clip: VideoClip, at: int) -> Any:
        picture = self._phone.display.picture(clip.frames[at])
        frame = self._av.VideoFrame.from_ndarray(picture.array().copy(), format="rgb24")
        if (frame.width, frame.height) != (self._size.width, self._size.height):
            frame = frame.reformat(width=self._size.width, height=self._size.height)
        return frame

    def finish(self) -> bytes:
        """The whole file; its last frame shows the present."""
        self.advance()
        if not self._count:
            found = self._phone.observe((Modality.VIDEO,)).video
            assert isinstance(found, VideoClip)
            frame = self._frame(found, -1)
            frame.pts = 0
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
        for packet in self._stream.encode():
            self._container.mux(packet)
        self._container.close()
        return self._file.getvalue()
