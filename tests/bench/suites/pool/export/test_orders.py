"""Topological orders: counted exactly, listed, and the one that changes applications least."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from omnipilot.bench.suites.omnibench.metrics.coherence import coherence, max_coherence
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.pool.export.orders import all_orders, chosen_orders, coherent_order, count_orders


def drawn(seed: int) -> tuple[int, list[tuple[int, int]], list[str]]:
    """A graph of up to seven nodes, and an application for each."""
    random = Random(seed)
    nodes = random.randint(1, 7)
    pairs = list(itertools.combinations(range(nodes), 2))
    return nodes, [pair for pair in pairs if random.random() < 0.3], [random.choice("ABC") for _ in range(nodes)]


@pytest.mark.parametrize("seed", range(20))
def test_orders_are_those_permutations_that_keep_every_edge(seed: int) -> None:
    nodes, edges, _ = drawn(seed)
    allowed = [
        order
        for order in itertools.permutations(range(nodes))
        if all(order.index(before) < order.index(after) for before, after in edges)
    ]
    assert sorted(all_orders(nodes, edges)) == sorted(allowed)
    assert count_orders(nodes, edges) == len(allowed)


def test_many_orders_are_counted_without_listing_them() -> None:
    assert count_orders(16, []) == 20922789888000


@pytest.mark.parametrize("seed", range(20))
def test_the_most_coherent_order_has_as_many_pairs_as_omnibench_finds(seed: int) -> None:
    nodes, edges, apps = drawn(seed)
    graph = TaskGraph(
        tuple(Subtask(str(node), app) for node, app in enumerate(apps)),
        tuple((str(before), str(after)) for before, after in edges),
    )
    order = coherent_order(nodes, edges, apps)
    assert order in set(all_orders(nodes, edges))
    assert coherence([apps[node] for node in order]) == max_coherence(graph)


def test_chosen_orders_differ_and_begin_with_the_most_coherent() -> None:
    apps = ["A", "B", "A", "B"]
    chosen = chosen_orders(4, [], apps, 3, seed=1)
    assert len(set(chosen)) == 3
    assert coherence([apps[node] for node in chosen[0]]) == 2
    assert chosen_orders(3, [(0, 1), (1, 2)], apps, 5, seed=1) == [(0, 1, 2)]
