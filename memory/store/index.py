"""References to captures, and the index that finds them by environment, kind and time."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["image", "jpeg", "audio", "video", "json"]

SUFFIX: dict[Kind, str] = {"image": ".png", "jpeg": ".jpg", "audio": ".wav", "video": ".json", "json": ".json"}


@dataclass(frozen=True, slots=True)
class MediaRef:
    """Identifies a capture: its content by `digest`, where and when it was taken (seconds, world's clock)."""

    digest: str
    kind: Kind
    env: str = ""
    start: float = 0.0
    end: float = 0.0

    @property
    def path(self) -> str:
        """The file inside the store's folder, with forward slashes."""
        return media_path(self.digest, self.kind)


def media_path(digest: str, kind: Kind) -> str:
    """The file of a capture inside the store's folder, with forward slashes."""
    return f"{digest[:2]}/{digest}{SUFFIX[kind]}"


class MediaIndex:
    """Captures over time: one track per environment and kind, each ordered by start."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, Kind], list[MediaRef]] = {}

    def add(self, ref: MediaRef) -> MediaRef:
        """Add a reference and return it."""
        line = self._lines.setdefault((ref.env, ref.kind), [])
        if line and line[-1].start > ref.start:
            bisect.insort_right(line, ref, key=lambda other: other.start)
        else:
            line.append(ref)
        return ref

    def between(self, env: str, kind: Kind, start: float, end: float) -> list[MediaRef]:
        """References that overlap `start`..`end` (end excluded), by start, then in order of insertion."""
        line = self._lines.get((env, kind), [])
        upto = bisect.bisect_left(line, end, key=lambda ref: ref.start)
        return [ref for ref in line[:upto] if ref.end > start or ref.start >= start]

    def clear(self) -> None:
        """Remove every reference."""
        self._lines.clear()
