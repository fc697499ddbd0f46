"""A graph while it is drawn, and the key that is equal for graphs that are the same up to numbering."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.pool.records import Join

Edge: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """Nodes labelled by subtask, and what takes what.

    Attributes:
        labels: of the nodes, for each its subtask's id. joins: (node, input, source).
    """

    labels: tuple[str, ...]
    joins: tuple[tuple[int, str, int], ...]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Pairs (before, after), each once, sorted."""
        return tuple(sorted({(source, node) for node, _, source in self.joins}))


def graph_key(labels: Sequence[str], edges: Sequence[Edge]) -> str:
    """A digest of 80 bits that is equal exactly for graphs that are isomorphic with nodes labelled; digests of
    different graphs could be equal by chance, which among a million graphs has a probability below 10⁻¹¹."""
    if len(set(labels)) == len(labels):
        order: Sequence[int] = sorted(range(len(labels)), key=labels.__getitem__)
    else:
        order = _canonical_order(labels, edges)
    place = [0] * len(order)
    for at, node in enumerate(order):
        place[node] = at
    text = ",".join([labels[node] for node in order])
    text += "|" + ",".join([f"{a}>{b}" for a, b in sorted([(place[a], place[b]) for a, b in edges])])
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def reading_order(count: int, edges: Sequence[Edge]) -> list[int]:
    """An order of the nodes in which each stands behind what it takes from, and as close as may be: chains are read
    through before the next one begins."""
    before = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    for source, node in edges:
        before[node] += 1
        after[source].append(node)
    ready = [node for node in range(count - 1, -1, -1) if not before[node]]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        for later in reversed(after[node]):
            before[later] -= 1
            if not before[later]:
                ready.append(later)
    return order


def renumber(graph: DrawnGraph) -> DrawnGraph:
    """The same graph with nodes numbered in reading order."""
    order = reading_order(len(graph.labels), graph.edges)
    place = {node: at for at, node in enumerate(order)}
    return DrawnGraph(
        tuple(graph.labels[node] for node in order),
        tuple(sorted((place[node], name, place[source]) for node, name, source in graph.joins)),
    )


def graph_joins(graph: DrawnGraph) -> tuple[Join, ...]:
    """The joins as records hold them."""
    return tuple(Join(node, name, source) for node, name, source in graph.joins)


def levels_of(count: int, edges: Sequence[Edge]) -> list[int]:
    """The level of each node: 1 without predecessors, else 1 more than that of its deepest predecessor."""
    before: list[list[int]] = [[] for _ in range(count)]
    for source, node in edges:
        before[node].append(source)
    levels = [1] * count
    for node in reading_order(count, edges):
        levels[node] = 1 + max((levels[source] for source in before[node]), default=0)
    return levels


def descendants(count: int, edges: Sequence[Edge]) -> list[set[int]]:
    """The nodes that stand behind each node on some path."""
    after: list[list[int]] = [[] for _ in range(count)]
    for source, node in edges:
        after[source].append(node)
    found: list[set[int]] = [set() for _ in range(count)]
    for node in reversed(reading_order(count, edges)):
        for later in after[node]:
            found[node] |= {later, *found[later]}
    return found


def _canonical_order(labels: Sequence[str], edges: Sequence[Edge]) -> list[int]:
    """The order that makes the written graph least: by refined colours, and where these are equal by trying.

    Nodes of one colour that have the same predecessors and successors can change places, so only one of them is tried.
    """
    before: list[set[int]] = [set() for _ in labels]
    after: list[set[int]] = [set() for _ in labels]
    for source, node in edges:
        before[node].add(source)
        after[source].add(node)

    def refine(colours: list[int]) -> list[int]:
        while True:
            signs = [
                (
                    colours[node],
                    tuple(sorted([colours[other] for other in before[node]])),
                    tuple(sorted([colours[other] for other in after[node]])),
                )
                for node in range(len(labels))
            ]
            ranks = {sign: rank for rank, sign in enumerate(sorted(set(signs)))}
            finer = [ranks[sign] for sign in signs]
            if len(ranks) in (len(labels), len(set(colours))):
                return finer
            colours = finer

    best: tuple[list[Edge], list[int]] | None = None

    def search(colours: list[int]) -> None:
        nonlocal best
        colours = refine(colours)
        by_colour: dict[int, list[int]] = {}
        for node, colour in enumerate(colours):
            by_colour.setdefault(colour, []).append(node)
        tied = next((by_colour[colour] for colour in sorted(by_colour) if len(by_colour[colour]) > 1), None)
        if tied is None:
            place = colours
            written = sorted((place[a], place[b]) for a, b in edges)
            if best is None or written < best[0]:
                best = (written, sorted(range(len(labels)), key=place.__getitem__))
            return
        alike = all(before[node] == before[tied[0]] and after[node] == after[tied[0]] for node in tied)
        for node in tied[:1] if alike else tied:
            search([2 * colour + (colour == colours[node] and other != node) for other, colour in enumerate(colours)])

    ranks = {label: rank for rank, label in enumerate(sorted(set(labels)))}
    search([ranks[label] for label in labels])
    assert best is not None
    return best[1]


def topological_orders(count: int, edges: Sequence[Edge], draw: Random, most: int) -> list[tuple[int, ...]]:
    """Up to so many different topological orders of nodes numbered in reading order: this one, the most different one
    (what can come last comes first), and random ones."""
    found = [tuple(range(count))]
    last_first: Callable[[list[int]], int] = max
    for attempt in range(4 * most):
        if len(found) >= most:
            break
        waiting = {node: {before for before, after in edges if after == node} for node in range(count)}
        order: list[int] = []
        while waiting:
            ready = [node for node, before in waiting.items() if not before]
            node = draw.choice(ready) if attempt else last_first(ready)
            del waiting[node]
            order.append(node)
            for before in waiting.values():
                before.discard(node)
        if tuple(order) not in found:
            found.append(tuple(order))
    return found
