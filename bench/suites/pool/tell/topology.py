"""Orders and dependencies of a graph over nodes that are numbered from 0."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.pool.records import GraphRecord

Pairs: TypeAlias = frozenset[tuple[int, int]]
"""Pairs (before, after) of nodes."""


def edges_of(graph: GraphRecord) -> Pairs:
    """The edges of a graph: those that it names, and one for each pair that is joined."""
    return frozenset(graph.edges) | {(join.source, join.node) for join in graph.joins}


def closure(edges: Iterable[tuple[int, int]]) -> Pairs:
    """The transitive closure: all pairs of which the first leads to the second by one edge or more."""
    reached = set(edges)
    while True:
        more = {(a, d) for a, b in reached for c, d in reached if b == c} - reached
        if not more:
            return frozenset(reached)
        reached |= more


def is_connected(nodes: int, edges: Iterable[tuple[int, int]]) -> bool:
    """Whether all nodes hang together, whatever the direction of the edges; so does a single node."""
    return len(components(nodes, edges)) <= 1


def components(nodes: int, edges: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """The weakly connected parts of a graph, in the order of their first nodes."""
    part = list(range(nodes))
    for a, b in edges:
        part = [part[a] if mine == part[b] else mine for mine in part]
    return [frozenset(node for node in range(nodes) if part[node] == one) for one in dict.fromkeys(part)]


def linear_extensions(nodes: int, edges: Collection[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """All orders in which every node comes after those that lead to it; the first is the smallest."""
    waits = [{a for a, b in edges if b == node} for node in range(nodes)]

    def grow(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(order) == nodes:
            yield order
        for node in range(nodes):
            if node not in order and waits[node] <= set(order):
                yield from grow((*order, node))

    return grow(())


MOST_LISTED = 200
"""Most orders of a graph that are listed to choose from; a graph with more is drawn from at random."""


def other_orders(
    nodes: int, edges: Collection[tuple[int, int]], told: Sequence[int], wanted: int, seed: int
) -> list[tuple[int, ...]]:
    """Orders other than one, each time the one that differs most from those chosen before it.

    Args:
        told: the order that is left out.
        wanted: how many; fewer where the graph has no more.
        seed: of the draw, where the graph has more than `MOST_LISTED`.

    Returns:
        Orders, no two equal. Distance is the number of pairs of nodes that stand the other way round.
    """
    listed = list(islice(linear_extensions(nodes, edges), MOST_LISTED + 1))
    if len(listed) > MOST_LISTED:
        dice = Random(seed)
        listed = sorted({_draw_order(nodes, edges, dice) for _ in range(MOST_LISTED)})
    chosen = [tuple(told)]
    left = [order for order in listed if order != chosen[0]]
    while left and len(chosen) <= wanted:
        best = max(left, key=lambda order: min(_distance(order, other) for other in chosen))
        chosen.append(best)
        left.remove(best)
    return chosen[1:]


def _draw_order(nodes: int, edges: Collection[tuple[int, int]], dice: Random) -> tuple[int, ...]:
    order: list[int] = []
    while len(order) < nodes:
        free = [n for n in range(nodes) if n not in order and all(a in order for a, b in edges if b == n)]
        order.append(dice.choice(free))
    return tuple(order)


def _distance(one: Sequence[int], other: Sequence[int]) -> int:
    place = {node: at for at, node in enumerate(other)}
    return sum(place[a] > place[b] for at, a in enumerate(one) for b in one[at + 1 :])
