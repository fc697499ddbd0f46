"""OmniBench's rules one by one: depth, saturation of the coded scores, order within a step, both limits."""

from __future__ import annotations

import pytest
from omnibench_graphs import graph

from omnipilot.bench.suites.omnibench.metrics.coherence import coherence, longest_run
from omnipilot.bench.suites.omnibench.metrics.complexity import complexity_of
from omnipilot.bench.suites.omnibench.metrics.execution import Execution, consistency, coverage, report
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.omnibench.metrics.loop import MAX_STEPS, WAIT_LIMIT, JudgedStep, follow

CHAIN = graph("aX bX cX dX", "ab", "bc", "cd")  # depths 1 to 4, together 10


@pytest.mark.parametrize(
    ("done", "paper", "coded"), [(0, 0, 0), (1, 0.1, 1 / 4), (2, 0.3, 2 / 4), (3, 0.6, 1), (4, 1, 1)]
)
def test_the_coded_completion_never_looks_at_the_last_level(done: int, paper: float, coded: float) -> None:
    run = Execution(CHAIN, tuple("abcd")[:done])
    assert coverage(run) == pytest.approx(paper)
    assert coverage(run, "release") == pytest.approx(coded)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_task_of_one_level_is_worth_1_with_nothing_done(width: int) -> None:
    flat = TaskGraph(tuple(Subtask(str(place), "X") for place in range(width)))
    assert (coverage(Execution(flat)), coverage(Execution(flat), "release")) == (0, 1)


def test_part_of_a_level_is_worth_nothing_as_coded() -> None:
    wide = graph("aX bX cX dX eX", "ab", "ac", "ad", "be")  # levels a; b c d; e
    values = [coverage(Execution(wide, tuple("abcde")[:done]), "release") for done in range(6)]
    assert values == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1, 1])
    assert coverage(Execution(wide, tuple("abe"))) == pytest.approx((1 + 2 + 3) / 10)
    assert coverage(Execution(wide, tuple("abe")), "release") == pytest.approx(1 / 3)


def test_the_depth_is_the_longest_way_from_a_root_and_roots_are_1_deep() -> None:
    assert graph("aX bX cX dX", "ab", "bc", "ac", "dc").depths() == {"a": 1, "b": 2, "c": 3, "d": 1}


@pytest.mark.parametrize(
    ("applications", "pairs", "run"),
    [("", 0, 1), ("X", 0, 1), ("XY", 0, 1), ("XX", 1, 2), ("XXYXX", 2, 2), ("XYYYX", 2, 3)],
)
def test_pairs_and_runs_of_a_sequence(applications: str, pairs: int, run: int) -> None:
    assert (coherence(applications), longest_run(applications)) == (pairs, run)


def test_where_no_order_has_a_pair_lc_is_null_and_the_coded_score_0() -> None:
    # X and Y in turn, so that each order has runs of one.
    alternating = Execution(graph("aX bY cX dY", "ab", "bc", "cd"), tuple("abcd"))
    assert (consistency(alternating), consistency(alternating, "release")) == (None, 0.0)
    runs = [alternating, Execution(CHAIN, tuple("ab"))]
    paper, coded = report(runs), report(runs, "release")
    assert (paper.consistency, paper.consistency_of) == (pytest.approx(1 / 3), 1)
    assert (coded.consistency, coded.consistency_of) == (pytest.approx((0 + 1 / 3) / 2), 2)


def test_one_completed_subtask_has_no_run_to_speak_of() -> None:
    for done in ("", "a"):
        assert consistency(Execution(CHAIN, tuple(done)), "release") == 0.0


@pytest.mark.parametrize(("file", "lc", "coded"), [("aX bY cX", 0, 0), ("aX cX bY", 1, 1), ("bY aX cX", 1, 1)])
def test_within_a_step_the_file_s_order_decides_about_consistency(file: str, lc: float, coded: float) -> None:
    run = follow(graph(file), [JudgedStep(frozenset("abc"))]).execution
    assert (consistency(run), consistency(run, "release")) == (lc, coded)


def test_the_limits_are_200_steps_and_20_without_progress() -> None:
    assert (MAX_STEPS, WAIT_LIMIT) == (200, 20)
    names = [f"n{place}" for place in range(12)]
    chain = TaskGraph(tuple(Subtask(name, "X") for name in names), tuple(zip(names, names[1:], strict=False)))
    # One subtask every twentieth step, ten by step 200; that of step 201 is not judged.
    steps = [JudgedStep(frozenset({names[at // 20 - 1]}) if at % 20 == 0 else frozenset()) for at in range(1, 201)]
    late = follow(chain, [*steps, JudgedStep(frozenset(names), finish=True)])
    assert (late.outcome, late.steps, len(late.execution.executed)) == ("Fail (exceeded max steps)", 201, 10)
    # One step later each, and the first comes too late.
    waited = follow(chain, [JudgedStep(), *steps])
    assert (waited.outcome, waited.steps, waited.execution.executed) == ("Fail (waited too long)", 21, ())


def test_width_is_the_largest_level_by_default_and_the_largest_antichain_on_request() -> None:
    teeth = TaskGraph(
        tuple(Subtask(name, "Excel") for name in "abcxyz"),
        (("a", "b"), ("b", "c"), ("a", "x"), ("b", "y"), ("c", "z")),
    )
    # Levels a; b x; c y; z. Of x, y, z and nothing else none waits for another.
    assert (complexity_of(teeth).branch, complexity_of(teeth, "antichain").branch) == (2, 3)
