"""Learns which subtasks of a pool do not go together, by playing graphs that bring many of them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.pool.compose.cells import figures_request
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph, play_graph
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph
from omnipilot.bench.suites.pool.records import Conflict
from omnipilot.bench.synthesis.template import Template

ROUND = 20
"""Graphs that are drawn at a time, with all conflicts that are known by then."""
WIDE = "nodes=8-9,depth=1"
"""Half of the graphs: many subtasks side by side, played forwards and backwards, try 28 to 36 pairs at once."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt.

    Attributes:
        conflicts: the known ones, and the new ones. played: how many graphs. failed: of these.
        unexplained: the failures for which no pair could be blamed.
    """

    conflicts: tuple[Conflict, ...]
    played: int
    failed: int
    unexplained: tuple[PlayedGraph, ...]


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

    Args:
        known: conflicts of earlier times; their pairs are not played again.
        tell: called after each round with the number of graphs that were played, and of conflicts.
    """
    conflicts = {(one.first, one.second, one.how): one for one in known}
    played = failed = 0
    unexplained: list[PlayedGraph] = []
    for number in range(-(-plays // ROUND)):
        composer = Composer(types, seed=seed + 1000 * number + 1, conflicts=list(conflicts.values()))
        many = min(ROUND, plays - played)
        graphs = [
            *composer.graphs(many // 2, figures_request(WIDE)),
            *composer.graphs(many - many // 2, figures_request("nodes=4-9,depth=2-9")),
        ]
        for graph in graphs:
            result = play_graph(graph, templates, orders=2)
            played += 1
            if not result.failed:
                continue
            failed += 1
            if result.conflict is None:
                unexplained.append(result)
            else:
                conflicts[result.conflict.first, result.conflict.second, result.conflict.how] = result.conflict
        tell(played, len(conflicts))
    return Learnt(tuple(conflicts.values()), played, failed, tuple(unexplained))
