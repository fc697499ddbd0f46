"""Whether graphs have content, learnt join by join, which is faster than playing each of thousands of graphs.

A subtask has content if it can be played with what its providers yield. Each join that occurs (a subtask, one of its
inputs, and the subtask that it takes this from) is tried in some graph, those with most untried joins first; graphs
whose joins have all been tried are not looked at.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT, compose_shared, part_of, play_order
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.synthesis.template import Template

TriedJoin: TypeAlias = tuple[str, str, str]
"""A subtask, its input, and the subtask that it takes it from; the last two are "" for a subtask that takes nothing."""
HOPELESS = 4
"""Subtasks that an input could not take from, and none that it could, before no others are tried."""
CONTENTS = 2
"""With how many contents a join is tried before it is said not to work."""


@dataclass
class JoinContent:
    """Which joins have content, as far as graphs were played.

    Args:
        templates: of the pool's subtasks, by id.

    Attributes:
        able, unable: joins that have content, and those that have none.
    """

    templates: Mapping[str, Template]
    able: set[TriedJoin] = field(default_factory=set)
    unable: set[TriedJoin] = field(default_factory=set)

    def with_content(self, graphs: Sequence[GraphRecord]) -> list[GraphRecord]:
        """The graphs that have content, in their order."""
        joins = [[joins_of(graph, node) for node in range(len(graph.subtasks))] for graph in graphs]
        waiting = [(-self._untried(nodes), at) for at, nodes in enumerate(joins)]
        heapq.heapify(waiting)
        without = set()
        while waiting:
            known, at = heapq.heappop(waiting)
            if any(not self.unable.isdisjoint(node) for node in joins[at]):
                without.add(at)
                continue
            untried = -self._untried(joins[at])
            if untried != known:
                heapq.heappush(waiting, (untried, at))
            elif untried and not self._play(graphs[at], joins[at]):
                without.add(at)
        return [graph for at, graph in enumerate(graphs) if at not in without]

    def conflicts(self) -> list[Conflict]:
        """The joins that have no content, as conflicts."""
        return join_conflicts(self.unable, "no content")

    def _untried(self, nodes: Sequence[frozenset[TriedJoin]]) -> int:
        return sum(len(joins - self.able) for joins in nodes)

    def _play(self, graph: GraphRecord, joins: Sequence[frozenset[TriedJoin]]) -> bool:
        """Whether a graph has content; what was seen of its joins is noted."""
        composed: list[str] = []
        try:
            compose_shared(graph, self.templates, composed)
        except NO_CONTENT:
            for node in range(len(composed)):
                self.able |= joins[node]
            failed = min(len(composed), len(joins) - 1)
            for join in joins[failed] - self.able:
                works = join_works(graph, failed, join, self.templates)
                (self.able if works else self.unable).add(join)
            return False
        self.able = self.able.union(*joins)
        return True


def join_works(
    graph: GraphRecord, node: int, join: TriedJoin, templates: Mapping[str, Template], played: bool = False
) -> bool:
    """Whether one join of a graph has content where nothing stands beside it.

    Args:
        played: whether the demonstrations must reach their goals there, too.
    """
    sources = {one.source for one in graph.joins if one.node == node and one.input == join[1]}
    part = part_of(graph, {node, *sources})
    place = len(sources)
    part = replace(part, joins=tuple(one for one in part.joins if one.node != place or one.input == join[1]))
    for content in range(CONTENTS):
        try:
            composed = compose_shared(replace(part, seed=part.seed + content), templates)
        except NO_CONTENT:
            continue
        return not played or play_order(part, composed, 0, range(len(part.subtasks)))[0] is None
    return False


def join_conflicts(unable: Iterable[TriedJoin], reason: str) -> list[Conflict]:
    """Joins that do not work, as conflicts."""
    pairs = {(source, subtask) for subtask, _, source in unable if source}
    return [Conflict(source, subtask, "join", reason) for source, subtask in sorted(pairs)]


def hopeless_joins(unable: Collection[TriedJoin], works: Collection[TriedJoin], types: TypeGraph) -> list[Conflict]:
    """All joins of inputs that took nothing from any of the first few subtasks, as conflicts; but for those with a
    subtask that another input of theirs can take from."""
    failed = Counter((subtask, name) for subtask, name, source in unable if source)
    fine = {(subtask, name) for subtask, name, _ in works}
    found = []
    for (subtask, name), count in sorted(failed.items()):
        if count < HOPELESS or (subtask, name) in fine:
            continue
        taker = types.subtasks[types.number_of[subtask]]
        for source in types.subtasks:
            if [one for one, kind in taker.inputs if fits(source.output, kind)] == [name]:
                found.append(Conflict(source.id, subtask, "join", f"{name} took nothing from {count} others"))
    return found


def graph_joins(graph: GraphRecord) -> set[TriedJoin]:
    """What all nodes take, and from which subtasks."""
    return {join for node in range(len(graph.subtasks)) for join in joins_of(graph, node)}


def joins_of(graph: GraphRecord, node: int) -> frozenset[TriedJoin]:
    """What a node takes, and from which subtasks."""
    subtask = graph.subtasks[node]
    found = {(subtask, one.input, graph.subtasks[one.source]) for one in graph.joins if one.node == node}
    return frozenset(found or {(subtask, "", "")})
