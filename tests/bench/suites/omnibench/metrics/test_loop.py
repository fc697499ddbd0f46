"""OmniBench's released evaluation loop: order within a step, limits before judging, FINISH or nothing."""

from __future__ import annotations

from omnibench_graphs import graph

from omnipilot.bench.suites.omnibench.metrics.loop import JudgedStep, follow


def steps(*held: str) -> list[JudgedStep]:
    """Steps after which these subtasks hold; a "!" at the end says FINISH."""
    return [JudgedStep(frozenset(one.rstrip("!")), one.endswith("!")) for one in held]


def test_a_child_listed_after_its_parent_is_completed_in_the_same_step() -> None:
    down = follow(graph("aX bX cX", "ab", "bc"), steps("abc"))
    assert down.execution.executed == ("a", "b", "c")
    up = graph("cX bX aX", "ab", "bc")
    assert follow(up, steps("abc")).execution.executed == ("a",)
    assert follow(up, steps("abc", "abc", "abc")).execution.executed == ("a", "b", "c")


def test_within_a_step_the_order_is_that_of_the_file() -> None:
    assert follow(graph("bX aY cX"), steps("abc")).execution.executed == ("b", "a", "c")


def test_completion_is_for_good_and_waits_for_what_comes_before() -> None:
    found = follow(graph("aX bX", "ab"), steps("b", "a", "", "b!"))
    assert found.execution.executed == ("a", "b")
    assert (found.outcome, found.steps) == ("Success", 4)


def test_finish_decides() -> None:
    both = graph("aX bX")
    early = follow(both, steps("a!", "b"))
    assert early.outcome == "Fail (Agent finished before completing all subtasks)"
    assert (early.execution.executed, early.steps) == (("a",), 1)
    assert follow(both, steps("ab!")).outcome == "Success"
    assert follow(both, steps("ab")).outcome == "running"


def test_everything_complete_without_finish_ends_by_waiting() -> None:
    found = follow(graph("aX"), steps("a", *[""] * 30))
    assert (found.outcome, found.steps) == ("Fail (waited too long)", 22)
    assert found.execution.success


def test_the_step_that_hits_a_limit_is_not_judged() -> None:
    one = graph("aX")
    assert follow(one, steps(*[""] * 19, "a!")).outcome == "Success"
    late = follow(one, steps(*[""] * 20, "a!"))
    assert (late.outcome, late.steps, late.execution.executed) == ("Fail (waited too long)", 21, ())
    two = graph("aX bX", "ab")
    cut = follow(two, steps("a", "", "b!"), max_steps=2)
    assert (cut.outcome, cut.steps, cut.execution.executed) == ("Fail (exceeded max steps)", 3, ("a",))


def test_progress_starts_the_wait_again() -> None:
    two = graph("aX bX", "ab")
    assert follow(two, steps(*[""] * 19, "a", *[""] * 19, "b!")).outcome == "Success"


def test_the_limit_on_steps_comes_before_that_on_waiting() -> None:
    assert follow(graph("aX"), steps("", ""), max_steps=1, wait_limit=1).outcome == "Fail (exceeded max steps)"


def test_no_step_no_end() -> None:
    assert (follow(graph("aX"), []).outcome, follow(graph("aX"), []).steps) == ("running", 0)
