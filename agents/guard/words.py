"""Texts as a policy reads them: folded, so that look-alikes, invisible characters and spacing hide no word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_PAIRS = (
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw вb кk мm нh тt гr ґr ьb зe бb αa βb εe ικ ιi κk νv οo ρp τt υu χx γy ηn "
    "ωw σo λl աw օo սu ոn հh ցg զq ɡg ɩi ʟl ɪi ɴn ʀr ʏy ꜱs ıi łl øo đd ħh ŧt ƅb ɑa ᴀa ᴅd ᴇe"
)
_LOOK_ALIKES = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split() if pair[1].isascii()})
"""Letters of other scripts, and rare ones, that look like a Latin letter."""
_SIGNS = str.maketrans("0134578@$!|", "oieastbasil")
"""Digits and signs that stand for letters."""
_STROKES = str.maketrans("lj", "ii")
"""Letters that are taken for one another."""
_SPACED = re.compile(r"(?<!\w)\w(?:[\W_]{1,3}\w){2,}(?!\w)")
"""A word whose letters stand apart."""
_WITHIN = re.compile(r"(?<=\w)[-_.·'’*~]{1,3}(?=\w)")
"""Signs between two letters of a word."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LETTER = r"[^\W\d_]"
_UNREADABLE = ("Cc", "Cn", "Co", "Cs")


@lru_cache(maxsize=4_096)
def plain(text: str) -> str:
    """A text with compatible characters as one (NFKC), without marks, what is invisible, repeated spaces and case."""
    apart = unicodedata.normalize("NFKD", text)
    kept = "".join(one for one in apart if unicodedata.category(one) not in ("Mn", "Me", "Cf"))
    return " ".join(unicodedata.normalize("NFKC", kept).casefold().split())


@lru_cache(maxsize=4_096)
def readings(text: str) -> frozenset[str]:
    """All that a person who looks at a text may read it as."""
    found = {plain(text), plain(_HUMP.sub(" ", text))}
    found |= {one.translate(_LOOK_ALIKES) for one in found}
    found |= {one.translate(_SIGNS) for one in found}
    found |= {_SPACED.sub(lambda match: re.sub(r"[\W_]", "", match[0]), one) for one in found}
    return frozenset(found | {_WITHIN.sub("", one) for one in found} | {_WITHIN.sub(" ", one) for one in found})


@lru_cache(maxsize=16_384)
def squeeze(text: str) -> str:
    """The letters and digits of a text in one form for all that look alike: two texts that a person reads as the same
    have the same one, and some others too."""
    folded = plain(text).translate(_LOOK_ALIKES).translate(_SIGNS).translate(_STROKES)
    return "".join(filter(str.isalnum, folded))


def is_readable(text: str, patterns: Sequence[str]) -> bool:
    """Whether the words of patterns would be recognised in a text: its letters are of scripts that the patterns use,
    or Latin; it holds no private, unassigned or control character; and it is not a mere pictogram."""
    if not text.strip():
        return False
    scripts = {"LATIN"} | {_script(one) for pattern in patterns for one in pattern if one.isalpha()}
    folded = plain(text)
    if any(unicodedata.category(one) in _UNREADABLE for one in folded):
        return False
    if not any(one.isalnum() or one.isascii() or unicodedata.category(one) == "Sm" for one in folded):
        return False
    return all(_script(one) in scripts for one in folded if one.isalpha())


@lru_cache(maxsize=4_096)
def _script(letter: str) -> str:
    return "LATIN" if letter.isascii() else unicodedata.name(letter, "?").split()[0]


@lru_cache(maxsize=4_096)
def _form(pattern: str, whole: bool) -> re.Pattern[str]:
    folded = plain(pattern)
    inner = ".*".join(map(re.escape, folded.split("*")))
    if whole:
        return re.compile(inner)
    before = f"(?<!{_LETTER})" if folded[:1].isalpha() else ""
    after = f"(?!{_LETTER})" if folded[-1:].isalpha() else ""
    return re.compile(f"{before}{inner}{after}")


def is_within(pattern: str, text: str) -> bool:
    """Whether the words of a pattern stand anywhere in a text, however they are disguised; `*` is any characters."""
    form = _form(pattern, False)
    return any(form.search(one) for one in readings(text))


def is_whole(pattern: str, text: str) -> bool:
    """Whether a text is what a pattern says and nothing more, in no disguise; `*` is any characters."""
    return _form(pattern, True).fullmatch(plain(text)) is not None
