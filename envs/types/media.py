"""What was seen and heard: one capture each, immutable, identified by its content.

Content is kept raw once; files (PNG, WAV, MP4) are encoded when they are first asked for. Time spans are seconds on
the world's clock, `start` included and `end` excluded.
"""

from __future__ import annotations

import hashlib
import io
import wave
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from omnipilot.envs.types.errors import require
from omnipilot.envs.types.foreign_media import open_picture
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.notebook import media_tag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Samples a second of every `AudioClip`."""


STRIP = 1 << 20
"""Pixels of a picture that are converted at once."""


class Media:
    """Base of the captures: equality and hash are those of the content, never of where or when it was taken.

    Attributes:
        env: name of the environment that was captured ("" where it is not from one).
        start, end: seconds on the world's clock.
    """

    __slots__ = ("_digest", "end", "env", "start")

    def __init__(self, env: str, start: float, end: float) -> None:
        if end < start:
            raise ValueError(f"a capture ends at or after its start, not {start}..{end}")
        self.env = env
        self.start = start
        self.end = end
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        if self._digest is None:
            self._digest = self._hash()
        return self._digest

    @property
    def seconds(self) -> float:
        """Length on the world's clock."""
        return self.end - self.start

    def _hash(self) -> str:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Media) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)


class Image(Media):
    """A screenshot: 8-bit RGB pixels, row by row.

    Built from raw pixels (`Image.raw`) or from an encoded file (`Image.encoded`), which is decoded only when its
    pixels or its digest are asked for. The digest is that of the pixels, so the same picture is the same media
    however it came.
    """

    __slots__ = ("_coded", "_file", "_name", "_origin", "_rgb", "size")

    def __init__(self, size: Size, rgb: bytes | None, file: bytes | None, env: str = "", start: float = 0.0) -> None:
        super().__init__(env, start, start)
        if rgb is not None and len(rgb) != size.pixels * 3:
            raise ValueError(f"{size} RGB pixels are {size.pixels * 3} bytes, not {len(rgb)}")
        self.size = size
        self._rgb = rgb
        self._file = self._coded = file
        self._name = ""
        self._origin: Image | None = None

    @classmethod
    def raw(cls, size: Size, rgb: bytes, env: str = "", time: float = 0.0) -> Image:
        """From raw pixels: width x height x 3 bytes."""
        return cls(size, rgb, None, env, time)

    @classmethod
    def from_array(cls, pixels: NDArray[np.uint8], env: str = "", time: float = 0.0) -> Image:
        """From an array of shape (height, width, 3), uint8; it is copied."""
        height, width, _ = pixels.shape
        return cls(Size(width, height), pixels.tobytes(), None, env, time)

    @classmethod
    def encoded(cls, file: bytes, env: str = "", time: float = 0.0, name: str = "", digest: str = "") -> Image:
        """From the bytes of a PNG, JPEG or WebP file; only its header is read now.

        Args:
            name: what the picture is called where it cannot be decoded, such as its file's name.
            digest: of its pixels, where that is known; "" to compute it when it is asked for.

        Raises:
            EnvLost: it is no picture. A damaged one is found when its pixels are asked for.
        """
        with open_picture(file, name or f"a picture of {env or 'nowhere'}") as picture:
            size = Size(*picture.size)
            plain = picture.format == "PNG" and picture.mode == "RGB"
        image = cls(size, None, file, env, time)
        image._file, image._name = (file if plain else None), name
        image._digest = digest or None
        return image

    @property
    def rgb(self) -> bytes:
        """Raw pixels: height x width x 3 bytes.

        Raises:
            EnvLost: the file that they are in is damaged.
        """
        if self._rgb is None and self._origin is not None:
            self._rgb = self._origin.rgb
        if self._rgb is None:
            assert self._coded is not None
            with open_picture(
                self._coded, self._name or f"the picture of {self.env or 'nowhere'}, {self.size},"
            ) as picture:
                self._rgb = _pixels(picture)
        return self._rgb

    def array(self) -> NDArray[np.uint8]:
        """Pixels as a read-only array of shape (height, width, 3), uint8."""
        import numpy as np

        return np.frombuffer(self.rgb, dtype=np.uint8).reshape(self.size.height, self.size.width, 3)

    def _repr_png_(self) -> bytes:
        return self.png()

    def png(self) -> bytes:
        """The picture as a PNG file; see `omnipilot.envs.types.png` for what of it stays the same everywhere."""
        if self._file is None and self._origin is not None:
            self._file = self._origin.png()
        if self._file is None:
            # Loaded when it is first needed: starting the command line needs no encoder.
            from omnipilot.envs.types.png import encode_png

            self._file = encode_png(self.array())
        return self._file

    def crop(self, box: Box) -> Image:
        """The part of the picture inside `box`, at least one pixel on each side."""
        left, top, right, bottom = box.to_pixels(self.size)
        x0, y0 = min(int(left), self.size.width - 1), min(int(top), self.size.height - 1)
        x1, y1 = max(x0 + 1, round(right)), max(y0 + 1, round(bottom))
        return Image.from_array(self.array()[y0:y1, x0:x1], self.env, self.start)

    def at(self, env: str, time: float) -> Image:
        """The same content as a capture of `env` at `time`; nothing is copied, and it is encoded and hashed once."""
        image = Image(self.size, self._rgb, self._file, env, time)
        image._coded, image._name, image._digest = self._coded, self._name, self._digest
        image._origin = self if self._origin is None else self._origin
        return image

    def _hash(self) -> str:
        if self._origin is not None:
            return self._origin.digest
        digest = hashlib.sha256(f"rgb {self.size} ".encode())
        digest.update(self.rgb)
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"Image({self.size}, env={self.env!r}, time={self.start:g})"


def _pixels(picture: Any) -> bytes:
    """The RGB pixels of a picture of Pillow, row by row.

    In strips: for a whole picture at once Pillow holds them three times over.
    """
    out = io.BytesIO()
    width, height = picture.size
    rows = max(1, STRIP // width)
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(top + rows, height)))
        out.write((strip if strip.mode == "RGB" else strip.convert("RGB")).tobytes())
    return out.getvalue()


class AudioClip(Media):
    """Sound: mono, signed 16-bit little-endian samples, 16,000 a second, covering `start`..`end`."""

    __slots__ = ("pcm",)

    def __init__(self, pcm: bytes, env: str = "", start: float = 0.0) -> None:
        if len(pcm) % 2:
            raise ValueError("16-bit samples come in pairs of bytes")
        super().__init__(env, start, start + len(pcm) / 2 / SAMPLE_RATE)
        self.pcm = pcm

    @classmethod
    def from_array(cls, samples: NDArray[np.int16], env: str = "", start: float = 0.0) -> AudioClip:
        """From an array of shape (samples,), int16; it is copied."""
        return cls(samples.astype("<i2").tobytes(), env, start)

    @classmethod
    def silence(cls, samples: int, env: str = "", start: float = 0.0) -> AudioClip:
        """So many samples of silence; how it is named is worked out once for each length."""
        clip = cls(bytes(2 * samples), env, start)
        clip._digest = _silence_digest(samples)
        return clip

    def array(self) -> NDArray[np.int16]:
        """Samples as a read-only array of shape (samples,), int16."""
        import numpy as np

        return np.frombuffer(self.pcm, dtype="<i2")

    def slice(self, start: float, end: float) -> AudioClip:
        """The part between two times on the world's clock, cut at whole samples inside the clip."""
        first, last = (min(max(round((t - self.start) * SAMPLE_RATE), 0), len(self.pcm) // 2) for t in (start, end))
        return AudioClip(self.pcm[2 * first : 2 * max(first, last)], self.env, self.start + first / SAMPLE_RATE)

    def loudness(self) -> float:
        """Root mean square of the samples relative to full scale, 0..1; 0 for an empty clip."""
        import numpy as np

        samples = self.array().astype(np.float64)
        return float(np.sqrt(np.mean(samples**2)) / 32768) if samples.size else 0.0

    def _repr_html_(self) -> str:
        return media_tag(self.wav(), "audio/wav", f"{self.seconds:.1f} s of sound")

    def wav(self) -> bytes:
        """The sound as a WAV file."""
        out = io.BytesIO()
        with wave.open(out, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE)
            file.writeframes(self.pcm)
        return out.getvalue()

    @classmethod
    def from_wav(cls, file: bytes, env: str = "", start: float = 0.0) -> AudioClip:
        """From a WAV file that is already mono, 16-bit and 16 kHz.

        Raises:
            ValueError: it is something else, or damaged.
        """
        try:
            with wave.open(io.BytesIO(file), "rb") as source:
                shape = (source.getnchannels(), source.getsampwidth(), source.getframerate())
                if shape != (1, 2, SAMPLE_RATE):
                    raise ValueError(f"expected mono 16-bit {SAMPLE_RATE} Hz, not {shape}")
                return cls(source.readframes(source.getnframes()), env, start)
        except (wave.Error, EOFError, RuntimeError, OverflowError) as error:
            # Python's reader raises a RuntimeError without words where a length in the head points out of the file.
            raise ValueError(f"no WAV file: {error or type(error).__name__}") from None

    def _hash(self) -> str:
        return _pcm_digest(self.pcm)

    def __repr__(self) -> str:
        return f"AudioClip({self.seconds:.3f} s, env={self.env!r}, start={self.start:g})"


def _pcm_digest(pcm: bytes) -> str:
    return hashlib.sha256(b"pcm " + pcm).hexdigest()


@lru_cache(maxsize=256)
def _silence_digest(samples: int) -> str:
    return _pcm_digest(bytes(2 * samples))


class VideoClip(Media):
    """Moving pictures: frames of one size with their times; each is shown until the next, the last until `end`."""

    __slots__ = ("frames",)

    def __init__(self, frames: Sequence[Image], end: float, env: str = "") -> None:
        if not frames:
            raise ValueError("a video has at least one frame")
        times = [frame.start for frame in frames]
        if [*times, end] != sorted([*times, end]) or len({frame.size for frame in frames}) > 1:
            raise ValueError("the frames of a video are of one size, in order of time and not after its end")
        super().__init__(env, times[0], end)
        self.frames = tuple(frames)

    @property
    def size(self) -> Size:
        """Size of every frame."""
        return self.frames[0].size

    def slice(self, start: float, end: float) -> VideoClip:
        """The part between two times on the world's clock, clamped to the clip; at least the frame shown at `start`."""
        start = min(max(start, self.start), self.end)
        end = min(max(end, start), self.end)
        before = [frame for frame in self.frames if frame.start <= start]
        first = before[-1].at(self.env, start)
        return VideoClip([first, *(f for f in self.frames if start < f.start < end)], end, self.env)

    def mp4(self, fps: int = 10) -> bytes:
        """The clip as an H.264 file at a steady rate, the same each time; odd sides lose their last row or column.

        Raises:
            MissingExtra: PyAV is not installed.
        """
        av: Any = require("av", "video")
        width, height = self.size.width // 2 * 2, self.size.height // 2 * 2
        out = io.BytesIO()
        with av.open(out, "w", format="mp4") as container:
            stream = container.add_stream("libx264", rate=fps)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            # With several threads the file of one clip is not always the same, to the byte.
            stream.codec_context.thread_count = 1
            shown = 0
            for tick in range(max(1, round(self.seconds * fps))):
                while shown + 1 < len(self.frames) and self.frames[shown + 1].start <= self.start + tick / fps + 1e-9:
                    shown += 1
                frame = av.VideoFrame.from_ndarray(self.frames[shown].array()[:height, :width].copy(), format="rgb24")
                for packet in stream.encode(frame):
                    container.mux(packet)
            for packet in stream.encode():
                container.mux(packet)
        return out.getvalue()

    def _hash(self) -> str:
        parts = [f"{frame.start - self.start:.6f} {frame.digest}" for frame in self.frames]
        return hashlib.sha256(f"video {self.seconds:.6f} {' '.join(parts)}".encode()).hexdigest()

    def __repr__(self) -> str:
        return f"VideoClip({len(self.frames)} frames, {self.seconds:.3f} s, env={self.env!r}, start={self.start:g})"
