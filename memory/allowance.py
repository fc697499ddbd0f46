"""What one recall may still hold: limits that are never exceeded, and an estimate of tokens."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.memory.base import Budget
from omnipilot.memory.messages import Part

_PIECE = re.compile(r"[A-Za-z]{1,4}|\d{1,2}|\S", re.ASCII)


@lru_cache(maxsize=8_192)
def estimate_tokens(text: str) -> int:
    """About how many tokens a chat model reads in a text, without its tokenizer.

    A run of ASCII letters counts one token for each four letters begun, a run of digits one for each two begun, and any
    other character that is no space counts one. Byte-pair tokenizers trained on many languages need fewer for
    most texts: the estimate is meant to be rather too high, so that a budget holds.
    """
    return len(_PIECE.findall(text))


class Allowance:
    """What is left of a budget. A part is taken only if it fits in every respect.

    Args:
        budget: the limits; negative ones count as zero.
    """

    def __init__(self, budget: Budget) -> None:
        self.texts, self.images, self.clips = max(0, budget.texts), max(0, budget.images), max(0, budget.clips)
        self.characters = max(0, budget.characters)
        self.tokens = math.inf if budget.tokens is None else max(0, budget.tokens)
        self.audio_seconds, self.video_seconds = max(0.0, budget.audio_seconds), max(0.0, budget.video_seconds)

    def take(self, part: Part) -> bool:
        """Take a part if it fits; returns whether it did."""
        if isinstance(part, str):
            return self._take_text(part)
        if isinstance(part, Image):
            self.images -= 1 if (fits := self.images >= 1) else 0
            return fits
        fits = self.clips >= 1 and part.seconds <= self.seconds_for(part) + 1e-9
        if fits:
            self.clips -= 1
            if isinstance(part, AudioClip):
                self.audio_seconds = max(0.0, self.audio_seconds - part.seconds)
            else:
                self.video_seconds = max(0.0, self.video_seconds - part.seconds)
        return fits

    def seconds_for(self, clip: AudioClip | VideoClip) -> float:
        """Seconds that are left for clips of this kind."""
        return self.audio_seconds if isinstance(clip, AudioClip) else self.video_seconds

    def share(self, part: float) -> Budget:
        """A budget of a share (0..1) of what is left; counts are rounded up."""
        return Budget(
            math.ceil(self.texts * part),
            math.ceil(self.images * part),
            math.ceil(self.clips * part),
            math.ceil(self.characters * part),
            None if math.isinf(self.tokens) else math.ceil(self.tokens * part),
            self.audio_seconds * part,
            self.video_seconds * part,
        )

    def _take_text(self, text: str) -> bool:
        tokens = 0 if math.isinf(self.tokens) else estimate_tokens(text)
        fits = bool(text) and self.texts >= 1 and len(text) <= self.characters and tokens <= self.tokens
        if fits:
            self.texts, self.characters, self.tokens = (
                self.texts - 1,
                self.characters - len(text),
                self.tokens - tokens,
            )
        return fits
