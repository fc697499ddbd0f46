"""OmniBench's coverage and consistency as printed, its completion and coherence as coded, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from omnibench_graphs import graph, graphs

from omnipilot.bench.suites.omnibench.metrics.execution import Execution, consistency, coverage, report
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.envs import ConfigError

DIAMOND = graph("aX bX cY dX", "ab", "ac", "bd", "cd")  # depths 1, 2, 2, 3; best order X X Y X


@pytest.mark.parametrize(
    ("executed", "paper", "release"),
    [
        ("", 0, 0),  # level 1 is unfinished: (1 - 1) / 3
        ("a", 1 / 8, 1 / 3),
        ("ab", 3 / 8, 1 / 3),  # half of a level counts nothing in the release
        ("abc", 5 / 8, 1),  # the last level is never looked at
        ("abcd", 1, 1),
    ],
)
def test_coverage(executed: str, paper: float, release: float) -> None:
    run = Execution(DIAMOND, tuple(executed))
    assert coverage(run) == pytest.approx(paper)
    assert coverage(run, "release") == pytest.approx(release)


@pytest.mark.parametrize(
    ("executed", "paper", "release"),
    [
        ("", 0, 0),
        ("a", 0, 0),
        ("ab", 1, 1),  # CS_max = 1 (X X Y X), longest run 2
        ("ac", 0, 0),
        ("acbd", 1, 1),  # X Y X X
        ("abcd", 1, 1),
    ],
)
def test_consistency(executed: str, paper: float, release: float) -> None:
    run = Execution(DIAMOND, tuple(executed))
    assert consistency(run) == paper
    assert consistency(run, "release") == release


def test_the_two_forms_of_consistency_differ() -> None:
    # Two applications of three free subtasks each: CS_max = 4, longest run 3.
    free = graph("aX bX cX dY eY fY")
    run = Execution(free, tuple("abcd"))  # X X X Y
    assert consistency(run) == 2 / 4
    assert consistency(run, "release") == 1.0
    mixed = Execution(free, tuple("adbecf"))  # X Y X Y X Y
    assert consistency(mixed) == consistency(mixed, "release") == 0
    whole = Execution(free, tuple("abdefc"))  # X X Y Y Y X
    assert consistency(whole) == 3 / 4
    assert consistency(whole, "release") == 1.0


def test_where_nothing_can_be_coherent_the_paper_is_silent_and_the_release_says_zero() -> None:
    chain = graph("aX bY cX", "ab", "bc")
    run = Execution(chain, ("a", "b", "c"))
    assert consistency(run) is None
    assert consistency(run, "release") == 0.0


def test_a_task_of_one_level_is_complete_before_it_begins_in_the_release() -> None:
    idle = Execution(graph("aX bX"))
    assert coverage(idle) == 0
    assert coverage(idle, "release") == 1.0


def test_overall_scores_are_means_over_tasks_and_undefined_consistency_is_left_out() -> None:
    chain = graph("aX bY", "ab")
    runs = [Execution(DIAMOND, tuple("abcd")), Execution(chain, ("a",)), Execution(DIAMOND, tuple("ac"))]
    paper = report(runs)
    assert paper.coverage == pytest.approx((1 + 1 / 3 + 3 / 8) / 3)
    assert (paper.consistency, paper.consistency_of) == (0.5, 2)
    assert (paper.variant, paper.tasks, paper.void) == ("paper", 3, 0)
    assert paper.success == pytest.approx(1 / 3)
    release = report(runs, "release")
    assert release.coverage == pytest.approx((1 + 1 + 1 / 3) / 3)  # the chain lacks only its last level: 1
    assert (release.consistency, release.consistency_of) == (pytest.approx(1 / 3), 3)


def test_void_executions_stay_and_count_as_zero() -> None:
    found = report([Execution(DIAMOND, tuple("abcd")), Execution(DIAMOND, tuple("abcd"), void=True)])
    assert (found.coverage, found.consistency, found.success, found.void) == (0.5, 0.5, 0.5, 1)
    assert coverage(Execution(graph("aX"), void=True), "release") == 0.0


def test_of_nothing_nothing_is_said() -> None:
    found = report([])
    assert found.coverage is found.consistency is found.success is None


@given(graphs(9))
def test_scores_stay_in_range_and_grow_with_progress(drawn: TaskGraph) -> None:
    order = tuple(drawn.depths())
    last = -1.0
    for length in range(len(order) + 1):
        run = Execution(drawn, order[:length])
        assert last < coverage(run) <= 1
        last = coverage(run)
        for variant in ("paper", "release"):
            assert 0 <= coverage(run, variant) <= 1  # type: ignore[arg-type]
            score = consistency(run, variant)  # type: ignore[arg-type]
            assert score is None or 0 <= score <= 1
    assert last == pytest.approx(1)


@pytest.mark.parametrize(
    ("executed", "told"),
    [("az", "not in the task: z"), ("aa", "a was completed twice"), ("ad", "d was completed before b")],
)
def test_an_impossible_execution_is_refused(executed: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        Execution(DIAMOND, tuple(executed))


@pytest.mark.parametrize(
    ("subtasks", "edges", "told"),
    [
        ((), (), "at least one"),
        (("a", "a"), (), "twice: a"),
        (("a",), (("a", "b"),), "unknown subtasks: b"),
        (("a", "b", "c"), (("a", "b"), ("b", "a"), ("b", "c")), "blocks: a, b, c"),
    ],
)
def test_an_impossible_graph_is_refused(
    subtasks: tuple[str, ...], edges: tuple[tuple[str, str], ...], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        TaskGraph(tuple(Subtask(name, "X") for name in subtasks), edges)


def test_an_edge_listed_twice_counts_once() -> None:
    assert graph("aX bX", "ab", "ab").depths() == {"a": 1, "b": 2}
