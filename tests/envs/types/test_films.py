"""Films are seen as players show them: upright, with square pixels, from their first moment to their last."""

from __future__ import annotations

import io
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omnipilot.envs import EnvLost, Size
from omnipilot.envs.types import film_span, open_film, pixel_ratio, read_sound, shown_pixels, shown_size, sound_seconds

av = pytest.importorskip("av")
RED, BLUE = (220, 20, 20), (20, 20, 220)
RATE = 24_000
TONE = (0.4 * np.sin(2 * np.pi * 440 * np.arange(2 * RATE) / RATE) * 32767).astype("<i2")


class Pipe(io.RawIOBase):
    """What can be written, and not gone back in."""

    def __init__(self) -> None:
        self.content = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:
        self.content += content
        return len(content)


def write_film(path: Path, frames: list[Any], rate: int = 10, first: int = 0, **how: Any) -> Path:
    """Write frames of 8-bit RGB; `first` is the number of the first, `how` says format, codec, pipe, pixel."""
    out = Pipe() if how.get("pipe") else str(path)
    with av.open(out, "w", format=how.get("format"), options=how.get("options", {})) as container:
        stream = container.add_stream(how.get("codec", "mpeg4"), rate=rate)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt, stream.bit_rate = "yuv420p", 4_000_000
        if "pixel" in how:
            stream.codec_context.sample_aspect_ratio = how["pixel"]
        for number, pixels in enumerate(frames, first):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    if isinstance(out, Pipe):
        path.write_bytes(bytes(out.content))
    return path


def two_halves(width: int = 64, height: int = 128) -> Any:
    """Red above blue."""
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[: height // 2], pixels[height // 2 :] = RED, BLUE
    return pixels


def turn_head(path: Path, degrees: int) -> None:
    """Put a rotation into the head of an MP4, clockwise, as phones do."""
    content = bytearray(path.read_bytes())
    at = content.find(b"tkhd") + 44
    one = 1 << 16
    turned = {0: (one, 0, 0, one), 90: (0, one, -one, 0), 180: (-one, 0, 0, -one), 270: (0, -one, one, 0)}
    a, b, c, d = turned[degrees]
    content[at : at + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(content)


def first_shown(path: Path) -> Any:
    """The first frame as it is shown."""
    with open_film(path) as container:
        ratio = pixel_ratio(container.streams.video[0])
        frame = next(container.decode(video=0))
        return shown_pixels(frame, shown_size(frame, ratio))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_phone_that_was_held_upright_is_seen_upright(tmp_path: Path, degrees: int) -> None:
    lying = np.ascontiguousarray(np.rot90(two_halves(), degrees // 90))
    path = write_film(tmp_path / "a.mp4", [lying] * 5)
    turn_head(path, degrees)
    seen = first_shown(path)
    assert seen.shape == (128, 64, 3)
    assert np.abs(seen[:56].astype(int) - RED).mean() < 12
    assert np.abs(seen[72:].astype(int) - BLUE).mean() < 12


def test_pixels_that_are_no_squares_are_shown_as_squares(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mkv", [two_halves(72, 64)] * 3, pixel=Fraction(16, 9))
    assert first_shown(path).shape == (64, 128, 3)


HEADS = {
    "finished": {"format": "mp4"},
    "in pieces": {"format": "mp4", "pipe": True, "options": {"movflags": "frag_keyframe+empty_moov"}},
    "of a browser": {"format": "webm", "codec": "libvpx", "pipe": True},
    "out of a pipe": {"format": "matroska", "pipe": True},
}


@pytest.mark.parametrize("kind", HEADS)
def test_a_film_lasts_as_long_as_its_frames(tmp_path: Path, kind: str) -> None:
    path = write_film(tmp_path / "film", [two_halves()] * 30, **HEADS[kind])
    span = film_span(path)
    assert (span.start, span.seconds) == (pytest.approx(0, abs=1e-6), pytest.approx(3.0, abs=0.02))


def test_a_head_that_claims_another_length_is_not_believed(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mp4", [two_halves()] * 30)
    content = bytearray(path.read_bytes())
    at = content.find(b"mvhd") + 20
    content[at : at + 4] = struct.pack(">I", 500_000)
    path.write_bytes(content)
    assert film_span(path).seconds == pytest.approx(3.0, abs=0.02)


def test_what_was_cut_out_of_a_longer_film_begins_at_its_own_first_frame(tmp_path: Path) -> None:
    span = film_span(write_film(tmp_path / "a.mkv", [two_halves()] * 20, first=70))
    assert (span.start, span.seconds) == (pytest.approx(7.0, abs=0.02), pytest.approx(2.0, abs=0.02))


def wav(size: int, riff: int, before: bytes = b"") -> bytes:
    """Two seconds of a tone as a WAV that claims these sizes."""
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16) + before
    return b"RIFF" + struct.pack("<I", riff) + head + b"data" + struct.pack("<I", size) + TONE.tobytes()


WHOLE = 2 * len(TONE)
NOTE = b"LIST" + struct.pack("<I", 26) + b"INFOISFT" + struct.pack("<I", 14) + b"Recorder 1.0\0\0"


@pytest.mark.parametrize(
    ("content", "seconds"),
    [
        (wav(WHOLE, WHOLE + 36), 2.0),
        (wav(0xFFFFFFFF, 0xFFFFFFFF), 2.0),
        (wav(0, 0), 2.0),
        (wav(0, WHOLE + 36), 2.0),
        (wav(0, 36, NOTE), 2.0),
        (wav(WHOLE // 4, WHOLE // 4 + 36), 0.5),
    ],
    ids=["finished", "placeholder", "zero", "zero samples", "zero behind a note", "said to be shorter"],
)
def test_a_sound_whose_head_was_never_finished_lasts_to_its_end(content: bytes, seconds: float) -> None:
    assert sound_seconds(content, "a.wav") == pytest.approx(seconds)
    samples, rate = read_sound(content, "a.wav")
    assert (samples.shape, rate) == ((round(seconds * RATE), 1), RATE)
    assert np.abs(samples[:, 0] - TONE[: len(samples)] / 32768).max() < 1e-4


def test_a_sound_of_no_samples_stays_one() -> None:
    empty = wav(0, 0)[:44]
    assert sound_seconds(empty, "a.wav") == 0
    followed = empty + b"LIST" + struct.pack("<I", 4) + b"INFO"
    assert sound_seconds(followed, "a.wav") == 0


def encoded(path: Path, codec: str, form: str, layout: str = "mono") -> Path:
    """The tone in a container of phones and browsers, the same in all channels."""
    with av.open(str(path), "w", format=form) as container:
        stream = container.add_stream(codec, rate=48_000 if codec == "libopus" else RATE)
        stream.layout = layout
        channels = stream.layout.nb_channels
        frame = av.AudioFrame.from_ndarray(np.repeat(TONE, channels).reshape(1, -1), format="s16", layout=layout)
        frame.rate, frame.pts = RATE, 0
        resampler = av.AudioResampler(
            format=stream.format, layout=layout, rate=stream.rate, frame_size=stream.codec_context.frame_size or 1024
        )
        for piece in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(piece))
        container.mux(stream.encode())
    return path


@pytest.mark.parametrize(
    ("name", "codec", "form", "layout"),
    [
        ("a.m4a", "aac", "ipod", "mono"),
        ("b.m4a", "aac", "ipod", "stereo"),
        ("a.aac", "aac", "adts", "mono"),
        ("a.3gp", "aac", "3gp", "mono"),
        ("a.webm", "libopus", "webm", "mono"),
        ("a.mka", "libopus", "matroska", "stereo"),
        ("a.opus", "libopus", "ogg", "mono"),
    ],
)
def test_sounds_of_phones_and_browsers_are_heard(tmp_path: Path, name: str, codec: str, form: str, layout: str) -> None:
    path = encoded(tmp_path / name, codec, form, layout)
    samples, rate = read_sound(path, name)
    assert samples.shape[1] == (2 if layout == "stereo" else 1)
    assert len(samples) / rate == pytest.approx(2.0, abs=0.15)
    assert sound_seconds(path, name) == pytest.approx(2.0, abs=0.15)
    assert np.sqrt((samples**2).mean()) == pytest.approx(0.4 / np.sqrt(2), rel=0.05)
    heard = np.abs(np.fft.rfft(samples[:, 0]))
    assert np.argmax(heard) * rate / len(samples) == pytest.approx(440, abs=2)


def test_a_film_without_sound_and_what_is_neither_say_so(tmp_path: Path) -> None:
    silent = write_film(tmp_path / "a.mp4", [two_halves()] * 3)
    with pytest.raises(EnvLost, match=r"a\.mp4 has no sound"):
        read_sound(silent, silent.name)
    with pytest.raises(EnvLost, match=r"x\.wav cannot be read"):
        read_sound(b"neither", "x.wav")


def test_the_size_of_a_turned_frame_is_that_of_the_picture(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mp4", [two_halves(128, 64)] * 3)
    turn_head(path, 90)
    with open_film(path) as container:
        assert shown_size(next(container.decode(video=0))) == Size(64, 128)
