"""Matched sets: a chain beside a graph of the same subtasks, and series in which one figure alone changes.

Chain and graph of a pair have equally many nodes, edges and categories, and as far as possible the same subtasks; the
chain is as deep as it has nodes, the graph at least two levels less deep (OmniBench's figure 7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.compose.cells import figures_request
from omnipilot.bench.suites.pool.compose.composer import Composer
from omnipilot.bench.suites.pool.compose.drawn_graph import (
    DrawnGraph,
    graph_joins,
    graph_key,
    levels_of,
    renumber,
)
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph, is_state
from omnipilot.bench.suites.pool.records import Conflict, GraphRecord, MatchedSet
from omnipilot.bench.tasks.complexity import Complexity
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError

DOSES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "dependency": ("nodes=6,depth=3,width=3,categories=3", tuple(f"edges={count}" for count in range(3, 8))),
    "instruction": ("edges=4,depth=2,width=4,categories=2", tuple(f"nodes={count}" for count in range(5, 9))),
    "hierarchy": ("edges=5,nodes=6,width=2,categories=3", tuple(f"depth={count}" for count in range(3, 6))),
    "branch": ("edges=6,nodes=7,depth=3,categories=3", tuple(f"width={count}" for count in range(3, 6))),
    "knowledge": ("edges=4,nodes=6,depth=3,width=3", tuple(f"categories={count}" for count in range(1, 7))),
}
"""For each complexity what stays the same, and the values that its figure takes."""
_REARRANGEMENTS = 200


def matched_pairs(
    types: TypeGraph, count: int, *, nodes: int = 4, seed: int = 0, conflicts: Collection[Conflict] = ()
) -> Iterator[tuple[MatchedSet, tuple[GraphRecord, GraphRecord]]]:
    """So many pairs of a chain and a graph; fewer where the subtasks make no more.

    `MatchedSet.shared` is 1 where both have the same subtasks. Where these can be joined in one form only, the graph
    takes others of the same categories.

    Args:
        nodes: of each, at least 4.

    Raises:
        ConfigError: fewer nodes than a graph needs to be two levels less deep than its chain, or there is no chain.
    """
    if nodes < 4:
        raise ConfigError(f"a graph two levels less deep than its chain needs at least 4 nodes, not {nodes}")
    chains = Composer(types, seed=seed, conflicts=conflicts)
    draw = Random(seed_of("matched", seed))
    seen: set[str] = set()
    came = 0
    for chain in chains.graphs(20 * count, figures_request(f"nodes={nodes},depth={nodes},edges={nodes - 1}")):
        if came >= count:
            return
        graph = _rearranged(chain, types, draw, seed, conflicts) or _alike(chain, types, draw, conflicts)
        if graph is None or graph.key in seen:
            continue
        seen.add(graph.key)
        came += 1
        common = sum(min(chain.subtasks.count(id), graph.subtasks.count(id)) for id in set(chain.subtasks))
        yield (
            MatchedSet(f"pair-{came}", "chain and graph", (chain.id, graph.id), ("chain", "graph"), common / nodes),
            (chain, graph),
        )


def dose_series(
    types: TypeGraph, complexity: str, count: int, *, seed: int = 0, conflicts: Collection[Conflict] = ()
) -> tuple[MatchedSet, list[GraphRecord]]:
    """So many graphs for each value of one figure, while the other four stay the same.

    Raises:
        ConfigError: no such complexity, or the subtasks do not reach a value.
    """
    if complexity not in DOSES:
        raise ConfigError(describe_unknown("complexity", complexity, list(DOSES)))
    fixed, values = DOSES[complexity]
    composer = Composer(types, seed=seed_of("dose", complexity, seed), conflicts=conflicts)
    graphs, doses = [], []
    for value in values:
        for graph in composer.graphs(count, figures_request(f"{fixed},{value}")):
            graphs.append(graph)
            doses.append(value)
    return MatchedSet(f"dose-{complexity}", "dose", tuple(graph.id for graph in graphs), tuple(doses)), graphs


def _rearranged(
    chain: GraphRecord, types: TypeGraph, draw: Random, seed: int, conflicts: Collection[Conflict]
) -> GraphRecord | None:
    """A graph of the chain's subtasks with as many edges that is at least two levels less deep; None if there is none
    or none was found."""
    count = len(chain.subtasks)
    subtasks = [types.subtasks[types.number_of[id]] for id in chain.subtasks]
    checker = Composer(types, conflicts=conflicts)
    for _ in range(_REARRANGEMENTS):
        order = draw.sample(range(count), count)
        joins: list[tuple[int, int, int]] = []
        for at, node in enumerate(order):
            sources = [
                source
                for source in order[:at]
                if types.inputs_for(types.number_of[chain.subtasks[node]], subtasks[source].output)
                and not (is_state(subtasks[source].output) and any(one == source for _, _, one in joins))
            ]
            draw.shuffle(sources)
            for source in sources[: draw.choice((1, 1, 2))]:
                free = [
                    name
                    for name in types.inputs_for(types.number_of[chain.subtasks[node]], subtasks[source].output)
                    if not any((one, taken) == (node, name) for one, taken, _ in joins)
                ]
                if free and len(joins) < count - 1:
                    joins.append((node, free[0], source))
        if len(joins) < count - 1:
            continue
        drawn = renumber(
            DrawnGraph(
                chain.subtasks, tuple((node, subtasks[node].inputs[name][0], source) for node, name, source in joins)
            )
        )
        levels = levels_of(count, drawn.edges)
        if max(levels) > count - 2 or checker.conflict(drawn.labels, drawn.edges):
            continue
        complexity = Complexity(
            count - 1,
            count,
            max(levels),
            max(levels.count(level) for level in levels),
            chain.figures["knowledge"],
        )
        key = graph_key(drawn.labels, drawn.edges)
        return GraphRecord(
            key[:12],
            drawn.labels,
            graph_joins(drawn),
            drawn.edges,
            complexity.figures(),
            complexity.capabilities(),
            key,
            seed_of(seed, key),
        )
    return None


def _alike(chain: GraphRecord, types: TypeGraph, draw: Random, conflicts: Collection[Conflict]) -> GraphRecord | None:
    """Any graph of the chain's categories with equal figures but depth and width."""
    count, categories = len(chain.subtasks), chain.figures["knowledge"]
    mine = {types.subtasks[types.number_of[id]].category for id in chain.subtasks}
    within = TypeGraph([one for one in types.subtasks if one.category in mine])
    composer = Composer(within, seed=draw.getrandbits(32), conflicts=conflicts)
    wanted = f"nodes={count},edges={count - 1},depth=2-{count - 2},categories={categories}"
    try:
        return next(composer.graphs(1, figures_request(wanted)), None)
    except ConfigError:
        return None
