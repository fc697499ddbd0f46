"""Topological orders of a task graph: how many there are, some of them, and the one that changes applications least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.omnibench.metrics.coherence import coherence

Order: TypeAlias = tuple[int, ...]
"""Numbers of nodes, each after those that it waits for."""


def predecessors(nodes: int, edges: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """For each node, the nodes that it waits for, as a bit mask."""
    masks = [0] * nodes
    for before, after in edges:
        masks[after] |= 1 << before
    return tuple(masks)


def count_orders(nodes: int, edges: Sequence[tuple[int, int]]) -> int:
    """The exact number of topological orders, by dynamic programming over sets of done nodes: at most 2^nodes."""
    waits = predecessors(nodes, edges)
    everything = (1 << nodes) - 1

    @cache
    def rest(done: int) -> int:
        if done == everything:
            return 1
        ready = (node for node in range(nodes) if not done >> node & 1 and waits[node] & ~done == 0)
        return sum(rest(done | 1 << node) for node in ready)

    return rest(0)


def all_orders(nodes: int, edges: Sequence[tuple[int, int]]) -> Iterator[Order]:
    """All topological orders, by number of node, one after the other."""
    waits = predecessors(nodes, edges)

    def rest(order: Order, done: int) -> Iterator[Order]:
        if len(order) == nodes:
            yield order
        for node in range(nodes):
            if not done >> node & 1 and waits[node] & ~done == 0:
                yield from rest((*order, node), done | 1 << node)

    return rest((), 0)


def random_order(nodes: int, edges: Sequence[tuple[int, int]], seed: int) -> Order:
    """One order drawn at random: each next node with equal chance among those that are ready."""
    waits, random = predecessors(nodes, edges), Random(seed)
    order: list[int] = []
    done = 0
    while len(order) < nodes:
        ready = [node for node in range(nodes) if not done >> node & 1 and waits[node] & ~done == 0]
        order.append(random.choice(ready))
        done |= 1 << order[-1]
    return tuple(order)


def coherent_order(nodes: int, edges: Sequence[tuple[int, int]], applications: Sequence[str]) -> Order:
    """The first order with the most adjacent pairs of one application: OmniBench's CS_max.

    By dynamic programming over (set of done nodes, last application): exact.
    """
    waits = predecessors(nodes, edges)
    everything = (1 << nodes) - 1

    @cache
    def best(done: int, last: str) -> tuple[int, Order]:
        if done == everything:
            return 0, ()
        found: tuple[int, Order] | None = None
        for node in range(nodes):
            if not done >> node & 1 and waits[node] & ~done == 0:
                pairs, order = best(done | 1 << node, applications[node])
                pairs += applications[node] == last
                if found is None or pairs > found[0]:
                    found = pairs, (node, *order)
        assert found is not None
        return found

    return best(0, "")[1]


def chosen_orders(
    nodes: int, edges: Sequence[tuple[int, int]], applications: Sequence[str], most: int, seed: int
) -> list[Order]:
    """Up to `most` different orders: the most coherent first, then random ones.

    Args:
        applications: of each node.
    """
    if count_orders(nodes, edges) <= most:
        return sorted(all_orders(nodes, edges), key=lambda order: -coherence([applications[node] for node in order]))
    found = [coherent_order(nodes, edges, applications)]
    number = 0
    while len(found) < most:
        number += 1
        order = random_order(nodes, edges, seed + number)
        if order not in found:
            found.append(order)
    return found
