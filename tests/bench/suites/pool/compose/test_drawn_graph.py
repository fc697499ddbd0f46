"""The key of a graph is equal exactly where networkx finds an isomorphism."""

from __future__ import annotations

from random import Random

import pytest

from omnipilot.bench.suites.pool.compose.drawn_graph import (
    DrawnGraph,
    descendants,
    graph_key,
    levels_of,
    reading_order,
    renumber,
)

networkx = pytest.importorskip("networkx")


def random_graph(draw: Random, labels: str) -> tuple[list[str], list[tuple[int, int]]]:
    count = draw.randint(2, 6)
    numbers = draw.sample(range(count), count)
    edges = [(numbers[a], numbers[b]) for b in range(count) for a in range(b) if draw.random() < 0.4]
    return [draw.choice(labels) for _ in range(count)], edges


def as_networkx(labels: list[str], edges: list[tuple[int, int]]) -> object:
    found = networkx.DiGraph()
    found.add_nodes_from((node, {"label": label}) for node, label in enumerate(labels))
    found.add_edges_from(edges)
    return found


def test_keys_are_equal_exactly_for_isomorphic_graphs() -> None:
    draw = Random(7)
    graphs = [random_graph(draw, "ab") for _ in range(220)]
    same = 0
    for number, (labels, edges) in enumerate(graphs):
        for other_labels, other_edges in graphs[:number]:
            if sorted(labels) != sorted(other_labels) or len(edges) != len(other_edges):
                continue
            isomorphic = networkx.is_isomorphic(
                as_networkx(labels, edges),
                as_networkx(other_labels, other_edges),
                node_match=lambda a, b: a["label"] == b["label"],
            )
            same += isomorphic
            assert (graph_key(labels, edges) == graph_key(other_labels, other_edges)) == isomorphic
    assert same > 20


def test_a_renumbered_graph_has_the_same_key_and_reads_in_order() -> None:
    draw = Random(8)
    for _ in range(200):
        labels, edges = random_graph(draw, "abcdef")
        graph = renumber(DrawnGraph(tuple(labels), tuple((b, "in", a) for a, b in edges)))
        assert graph_key(labels, edges) == graph_key(graph.labels, graph.edges)
        assert all(before < after for before, after in graph.edges)


def test_levels_and_descendants_are_those_of_networkx() -> None:
    draw = Random(9)
    for _ in range(100):
        labels, edges = random_graph(draw, "a")
        graph = as_networkx(labels, edges)
        levels = levels_of(len(labels), edges)
        for level, nodes in enumerate(networkx.topological_generations(graph), 1):
            assert {levels[node] for node in nodes} == {level}
        assert descendants(len(labels), edges) == [networkx.descendants(graph, node) for node in range(len(labels))]


def test_chains_are_read_through_before_the_next_one_begins() -> None:
    assert reading_order(4, [(0, 2), (1, 3)]) == [0, 2, 1, 3]


def test_many_alike_nodes_are_no_trouble() -> None:
    assert graph_key(["a"] * 12, []) == graph_key(["a"] * 12, [])
    assert graph_key(["a"] * 12, [(0, 1)]) == graph_key(["a"] * 12, [(7, 3)]) != graph_key(["a"] * 12, [])
