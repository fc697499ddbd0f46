"""Graphs as `networkx.DiGraph`, as CRAB's evaluators are, and back. Needs the extra `graphs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.compose.drawn_graph import DrawnGraph, graph_joins, graph_key, levels_of, renumber
from omnipilot.bench.suites.pool.compose.subtask_types import SubtaskType, TypeGraph
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.tasks.complexity import Complexity
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError, MissingExtra

if TYPE_CHECKING:
    import networkx


def to_networkx(graph: GraphRecord) -> networkx.DiGraph:
    """Nodes are numbered from 0 in reading order and have `subtask`; edges have `inputs`, the names of those that take
    the output; the graph has `id`, `figures` and `capabilities`.

    Raises:
        MissingExtra: networkx is not installed.
    """
    found = _networkx().DiGraph(id=graph.id, figures=dict(graph.figures), capabilities=list(graph.capabilities))
    for number, subtask in enumerate(graph.subtasks):
        found.add_node(number, subtask=subtask)
    for before, after in graph.edges:
        inputs = [join.input for join in graph.joins if (join.source, join.node) == (before, after)]
        found.add_edge(before, after, inputs=inputs)
    return found


def from_networkx(graph: networkx.DiGraph, types: TypeGraph, seed: int = 0) -> GraphRecord:
    """A graph of a pool's subtasks. Nodes name their subtask by the attribute `subtask`, or are its id; an edge without
    `inputs` is joined with the first free input that fits.

    Raises:
        ConfigError: a node is no subtask of the pool, an edge does not fit, or the graph has a circle.
        MissingExtra: networkx is not installed.
    """
    networkx = _networkx()
    if not graph or not networkx.is_directed_acyclic_graph(graph):
        raise ConfigError("a task graph has at least one node, and no circle")
    nodes = list(graph.nodes)
    known: Mapping[str, SubtaskType] = {one.id: one for one in types.subtasks}
    labels = [str(graph.nodes[node].get("subtask", node)) for node in nodes]
    if strangers := [label for label in labels if label not in known]:
        raise ConfigError(describe_unknown("subtask of the pool", strangers[0], list(known)))
    number = {node: at for at, node in enumerate(nodes)}
    joins: list[tuple[int, str, int]] = []
    # Edges that name their inputs come first, so that the others take what is left.
    for before, after, data in sorted(graph.edges(data=True), key=lambda edge: not edge[2].get("inputs")):
        source, node = number[before], number[after]
        taken = {name for one, name, _ in joins if one == node}
        fitting = [
            known[labels[node]].inputs[at][0]
            for at in types.inputs_for(types.number_of[labels[node]], known[labels[source]].output)
        ]
        names = list(data.get("inputs") or [name for name in fitting if name not in taken][:1])
        if not names or any(name not in fitting or name in taken for name in names):
            raise ConfigError(
                f"{labels[node]} cannot take {', '.join(names) or 'anything'} from {labels[source]}, which yields "
                f"{known[labels[source]].output or 'nothing'}"
            )
        joins += [(node, name, source) for name in names]
    drawn = renumber(DrawnGraph(tuple(labels), tuple(joins)))
    levels = levels_of(len(labels), drawn.edges)
    complexity = Complexity(
        len(drawn.edges),
        len(labels),
        max(levels),
        max(levels.count(level) for level in levels),
        len({known[label].category for label in labels}),
    )
    key = graph_key(drawn.labels, drawn.edges)
    return GraphRecord(
        str(graph.graph.get("id") or key[:12]),
        drawn.labels,
        graph_joins(drawn),
        drawn.edges,
        complexity.figures(),
        complexity.capabilities(),
        key,
        seed_of(seed, key),
    )


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise MissingExtra("graphs", "networkx") from None
    return networkx
