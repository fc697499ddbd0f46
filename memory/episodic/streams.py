"""Streams longer than memory: video and sound come in chunks, are read once, and leave events and media.

    reader = StreamReader("phone", store, keep="events")
    for chunk in read_file("call.mp4", "phone"):
        timeline.extend(reader.feed(chunk))
    timeline.extend(reader.finish())

What goes on over the edge of a chunk is one event. Resident memory depends on the size of a chunk and of a frame, not
on the length of the stream.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

import numpy as np

from omnipilot.envs import AudioClip, Box, ConfigError, EnvLost, Image, Modality, Size, VideoClip
from omnipilot.envs.types import (
    SAMPLE_RATE,
    open_film,
    open_sound,
    pixel_ratio,
    require,
    shown_pixels,
    shown_size,
    sound_seconds,
    upright,
)
from omnipilot.envs.types.foreign_media import UnknownSound
from omnipilot.memory.episodic.details import Detail, MotionDetail, ScreenDetail, SoundDetail, TranscriptDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.excerpts import JOINT, LONGEST_TEXT
from omnipilot.memory.episodic.sounds import SoundTracker
from omnipilot.memory.perception.ocr.reader import OcrReader
from omnipilot.memory.perception.video.keyframes import KeyFrameDetector, Luma, small_luma
from omnipilot.memory.perception.video.reader import MotionEvent, read_motion
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore
from omnipilot.memory.transcription.base import Transcriber

if TYPE_CHECKING:
    from numpy.typing import NDArray

Keep: TypeAlias = Literal["all", "events", "none"]
"""Which media of a stream are kept: every frame and sample; key frames and clips around events; none."""

CHUNK = 1.0
"""Seconds of the chunks that `read_file` makes."""
HELD = 64_000_000
"""Bytes of decoded frames that a chunk of a film holds, about: chunks of large frames are shorter."""
AHEAD = 10.0
"""Seconds that one track of a film may be ahead of the other; what is later, or has ended, is not waited for."""
MOTION_FPS = 10.0
"""Frames a second at which motion is read."""
SEGMENT, QUIET, MARGIN = 6.0, 1.0, 0.5
"""Seconds of the longest clip in which motion is read at once, of rest after which it is over, and of what is kept
before it."""
_NEAR = 0.25


class StreamFrame(Protocol):
    """A frame of a stream, of which only what is needed is made."""

    @property
    def time(self) -> float:
        """Seconds on the world's clock."""
        ...

    def luma(self) -> Luma:
        """Brightness, shape (rows, columns), uint8, at any size that is the same for the whole stream."""
        ...

    def small(self) -> Image:
        """The picture at a size at which motion is read."""
        ...

    def image(self) -> Image:
        """The whole picture."""
        ...


@dataclass(frozen=True, slots=True)
class StreamChunk:
    """A piece of a stream, `start`..`end` in seconds on the world's clock: its frames and its sound, if it has any."""

    start: float
    end: float
    frames: Sequence[StreamFrame] = ()
    sound: AudioClip | None = None


@dataclass(frozen=True, slots=True)
class ImageFrame:
    """A captured picture as a frame of a stream."""

    picture: Image

    @property
    def time(self) -> float:
        """Seconds on the world's clock."""
        return self.picture.start

    def luma(self) -> Luma:
        """The green of every `n`th pixel, which is nearest to brightness (0.59 of it in ITU-R BT.601)."""
        return small_luma(self.picture.array()[:, :, 1])

    def small(self) -> Image:
        """The picture itself: the reader of motion takes every `n`th pixel."""
        return self.picture

    def image(self) -> Image:
        """The picture itself."""
        return self.picture


class StreamReader:
    """Reads one stream, each chunk once, and makes events of it.

    Events: `screen` for each key frame, `video` and `motion` where something moved, `audio` and `sound` for what was
    heard, `transcript` for what was said. All have the modality that they were derived from, `video` or `audio`.

    Args:
        env: the environment that the stream is from.
        store: receives the media that are kept. keep: which these are. Of motion that goes on for longer than `SEGMENT`
            seconds, `events` keeps the first of these, and key frames.
        turn: of the events.
        transcriber: puts speech into words; None leaves it without.
        ocr: reads the text of key frames; None leaves them without.

    Raises:
        ConfigError: there is no such way to keep media.
    """

    def __init__(
        self,
        env: str,
        store: MediaStore,
        keep: Keep = "events",
        turn: int = 0,
        transcriber: Transcriber | None = None,
        ocr: OcrReader | None = None,
    ) -> None:
        if keep not in get_args(Keep):
            raise ConfigError(f"media of a stream are kept as {', '.join(get_args(Keep))}, not {keep!r}")
        self.env = env
        self.turn = turn
        self.keep = keep
        self._store = store
        self._ocr = ocr
        self._lines: frozenset[str] = frozenset()
        self._keys = KeyFrameDetector()
        self._motion = MotionTracker(env)
        self._sounds = SoundTracker(transcriber.transcribe_words if transcriber is not None else None)

    def feed(self, chunk: StreamChunk) -> Iterator[TimelineEvent]:
        """Take in the next chunk; what it adds, and what is over by its end."""
        if self.keep == "all":
            yield from self._whole(chunk)
        for frame in chunk.frames:
            change = self._keys.feed(frame.time, frame.luma())
            if change.key is not None:
                yield from self._of_key(frame, change.key)
            yield from self._of_motion(self._motion.feed(frame, change.moved))
        if chunk.sound is not None and chunk.sound.pcm:
            yield from self._of_sounds(self._sounds.feed(chunk.sound))

    def finish(self) -> Iterator[TimelineEvent]:
        """What was held because it might have gone on; at the end of the stream."""
        yield from self._of_motion(self._motion.finish())
        yield from self._of_sounds(self._sounds.finish())

    def _whole(self, chunk: StreamChunk) -> Iterator[TimelineEvent]:
        if chunk.frames:
            clip = VideoClip([frame.image() for frame in chunk.frames], max(chunk.end, chunk.frames[-1].time), self.env)
            yield self._event("video", clip.start, clip.end, Modality.VIDEO, self._store.put(clip))
        if chunk.sound is not None and chunk.sound.pcm.strip(b"\0"):
            ref = self._store.put(chunk.sound)
            yield self._event("audio", chunk.sound.start, chunk.sound.end, Modality.AUDIO, ref)

    def _of_key(self, frame: StreamFrame, why: str) -> Iterator[TimelineEvent]:
        """A key frame, and its text where it is another one than before."""
        image = frame.image() if self.keep != "none" or self._ocr is not None else None
        ref = self._store.put(image) if image is not None and self.keep != "none" else None
        yield self._event("screen", frame.time, frame.time, Modality.VIDEO, ref, ScreenDetail(why))
        if image is None or self._ocr is None:
            return
        lines = dict.fromkeys(line.name for line in self._ocr.read(image).elements if line.name)
        if lines and frozenset(lines) != self._lines:
            self._lines = frozenset(lines)
            text = JOINT.join(lines)[:LONGEST_TEXT]
            yield self._event("text", frame.time, frame.time, Modality.VIDEO, ref, None, text)

    def _of_motion(self, found: Iterator[MotionSegment]) -> Iterator[TimelineEvent]:
        for segment in found:
            ref = None
            if segment.clip is not None and self.keep == "events":
                ref = self._store.put(segment.clip)
                yield self._event("video", segment.clip.start, segment.clip.end, Modality.VIDEO, ref)
            for one in segment.events:
                words = f"{one.kind} {one.times} times" if one.times > 1 else one.kind
                event = self._event(
                    "motion", one.start, one.end, Modality.VIDEO, ref, MotionDetail(one.kind, one.times), words
                )
                yield replace(event, place=one.box)

    def _of_sounds(self, found: Iterator[Any]) -> Iterator[TimelineEvent]:
        for sound in found:
            event, ref = sound.event, None
            if self.keep == "events":
                ref = self._store.put(sound.clip)
                yield self._event("audio", sound.clip.start, sound.clip.end, Modality.AUDIO, ref)
            words = f"{event.kind}: {event.detail}" if event.detail else event.kind
            detail = SoundDetail(event.kind, event.confidence)
            yield self._event("sound", event.start, event.end, Modality.AUDIO, ref, detail, words)
            if sound.words:
                said = TranscriptDetail.of(sound.said)
                yield self._event("transcript", event.start, event.end, Modality.AUDIO, ref, said, sound.words)

    def _event(
        self,
        kind: Any,
        start: float,
        end: float,
        modality: Modality,
        media: MediaRef | None = None,
        detail: Detail | None = None,
        text: str = "",
    ) -> TimelineEvent:
        return TimelineEvent(kind, self.env, start, end, self.turn, text, modality, media, detail=detail)


@dataclass(frozen=True, slots=True)
class MotionSegment:
    """Motion that is over: its events, and the clip that they were read from where it is the first of its motion."""

    events: tuple[MotionEvent, ...]
    clip: VideoClip | None


class MotionTracker:
    """Reads motion in a stream of frames; nothing is read while nothing moves.

    What moves for longer than `SEGMENT` seconds is read in clips of this length. An event that reaches the end of such
    a clip and one of its kind and place that begins with the next are one.
    """

    def __init__(self, env: str = "") -> None:
        self._env = env
        self._earlier: deque[StreamFrame] = deque(maxlen=max(1, round(MARGIN * MOTION_FPS)))
        self._segment: list[Image] = []
        self._sampled = float("-inf")
        self._moved = float("-inf")
        self._continued = False
        self._held: list[MotionEvent] = []

    def feed(self, frame: StreamFrame, moved: bool) -> Iterator[MotionSegment]:
        """Take in the next frame, and whether it differs from the one before."""
        if moved:
            self._moved = frame.time
            if not self._segment:
                self._segment = [self._small(one) for one in self._earlier]
                self._earlier.clear()
        due = frame.time - self._sampled >= 1 / MOTION_FPS - 1e-3
        if due:
            self._sampled = frame.time
            if self._segment or moved:
                self._segment.append(self._small(frame))
            else:
                self._earlier.append(frame)
        if self._segment and frame.time - self._moved >= QUIET:
            yield self._read(frame.time, goes_on=False)
        elif self._segment and due and frame.time - self._segment[0].start >= SEGMENT:
            yield self._read(frame.time, goes_on=True)

    def finish(self) -> Iterator[MotionSegment]:
        """What was held."""
        if self._segment:
            yield self._read(self._segment[-1].start + 1 / MOTION_FPS, goes_on=False)
        elif self._held:
            held, self._held = self._held, []
            yield MotionSegment(tuple(held), None)

    def _small(self, frame: StreamFrame) -> Image:
        return frame.small().at(self._env, frame.time)

    def _read(self, end: float, goes_on: bool) -> MotionSegment:
        clip = VideoClip(self._segment, max(end, self._segment[-1].start), self._env)
        events, told = list(read_motion(clip).events), list[MotionEvent]()
        for before in self._held:
            after = next((one for one in events if _continues(before, one)), None)
            if after is None:
                told.append(before)
            else:
                events[events.index(after)] = _joined(before, after)
        self._held = []
        for event in events:
            (self._held if goes_on and clip.end - event.end <= _NEAR else told).append(event)
        first, self._continued = not self._continued, goes_on
        # The last frame is the first of what follows, so that nothing between the two is missed.
        self._segment = self._segment[-1:] if goes_on else []
        return MotionSegment(tuple(sorted(told, key=lambda one: (one.start, one.end))), clip if first else None)


def _continues(before: MotionEvent, after: MotionEvent) -> bool:
    if before.kind != after.kind or after.start - before.end > 2 * _NEAR:
        return False
    one, other = (before.went or before.box), (after.came or after.box)
    gap = 0.05
    return (
        one.left - gap <= other.right
        and other.left - gap <= one.right
        and one.top - gap <= other.bottom
        and other.top - gap <= one.bottom
    )


def _joined(before: MotionEvent, after: MotionEvent) -> MotionEvent:
    one, other = before.box, after.box
    box = Box(
        min(one.left, other.left), min(one.top, other.top), max(one.right, other.right), max(one.bottom, other.bottom)
    )
    times = 1 if before.kind in ("moved", "stopped") else before.times + after.times
    return MotionEvent(before.kind, before.start, after.end, box, times, before.came, after.went)


def read_file(path: Path | str, env: str, start: float = 0.0, seconds: float = CHUNK) -> Iterator[StreamChunk]:
    """The chunks of a media file, decoded as they are asked for: video and sound by PyAV, sound alone by soundfile.

    Args:
        start: of the stream, in seconds on the world's clock. seconds: of a chunk, at most; see `HELD`.

    Raises:
        MissingExtra: it is a video and PyAV is not installed.
        ConfigError: it cannot be read, or has neither video nor sound.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    try:
        with open_sound(path, path.name):
            pass
    except UnknownSound:
        return _read_video(path, env, start, seconds)
    except EnvLost as error:
        raise ConfigError(str(error)) from error
    return _read_sound(path, env, start, seconds)


def file_seconds(path: Path) -> float | None:
    """How long a media file lasts, in seconds, by what it holds; None if it cannot be read."""
    try:
        return sound_seconds(path, path.name)
    except EnvLost:
        return None


def _read_sound(path: Path, env: str, start: float, seconds: float) -> Iterator[StreamChunk]:
    try:
        with open_sound(path, path.name) as sound:
            yield from _sound_chunks(sound, env, start, seconds)
    except EnvLost as error:
        raise ConfigError(str(error)) from error


def _sound_chunks(file: Any, env: str, start: float, seconds: float) -> Iterator[StreamChunk]:
    from scipy.signal import resample_poly  # type: ignore[import-untyped]

    rate, total = file.samplerate, file.frames
    # A whole number of samples on both sides, and some around them, so that no chunk's edge is heard.
    step, around = round(seconds * rate), rate // 10
    for at in range(0, total, step):
        first, last = max(0, at - around), min(total, at + step + around)
        file.seek(first)
        samples = file.read(last - first, dtype="float32", always_2d=True).mean(axis=1)
        if rate != SAMPLE_RATE:
            samples = resample_poly(samples, SAMPLE_RATE, rate)
        begin, end = round(at * SAMPLE_RATE / rate), round(min(total, at + step) * SAMPLE_RATE / rate)
        offset = round(first * SAMPLE_RATE / rate)
        clip = AudioClip.from_array(_int16(samples[begin - offset : end - offset]), env, start + begin / SAMPLE_RATE)
        yield StreamChunk(clip.start, clip.end, (), clip)


def _int16(samples: NDArray[Any]) -> NDArray[np.int16]:
    return np.clip(np.round(samples * 32_768), -32_768, 32_767).astype(np.int16)


@dataclass(frozen=True, slots=True)
class _VideoFrame:
    """A decoded frame, kept in the codec's own format until more is wanted."""

    frame: Any
    env: str
    time: float
    ratio: float = 1.0

    def luma(self) -> Luma:
        """The plane of brightness where the format has one."""
        frame = self.frame
        if frame.format.name.startswith(("yuv", "nv12")) and frame.format.components[0].bits == 8:
            plane = frame.planes[0]
            whole = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
            return small_luma(upright(frame, whole[:, : plane.width]))
        return small_luma(upright(frame, frame.to_ndarray(format="gray")))

    def small(self) -> Image:
        """At most 640 pixels on the longer side."""
        whole = shown_size(self.frame, self.ratio)
        scale = min(1.0, 640 / max(whole.width, whole.height))
        size = Size(*(max(2, round(side * scale / 2) * 2) for side in (whole.width, whole.height)))
        return Image.from_array(shown_pixels(self.frame, size, "FAST_BILINEAR"), self.env, self.time)

    def image(self) -> Image:
        """All of it."""
        pixels = shown_pixels(self.frame, shown_size(self.frame, self.ratio))
        return Image.from_array(pixels, self.env, self.time)


def _read_video(path: Path, env: str, start: float, seconds: float) -> Iterator[StreamChunk]:
    av: Any = require("av", "video")
    try:
        container = open_film(path)
    except EnvLost as error:
        raise ConfigError(f"{path} is no video or sound that can be read: {error}") from error
    with container:
        tracks = [stream for kind in ("video", "audio") for stream in list(getattr(container.streams, kind))[:1]]
        if not tracks:
            raise ConfigError(f"{path} has neither video nor sound")
        for track in tracks:
            track.thread_count = 1
            if track.type == "video":
                second = 3 * track.width * track.height * float(track.average_rate or 30)
                seconds = max(0.1, min(seconds, HELD / max(1.0, second)))
        # Films that were cut out of longer ones count from another moment than their first.
        begun = (container.start_time or 0) / 1e6
        ratio = pixel_ratio(container.streams.video[0]) if container.streams.video else 1.0
        pieces = _Pieces(_Place(env, start, begun, ratio), seconds, [track.type for track in tracks], av)
        try:
            for frame in container.decode(*tracks):
                yield from pieces.take(frame)
        except av.error.FFmpegError as error:
            raise ConfigError(f"{path} cannot be decoded after {pieces.at:.1f} s: {error}") from error
        yield from pieces.rest()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a film belongs: its environment, when it starts there, what it calls that moment, and its pixels' shape."""

    env: str
    start: float
    begun: float
    ratio: float


class _Pieces:
    """Puts decoded frames and samples together to chunks: a chunk is whole once each track is past its end, or one of
    them is `AHEAD` seconds past it."""

    def __init__(self, place: _Place, seconds: float, tracks: Sequence[str], av: Any) -> None:
        self.at = 0.0
        self._env, self._start, self._seconds = place.env, place.start, seconds
        self._begun, self._ratio = place.begun, place.ratio
        self._reached = dict.fromkeys(tracks, 0.0)
        self._frames: deque[_VideoFrame] = deque()
        self._samples = bytearray()
        self._from = 0
        self._resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
        self._is_sound: Callable[[Any], bool] = lambda frame: isinstance(frame, av.AudioFrame)

    def take(self, frame: Any) -> Iterator[StreamChunk]:
        """Take in a frame of either track; the chunks that are whole now."""
        if self._is_sound(frame):
            self._hear(frame)
        else:
            time = self._reached["video"] if frame.time is None else float(frame.time) - self._begun
            self._frames.append(_VideoFrame(frame, self._env, self._start + time, self._ratio))
            self._reached["video"] = max(self._reached["video"], time)
        while self._is_whole(self.at + self._seconds):
            yield self._chunk(self.at + self._seconds)

    def rest(self) -> Iterator[StreamChunk]:
        """What is left at the end."""
        if "audio" in self._reached:
            for piece in self._resampler.resample(None):
                self._samples += piece.to_ndarray().tobytes()
        while self._frames or self._samples:
            yield self._chunk(self.at + self._seconds)

    def _is_whole(self, end: float) -> bool:
        reached = self._reached.values()
        return min(reached) >= end or max(reached) >= end + AHEAD

    def _hear(self, frame: Any) -> None:
        if frame.time is not None:
            expected = (self._from + len(self._samples) // 2) / SAMPLE_RATE
            # Where a track begins late or has a hole, there is silence.
            if (missing := frame.time - self._begun - expected) > 0.1:
                self._samples += bytes(2 * round(missing * SAMPLE_RATE))
        for piece in self._resampler.resample(frame):
            self._samples += piece.to_ndarray().tobytes()
        self._reached["audio"] = (self._from + len(self._samples) // 2) / SAMPLE_RATE

    def _chunk(self, end: float) -> StreamChunk:
        frames: list[StreamFrame] = []
        while self._frames and self._frames[0].time < self._start + end - 1e-6:
            frames.append(self._frames.popleft())
        most = max(0, round(end * SAMPLE_RATE) - self._from)
        pcm = bytes(self._samples[: 2 * most])
        sound = AudioClip(pcm, self._env, self._start + self._from / SAMPLE_RATE) if pcm else None
        del self._samples[: 2 * most]
        self._from += len(pcm) // 2
        self.at = end
        until = max([self._start + end - self._seconds, *(one.time for one in frames[-1:])])
        last = self._start + end if self._frames or self._samples else until
        return StreamChunk(self._start + end - self._seconds, max(last, sound.end if sound else last), frames, sound)
