"""What rollouts of a group are worth, on numbers worked out by hand."""

from __future__ import annotations

import pytest

from omnipilot.bench.training.reinforce.advantage import advantages, lessons_of
from omnipilot.bench.training.reinforce.policy import SampledReply

A, B = SampledReply((1,), (-0.5,)), SampledReply((2, 3), (-1.0, -0.1))


def test_the_mean_of_the_group_is_taken_off() -> None:
    assert advantages([1.0, 0.0, 0.0, 1.0]) == [0.5, -0.5, -0.5, 0.5]
    assert advantages([0.5, 0.5]) == [0.0, 0.0]


def test_the_standard_deviation_divides_where_it_is_asked_for() -> None:
    # mean 0.25, deviations 0.75 and three times -0.25: variance (0.5625 + 3 * 0.0625) / 4 = 0.1875
    found = advantages([1.0, 0.0, 0.0, 0.0], "std")
    assert found == pytest.approx([0.75 / 0.1875**0.5, *[-0.25 / 0.1875**0.5] * 3])
    assert advantages([0.25, 0.25], "std") == [0.0, 0.0]


def test_equal_replies_to_equal_questions_are_one_lesson() -> None:
    found = lessons_of([([("q", A), ("r", A)], 0.5), ([("q", A), ("r", B)], -0.25), ([("q", B)], -0.25)])
    told = {(one.question, one.reply.tokens): (one.up, one.down, one.times) for one in found}
    assert told == {
        ("q", (1,)): (0.5, -0.25, 2),
        ("q", (2, 3)): (0.0, -0.25, 1),
        ("r", (1,)): (0.5, 0.0, 1),
        ("r", (2, 3)): (0.0, -0.25, 1),
    }


def test_what_all_did_alike_is_no_lesson() -> None:
    assert lessons_of([([("q", A)], 0.5), ([("q", A)], -0.5)]) == []
    assert lessons_of([([("q", A)], 0.0), ([("q", B)], 0.0)]) == []
