"""What readers tell of sounds, as the small planner is told it: what sounded, without times and voices."""

from __future__ import annotations

import re

_TIMES = re.compile(r"^[\d.]+ s (?:to [\d.]+ s|and goes on), ")
_VOICE = re.compile(r"\s*\(voice [^)]*\)")


def heard_lines(words: str) -> list[str]:
    """A transcript's sounds, one a line; what is still being said is left out until it has been said."""
    lines = [_VOICE.sub("", _TIMES.sub("", line)).strip() for line in words.splitlines()]
    return [line for line in lines if line and not line.endswith("…")]
