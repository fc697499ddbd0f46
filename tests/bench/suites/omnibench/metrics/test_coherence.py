"""OmniBench's largest coherence and longest run, against every topological order, one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omnibench_graphs import graph, graphs
from speed_metrics import adversary, coherence_seconds, random_graph

from omnipilot.bench.suites.omnibench.metrics.antichain import max_run
from omnipilot.bench.suites.omnibench.metrics.coherence import coherence, fewest_runs, longest_run, max_coherence
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph


def orders(waits: list[set[int]], done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every topological order."""
    if len(done) == len(waits):
        yield done
    for node, before in enumerate(waits):
        if node not in done and before <= set(done):
            yield from orders(waits, (*done, node))


def brute(drawn: TaskGraph) -> tuple[int, int]:
    """Largest coherence and longest run over every topological order."""
    at = {name: place for place, name in enumerate(drawn.ids)}
    waits = [{at[before] for before in drawn.predecessors()[name]} for name in drawn.ids]
    most = longest = 0
    for order in orders(waits):
        names = [drawn.subtasks[place].application for place in order]
        same = [a == b for a, b in zip(names, names[1:], strict=False)]
        most = max(most, sum(same))
        run = best = 1
        for equal in same:
            run = run + 1 if equal else 1
            best = max(best, run)
        longest = max(longest, best)
    return most, longest


@given(graphs(6) | graphs(9, dense=True))
def test_both_agree_with_every_topological_order(drawn: TaskGraph) -> None:
    assert (max_coherence(drawn), max_run(drawn)) == brute(drawn)


@given(graphs(12), st.randoms(use_true_random=False))
def test_names_and_the_order_of_the_records_change_nothing(drawn: TaskGraph, draw: random.Random) -> None:
    apps = dict(zip("XYZ", draw.sample("XYZPQR", 3), strict=True))
    ids = dict(zip(drawn.ids, draw.sample(range(100), len(drawn.ids)), strict=True))
    file = [Subtask(str(ids[one.id]), apps[one.application]) for one in drawn.subtasks]
    edges = [(str(ids[a]), str(ids[b])) for a, b in drawn.edges]
    draw.shuffle(file)
    draw.shuffle(edges)
    other = TaskGraph(tuple(file), tuple(edges))
    assert max_coherence(other) == max_coherence(drawn)
    assert max_run(other) == max_run(drawn)


def by_sets(drawn: TaskGraph) -> int:
    """Largest coherence by dynamic programming over (set of completed subtasks, last application)."""
    waits = drawn.ancestors()
    best: dict[tuple[int, str], int] = {(0, ""): 0}
    for _ in drawn.subtasks:
        after: dict[tuple[int, str], int] = {}
        for (done, last), value in best.items():
            for place, subtask in enumerate(drawn.subtasks):
                if not done >> place & 1 and not waits[place] & ~done:
                    key = (done | 1 << place, subtask.application)
                    after[key] = max(after.get(key, 0), value + (subtask.application == last))
        best = after
    return max(best.values())


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_dynamic_programming_beyond_enumeration(seed: int) -> None:
    draw = random.Random(seed)
    drawn = random_graph(draw, draw.randint(10, 14), draw.randint(2, 6), draw.choice([0.1, 0.2, 0.35]))
    assert max_coherence(drawn) == by_sets(drawn)


def by_layers(drawn: TaskGraph) -> int:
    """Fewest runs by all sets that whole runs reach, none dropped and none forced."""
    waits = drawn.ancestors()
    places: dict[str, list[int]] = {}
    for place, one in enumerate(drawn.subtasks):
        places.setdefault(one.application, []).append(place)
    layer, runs = {0}, 0
    while (1 << len(waits)) - 1 not in layer:
        reached = set()
        for done in layer:
            for own in places.values():
                after, before = done, -1
                while after != before:
                    before = after
                    for place in own:
                        if not waits[place] & ~after:
                            after |= 1 << place
                reached.add(after)
            reached.discard(done)
        layer, runs = reached, runs + 1
    return runs


def test_the_adversary_of_the_bench_needs_seventeen_runs() -> None:
    assert len(adversary().subtasks) == 24
    assert fewest_runs(adversary()) == by_layers(adversary()) == 17


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_all_layers_at_twenty_four_subtasks(seed: int) -> None:
    draw = random.Random(seed)
    drawn = random_graph(draw, 24, draw.randint(3, 12), draw.choice([0.05, 0.12, 0.2, 0.35]))
    assert fewest_runs(drawn) == by_layers(drawn)


def test_the_bench_measures_all_three() -> None:
    measured = coherence_seconds(graphs=1, rounds=1)
    assert set(measured) == {"median", "slowest", "adversarial"}
    assert 0 < measured["median"] <= measured["slowest"]


@pytest.mark.parametrize(
    ("drawn", "most", "longest"),
    [
        (graph("aX"), 0, 1),
        (graph("aX bX cX"), 2, 3),
        (graph("aX bY cX"), 1, 2),  # free: X X Y
        (graph("aX bY cX", "ab", "bc"), 0, 1),  # a chain that alternates
        (graph("aX bY cX dY", "ab", "cd"), 2, 2),  # X X Y Y
        (graph("aX bY cY dX", "ab", "cd"), 1, 2),  # X Y Y X or Y X X Y: three runs each
        (graph("aX bY cX dY eX", "ab", "bc", "cd", "de"), 0, 1),
        (graph("aX bX cY dX", "ac", "cd"), 1, 2),  # b goes with a or with d
        (graph("aX bX cX dY eX fX", "ad", "de"), 3, 4),  # X X X X Y X
    ],
)
def test_small_graphs_by_hand(drawn: TaskGraph, most: int, longest: int) -> None:
    assert (max_coherence(drawn), max_run(drawn)) == (most, longest)
    assert fewest_runs(drawn) == len(drawn.subtasks) - most


def test_a_sequence_is_scored_by_pairs_and_by_its_longest_run() -> None:
    assert [coherence(word) for word in ("", "X", "XX", "XYX", "XXYYY")] == [0, 0, 1, 0, 3]
    assert [longest_run(word) for word in ("", "X", "XX", "XYX", "XXYYY")] == [1, 1, 2, 1, 3]


def test_twenty_four_free_subtasks_need_a_run_an_application() -> None:
    free = TaskGraph(tuple(Subtask(str(i), f"app {i % 7}") for i in range(24)))
    assert max_coherence(free) == 24 - 7
    assert max_run(free) == 4
