"""What a recall may hold: estimates of tokens, limits that are never exceeded, and texts cut to what matters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.memory.base import Budget, Recalled
from omnipilot.memory.messages import Part

Order: TypeAlias = Literal["time", "omnigui"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""`time`: by time. `omnigui`: by kind, as in OmniGUI's prompt (§4.1): earlier pictures, films, sounds, the latest
picture, texts; by time within each."""

JOINT = " | "
"""Between the lines of a screen, in a text that was read from one."""
GAP = "…"
LEAST_SECONDS = 0.5
"""A clip is cut to what is left of its budget, but not to less than this."""
_PIECE = re.compile(r"[A-Za-z]{1,4}|\d{1,2}|\S", re.ASCII)
_WORD = re.compile(r"\w+")


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


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in order."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=4_096)
def distinct_words(text: str) -> frozenset[str]:
    """The different words of a text in lower case."""
    return frozenset(words_of(text))


def excerpt(text: str, words: Collection[str], characters: float, tokens: float) -> str:
    """A text read from a screen, cut to the lines that matter: those with most of the words, and their neighbours.

    A line is what `JOINT` separates; what is left out between two lines is shown as `GAP`. A text of one line is cut
    around the first of the words. "" if not even a part of one line fits.
    """
    if len(text) <= characters and estimate_tokens(text) <= tokens:
        return text
    lines = text.split(JOINT)
    wanted = frozenset(words)
    hits = [len(wanted & distinct_words(line)) for line in lines]
    most = max(hits)
    best = [index for index, hit in enumerate(hits) if hit and hit == most] or [0]
    # A label and its value are neighbours on the screen: the line after a hit matters most, then the one before.
    worth = [
        (
            -3 * hits[i] - (2 * hits[i - 1] if i else 0) - (hits[i + 1] if i + 1 < len(lines) else 0),
            min(2 * (i - at) if i >= at else 2 * (at - i) + 1 for at in best),
            i,
        )
        for i in range(len(lines))
    ]
    kept: set[int] = set()
    length, cost, runs = 0, 0, 0
    for *_, index in sorted(worth):
        # A run of lines has at most one gap on each side, and each line and gap one joint.
        more = 1 - (index - 1 in kept) - (index + 1 in kept)
        gaps = runs + more + 1
        size = length + len(lines[index]) + len(JOINT)
        tokens_here = cost + estimate_tokens(lines[index]) + 1
        if size + gaps * (len(JOINT) + len(GAP)) <= characters and tokens_here + 2 * gaps <= tokens:
            kept.add(index)
            length, cost, runs = size, tokens_here, runs + more
        elif not kept and hits[index] == most:
            return _cut_line(lines[index], wanted, characters, tokens)
    return _joined(lines, sorted(kept)) if kept else _cut_line(lines[0], wanted, characters, tokens)


def _joined(lines: Sequence[str], kept: Sequence[int]) -> str:
    """The lines that are kept, with a mark where some are left out."""
    out: list[str] = []
    before = -1
    for index in kept:
        if index != before + 1:
            out.append(GAP)
        out.append(lines[index])
        before = index
    if kept and kept[-1] != len(lines) - 1:
        out.append(GAP)
    return JOINT.join(out)


def _cut_line(line: str, wanted: Collection[str], characters: float, tokens: float) -> str:
    """A part of one line around the first word that is wanted."""
    found = 0
    if not distinct_words(line).isdisjoint(wanted):
        found = next((match.start() for match in _WORD.finditer(line) if match.group().casefold() in wanted), 0)
    most = int(min(characters, len(line)))
    while most >= 8:
        start = max(0, min(found - most // 4, len(line) - most + 2))
        end = min(len(line), start + most - (2 if start else 1))
        cut = f"{GAP if start else ''}{line[start:end]}{GAP if end < len(line) else ''}"
        if len(cut) <= characters and estimate_tokens(cut) <= tokens:
            return cut
        most = most * 3 // 4
    return ""


def arranged(found: Sequence[Recalled], order: Order) -> tuple[Recalled, ...]:
    """Parts that are in order of time, in the order of a name."""
    if order == "time":
        return tuple(found)
    kinds: tuple[Callable[[Part], bool], ...] = (
        lambda part: isinstance(part, VideoClip),
        lambda part: isinstance(part, AudioClip),
        lambda part: isinstance(part, str),
    )
    images = [one for one in found if isinstance(one.part, Image)]
    films, sounds, texts = ([one for one in found if of(one.part)] for of in kinds)
    return (*images[:-1], *films, *sounds, *images[-1:], *texts)
