"""Texts cut to what matters: the lines of a screen that hold the words of a task, and their neighbours."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from omnipilot.memory.allowance import estimate_tokens

JOINT = " | "
"""Between the lines of a screen, in a text that was read from one."""
LONGEST_TEXT = 4_000
"""Characters of a screen's text that an event holds."""
GAP = "…"
LEAST = 3
"""Tokens of the shortest part of a text that says anything: a gap and two more."""
_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in order."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=4_096)
def distinct_words(text: str) -> frozenset[str]:
    """The different words of a text in lower case."""
    return frozenset(words_of(text))


def excerpt(text: str, words: Collection[str], characters: float, tokens: float, nearest: str = "") -> str:
    """A text read from a screen, cut to the lines that matter: those with most of the words, and their neighbours.

    A line is what `JOINT` separates; what is left out between two lines is shown as `GAP`. A text of one line is cut
    around the first of the words. "" if not even a part of one line fits.

    Args:
        nearest: a line that matters as much as those with most of the words; "" for none.
    """
    if len(text) <= characters and estimate_tokens(text) <= tokens:
        return text
    if tokens < LEAST:
        return ""
    lines = text.split(JOINT)
    wanted = frozenset(words)
    hits = [len(wanted & distinct_words(line)) for line in lines]
    most = max(hits)
    if nearest in lines:
        most = max(most, 1)
        hits[lines.index(nearest)] = most
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
    return _join(lines, sorted(kept)) if kept else _cut_line(lines[0], wanted, characters, tokens)


def _join(lines: Sequence[str], kept: Sequence[int]) -> str:
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
