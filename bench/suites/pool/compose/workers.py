"""Plays graphs in several processes, each graph by itself, so that results do not depend on how many there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Self

from omnipilot.bench.suites.pool.compose.content import (
    TriedJoin,
    graph_joins,
    join_conflicts,
    join_works,
    joins_of,
)
from omnipilot.bench.suites.pool.compose.garbage import collect_seldom
from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT, OrderFailure, compose_draw, play_orders
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph, find_conflict, play_graph
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template

MOST_TRIED = 2
"""Contents that are looked for, where the first worlds hold too few items for all subtasks of a graph."""
MOST_SUSPECTS = 2
"""Others of a graph with which a node is played that failed, and whose joins work."""
_CHUNK = 8
"""Graphs that a worker is given at a time."""


@dataclass(frozen=True, slots=True)
class TriedGraph:
    """What became of looking for content with which a graph is solved.

    Attributes:
        draw: the number of the content; None where the graph is dropped.
        why: what went wrong, "" for nothing.
        unable: joins that do not work by themselves either. conflict: where there are none, two subtasks that do not go
            together, if two were found.
    """

    draw: int | None
    why: str = ""
    unable: frozenset[TriedJoin] = frozenset()
    conflict: Conflict | None = None

    def conflicts(self) -> list[Conflict]:
        """What was learnt not to go together."""
        return [*join_conflicts(self.unable, self.why), *([self.conflict] if self.conflict is not None else [])]


def try_graph(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    works: Collection[TriedJoin] = frozenset(),
    orders: int = 2,
    cleared: Collection[tuple[int, int]] = (),
) -> TriedGraph:
    """Look for content with which the graph's demonstration reaches all goals, in the two orders that differ most.

    The first content for which a world has enough items is played, and no other: what is not solved with it is seldom
    solved with another, and another graph is found faster. The joins of the node that failed are played by themselves,
    and where these work, the node with others of the graph.

    Args:
        works: joins that are known to work, which are not.
        orders: 1 where the reading order is enough.
        cleared: pairs of nodes that are not suspected of getting into each other's way; see `find_conflict`.
    """
    working = set(works)
    for draw in range(MOST_TRIED):
        done: list[str] = []
        try:
            _, composed = compose_draw(graph, templates, 0, draw, done)
        except NO_CONTENT as error:
            why = f"no content: {type(error).__name__}: {error}"
            node = min(len(done), len(graph.subtasks) - 1)
            failure, played = OrderFailure(why, node, (), tuple(range(node))), False
        else:
            found = play_orders(graph, composed, 0, orders)
            if found is None:
                return TriedGraph(draw)
            failure, played = found, True
        joins = sorted(joins_of(graph, failure.node) - working)
        unable = frozenset(one for one in joins if not join_works(graph, failure.node, one, templates, played=played))
        if unable:
            return TriedGraph(None, failure.why, unable)
        working.update(joins)
        if played:
            break
    conflict = find_conflict(graph, templates, failure, 2, MOST_SUSPECTS, cleared, works=True)
    return TriedGraph(None, failure.why, conflict=None if conflict is None or conflict.how == "alone" else conflict)


class GraphWorkers:
    """Plays graphs of a pool, and yields what it shows in the order of the graphs.

    Args:
        folder: of the pool; its subtasks have been written.
        jobs: processes side by side, which end with the context; 1 for this process alone.

    Raises:
        ConfigError: the pool has no subtasks, or names a hand-written one that does not exist.
    """

    def __init__(self, folder: PoolFolder, jobs: int = 1) -> None:
        self._root = str(folder.root)
        self._templates = templates_of(folder)
        self._processes = (
            ProcessPoolExecutor(jobs, get_context("spawn"), initializer=collect_seldom) if jobs > 1 else None
        )

    def __enter__(self) -> Self:
        """Nothing is started yet: processes start with the first graphs."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes; what was not begun is not done any more."""
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)

    def try_graphs(
        self,
        graphs: Sequence[GraphRecord],
        works: Collection[TriedJoin] = frozenset(),
        orders: Sequence[int] | None = None,
        cleared: Sequence[Collection[tuple[int, int]]] | None = None,
    ) -> Iterator[TriedGraph]:
        """`try_graph` of each; `orders` and `cleared` are for each graph."""
        orders = orders or [2] * len(graphs)
        cleared = cleared or [()] * len(graphs)
        if self._processes is None:
            return (
                try_graph(graph, self._templates, works, most, pairs)
                for graph, most, pairs in zip(graphs, orders, cleared, strict=True)
            )
        known = [graph_joins(graph).intersection(works) for graph in graphs]
        return self._processes.map(
            partial(_try_in_worker, self._root), graphs, known, orders, cleared, chunksize=_CHUNK
        )

    def play_graphs(self, graphs: Iterable[GraphRecord]) -> Iterator[PlayedGraph]:
        """`play_graph` of each, with the content that its task has; nobody is blamed."""
        if self._processes is None:
            return (play_graph(graph, self._templates, blame=False) for graph in graphs)
        return self._processes.map(partial(_play_in_worker, self._root), graphs, chunksize=_CHUNK)


@lru_cache(maxsize=1)
def _templates_in_worker(root: str) -> Mapping[str, Template]:
    return templates_of(PoolFolder(Path(root)))


def _try_in_worker(
    root: str, graph: GraphRecord, works: Collection[TriedJoin], orders: int, cleared: Collection[tuple[int, int]]
) -> TriedGraph:
    return try_graph(graph, _templates_in_worker(root), works, orders, cleared)


def _play_in_worker(root: str, graph: GraphRecord) -> PlayedGraph:
    return play_graph(graph, _templates_in_worker(root), blame=False)
