"""Captions of media for models that cannot accept them, from our own readers of sound, motion and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from omnipilot.envs import AudioClip, Box, Image, VideoClip
from omnipilot.envs.types import check_installed
from omnipilot.memory.quoting import quote
from omnipilot.memory.warm_up import warm_up

Captioner = Callable[[Any], str]
"""Describes one capture in words."""


def caption_audio(clip: AudioClip) -> str:
    """Describes a sound clip, event by event, with times on the world's clock."""
    from omnipilot.memory.perception.audio.reader import read_sounds

    events = read_sounds(clip).events
    told = [f"{_span(e.start, e.end)} {e.kind}{f' ({e.detail})' if e.detail else ''}" for e in events]
    return f"{_about('sound', clip)}: {'; '.join(told) or 'nothing recognised'}"


def caption_video(clip: VideoClip) -> str:
    """Describes motion and changes in a video, event by event: times on the world's clock, places in 0..1."""
    from omnipilot.memory.perception.video.reader import read_motion

    told = []
    for event in read_motion(clip).events:
        often = f" {event.times} times" if event.times > 1 else ""
        where = f"at {_place(event.box)}"
        if event.came is not None and event.went is not None:
            where = f"from {_place(event.came)} to {_place(event.went)}"
        told.append(f"{_span(event.start, event.end)} something {event.kind}{often} {where}")
    return f"{_about('video', clip)}: {'; '.join(told) or 'nothing moves'}"


def caption_image(image: Image) -> str:
    """The text in a picture, line by line.

    Raises:
        MissingExtra: no OCR engine is installed.
    """
    lines = [element.name for element in _ocr().read(image).elements if element.name]
    read = quote(" / ".join(lines)) if lines else "nothing legible"
    return f"(a picture of {image.env or 'a screen'} that reads: {read})"


READERS: Mapping[str, Captioner] = {"image": caption_image, "audio": caption_audio, "video": caption_video}
"""Default captioner of each kind of media."""


def check_readers(kinds: Iterable[str]) -> None:
    """Check that what `READERS` need for these kinds of media is installed; nothing is imported.

    Raises:
        MissingExtra: no OCR engine is installed.
    """
    if "image" in kinds:
        check_installed("ocr", "rapidocr", "onnxruntime")


def load_readers(kinds: Iterable[str]) -> None:
    """Load what `READERS` need for these kinds of media before their first use.

    Raises:
        MissingExtra: no OCR engine is installed.
    """
    if "image" in kinds:
        warm_up(_ocr())


@lru_cache(maxsize=1)
def _ocr() -> Any:
    from omnipilot.memory.perception.ocr.reader import OcrReader

    return OcrReader()


def _about(what: str, clip: AudioClip | VideoClip) -> str:
    return f"{what} of {clip.env or 'the screen'}, {_span(clip.start, clip.end)}"


def _span(start: float, end: float) -> str:
    return f"{start:.2f}-{end:.2f} s"


def _place(box: Box) -> str:
    return f"({box.center.x:.2f}, {box.center.y:.2f})"
