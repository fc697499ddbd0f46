"""Texts that an instruction refers to without quoting: the referring words, and the pattern of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from omnipilot.envs.types import QUOTED
from omnipilot.memory import ANCHOR, TEXTS, TRANSCRIPT, Recalled
from omnipilot.memory.episodic.anchors import parse_anchor_line
from omnipilot.planners.rules.matching.elements import shape_of, value_of
from omnipilot.planners.rules.matching.notes import Note, rank_notes, words
from omnipilot.planners.rules.words import quoted_texts, split

_REFERS = re.compile(
    r"^(?:the|its|his|her|their)\s+(?:(?!(?:with|and)\b)[\w'-]+\s+){0,5}?"
    r"(?:\"[^\"]*\"\s+)?(?:of|from|in|that|which|where|who|at|between|for|on)\s",
    re.IGNORECASE,
)
_TELLING = frozenset({"text", "note", "summary", "told", TRANSCRIPT, TEXTS})
"""Sources of recalled words that tell of the world."""
_UNSAID = frozenset({"number", "name", "text", "value", "word"})
"""Words that say of a value no more than that it is one."""
_ITEMS = re.compile(r",\s+(?:and\s+)?(?=the\s)|\s+and\s+(?=the\s)", re.IGNORECASE)
_AROUND = re.compile(
    r"^each of these on a line of its own:\s*|,?\s+(?:each|all)\s+on\s+(?:a|its own)\s+line.*$|,?\s+in this order$",
    re.I,
)
_FIELD = re.compile(r"\s+(?:into|as)\s+(?=(?:the|its|his|her|their|your)\s)", re.IGNORECASE)
_EXAMPLE = re.compile(r"\(\s*as(?:\s+in)?\s+[\"“]?([^\"”)]+)[\"”]?\s*\)", re.IGNORECASE)


def referring(words: str) -> tuple[str, str] | None:
    """The phrases that say what to type, one per line, and the field's; None if the text itself is given."""
    words = _AROUND.sub("", _AROUND.sub("", words)).strip(" ,")
    hidden = QUOTED.sub(lambda match: '"' + "_" * (len(match[0]) - 2) + '"', words)
    if not _REFERS.match(hidden):
        return None
    parts = split(words, _FIELD)
    items = [re.sub(r"^(?:the|its|his|her|their)\s+", "", item, flags=re.I) for item in split(parts[0], _ITEMS)]
    return "\n".join(items), " ".join(parts[1:])


def example(phrase: str) -> str | None:
    """The pattern of a phrase's example ("(as in 12.90)"); None without an example."""
    if digits := re.search(r"\b(three|four|five|six|seven|eight)-digit\b", phrase):
        count = 3 + "three four five six seven eight".split().index(digits[1])
        return rf"(?<!\d)\d{{{count}}}(?!\d)"
    found = _EXAMPLE.search(phrase)
    if found is None:
        return None
    said = found[1].strip()
    if re.fullmatch(r"H+:M+", said):
        return r"\b\d{1,2}:\d{2}\b"
    pattern = ""
    for run in re.findall(r"\d+|\b[A-Z]+\b|\s+|.", said):
        if run.isdigit():
            pattern += r"\d+" if "." not in said or not pattern else rf"\d{{{len(run)}}}"
        elif re.fullmatch(r"[A-Z]+", run):
            pattern += rf"[A-Z]{{{len(run)}}}"
        else:
            pattern += re.escape(run)
    return rf"(?<!\w){pattern}(?!\w)"


def bare(phrase: str) -> str:
    """A phrase without its example."""
    return re.sub(r"\s*\([^)]*\)", "", phrase)


def find_in_notes(source: str, notes: Sequence[Note]) -> str | None:
    """What a phrase refers to among the notes: the most likely note first, and in it the matching label.

    Args:
        notes: the likeliest first.
    """
    phrase, pattern = bare(source), example(source)
    head = re.split(r"\s+(?:from|that|which|of|in|at|who|sent)\b", phrase)[0]
    about = set(quoted_texts(phrase))
    for note in notes:
        if note.value and note.sound is None and about <= set(quoted_texts(note.said)):
            return note.value
        if found := text_after_label(head, note.texts, pattern or shape_of(phrase)) or _holding(
            phrase, note.texts, pattern
        ):
            return found
    return None


def find_in_recalled(source: str, recalled: Sequence[Recalled], loosely: bool = False) -> str | None:
    """What a phrase refers to among recalled parts: anchors first, then texts, transcripts and notes; None if nothing.

    Args:
        recalled: oldest first; a planner's own thoughts and moves among them tell it no facts.
        loosely: anything of the right form will do, and not only what shares words with the phrase.
    """
    phrase = bare(source)
    pattern = example(source) or shape_of(phrase)
    sought = words(re.split(r"\s+(?:that|which|who|sent)\b", phrase)[0]) - _UNSAID
    best: tuple[int, int] = (0, 0)
    found: str | None = None
    for age, one in enumerate(recalled):
        if one.source != ANCHOR or (anchor := parse_anchor_line(str(one.part))) is None:
            continue
        name, value, told = anchor
        fits = re.search(pattern, value) if pattern else None
        shared = len(sought & words(f"{re.sub(r'-[0-9]+$', '', name).replace('-', ' ')} {told}"))
        if (fits or not pattern) and (shared or (loosely and fits)) and (shared, age) >= best:
            best, found = (shared, age), fits[0] if fits else value
    if found is not None:
        return found
    notes = [
        Note(f"{one.env} {one.part}", re.split(r"\n| \| ", str(one.part)))
        for one in recalled
        if one.source in _TELLING and isinstance(one.part, str)
    ]
    return find_in_notes(source, rank_notes(phrase, notes)) if loosely else None


def _holding(phrase: str, texts: list[str], pattern: str | None) -> str | None:
    if pattern:
        return next((found[0] for text in texts if (found := re.search(pattern, text))), None)
    return value_of(phrase, (), texts)


def text_after_label(head: str, texts: Sequence[str], pattern: str | None) -> str | None:
    """The text after a label named by the phrase's head."""
    words = set(re.findall(r"\w+", head.casefold())) - {"the", "a", "of", "in", "it", "its", "was", "is"}
    for label, text in pairwise(texts):
        said = re.findall(r"\w+", label.casefold())
        if 0 < len(said) <= 3 and set(said) <= words and (found := re.search(pattern or r"(?s).+", text)):
            return found[0]
    return None
