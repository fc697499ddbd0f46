"""From how likely each sign is at each time to what was said: a search of prefixes that prefers words of a lexicon."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log1p
from typing import TYPE_CHECKING

from omnipilot.memory.mini.alphabet import BLANK, SIGNS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BEAM = 12
"""Beginnings of what was said that are followed."""
_CLEAR = -0.01
"""A blank that is more likely than this, in natural logarithms, is taken for certain."""
_LEAST, _MOST = -9.0, 8
"""Signs less likely than this are not followed, nor more than so many at a time."""


@dataclass(frozen=True, slots=True)
class ReadSign:
    """A sign that was heard, and the number of the output at which it was."""

    sign: str
    output: int


@dataclass(slots=True)
class _Prefix:
    """A beginning of what was said: how likely it is with a blank at its end and without, and what its words cost."""

    at: tuple[int, ...]
    blank: float = -inf
    sign: float = -inf
    cost: float = 0.0

    def total(self) -> float:
        return _sum(self.blank, self.sign)


def best_outputs(outputs: Iterable[int]) -> list[int]:
    """The signs of a sequence of outputs: repeated ones count once, and blanks not at all."""
    found, before = [], BLANK
    for output in outputs:
        if output not in (before, BLANK):
            found.append(output)
        before = output
    return found


def read_scores(
    scores: NDArray[np.float32], lexicon: Collection[str] = (), penalty: float = 0.0, beam: int = BEAM
) -> list[ReadSign]:
    """The likeliest text, sign by sign; that of all ways to write it with blanks and repetitions.

    Source: Graves and Jaitly 2014, algorithm 1; words as in Hannun et al. 2014.

    Args:
        scores: of `EarsNetwork.scores`. lexicon: words. penalty: of each word in lower case that the lexicon lacks, in
            natural logarithms; 0 for none. beam: as `BEAM`; more finds more, and takes longer.
    """
    import numpy as np

    beams: dict[tuple[int, ...], _Prefix] = {(): _Prefix((), blank=0.0)}
    likely = np.argsort(-scores, axis=1)[:, :_MOST].tolist()
    words = _WordCosts(lexicon, penalty)
    for output, (row, signs) in enumerate(zip(scores.tolist(), likely, strict=True)):
        if row[BLANK] > _CLEAR:
            for one in beams.values():
                one.blank, one.sign = one.total() + row[BLANK], -inf
            continue
        found: dict[tuple[int, ...], _Prefix] = {}
        for prefix, one in beams.items():
            _extend(found, prefix, one, row, [sign for sign in signs if row[sign] > _LEAST], output, words)
        best = sorted(found.items(), key=lambda item: item[1].total() - item[1].cost, reverse=True)
        beams = dict(best[:beam])
    prefix, one = max(beams.items(), key=lambda item: item[1].total() - item[1].cost - words.of_last(item[0]))
    return [ReadSign(SIGNS[sign - 1], at) for sign, at in zip(prefix, one.at, strict=True)]


def _extend(
    found: dict[tuple[int, ...], _Prefix],
    prefix: tuple[int, ...],
    one: _Prefix,
    row: Sequence[float],
    signs: Sequence[int],
    output: int,
    words: _WordCosts,
) -> None:
    """Add what a prefix comes to after one more output."""
    total = one.total()
    for sign in signs:
        if sign == BLANK:
            same = found.setdefault(prefix, _Prefix(one.at, cost=one.cost))
            same.blank = _sum(same.blank, total + row[sign])
            continue
        again = bool(prefix) and prefix[-1] == sign
        if again:
            same = found.setdefault(prefix, _Prefix(one.at, cost=one.cost))
            same.sign = _sum(same.sign, one.sign + row[sign])
        longer = (*prefix, sign)
        if longer not in found:
            cost = one.cost + (words.of_last(prefix) if sign == _SPACE else 0.0)
            found[longer] = _Prefix((*one.at, output), cost=cost)
        grown = found[longer]
        grown.sign = _sum(grown.sign, (one.blank if again else total) + row[sign])


class _WordCosts:
    """What the last word of a prefix costs."""

    def __init__(self, lexicon: Collection[str], penalty: float) -> None:
        self._lexicon, self._penalty = lexicon, penalty

    def of_last(self, prefix: tuple[int, ...]) -> float:
        if not self._penalty:
            return 0.0
        begin = len(prefix)
        while begin and prefix[begin - 1] != _SPACE:
            begin -= 1
        word = "".join(SIGNS[sign - 1] for sign in prefix[begin:])
        known = not word or word in self._lexicon or not (word.islower() and word.replace("'", "").isalpha())
        return 0.0 if known else self._penalty


_SPACE = SIGNS.index(" ") + 1


def _sum(one: float, other: float) -> float:
    """The logarithm of the sum of two numbers, of their logarithms."""
    if one < other:
        one, other = other, one
    return one if other == -inf else one + log1p(exp(other - one))
