"""Video of a phone's screen: segments of `screenrecord`, placed on the world's clock."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs.android.connection import CommandStream, PhoneConnection
from omnipilot.envs.clock import WallClock
from omnipilot.envs.types.errors import EnvLost, MissingExtra, check_installed, require
from omnipilot.envs.types.films import shown_pixels, shown_size
from omnipilot.envs.types.foreign_media import open_film
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image, VideoClip
from omnipilot.envs.types.observation import Absent, Modality

LONGEST = 180
"""Seconds after which `screenrecord` ends by itself; a next segment follows."""
FPS = 10.0
MOST_FRAMES = 50
KEPT_SECONDS = 10.0
"""Frames a second and in a clip at most, and for how long they are kept after one."""
MOST_PIXELS = 200_000_000
"""Pixels of all frames that are kept of a recording, 600 MB; fifty of a phone's have 130 million."""
END_SECONDS = 5.0
PULL_SECONDS = 30.0
SHORT_SECONDS = 1.0
"""A recording that ends by itself sooner than this cannot be made on the phone."""
_FILE = "/data/local/tmp/omnipilot-{number}.mp4"


@dataclass(slots=True)
class _Segment:
    """One run of `screenrecord`."""

    path: str
    started: float
    stream: CommandStream
    ended: threading.Event = field(default_factory=threading.Event)
    seconds: float = 0.0
    said: bytes = b""

    def wait(self) -> None:
        """Read what it says until it ends."""
        parts = []
        while part := self.stream.read():
            parts.append(part)
        self.said = b"".join(parts)
        self.stream.close()


class ScreenRecorder:
    """Records the screen from the first clip on.

    `screenrecord` tells no time of day and its file has no end until it is interrupted, so the segment that runs is
    ended for each clip, and a next one begins; what happens between the two, about a second, is on neither. A segment
    that ends by itself, after 180 s or because the screen was turned, is followed by a next one at once. A frame is
    placed by the moment at which its segment was started, some tenths of a second early on slow phones.
    """

    def __init__(self, connection: PhoneConnection, clock: WallClock, env: str) -> None:
        self._connection = connection
        self._clock = clock
        self._env = env
        self._lock = threading.Lock()
        self._running: _Segment | None = None
        self._finished: list[_Segment] = []
        self._frames: list[tuple[float, Image]] = []
        self._since: float | None = None
        self._forgotten = 0.0
        self._number = 0
        self._problem = ""

    def start(self) -> None:
        """Begin to record, unless that is going on."""
        with self._lock:
            if self._running is None and not self._problem:
                if self._since is None:
                    self._since = self._clock.now
                self._begin()

    def clip(self, since: float, now: float, shown: Image | None) -> VideoClip | Absent:
        """What was recorded from `since` to `now`; recording goes on afterwards.

        Args:
            shown: the screenshot now, which becomes the last frame: `screenrecord` leaves out the last change.
        """
        try:
            require("av", "video")
        except MissingExtra as error:
            return Absent("failed", str(error))
        first = self._since
        if first is None:
            self.start()
            return Absent("failed", "the screen is recorded from now on; the next observation has a video")
        self._end()
        for segment in self._take_finished():
            self._read(segment, max(since, first))
        first = max(first, self._forgotten)
        clip = self._cut(max(since, first), now, shown)
        self._forget(now - KEPT_SECONDS)
        if self._problem:
            return Absent("failed", self._problem)
        self.start()
        if since < first - 0.5:
            return Absent("failed", f"the screen was recorded from {first:.1f} s on only, not from {since:.1f} s")
        return clip

    def stop(self) -> None:
        """End the recording and forget it; files on the phone are removed if it is still there."""
        self._end()
        finished = self._take_finished()
        self._frames.clear()
        self._since = None
        self._forgotten = 0.0  # the clock may begin anew
        self._problem = ""
        if finished:
            try:
                self._connection.shell(f"rm -f {' '.join(one.path for one in finished)}", END_SECONDS)
            except EnvLost:
                return

    def _begin(self) -> None:
        """Start a segment; the lock is held."""
        self._number += 1
        path = _FILE.format(number=self._number)
        stream = self._connection.start(f"screenrecord --time-limit {LONGEST} {path} 2>&1")
        segment = _Segment(path, self._clock.now, stream)
        self._running = segment
        threading.Thread(target=self._follow, args=(segment,), name=f"screenrecord-{self._env}", daemon=True).start()

    def _follow(self, segment: _Segment) -> None:
        """Wait for a segment's end, and begin the next one if nobody asked for that end."""
        segment.wait()
        segment.seconds = self._clock.now - segment.started
        with self._lock:
            self._finished.append(segment)
            if self._running is segment:
                self._running = None
                if segment.seconds < SHORT_SECONDS:
                    told = segment.said.decode("utf-8", "replace").strip()
                    self._problem = f"the phone cannot record its screen: {told[:200] or 'screenrecord ended at once'}"
                else:
                    try:
                        self._begin()
                    except EnvLost as error:
                        self._problem = str(error)
        segment.ended.set()

    def _end(self) -> None:
        """End the segment that runs."""
        with self._lock:
            segment, self._running = self._running, None
        if segment is None:
            return
        try:
            # Any other end leaves a file without an index.
            self._connection.shell("pkill -INT screenrecord || killall -INT screenrecord", END_SECONDS)
        except EnvLost:
            segment.stream.close()
        if not segment.ended.wait(END_SECONDS):
            segment.stream.close()
            segment.ended.wait(END_SECONDS)

    def _take_finished(self) -> list[_Segment]:
        with self._lock:
            finished, self._finished = self._finished, []
        return finished

    def _forget(self, until: float) -> None:
        """Drop the frames before a moment, but for the one that was shown then."""
        before = [at for at, _ in self._frames if at <= until]
        if before:
            self._frames = [one for one in self._frames if one[0] >= before[-1]]
            self._forgotten = before[-1]

    def _read(self, segment: _Segment, since: float) -> None:
        """Fetch a segment's frames from about `since` on, and remove its file."""
        try:
            file = self._connection.pull(segment.path, PULL_SECONDS)
        except FileNotFoundError:
            told = segment.said.decode("utf-8", "replace").strip()
            self._problem = self._problem or f"the phone left no recording: {told[:200] or 'screenrecord was silent'}"
            return
        self._connection.shell(f"rm -f {segment.path}", END_SECONDS)
        try:
            self._frames += decode(file, segment.started, self._env, since, segment.seconds)
        except ValueError as error:
            self._problem = self._problem or f"the phone's recording cannot be read: {error}"

    def _cut(self, since: float, now: float, shown: Image | None) -> VideoClip | Absent:
        frames = [(at, frame) for at, frame in self._frames if at <= now]
        size = frames[-1][1].size if frames else None
        if shown is not None and (size is None or _upright(size) != _upright(shown.size)):
            # A video has a single size: if the screen was turned, it starts then.
            size = shown.size
        if size is None:
            return Absent("failed", "nothing was recorded: screens that stand still give no frames")
        before = [frame for at, frame in frames if at <= since and frame.size == size]
        chosen = [frame.at(self._env, since) for frame in before[-1:]]
        inside = [(at, frame) for at, frame in frames if since < at < now and frame.size == size]
        step = max(1, -(-len(inside) // (MOST_FRAMES - 2)))
        chosen += [frame.at(self._env, at) for at, frame in inside[::step]]
        if shown is not None:
            chosen.append(_fit(shown, size).at(self._env, now))
        if not chosen:
            return Absent("failed", "nothing was recorded in this time")
        if chosen[0].start > since:
            chosen.insert(0, chosen[0].at(self._env, since))
        return VideoClip(chosen, now, self._env)


def _upright(size: Size) -> bool:
    return size.height >= size.width


def _fit(image: Image, size: Size) -> Image:
    """A picture in the size of the film, between black bars where its shape differs, as `screenrecord` fits it."""
    if image.size == size:
        return image
    from PIL import Image as pil

    scale = min(size.width / image.size.width, size.height / image.size.height)
    width, height = max(1, round(image.size.width * scale)), max(1, round(image.size.height * scale))
    picture = pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb).resize((width, height))
    canvas = pil.new("RGB", (size.width, size.height))
    canvas.paste(picture, ((size.width - width) // 2, (size.height - height) // 2))
    return Image.raw(size, canvas.tobytes(), image.env, image.start)


def decode(file: bytes, started: float, env: str, since: float, seconds: float) -> list[tuple[float, Image]]:
    """The frames of an MP4 file with their times: at most `FPS` a second, and about `MOST_FRAMES` after `since`.

    Args:
        started: when the recording began, in seconds on the world's clock.
        since: frames before it are left out, but for the one shown then.
        seconds: how long the recording lasted.

    Raises:
        ValueError: it is no video, or a damaged one.
    """
    av: Any = require("av", "video")
    gap = max(1 / FPS, (started + seconds - max(since, started)) / MOST_FRAMES) * 0.999
    frames: list[tuple[float, Image]] = []
    kept: Any = None
    last = -gap
    pixels = 0
    try:
        with open_film(file, "the recording") as container:
            for frame in container.decode(video=0):
                at = float(frame.time or 0.0)
                if started + at <= since:
                    kept = (started + at, frame)
                    continue
                if at - last < gap:
                    continue
                last = at
                pixels += frame.width * frame.height
                if pixels > MOST_PIXELS:
                    raise ValueError(f"its frames have more than {MOST_PIXELS // 10**6} million pixels")
                frames.append((started + at, _image(frame, env, started + at)))
    except (av.error.FFmpegError, IndexError, EnvLost) as error:
        raise ValueError(str(error)) from error
    return frames if kept is None else [(kept[0], _image(kept[1], env, kept[0])), *frames]


def _image(frame: Any, env: str, at: float) -> Image:
    return Image.from_array(shown_pixels(frame, shown_size(frame)), env, at)


def check_films(shown: frozenset[Modality]) -> None:
    """Check that a phone's recordings can be read, if films are among what is asked of it.

    Raises:
        MissingExtra: PyAV is not installed.
    """
    if Modality.VIDEO in shown:
        check_installed("video", "av", without="grant no video, with --modalities")
