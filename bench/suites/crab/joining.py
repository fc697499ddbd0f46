"""Joins a task file's sub-tasks into one task: content, judges and demonstration (CRAB §4.4, appendix A.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.crab.adjacency import Adjacency
from omnipilot.bench.suites.crab.data import CrabTask
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask, check_subtask, make_piece
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.synthesis.template import Piece, Solution
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs import ConfigError

CURE = (
    "CRAB's own need real devices, --world FILE with [devices.ubuntu] and [devices.android]; or name a table that has "
    "it, -o suite.subtasks=MODULE:POOL"
)


@dataclass(frozen=True, slots=True)
class Joined:
    """A composed task.

    Attributes:
        graph: of all judges. state: the world's initial state. pieces, subtasks: by number.
        order: numbers in a topological order, in which demonstrations are played.
    """

    graph: JudgeGraph
    state: Any
    pieces: tuple[Piece, ...]
    subtasks: tuple[SubTask, ...]
    order: tuple[int, ...]

    def solutions(self) -> list[Solution]:
        """The demonstrations of the sub-tasks, in a valid order."""
        return [self.pieces[number].solution for number in self.order]

    @property
    def envs(self) -> tuple[str, ...]:
        """The environments of the sub-tasks, in order."""
        return tuple(dict.fromkeys(subtask.env for subtask in self.subtasks if subtask.env))


def join_subtasks(
    pool: Pool, uses: Sequence[tuple[SubTask, Mapping[str, Any], str]], graph: Adjacency, record: Record
) -> Joined:
    """Make the sub-tasks of a task, each in the state left by its predecessors, and join their judges.

    Args:
        uses: by number: the sub-task, its attributes, and the field that a bad record names if they do not fit.

    Raises:
        BadRecord: the attributes of a sub-task do not fit the world.
    """
    state, claims = pool.start(), Claims()
    pieces: dict[int, Piece] = {}
    for number in graph.order():
        subtask, given, field = uses[number]
        pieces[number] = make_piece(subtask, given, state, claims, record, field)
        state = pieces[number].state
    subtasks = tuple(subtask for subtask, _, _ in uses)
    graphs = [
        _named(pieces[number].graph, subtask, f"{number + 1} " if len(uses) > 1 else "")
        for number, subtask in enumerate(subtasks)
    ]
    ordered = tuple(pieces[number] for number in range(len(uses)))
    return Joined(link_graphs(graphs, graph), state, ordered, subtasks, graph.order())


def link_graphs(graphs: Sequence[JudgeGraph], graph: Adjacency) -> JudgeGraph:
    """Join the graphs of sub-tasks: each edge u → v becomes edges from every sink of u to every source of v."""
    nodes: list[Judge] = []
    edges: list[tuple[str, str]] = []
    for one in graphs:
        nodes += one.nodes
        edges += one.edges
    for u, v in graph.edges:
        edges += [(sink, source) for sink in graphs[u].sinks for source in graphs[v].sources]
    return JudgeGraph(tuple(nodes), tuple(edges))


def compose_task(pool: Pool, task: CrabTask) -> Joined:
    """Turn a task file into a task.

    Raises:
        BadRecord: the table lacks a sub-task, attributes are missing, unknown or do not fit the world, or the graph
            does not have exactly one sink, which CRAB's evaluator needs.
    """
    record = Record(task.file, task.id, {})
    uses = []
    for number, use in enumerate(task.uses):
        at = f"tasks[{number}]"
        subtask = check_subtask(pool, use.subtask, use.attributes, record, f"{at}.task", f"{at}.attribute", CURE)
        uses.append((subtask, use.attributes, f"{at}.attribute"))
    found = join_subtasks(pool, uses, task.graph, record)
    try:
        found.graph.require_one_sink()
    except ConfigError as error:
        raise record.wrong("adjlist", str(error)) from None
    return found


def _named(graph: JudgeGraph, subtask: SubTask, prefix: str) -> JudgeGraph:
    nodes = tuple(replace(judge, name=prefix + judge.name, env=judge.env or subtask.env) for judge in graph.nodes)
    return JudgeGraph(nodes, tuple((prefix + a, prefix + b) for a, b in graph.edges))
