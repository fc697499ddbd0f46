"""What replies of a group are worth, on numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from omnipilot.bench.training.reinforce.advantage import AdvantageScale, lessons_of
from omnipilot.bench.training.reinforce.policy import ReplyLesson, SampledReply

A, B, C = SampledReply((1,), (-0.5,)), SampledReply((2, 3), (-1.0, -0.1)), SampledReply((4,), (-2.0,))
Told = dict[tuple[object, tuple[int, ...]], tuple[float, float, int]]


def told(lessons: Sequence[ReplyLesson]) -> Told:
    return {(one.question, one.reply.tokens): (one.up, one.down, one.times) for one in lessons}


def learnt(*groups: list[tuple[list[tuple[object, SampledReply]], float]], scale: AdvantageScale = "mean") -> Told:
    return told(lessons_of(groups, scale)[0])  # type: ignore[arg-type]


def test_a_reply_is_worth_what_came_of_it_less_the_mean_of_all_that_were_asked() -> None:
    group = [([("q", A)], 1.0), ([("q", A)], 0.5), ([("q", B)], 0.0), ([("q", B)], 0.5)]
    # The mean is 0.5; A came to 0.75 and was given twice, B to 0.25.
    assert learnt(group) == {("q", (1,)): (0.5, 0.0, 2), ("q", (2, 3)): (0.0, -0.5, 2)}


def test_what_a_rollout_does_alone_is_no_lesson() -> None:
    group = [([("q", A), ("r", A), ("s", B)], 1.0), ([("q", B), ("t", A)], 0.0)]
    assert learnt(group) == {("q", (1,)): (0.5, 0.0, 1), ("q", (2, 3)): (0.0, -0.5, 1)}


def test_those_that_go_on_together_are_compared_once_more_where_they_part() -> None:
    group = [
        ([("q", A), ("r", A)], 1.0),
        ([("q", A), ("r", B)], 0.0),
        ([("q", B)], 0.5),
    ]
    # At q, both replies came to 0.5; at r, one to 1 and one to 0.
    assert learnt(group) == {("r", (1,)): (0.5, 0.0, 1), ("r", (2, 3)): (0.0, -0.5, 1)}


def test_a_rollout_that_has_ended_is_not_compared_any_more() -> None:
    group = [([("q", A)], 0.25), ([("q", A), ("r", A)], 1.0), ([("q", A), ("r", B)], 0.0)]
    assert learnt(group) == {("r", (1,)): (0.5, 0.0, 1), ("r", (2, 3)): (0.0, -0.5, 1)}


def test_equal_replies_to_equal_questions_of_several_groups_are_one_lesson() -> None:
    better, worse = [([("q", A)], 1.0), ([("q", B)], 0.0)], [([("q", A)], 0.0), ([("q", C)], 0.5)]
    assert learnt(better, worse) == {
        ("q", (1,)): (0.5, -0.25, 2),
        ("q", (2, 3)): (0.0, -0.5, 1),
        ("q", (4,)): (0.25, 0.0, 1),
    }


def test_the_standard_deviation_divides_where_it_is_asked_for() -> None:
    # mean 0.25, deviations 0.75 and three times -0.25: variance (0.5625 + 3 * 0.0625) / 4 = 0.1875
    group = [([("q", A)], 1.0), *[([("q", B)], 0.0)] * 3]
    found = learnt(group, scale="std")
    assert found["q", (1,)][0] == pytest.approx(0.75 / 0.1875**0.5)
    assert found["q", (2, 3)][1] == pytest.approx(-0.75 / 0.1875**0.5)


def test_what_several_did_alike_is_held_and_not_learnt() -> None:
    group = [([("q", A), ("r", A)], 1.0), ([("q", A), ("r", B)], 0.0), ([("q", A), ("r", B), ("s", C)], 0.0)]
    lessons, alike = lessons_of([group, [([("s", C)], 0.5), ([("s", C)], 0.5)]])  # type: ignore[list-item]
    assert set(told(lessons)) == {("r", (1,)), ("r", (2, 3))}
    assert told(alike) == {("q", (1,)): (0.0, 0.0, 3), ("s", (4,)): (0.0, 0.0, 2)}
    assert all(one.held for one in alike) and not any(one.held for one in lessons)


def test_a_group_that_did_equally_well_teaches_nothing() -> None:
    assert learnt([([("q", A)], 0.5), ([("q", B)], 0.5)]) == {}
