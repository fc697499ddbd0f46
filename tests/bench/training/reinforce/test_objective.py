"""The loss of lessons, on numbers worked out by hand."""

from __future__ import annotations

import math

import pytest

from omnipilot.bench.training.reinforce.policy import ReplyLesson, SampledReply

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)


def loss(ratio: float, up: float, down: float, start: float | None = None, times: int = 1, rein: float = 0.0) -> float:
    from omnipilot.bench.training.reinforce.objective import lesson_loss
    from omnipilot.bench.training.reinforce.policy import ReplyScores

    lesson = ReplyLesson("q", SampledReply((1,), (-1.0,)), up, down, times)
    logs = torch.tensor([-1.0 + math.log(ratio)])
    before = None if start is None else torch.tensor([start])
    return float(lesson_loss([lesson], ReplyScores(logs, torch.zeros(1)), before, 0.2, rein).loss)


def test_a_gain_counts_up_to_where_it_is_clipped() -> None:
    assert loss(1.0, 0.5, 0.0) == pytest.approx(-0.5)
    assert loss(1.1, 0.5, 0.0) == pytest.approx(-0.55)
    assert loss(1.5, 0.5, 0.0) == pytest.approx(-0.6)
    assert loss(0.5, 0.5, 0.0) == pytest.approx(-0.25)


def test_a_loss_is_clipped_on_the_other_side() -> None:
    assert loss(1.5, 0.0, -0.5) == pytest.approx(0.75)
    assert loss(0.5, 0.0, -0.5) == pytest.approx(0.4)


def test_a_sum_of_lessons_is_what_they_are_one_by_one() -> None:
    assert loss(1.5, 0.75, -0.5) == pytest.approx(loss(1.5, 0.25, 0.0) + loss(1.5, 0.5, 0.0) + loss(1.5, 0.0, -0.5))


def test_figures_count_a_token_as_often_as_it_was_given() -> None:
    from omnipilot.bench.training.reinforce.objective import k3, lesson_loss
    from omnipilot.bench.training.reinforce.policy import ReplyScores

    lessons = [
        ReplyLesson("q", SampledReply((1,), (-1.0,)), 0.5, 0.0, 3),
        ReplyLesson("p", SampledReply((2,), (-1.0,)), 0.5, 0.0, 1),
    ]
    logs, start = torch.tensor([-0.5, -1.0]), torch.tensor([-1.0, -1.0])
    done = lesson_loss(lessons, ReplyScores(logs, torch.tensor([0.2, 0.6])), start, 0.2, 0.1)
    assert (done.tokens, done.clipped) == (4, 3) and done.entropy == pytest.approx(1.2)
    assert done.divergence / done.tokens == pytest.approx(0.75 * float(k3(logs, start)[0]))


def test_the_divergence_is_k3() -> None:
    from omnipilot.bench.training.reinforce.objective import k3

    apart = math.log(2)
    assert loss(1.0, 0.0, 0.0, start=-1.0 + apart, times=3, rein=0.5) == pytest.approx(0.5 * 3 * (2 - apart - 1))
    assert loss(1.0, 0.0, 0.0, start=-1.0, rein=0.5) == 0.0
    assert (k3(torch.randn(50), torch.randn(50)) >= 0).all()
