"""A tiny policy learns the task of the toy phone; the shipped planner learns one of duet's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from omnipilot.envs import ConfigError
from omnipilot.planners.mini.network import SHIPPED

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)
if TYPE_CHECKING:
    from omnipilot.bench.training.reinforce.reinforcement import Reinforcement, StepReport


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def toy(folder: Path, version: str = "", **more: Any) -> Reinforcement:
    from table_policy import TablePolicy, ToySource

    from omnipilot.bench.training.reinforce.reinforcement import Reinforcement, ReinforcementPlan

    plan = replace(ReinforcementPlan(steps=1, groups=2, rate=0.5, warm=1, passes=1, rein=0.0, every=1e9), **more)
    source = ToySource()
    if version:
        source.suite.version = version
    return Reinforcement(TablePolicy(), source, plan, folder)


def steps(loop: Reinforcement, count: int) -> list[StepReport]:
    return [loop.take_step() for _ in range(count)]


def table(loop: Reinforcement) -> Any:
    return loop.parameters["table"].detach().clone()


def test_the_reward_rises_and_beginnings_move_back(tmp_path: Path) -> None:
    loop = toy(tmp_path)
    first = steps(loop, 3)
    last = steps(loop, 13)[-3:]
    assert sum(one.solved for one in first) / 3 < 0.5 < 0.8 < sum(one.solved for one in last) / 3
    assert loop.curriculum.standings["save-code"].share == 1.0


def test_a_price_makes_the_shorter_of_two_ways_worth_more() -> None:
    from omnipilot.bench.training.reinforce.rollout import Reward, Rollout

    seat: Any = None
    short, long = (Rollout(seat, 9, before=0.5, completion=1.0, solved=True, acts=acts) for acts in (3, 5))
    for free in (Reward("dense"), Reward("sparse")):
        assert free.of(short) == free.of(long) > 0
    assert Reward("dense", 0.05).of(short) == pytest.approx(0.5 - 0.15)
    assert Reward("sparse", 0.05).of(long) == pytest.approx(1.0 - 0.25)


def test_a_rein_holds(tmp_path: Path) -> None:
    far = []
    for name, rein in (("a", 0.0), ("b", 3.0)):
        loop = toy(tmp_path / name, rein=rein, hold=0.0)
        steps(loop, 8)
        logs = torch.log_softmax(table(loop), -1)
        far.append(float((logs.exp() * (logs - torch.tensor(1 / 6).log())).sum(-1).mean()))
    assert 0 < far[1] < far[0] / 2


def test_what_all_replied_alike_is_held(tmp_path: Path) -> None:
    from omnipilot.bench.training.reinforce.policy import ReplyLesson, SampledReply

    kept = []
    for hold in (0.0, 1.0):
        loop = toy(tmp_path / f"{hold}", hold=hold)
        loop.step = 1  # the rate is reached after `warm` steps
        alike = ReplyLesson(0, SampledReply((1,), (-1.0,)), 0.0, 0.0, 4, held=True)
        worse = ReplyLesson(0, SampledReply((2,), (-1.0,)), 0.5, 0.0, 1)
        loop._learn([alike, worse], Random(0))
        kept.append(float(torch.log_softmax(table(loop), -1)[0, 1].detach()))
    assert kept[0] < float(torch.tensor(1 / 6).log()) < kept[1]


def test_a_rollout_that_has_parted_goes_on_with_the_likeliest(tmp_path: Path) -> None:
    loop = toy(tmp_path, alone=0.0, size=8)
    loop.parameters["table"].data[1:, 5] = 1.0
    (group,) = loop.maker.make([("save-code", 1.0)], Random(0))
    loop.maker.play([group], 0)
    parted = [one.steps for one in group.rollouts]
    firsts = [steps[0][1].tokens for steps in parted]
    lone = [steps for steps, first in zip(parted, firsts, strict=True) if firsts.count(first) == 1]
    assert lone and all(reply.tokens == (5,) for steps in lone for _, reply in steps[1:])


def test_the_same_seed_gives_the_same_weights_and_another_one_others(tmp_path: Path) -> None:
    found = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        loop = toy(tmp_path / name, seed=seed)
        steps(loop, 4)
        found.append(table(loop))
    assert torch.equal(found[0], found[1]) and not torch.equal(found[0], found[2])


def test_it_goes_on_at_the_checkpoint_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    from omnipilot.bench.training.reinforce.reinforcement import read_curve

    whole = toy(tmp_path / "whole", steps=6)
    whole.run()

    def stop(done: StepReport) -> None:
        if done.step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        toy(tmp_path / "parts", steps=6, every=0.0).run(stop)
    (tmp_path / "parts" / "reinforce.jsonl").open("a").write('{"step": 3}\n')
    told: list[StepReport] = []
    parts = toy(tmp_path / "parts", steps=6)
    parts.run(told.append)
    assert torch.equal(table(whole), table(parts))
    assert whole.curriculum.to_json() == parts.curriculum.to_json()
    assert [one.step for one in told] == [3, 4, 5, 6] and told[-1].rollouts == whole.rollouts
    assert [one.step for one in read_curve(tmp_path / "parts")] == [0, 1, 2, 6]
    assert len((tmp_path / "parts" / "reinforce.jsonl").read_text().splitlines()) == 6
    toy(tmp_path / "parts", steps=6).run()
    assert [one.step for one in read_curve(tmp_path / "parts")] == [0, 1, 2, 6]


def test_a_checkpoint_of_another_seed_or_suite_is_refused(tmp_path: Path) -> None:
    toy(tmp_path).run()
    with pytest.raises(ConfigError, match="begun with --seed 0.*another --out"):
        toy(tmp_path, seed=1)
    with pytest.raises(ConfigError, match="begun on toy .*, and this is toy another.*another --out"):
        toy(tmp_path, version="another")
    (tmp_path / "reinforce.safetensors").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="cannot be gone on from"):
        toy(tmp_path)


def test_a_plan_without_an_end_is_refused() -> None:
    from omnipilot.bench.training.reinforce.reinforcement import ReinforcementPlan

    with pytest.raises(ConfigError, match="--minutes or --steps"):
        ReinforcementPlan()
    with pytest.raises(ConfigError, match="temperature"):
        ReinforcementPlan(steps=1, temperature=0.0)


@pytest.mark.slow
def test_the_shipped_planner_learns_within_minutes(tmp_path: Path) -> None:
    from omnipilot.bench.training.reinforce.mini_policy import MiniPolicy
    from omnipilot.bench.training.reinforce.reinforcement import Reinforcement, ReinforcementPlan
    from omnipilot.bench.training.reinforce.tasks import DuetSource

    # At this temperature, the shipped weights move the file in a third of their rollouts; at 1 they always do.
    plan = ReinforcementPlan(steps=1, groups=2, size=6, rate=1e-4, warm=3, every=1e9, temperature=1.5)
    loop = Reinforcement(MiniPolicy(SHIPPED, bf16=False), DuetSource(1, ["move-file"]), plan, tmp_path)
    done = steps(loop, 8)
    first, last = (sum(one.reward for one in some) / 3 for some in (done[:3], done[-3:]))
    assert last > first, [round(one.reward, 2) for one in done]
