"""How different the graphs of a pool are from one another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.compose.cells import cell_of
from omnipilot.bench.suites.pool.compose.drawn_graph import graph_key
from omnipilot.bench.suites.pool.compose.subtask_types import TypeGraph
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.envs import ConfigError

_PAIRS_A_CELL = 50


def diversity(graphs: Sequence[GraphRecord], types: TypeGraph) -> dict[str, float]:
    """The figures, by name.

    `entropy`: of the use of subtasks, as a share of its maximum. `most_used`: how often the most used one occurs, as a
    multiple of the mean. `joined_pairs`: share of the ordered pairs of subtasks that fit which occur. `shapes`: number
    of different graphs when subtasks are not told apart. `app_pairs`: number of pairs of applications in one graph.
    `scenarios`: their number. `cells`: number of cells. `distance`: mean over pairs of graphs of one cell of what has
    to be put in or taken out, subtasks and edges, as a share of what both have: an upper bound of the edit distance;
    of at most fifty pairs a cell. `network`: share of graphs that need the network. `apps`: mean applications a graph.
    """
    use = Counter(id for graph in graphs for id in graph.subtasks)
    total, count = sum(use.values()), len(types.subtasks)
    fit = sum(len(types.takers(one.output)) for one in types.subtasks if one.output)
    joined = {(graph.subtasks[a], graph.subtasks[b]) for graph in graphs for a, b in graph.edges}
    app = {one.id: one.app for one in types.subtasks}
    apps = [sorted({app[id] for id in graph.subtasks}) for graph in graphs]
    cells: dict[str, list[GraphRecord]] = {}
    for graph in graphs:
        cells.setdefault(cell_of(graph.figures), []).append(graph)
    shapes = {(len(graph.subtasks), graph.edges) for graph in graphs}
    distances = [distance for group in cells.values() for distance in _distances(group)]
    return {
        "entropy": -sum(n / total * math.log(n / total) for n in use.values()) / math.log(count) if count > 1 else 0.0,
        "most_used": max(use.values(), default=0) * count / total if total else 0.0,
        "joined_pairs": len(joined) / fit if fit else 0.0,
        "shapes": len({graph_key([""] * size, edges) for size, edges in shapes}),
        "app_pairs": len({pair for chosen in apps for pair in combinations(chosen, 2)}),
        "scenarios": len({graph.scenario for graph in graphs if graph.scenario}),
        "cells": len(cells),
        "distance": sum(distances) / len(distances) if distances else 0.0,
        "network": sum(graph.network for graph in graphs) / len(graphs) if graphs else 0.0,
        "apps": sum(map(len, apps)) / len(apps) if apps else 0.0,
    }


def check_floors(figures: Mapping[str, float], floors: Mapping[str, float]) -> None:
    """Refuse graphs that are less different than was asked for.

    Raises:
        ConfigError: a figure is below its floor, or there is none of that name.
    """
    for name, least in floors.items():
        if name not in figures:
            raise ConfigError(describe_unknown("figure of diversity", name, list(figures)))
        if figures[name] < least:
            raise ConfigError(
                f"{name} is {figures[name]:.3g}, but at least {least:g} was asked for; compose more graphs, ask for "
                "wider figures, or add subtasks"
            )


def _distances(group: Sequence[GraphRecord]) -> Iterator[float]:
    draw = Random(len(group))
    pairs = len(group) * (len(group) - 1) // 2
    chosen = (
        list(combinations(group, 2))
        if pairs <= _PAIRS_A_CELL
        else [tuple(draw.sample(group, 2)) for _ in range(_PAIRS_A_CELL)]
    )
    for one, other in chosen:
        first, second = _parts(one), _parts(other)
        yield ((first - second) + (second - first)).total() / (first + second).total()


def _parts(graph: GraphRecord) -> Counter[object]:
    return Counter([*graph.subtasks, *((graph.subtasks[a], graph.subtasks[b]) for a, b in graph.edges)])
