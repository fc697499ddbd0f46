"""The graphs in OmniBench's task files, `{"nodes": [id], "edges": {id: [successors]}}`, and orders of their nodes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.suites.omnibench.metrics.execution import Execution
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph
from omnipilot.envs import ConfigError


def edges_of(dag: Record, nodes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The edges (before, after). A node without successors is omitted or has `[[]]`, as in the paper's example.

    Raises:
        BadRecord: an edge names an unknown node or leads to its own, or successors are not a list of ids.
    """
    table = dag.table("edges")
    found = []
    for node in table.names:
        if node not in nodes:
            raise table.wrong(node, "it is not one of the task's nodes")
        for behind in table.items(node):
            if behind == []:
                continue
            if not isinstance(behind, str) or behind not in nodes:
                raise table.wrong(node, f"a successor must be the id of a node, or [] for none, not {behind!r:.60}")
            if behind == node:
                raise table.wrong(node, f"an edge leads from {node} to itself; leave it out")
            found.append((node, behind))
    return tuple(found)


def orders_of(record: Record, graph: TaskGraph) -> tuple[tuple[str, ...], ...]:
    """The topological orders listed in `successful_topo`.

    Raises:
        BadRecord: one of them lacks a subtask or is not allowed by the graph.
    """
    found = []
    for number, order in enumerate(record.items("successful_topo")):
        at = f"successful_topo[{number}]"
        if not isinstance(order, list) or not all(isinstance(name, str) for name in order):
            raise record.wrong(at, f"an order must be a list of ids, not {order!r:.60}")
        try:
            whole = Execution(graph, tuple(order)).success
        except ConfigError as error:
            raise record.wrong(at, str(error)) from None
        if not whole:
            raise record.wrong(at, f"it contains {len(order)} of {len(graph.subtasks)} subtasks")
        found.append(tuple(order))
    return tuple(found)


def completion_order(graph: TaskGraph, done: Sequence[str], new: Collection[str]) -> list[str]:
    """The subtasks completed in one step, in file order but each after its prerequisites.

    Args:
        done: completed before this step. new: completed in it, in any order; one that still has to wait is left out.
    """
    before = graph.predecessors()
    found: list[str] = []
    while ready := [n for n in graph.ids if n in new and n not in found and before[n] <= {*done, *found}]:
        found += ready
    return found
