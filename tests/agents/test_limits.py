"""Limits on money and on working time; the others are tested with the loop."""

from __future__ import annotations

import threading

import pytest
from scripted import ScriptedGrounder, ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import Limits, episode
from omnipilot.agents.limits import LIMITS
from omnipilot.bench.tasks.figures import termination
from omnipilot.envs import Click, ConfigError, Done, Point
from omnipilot.memory import Usage
from omnipilot.planners import Left

HERE = Click(Point(0.2, 0.5))


def run(planner, limits):
    world = ScriptedWorld()
    return play(episode(world, agent(planner, ScriptedGrounder({})), brief(world), limits))


def test_the_limit_of_money_ends_an_episode_and_calls_of_unknown_price_add_none():
    costs = (0.5, None, 0.5)
    planner = ScriptedPlanner(*(decide(HERE, usage=Usage(1, 8, 2, cost)) for cost in costs), decide(Done()))
    steps, ending = run(planner, Limits(cost=1.0))
    assert (ending.reason, len(steps)) == ("cost", 2)
    assert ending.detail == "$1.0000 spent, $1 allowed"
    assert [request.left.cost for request in planner.requests] == [1.0, 0.5, 0.5]


def test_working_time_is_that_of_models_and_devices_whatever_the_wall_says():
    def pausing(_):
        threading.Event().wait(0.2)
        return decide(HERE, usage=Usage(1, seconds=40.0))

    steps, ending = run(ScriptedPlanner(pausing), Limits(working=100.0, seconds=3600))
    assert (ending.reason, len(steps)) == ("working", 2)
    planner = ScriptedPlanner(decide(HERE, usage=Usage(1, seconds=40.0)), decide(Done()))
    run(planner, Limits(working=100.0))
    assert planner.requests[1].left.working < 60.0


def test_what_is_left_names_every_limit_and_every_limit_is_an_ending():
    assert tuple(Left.__dataclass_fields__) == LIMITS
    for name in LIMITS:
        assert termination(name, "", False) in ("turn limit", "cap")


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_of_nothing_is_refused(name):
    with pytest.raises(ConfigError, match=name):
        Limits(**{name: 0})
