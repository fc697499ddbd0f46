"""Recorded observations for the report: media by digest, with the peaks of sounds and the frames of videos."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from omnipilot.envs import AudioClip, EnvLost
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_file
from omnipilot.memory.store.index import Kind, media_path
from omnipilot.memory.store.media_store import silence_of

KEPT = 500
"""Clips of which drawings and lists are kept in memory."""
BARS, MOST_BARS, RATE = 48, 480, 24
"""Number of peaks in the drawing of a sound: at least, at most, and in between so many a second."""


class Looker:
    """Makes observations of a journal ready for the viewer; reads a clip once that is named again soon.

    A page on the disk cannot read lists of frames or samples by itself, so both come with the episode's data. What is
    missing from the store, or damaged, is left out of the picture, never made up.
    """

    def __init__(self, media: Path) -> None:
        self._media = media
        self._wave = lru_cache(KEPT)(self._read_wave)
        self._listed = lru_cache(KEPT)(self._read_frames)
        self._elements = lru_cache(KEPT)(self._read_elements)

    def __call__(self, observation: Mapping[str, Any]) -> dict[str, Any]:
        """The observation, its sound with a `wave` ("" for silence) and its video with `frames` ([time, digest]); of
        elements that were `perceived`, `items` with the kind of each."""
        out = {"absent": {}, **observation}
        if audio := observation.get("audio"):
            out["audio"] = {**audio, "wave": self._wave(audio["digest"], audio["start"], audio["end"])}
        if video := observation.get("video"):
            frames = [[video["start"] + time, digest] for time, digest in self._listed(video["digest"])]
            out["video"] = {**video, "frames": frames}
        if read := observation.get("perceived"):
            out["perceived"] = {**read, "items": [_shown(one) for one in self._elements(read["digest"])]}
        return out

    def elements(self, digest: str) -> list[dict[str, Any]]:
        """The elements of a stored list; none of one that is missing or damaged."""
        return self._elements(digest)

    def _read_elements(self, digest: str) -> list[Any]:
        content = self._read(digest, "json")
        try:
            return [] if content is None else list(parse_json(content)["items"])
        except (ValueError, KeyError, TypeError):
            return []

    def _read_wave(self, digest: str, start: float, end: float) -> str | None:
        content = self._read(digest, "audio")
        if content is None and silence_of(digest, start, end) is not None:
            return ""
        try:
            return None if content is None else draw_sound(AudioClip.from_wav(content))
        except (ValueError, EnvLost):
            return None

    def _read_frames(self, digest: str) -> list[list[Any]]:
        content = self._read(digest, "video")
        return [] if content is None else _frames(content)

    def _read(self, digest: str, kind: Kind) -> bytes | None:
        try:
            return read_file(self._media / media_path(digest, kind))
        except FileNotFoundError:
            return None


def perceived_kind(role: str) -> str:
    """What an element that was read from a picture is by its role: "text", "icon" or "colour"."""
    return {"text": "text", "color": "colour"}.get(role, "icon")


def _shown(element: Mapping[str, Any]) -> dict[str, Any]:
    """What the page tells of an element that was read from a picture."""
    told = {name: element[name] for name in ("name", "box", "confidence") if element.get(name) is not None}
    return {"kind": perceived_kind(element["role"]), **told}


def _frames(content: bytes) -> list[list[Any]]:
    """The frames of a video's list, as times and digests; none of one that is damaged."""
    try:
        return [[float(time), str(digest)] for time, digest in parse_json(content)["frames"]]
    except (ValueError, KeyError, TypeError, OverflowError):
        return []


def draw_sound(clip: AudioClip) -> str:
    """The peaks of a sound, more of a longer one."""
    return peaks(clip, min(max(BARS, round(RATE * (clip.end - clip.start))), MOST_BARS))


def peaks(clip: AudioClip, bars: int = BARS) -> str:
    """The loudest sample of each of up to `bars` equal parts, one hexadecimal digit each; "" where every one is 0.

    A digit is 15 times the root of the peak's share of full scale, rounded up: quiet sounds stay visible.
    """
    import numpy as np

    samples = np.abs(clip.array().astype(np.int32))
    if not samples.any():
        return ""
    parts = [int(part.max()) for part in np.array_split(samples, min(bars, len(samples)))]
    return "".join(f"{math.ceil(15 * math.sqrt(part / 32768)):x}" for part in parts)
