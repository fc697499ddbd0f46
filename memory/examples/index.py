"""The index of examples: what an agent did in earlier episodes, and solved tasks of a training split, found by what a
task says."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from omnipilot.memory.base import Recalled
from omnipilot.memory.examples.example import Example
from omnipilot.memory.examples.rankings import LetterRanking, MeaningRanking, Ranking, WordRanking
from omnipilot.memory.messages import Usage
from omnipilot.memory.models.embeddings import Embeddings
from omnipilot.memory.rank_fusion import fuse_ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SOURCE = "example"
"""The source of recalled parts that are examples."""
Way: TypeAlias = Literal["words", "letters", "meaning"]
"""How examples are ranked: see `omnipilot.memory.examples.rankings`."""


class ExampleIndex:
    """Examples by what their instructions say.

    Args:
        examples: in any order; equal sets give equal indexes.
        meaning: embeddings that rank them by meaning.
        ways: how they are ranked, the rankings joined by reciprocal rank fusion; None for the words of instructions,
            applications and verbs, and for the meaning too where there are embeddings.

    Raises:
        ValueError: no way, or by meaning without embeddings.
    """

    def __init__(
        self, examples: Collection[Example], meaning: Embeddings | None = None, ways: Sequence[Way] | None = None
    ) -> None:
        self.examples = sorted(examples, key=Example.line)
        self.ways: tuple[Way, ...] = (
            tuple(ways) if ways is not None else ("words",) if meaning is None else ("words", "meaning")
        )
        if not self.ways or ("meaning" in self.ways and meaning is None):
            raise ValueError("examples are ranked in at least one way, and by meaning with embeddings")
        instructions = [one.instruction for one in self.examples]
        self._rankings: list[Ranking] = []
        for way in self.ways:
            if way == "words":
                texts = [f"{one.instruction} {' '.join(one.steps)}" for one in self.examples]
                self._rankings.append(WordRanking(texts))
            elif way == "letters":
                self._rankings.append(LetterRanking(instructions))
            else:
                assert meaning is not None
                self._rankings.append(MeaningRanking(instructions, meaning))

    @property
    def digest(self) -> str:
        """SHA-256 of what the examples say, whatever runs they are from, and of what ranks them."""
        told = [one.line() for one in self.examples]
        told += [f"{name} {what}" for ranking in self._rankings for name, what in sorted(ranking.identity().items())]
        return hashlib.sha256("\n".join([*told, *self.ways]).encode()).hexdigest()

    def prepare(self) -> Usage:
        """Make what every question needs, such as the embeddings of the examples, and return what it cost.

        Raises:
            ModelUnavailable, ConfigError: as of `find`.
        """
        return sum((ranking.prepare() for ranking in self._rankings), Usage())

    def find(
        self, instruction: str, count: int, barred: Collection[str] = (), characters: int = 2_000
    ) -> tuple[Recalled, ...]:
        """The examples most like a task, the best last.

        Args:
            barred: templates of the task: an example that shares one is not given. characters: of all together, which
                they share evenly; what one leaves is for the next.

        Raises:
            ModelUnavailable, ConfigError: as of `Embeddings.embed`, where there is a meaning.
        """
        values = [ranking.values(instruction) for ranking in self._rankings]
        found: list[Recalled] = []
        chosen = self._choose(values, count, frozenset(barred))
        for left, number in zip(range(len(chosen), 0, -1), chosen, strict=True):
            one = self.examples[number]
            if text := one.describe(characters // left):
                characters -= len(text)
                why = [
                    ranking.why(instruction, number, float(near[number]))
                    for ranking, near in zip(self._rankings, values, strict=True)
                    if near[number] > -float("inf")
                ]
                why.append(f"{one.key} of {'the split' if one.script else 'run'} {one.run}")
                found.append(Recalled(text, SOURCE, "", 0.0, -1, "; ".join(why)))
        return tuple(reversed(found))

    def nearest(self, instruction: str, count: int, barred: Collection[str] = ()) -> tuple[Example, ...]:
        """The examples themselves that `find` tells of, the best last, however long they are.

        Raises:
            ModelUnavailable, ConfigError: as of `find`.
        """
        values = [ranking.values(instruction) for ranking in self._rankings]
        return tuple(self.examples[number] for number in reversed(self._choose(values, count, frozenset(barred))))

    def _choose(self, values: Sequence[NDArray[np.float32]], count: int, barred: frozenset[str]) -> list[int]:
        """The numbers of the examples that are given, the best first; of equal instructions one."""
        chosen: dict[str, int] = {}
        if count < 1:
            return []
        orders = [_order(near) for near in values]
        for number in orders[0] if len(orders) == 1 else _fused(orders):
            one = self.examples[number]
            if not one.templates & barred:
                chosen.setdefault(one.instruction, number)
            if len(chosen) == count:
                break
        return list(chosen.values())


def _order(near: NDArray[np.float32]) -> list[int]:
    """The numbers of the examples that were found, the nearest first, of equally near ones that of the smaller one."""
    numbers = (-near).argsort(kind="stable")
    order: list[int] = numbers[: int((near > -float("inf")).sum())].tolist()
    return order


def _fused(orders: Sequence[Sequence[int]]) -> list[int]:
    """The numbers of all examples in several orders, the best of all first."""
    values = fuse_ranks(*orders)
    return sorted(values, key=lambda number: (-values[number], number))
