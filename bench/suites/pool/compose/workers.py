"""Plays graphs in several processes, each graph by itself, so that results do not depend on how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Self

from omnipilot.bench.suites.pool.compose.content import TriedJoin, join_works, joins_of
from omnipilot.bench.suites.pool.compose.instances import (
    MOST_DRAWS,
    MOST_PLAYED,
    NO_CONTENT,
    compose_draw,
    play_orders,
)
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph, play_graph
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template

_CHUNK = 8
"""Graphs that a worker is given at a time."""


@dataclass(frozen=True, slots=True)
class TriedGraph:
    """What became of looking for content with which a graph is solved.

    Attributes:
        draw: the number of the first such content; None where there is none among the first few.
        why: what went wrong with the last one that was tried, "" for nothing.
        unable: joins that do not work by themselves either.
    """

    draw: int | None
    why: str = ""
    unable: frozenset[TriedJoin] = frozenset()


def try_graph(graph: GraphRecord, templates: Mapping[str, Template]) -> TriedGraph:
    """Look for content with which the graph's demonstration reaches all goals, in the two orders that differ most.

    Where a node fails, its joins are played by themselves; no further content is tried where one of them fails, too.
    """
    why = ""
    cleared: set[int] = set()
    played = 0
    for draw in range(MOST_DRAWS):
        done: list[str] = []
        try:
            _, composed = compose_draw(graph, templates, 0, draw, done)
        except NO_CONTENT as error:
            node, why = min(len(done), len(graph.subtasks) - 1), f"no content: {type(error).__name__}: {error}"
        else:
            failure = play_orders(graph, composed, 0)
            if failure is None:
                return TriedGraph(draw)
            node, why = failure.node, failure.why
            played += 1
        if node not in cleared:
            cleared.add(node)
            joins = sorted(joins_of(graph, node))
            unable = frozenset(one for one in joins if not join_works(graph, node, one, templates, played=True))
            if unable:
                return TriedGraph(None, why, unable)
        if played == MOST_PLAYED:
            break
    return TriedGraph(None, why)


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
        self._processes = ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else None

    def __enter__(self) -> Self:
        """Nothing is started yet: processes start with the first graphs."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes; what was not begun is not done any more."""
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)

    def try_graphs(self, graphs: Iterable[GraphRecord]) -> Iterator[TriedGraph]:
        """`try_graph` of each."""
        if self._processes is None:
            return (try_graph(graph, self._templates) for graph in graphs)
        return self._processes.map(partial(_try_in_worker, self._root), graphs, chunksize=_CHUNK)

    def play_graphs(self, graphs: Iterable[GraphRecord]) -> Iterator[PlayedGraph]:
        """`play_graph` of each, with the content that its task has; nobody is blamed."""
        if self._processes is None:
            return (play_graph(graph, self._templates, blame=False) for graph in graphs)
        return self._processes.map(partial(_play_in_worker, self._root), graphs, chunksize=_CHUNK)


@lru_cache(maxsize=1)
def _templates_in_worker(root: str) -> Mapping[str, Template]:
    return templates_of(PoolFolder(Path(root)))


def _try_in_worker(root: str, graph: GraphRecord) -> TriedGraph:
    return try_graph(graph, _templates_in_worker(root))


def _play_in_worker(root: str, graph: GraphRecord) -> PlayedGraph:
    return play_graph(graph, _templates_in_worker(root), blame=False)
