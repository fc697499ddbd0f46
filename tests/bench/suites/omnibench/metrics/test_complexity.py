"""OmniBench's complexities of a task graph, both readings of width, and scores by capability and level."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from omnibench_graphs import graph, graphs

from omnipilot.bench.suites.omnibench.metrics.antichain import graph_antichain
from omnipilot.bench.suites.omnibench.metrics.complexity import (
    CATEGORIES,
    category_of,
    complexity_of,
)
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.envs import ConfigError

# Table 5 of the paper: by row easy, medium, its drop, hard, its drop; five complexities.
TABLE_5 = """
32.8 27.6 5.2 24.3 3.3 41.2 36.8 4.4 30.6 6.2 49.5 36.9 12.6 25.3 11.6 38.4 32.5 5.9 27.6 4.9 37.9 33.6 4.3 29.7 3.9
32.3 26.8 5.5 23.7 3.1 39.1 31.0 8.1 25.4 5.6 44.3 34.8 9.5 21.8 13.0 33.9 28.4 5.5 24.3 4.1 34.5 28.1 6.4 25.6 2.5
34.0 28.3 5.7 25.6 2.7 41.3 32.7 8.6 28.2 4.5 45.9 36.6 9.3 25.4 11.2 37.8 32.6 5.2 27.4 5.2 37.6 32.0 5.6 28.1 3.9
32.7 29.1 3.6 24.9 4.2 35.2 32.4 2.8 27.6 4.8 48.2 37.5 10.7 26.7 10.8 39.1 34.2 4.9 28.9 5.3 43.1 38.4 4.7 33.2 5.2
34.1 30.0 4.1 27.1 2.9 44.6 38.3 6.3 32.4 5.9 53.0 39.4 13.6 27.2 12.2 42.3 36.4 5.9 32.6 3.8 35.7 28.8 6.9 25.5 3.3
"""


def with_apps(count: int, apps: str, *edges: tuple[int, int]) -> TaskGraph:
    names = apps.split(",")
    return TaskGraph(
        tuple(Subtask(f"n{i}", names[i % len(names)]) for i in range(count)),
        tuple((f"n{a}", f"n{b}") for a, b in edges),
    )


def test_table_11_has_49_applications_in_12_categories() -> None:
    names = [name for group in CATEGORIES.values() for name in group]
    assert [len(group) for group in CATEGORIES.values()] == [4, 4, 6, 3, 10, 3, 4, 2, 4, 3, 4, 2]
    assert (len(CATEGORIES), len(names), len(set(names))) == (12, 49, 49)


def test_a_category_is_read_from_the_table_or_from_the_subtask() -> None:
    assert category_of(Subtask("a", "Excel")) == category_of(Subtask("a", "excel")) == "Office"
    assert category_of(Subtask("a", "Excel", "numbers")) == "numbers"
    with pytest.raises(ConfigError, match="give the subtask a category"):
        category_of(Subtask("a", "Solitaire"))


def test_the_two_readings_of_width_differ() -> None:
    # Levels {0, 4}, {1, 3}, {2}; but 1, 3 and 4 do not wait for one another.
    drawn = with_apps(5, "Excel", (0, 1), (1, 2), (0, 3), (4, 2))
    assert complexity_of(drawn).branch == 2
    assert complexity_of(drawn, "antichain").branch == 3


@given(graphs(8))
def test_the_largest_antichain_by_trying_every_set(drawn: TaskGraph) -> None:
    waits = drawn.ancestors()
    sizes = [
        len(some)
        for size in range(1, len(waits) + 1)
        for some in itertools.combinations(range(len(waits)), size)
        if not any(waits[one] >> other & 1 for one in some for other in some)
    ]
    depths = list(drawn.depths().values())
    assert graph_antichain(drawn) == max(sizes) >= max(depths.count(depth) for depth in depths)


def test_the_five_figures_by_hand() -> None:
    drawn = with_apps(5, "Excel,Word,Mail", (0, 1), (0, 2), (1, 3), (2, 3), (0, 1), (3, 4))
    assert complexity_of(drawn).figures() == {
        "dependency": 5,  # the edge listed twice counts once
        "instruction": 5,
        "hierarchy": 4,
        "branch": 2,
        "knowledge": 2,  # Excel and Word are both Office
    }


def test_the_other_width_counts_differently() -> None:
    # Width 2 by levels and 5 by antichain: a comb whose teeth hang at all depths.
    comb = with_apps(9, "Excel", (0, 1), (1, 2), (2, 3), (0, 4), (1, 5), (2, 6), (3, 7), (3, 8))
    assert complexity_of(comb).branch == 2
    assert complexity_of(comb, "antichain").branch == 5


def test_the_drops_of_table_5_and_their_mean() -> None:
    drops = []
    for row in TABLE_5.split("\n")[1:-1]:
        figures = [float(figure) for figure in row.split()]
        for place in range(0, 25, 5):
            easy, medium, first, hard, second = figures[place : place + 5]
            assert easy - medium == pytest.approx(first)
            assert medium - hard == pytest.approx(second)
            drops += [first, second]
    # §5.3 says 6.19.
    assert sum(drops) / len(drops) == pytest.approx(6.19, abs=0.005)


def test_a_graph_of_letters_has_no_category() -> None:
    with pytest.raises(ConfigError, match="table 11"):
        complexity_of(graph("aX"))
