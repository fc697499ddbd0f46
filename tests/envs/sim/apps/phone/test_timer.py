"""The timer of the clock: what people do with it, done through its interface."""

from __future__ import annotations

import pytest
from phone_goals import Goal, instances, play
from sim_hands import Hands, hands

from omnipilot.envs.sim.apps.phone.timer import time_left
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.phone_data import Timer


def opened(phone: Hands) -> None:
    phone.tap("home/clock", "clock/tab/timer")


def set_it(phone: Hands, account: Account) -> list[str]:
    opened(phone)
    phone.tap("clock/timer/10-min", "clock/timer/minute/down", *["clock/timer/second/up"] * 3)
    return ["timer"]


def run(phone: Hands, account: Account) -> list[str]:
    opened(phone)
    phone.tap("clock/timer/3-min", "clock/timer/start")
    return ["timer"]


def halt(phone: Hands, account: Account) -> list[str]:
    run(phone, account)
    phone.world.wait(20.0)
    phone.tap("clock/timer/pause")
    return ["timer"]


def go_on(phone: Hands, account: Account) -> list[str]:
    halt(phone, account)
    phone.world.wait(20.0)
    phone.tap("clock/timer/start")
    return ["timer"]


def reset(phone: Hands, account: Account) -> list[str]:
    run(phone, account)
    phone.world.wait(5.0)
    phone.tap("clock/timer/reset")
    return ["timer"]


def finish(phone: Hands, account: Account) -> list[str]:
    opened(phone)
    phone.tap("clock/timer/1-min", "clock/timer/start")
    phone.world.wait(61.0)
    phone.tap("clock/ringing/dismiss")
    return ["timer"]


GOALS = [
    Goal("set", set_it, lambda _, now: now.account.timer == Timer(570, 570.0)),
    Goal("start", run, lambda _, now: now.account.timer.since is not None and now.account.timer.seconds == 180),
    Goal("pause", halt, lambda _, now: now.account.timer.since is None and 159 < now.account.timer.left < 161),
    Goal("go on", go_on, lambda _, now: now.account.timer.since is not None and 159 < time_left(now) < 161),
    Goal("reset", reset, lambda _, now: now.account.timer == Timer(180, 180.0)),
    Goal("dismiss when it rings", finish, lambda _, now: now.account.timer == Timer(60, 60.0)
         and now.phone.ringing is None and now.phone.sounds[-1].seconds < 3),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "instance"), instances(GOALS), ids=[goal.name for goal in GOALS])
def test_goals(goal: Goal, instance: int) -> None:
    play(goal, instance)


def test_it_rings_when_it_is_over_and_falls_silent_by_itself() -> None:
    world, phone, _ = hands()
    opened(phone)
    phone.tap("clock/timer/1-min", "clock/timer/start")
    began = world.state().account.timer.since
    assert began is not None
    world.wait(60.5)
    ringing = world.state().phone.ringing
    assert ringing is not None
    assert (ringing.kind, ringing.since) == ("timer", began + 60)
    assert [id for id in phone.ids() if id.startswith("clock/ringing")] == ["clock/ringing/dismiss"]
    world.wait(61.0)
    assert world.state().phone.ringing is None


def test_what_it_shows_counts_down_second_by_second() -> None:
    world, phone, _ = hands()
    opened(phone)
    phone.tap("clock/timer/1-min", "clock/timer/start")
    assert world.state().account.timer.since is not None
    shown = []
    for _ in range(4):
        shown.append(phone.find("clock/timer/left").name)
        world.wait(1.0)
    assert shown == ["1:00", "0:59", "0:58", "0:57"]


def test_a_timer_that_was_paused_or_reset_never_rings() -> None:
    world, phone, _ = hands()
    opened(phone)
    phone.tap("clock/timer/1-min", "clock/timer/start", "clock/timer/pause", "clock/timer/start", "clock/timer/reset")
    world.wait(200.0)
    assert world.state().phone.ringing is None
