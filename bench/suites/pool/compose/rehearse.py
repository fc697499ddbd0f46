"""Learns which subtasks of a pool do not go together, by playing graphs that bring many of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from omnipilot.bench.suites.pool.compose.cells import figures_request
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph, play_alone, play_graph
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of

ROUND = 20
"""Graphs that are drawn at a time, with all conflicts that are known by then."""
WIDE = "nodes=8-9,depth=1"
"""Half of the graphs: many subtasks side by side, played forwards and backwards, try 28 to 36 pairs at once."""
MOST_BESIDE = 8
"""Subtasks of one application that are played side by side."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt.

    Attributes:
        conflicts: the known ones, and the new ones. played: how many graphs, without the subtasks that were played by
            themselves. failed: of these.
        unexplained: the failures for which no pair could be blamed.
    """

    conflicts: tuple[Conflict, ...]
    played: int
    failed: int
    unexplained: tuple[PlayedGraph, ...]


Pair = tuple[str, str]


def learn_conflicts(
    types: TypeGraph,
    templates: Mapping[str, Template],
    plays: int,
    *,
    seed: int = 0,
    known: Sequence[Conflict] = (),
    tell: Callable[[int, int], None] = lambda _played, _conflicts: None,
) -> Learnt:
    """Play so many graphs, and note the pairs that fail.

    First each subtask is played by itself; then, for at most half of the graphs, subtasks of the same application stand
    side by side until each pair of them was tried; then graphs are drawn over all of them.

    Args:
        known: conflicts of earlier times; their pairs are not played again.
        tell: called after each round with the number of graphs that were played, and of conflicts.
    """
    learning = _Learning(types, templates, seed, {_key(one): one for one in known}, [])
    learning.play_each_alone()
    tell(0, len(learning.conflicts))
    pairs = learning.pairs_of_an_application()
    while pairs and learning.played < plays // 2:
        learning.play_side_by_side(pairs)
        if not learning.played % ROUND:
            tell(learning.played, len(learning.conflicts))
    number = 0
    while learning.played < plays:
        composer = Composer(types, seed=seed + 1000 * number + 1, conflicts=list(learning.conflicts.values()))
        many = min(ROUND, plays - learning.played)
        for graph in [
            *composer.graphs(many // 2, figures_request(WIDE)),
            *composer.graphs(many - many // 2, figures_request("nodes=4-9,depth=2-9")),
        ]:
            learning.play(graph)
        number += 1
        tell(learning.played, len(learning.conflicts))
    return Learnt(tuple(learning.conflicts.values()), learning.played, learning.failed, tuple(learning.unexplained))


def _key(one: Conflict) -> tuple[str, str, str]:
    return one.first, one.second, one.how


@dataclass
class _Learning:
    """What is known so far."""

    types: TypeGraph
    templates: Mapping[str, Template]
    seed: int
    conflicts: dict[tuple[str, str, str], Conflict]
    unexplained: list[PlayedGraph]
    played: int = 0
    failed: int = 0

    def play(self, graph: GraphRecord) -> Conflict | None:
        """Play a graph; returns the conflict that was found, if one was."""
        result = play_graph(graph, self.templates, orders=2)
        self.played += 1
        if result.failed:
            self.failed += 1
            if result.conflict is None:
                self.unexplained.append(result)
            else:
                self.conflicts[_key(result.conflict)] = result.conflict
        return result.conflict

    def play_each_alone(self) -> None:
        for one in self.types.subtasks:
            found = play_alone(one.id, self.templates)
            if found is not None:
                self.conflicts[_key(found)] = found

    def pairs_of_an_application(self) -> set[Pair]:
        """The pairs of subtasks of one application that may stand side by side as far as is known, each with itself,
        too."""
        apps: dict[str, list[str]] = {}
        out = {first for first, _, how in self.conflicts if how in ("alone", "late")}
        for one in self.types.subtasks:
            if one.id not in out:
                apps.setdefault(one.app, []).append(one.id)
        pairs = {pair for ids in apps.values() for pair in combinations_with_replacement(sorted(ids), 2)}
        return {pair for pair in pairs if not self._apart(*pair)}

    def play_side_by_side(self, pairs: set[Pair]) -> None:
        """Play one graph of many pairs side by side, and take from `pairs` those that are settled by it."""
        first, second = min(pairs)
        chosen = [first, second]
        while len(chosen) < MOST_BESIDE:
            gains = {
                other: sum(_pair(other, one) in pairs for one in dict.fromkeys(chosen))
                for other in dict.fromkeys(one for pair in sorted(pairs) for one in pair)
                if chosen.count(other) < 2 and not any(self._apart(other, one) for one in chosen)
            }
            best = max(gains, key=gains.__getitem__, default="")
            if not best or not gains[best]:
                break
            chosen.append(best)
        id = f"beside/{'+'.join(chosen)}"
        found = self.play(GraphRecord(id, tuple(chosen), seed=seed_of(self.seed, id)))
        if found is None:
            pairs.difference_update({_pair(one, other) for one in chosen for other in chosen if one != other})
            pairs.difference_update({(one, one) for one in chosen if chosen.count(one) > 1})
        elif found.how == "alone":
            pairs.difference_update([pair for pair in pairs if found.first in pair])
        else:
            pairs.discard(_pair(found.first, found.second))

    def _apart(self, one: str, other: str) -> bool:
        first, second = _pair(one, other)
        return (first, second, "beside") in self.conflicts or (second, first, "beside") in self.conflicts


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)
