"""What a reference such as "the door code" speaks of: which of the clauses before it introduces that.

It is decided by words alone: those that the reference shares with a clause, the rarer the better; the kind of thing
that a clause yields; a letter that a clause gives its result; and nearness for "the same person" and "this picture".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_SMALL = frozenset(
    "a an and any are as at be by do does for from had has have he her his how i in into is it its new no not of off "
    "on one or other out she so than that the their them then there these they this those to was were what when where "
    "which who whoever whose will with you your same write type open press see save read app".split()
)
_POINTING = re.compile(r"^(the same|this|that|these|those)\b|\b(of|in|from) (that|this)\b")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LABEL = re.compile(r"\b[a-z]+ [A-Z]$")
_CLEAR = 0.12
"""How much better than the next a clause must fit to be the one that is meant."""


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A clause that may introduce what is spoken of.

    Attributes:
        node: whose it is. text: what it says, without what it takes from others. noun: the kind of thing that it
            yields, "" for none. label: what it calls its result, such as "code A"; "" for nothing.
        nearest: whether it stands right before the reference.
    """

    node: int
    text: str
    noun: str
    label: str = ""
    nearest: bool = False


def resolve_reference(reference: str, antecedents: Sequence[Antecedent]) -> int | None:
    """The node of the clause that a reference speaks of; None where none fits, or two fit as well.

    Args:
        reference: such as "the door code from Maria Costa". antecedents: the clauses before it.
    """
    plain = reference.strip()
    for one in antecedents:
        if one.label and (plain == one.label or plain.endswith(f", {one.label}")):
            return one.node
    if _LABEL.fullmatch(plain):
        return None
    yielding = [one for one in antecedents if one.noun]
    nearest = next((one for one in yielding if one.nearest), None)
    if _POINTING.search(plain):
        return nearest.node if nearest else None
    wanted = stems(plain)
    told = [stems(one.text) for one in yielding]
    scores = []
    for one, words in zip(yielding, told, strict=True):
        weight = sum(1 / sum(stem in other for other in told) for stem in wanted if stem in words)
        kind = 0.3 if stems(one.noun) & wanted else 0.0
        scores.append((weight + kind) / (len(wanted) or 1) if weight else kind / 4)
    ranked = sorted(zip(scores, yielding, strict=True), key=lambda pair: pair[0], reverse=True)
    if not ranked or ranked[0][0] <= 0:
        return None
    best, first = ranked[0]
    if best < 0.1 or (len(ranked) > 1 and best - ranked[1][0] < _CLEAR):
        return None
    return first.node


@lru_cache(maxsize=1 << 16)
def stems(text: str) -> frozenset[str]:
    """The words of a text that say something, without their endings."""
    words = (word.lower() for word in _WORD.findall(text.replace("’", "'")))
    return frozenset(_stem(word) for word in words if word not in _SMALL)


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word
