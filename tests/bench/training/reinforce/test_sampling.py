"""Replies drawn in batches with a cache: they are those of the network without one, and of the numpy runtime."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)
if TYPE_CHECKING:
    from omnipilot.bench.training.reinforce.mini_policy import MiniPolicy

PROMPTS = (
    "task send <r0> hello there to <r1> ben on the phone did screen phone home button messages <r2>",
    "task phone did screen phone clock tab alarm + <r9> button add <r10>",
    "over did",
    "task send <r0> hello there to <r1> ben on the phone did screen phone home button messages <r2>",
)


@pytest.fixture(scope="module")
def policy() -> Iterator[MiniPolicy]:
    from omnipilot.bench.training.reinforce.mini_policy import MiniPolicy

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield MiniPolicy(SHIPPED, bf16=False)
    torch.set_num_threads(before)


def test_numpy_and_torch_reply_alike(policy: MiniPolicy) -> None:
    questions = [tuple(policy.vocabulary.prompt(one)) for one in PROMPTS]
    network = MiniNetwork(SHIPPED)
    assert [one.text for one in policy.propose(questions, 0.0, 0)] == [network.reply(one)[0] for one in PROMPTS]


def test_what_is_drawn_has_the_probability_that_the_network_says(policy: MiniPolicy) -> None:
    from omnipilot.bench.training.reinforce.objective import k3
    from omnipilot.bench.training.reinforce.policy import ReplyLesson

    questions = [tuple(policy.vocabulary.prompt(one)) for one in PROMPTS * 4]
    for temperature in (1.0, 2.5):
        drawn = policy.propose(questions, temperature, 7)
        assert len({one.tokens for one in drawn}) > 3
        lessons = [ReplyLesson(question, one, 0.0, 0.0) for question, one in zip(questions, drawn, strict=True)]
        logs = torch.tensor([log for one in drawn for log in one.logs])
        assert torch.allclose(policy.scores(lessons, temperature).logs, logs, atol=1e-3)
        # Nothing has been learnt, so nothing has changed since the start.
        apart = k3(policy.scores(lessons, temperature).logs.detach(), policy.start_logs(lessons, temperature))
        assert float(apart.abs().max()) < 1e-6


def test_the_same_seed_draws_the_same(policy: MiniPolicy) -> None:
    questions = [tuple(policy.vocabulary.prompt(one)) for one in PROMPTS * 4]
    first = [one.tokens for one in policy.propose(questions, 1.5, 1)]
    assert [one.tokens for one in policy.propose(questions, 1.5, 1)] == first
    assert [one.tokens for one in policy.propose(questions, 1.5, 2)] != first
