"""Which pairs of subtasks were played both ways round in graphs that were solved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.pool.compose.drawn_graph import topological_orders
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord

Swap: TypeAlias = tuple[str, str]
"""Two subtasks, in either order; of subtasks that have nothing in common, their applications and devices."""


class SwappedPairs:
    """The pairs of subtasks that a second order swaps, and those of them that were swapped without harm before.

    Two subtasks of one application, two that speak of the same kind of items, and those of which this is not known,
    are a pair of their own. Of all others only the applications matter.

    Args:
        subtasks: of the pool.
    """

    def __init__(self, subtasks: Sequence[SubtaskRecord]) -> None:
        self._known: set[Swap] = set()
        self._together: set[Swap] = set()
        self._places = {one.id: f"{one.env}/{one.application}" for one in subtasks}
        self._kinds = {one.id: _kinds_of(one) for one in subtasks}

    def of(self, graph: GraphRecord) -> set[Swap]:
        """The pairs that the second order of a graph swaps; none where it has one order."""
        orders = topological_orders(len(graph.subtasks), graph.edges, Random(0), 2)
        if len(orders) == 1:
            return set()
        place = {node: at for at, node in enumerate(orders[1])}
        return {
            self._swap(graph.subtasks[first], graph.subtasks[second])
            for first, second in combinations(range(len(graph.subtasks)), 2)
            if place[second] < place[first]
        }

    def untried(self, graph: GraphRecord) -> bool:
        """Whether the second order of a graph swaps a pair that no graph was solved with before."""
        return not self.of(graph) <= self._known

    def note(self, graph: GraphRecord, orders: int = 2) -> None:
        """Note that a graph was solved, in so many orders."""
        if orders > 1:
            self._known |= self.of(graph)
        self._together |= {_sorted(*pair) for pair in combinations(graph.subtasks, 2)}

    def beyond_suspicion(self, graph: GraphRecord) -> frozenset[tuple[int, int]]:
        """Pairs of nodes, the smaller number first, that do not get into each other's way as far as is known: some
        solved graph had both subtasks, or they have nothing in common."""
        return frozenset(
            (first, second)
            for first, second in combinations(range(len(graph.subtasks)), 2)
            if _sorted(graph.subtasks[first], graph.subtasks[second]) in self._together
            or self._apart(graph.subtasks[first], graph.subtasks[second])
        )

    def _swap(self, one: str, other: str) -> Swap:
        return _sorted(self._places[one], self._places[other]) if self._apart(one, other) else _sorted(one, other)

    def _apart(self, one: str, other: str) -> bool:
        """Whether two subtasks have neither an application nor a kind of items in common."""
        mine, others = self._kinds[one], self._kinds[other]
        return bool(self._places[one] != self._places[other] and mine and others and mine.isdisjoint(others))


def _sorted(one: str, other: str) -> Swap:
    return (one, other) if one <= other else (other, one)


def _kinds_of(subtask: SubtaskRecord) -> frozenset[str]:
    """The kinds of items that a subtask uses, changes or tells of; none where that is not known."""
    items = (what.removeprefix("item ") for what in subtask.holes.values() if what.startswith("item "))
    entries = (entry.lstrip("+-~").partition(".")[0] for entry in (*subtask.effect, *subtask.reveals))
    return frozenset((*items, *entries))
