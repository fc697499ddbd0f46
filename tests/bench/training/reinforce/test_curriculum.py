"""What is practised: tasks that sometimes succeed, and moments further back as they are mastered."""

from __future__ import annotations

from collections import Counter
from random import Random

from omnipilot.bench.training.reinforce.curriculum import FLOOR, Curriculum

TASKS = {
    "easy": {"branch": "easy"},
    "half": {"branch": "medium"},
    "hard": {"branch": "hard"},
    "new": {"branch": "hard"},
}


def learnt(times: int = 30) -> Curriculum:
    found = Curriculum(TASKS)
    for _ in range(times):
        found.learn("easy", found.standings["easy"].share, 1.0)
        found.learn("half", found.standings["half"].share, 0.5)
        found.learn("hard", found.standings["hard"].share, 0.0)
    return found


def test_what_sometimes_succeeds_is_practised_most() -> None:
    found = learnt()
    drawn = Counter(task for task, _ in found.choose(Random(0), 2000))
    assert drawn["half"] > 3 * drawn["easy"] > 0 and drawn["half"] > 3 * drawn["hard"] > 0
    assert FLOOR <= found.weight("easy") < 0.3 < 0.95 < found.weight("half")


def test_a_task_that_was_not_played_is_judged_by_those_of_its_complexity() -> None:
    found = learnt()
    assert found.estimate("new") < 0.3 < Curriculum(TASKS).estimate("new")


def test_beginnings_move_forward_where_all_fail_and_back_again_where_they_succeed() -> None:
    found = Curriculum({"task": {}})
    one = found.standings["task"]
    assert one.share == 1.0
    found.learn("task", 1.0, 0.0)
    assert one.share == 0.5
    found.learn("task", 0.5, 0.5)
    assert one.share == 0.5
    found.learn("task", 0.5, 1.0)
    assert one.share == 0.75
    found.learn("task", 0.75, 1.0)
    assert one.share == 1.0


def test_a_group_from_another_moment_moves_nothing() -> None:
    found = Curriculum({"task": {}})
    found.learn("task", 0.5, 0.0)
    found.learn("task", 1.0, 0.0, led=False)
    assert found.standings["task"].share == 1.0


def test_it_goes_on_from_what_was_noted() -> None:
    found = learnt(7)
    other = Curriculum(TASKS)
    other.take_json({**found.to_json(), "gone": {"share": 1.0, "solved": 0.0, "groups": 1}})
    assert other.standings == found.standings
    assert other.choose(Random(3), 50) == found.choose(Random(3), 50)
