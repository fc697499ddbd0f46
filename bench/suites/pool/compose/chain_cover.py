"""Which categories chains of subtasks can cover.

A set of sets of categories is held as one number: bit m stands for the set whose places make up the number m. With at
most twelve categories in a graph these are 4096 bits, so that all chains of a length are followed at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class ChainCover:
    """What chains within a set of categories can cover.

    Args:
        steps: output of a subtask → (output, category as a bit) of those that can take it.
        categories: bit mask of those that chains stay within.
    """

    def __init__(self, steps: Mapping[str, Sequence[tuple[str, int]]], categories: int) -> None:
        place = {
            1 << at: number
            for number, at in enumerate(at for at in range(categories.bit_length()) if categories >> at & 1)
        }
        self._place = place
        self._steps = {
            output: [(next, place[bit]) for next, bit in some if bit in place] for output, some in steps.items()
        }
        self._every = (1 << (1 << len(place))) - 1
        self._having = [
            self._every // ((1 << (2 << at)) - 1) * (((1 << (1 << at)) - 1) << (1 << at)) for at in range(len(place))
        ]
        self._covered: dict[tuple[str, int], int] = {}
        self._enough: dict[tuple[int, int], int] = {}

    def leaves(self, output: str, length: int, uncovered: int, spare: int) -> bool:
        """Whether some chain of exactly this length behind an output leaves at most `spare` of these categories
        uncovered."""
        enough = self._enough.get((uncovered, spare))
        if enough is None:
            enough = self._enough[uncovered, spare] = self._sets_that_leave(uncovered, spare)
        return bool(self._sets_covered(output, length) & enough)

    def _sets_covered(self, output: str, length: int) -> int:
        """The sets of categories that chains of this length behind an output have."""
        if not length:
            return 1
        key = (output, length)
        covered = self._covered.get(key)
        if covered is None:
            covered = 0
            for next, at in self._steps.get(output, ()):
                before = self._sets_covered(next, length - 1)
                having = before & self._having[at]
                covered |= having | ((before ^ having) << (1 << at))
            self._covered[key] = covered
        return covered

    def _sets_that_leave(self, uncovered: int, spare: int) -> int:
        """The sets of categories that lack at most `spare` of these."""
        lacking = [self._every, *(0 for _ in range(spare))]
        for bit, at in self._place.items():
            if bit & uncovered:
                having = self._having[at]
                lacking = [
                    (sets & having) | (fewer & ~having) for sets, fewer in zip(lacking, [0, *lacking[:-1]], strict=True)
                ]
        enough = 0
        for sets in lacking:
            enough |= sets
        return enough
