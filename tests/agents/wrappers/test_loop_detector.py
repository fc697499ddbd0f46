"""The loop detector: what a planner that goes in circles loses without it, and that it leaves a right one alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from duet_teams import FaultyPlanner, duet, run, single
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play, view

from omnipilot.agents import Limits, LoopDetector, episode
from omnipilot.agents.wrappers.loop_detector import digest
from omnipilot.envs import Box, Click, ConfigError, Done, Modality, OpenApp, Point, Press, Swipe, System, Wait
from omnipilot.memory import Move
from omnipilot.planners import OraclePlanner

SHORT = Limits(turns=40, actions=60)


def stuck(at, *moves):
    """The first moves of the demonstration, then these again and again."""

    def fault(right):
        return [*right[:at], *list(moves) * 60]

    return fault


def again(at):
    """The move before that one of the demonstration, again and again, from then on."""

    def fault(right):
        return [*right[:at], *[right[at - 1]] * 60]

    return fault


CASES = {
    "the same click that does nothing": ("send-message", stuck(2, Move("phone", Click(Point(0.6, 0.06))))),
    "opens the same app again": ("add-alarm", again(1)),
    "scrolls on at the end of a list": ("forget-old-network", stuck(2, Move("phone", Swipe("up")))),
    "goes back and forth between two apps": (
        "mail-code-to-message",
        stuck(2, Move("phone", OpenApp("Clock")), Move("phone", OpenApp("Notes"))),
    ),
    "opens and leaves a page": (
        "forget-old-network",
        lambda right: [right[0], *[right[1], Move("phone", System("back"))] * 30],
    ),
    "presses a key that means nothing": ("write-document", stuck(2, Move("desktop", Press(("escape",))))),
    "clicks beside the button": ("move-file", stuck(1, Move("desktop", Click(Point(0.995, 0.5))))),
}


def mended(right, done):
    """Home, and the whole demonstration."""
    return [Move("phone", System("home")), *right]


@pytest.mark.parametrize("case", CASES)
def test_a_planner_that_goes_in_circles_fails_alone_and_succeeds_when_it_is_told(case):
    task, fault = CASES[case]
    alone = run(single(FaultyPlanner(fault)), task, limits=SHORT)
    assert not alone.success and alone.ending.reason in ("turns", "actions")
    told = LoopDetector(single(FaultyPlanner(fault, mended)))
    together = run(told, task, limits=SHORT)
    assert told.noticed == 1
    assert together.success, [(step.proposed, step.outcome) for step in together.steps]


@pytest.mark.parametrize("case", CASES)
def test_a_planner_that_does_not_listen_is_ended_early(case):
    task, fault = CASES[case]
    deaf = LoopDetector(single(FaultyPlanner(fault, lambda right, done: fault(right)[done:])), give_up=3)
    played = run(deaf, task, limits=SHORT)
    assert (played.ending.reason, played.ending.status) == ("done", "failure")
    assert "circles" in played.ending.detail or "circles" in str(played.steps[-1].executed)
    assert len(played.steps) < 30


@pytest.mark.parametrize(
    ("instance", "step"), [(0, 5), *(pytest.param(seed, 1, marks=pytest.mark.slow) for seed in (0, 1))]
)
def test_the_oracle_raises_no_alarm(instance, step):
    alarms = {}
    for info in list(duet().tasks())[::step]:
        watched = LoopDetector(single(OraclePlanner()))
        assert run(watched, info.id, instance, Limits(turns=200, actions=200)).success
        alarms[info.id] = watched.noticed
    assert len(alarms) >= 40 / step and not any(alarms.values())


A, B = Click(Point(0.2, 0.5)), Click(Point(0.8, 0.5))


def drive(planner, world=None, **options):
    world = world or ScriptedWorld(items=(element("x"),))
    one = LoopDetector(agent(planner), **options)
    return one, play(episode(world, one, brief(world), Limits(turns=12)))


def quiet(world):
    """The same screen, whatever is done: neither a shade nor a title counts the actions."""
    for env in world.envs.values():
        whole = env.observe
        env.observe = lambda modalities, since, whole=whole: whole(set(modalities) & {Modality.ELEMENTS}, since)
    return world


def test_the_same_move_on_the_same_screen_is_held_back_after_its_second_time():
    world = quiet(ScriptedWorld(items=(element("x"),)))
    planner = ScriptedPlanner(decide(A), decide(A), decide(A), decide(B), decide(Done()))
    _, (steps, _) = drive(planner, world)
    assert [step.outcome.result for step in steps] == ["done", "done", "vetoed", "done", "control"]
    assert "2 times on this very screen" in steps[2].outcome.message
    assert [told.outcome.result for told in planner.requests[3].feedback] == ["vetoed"]


def test_waiting_and_a_screen_that_changes_are_no_loop():
    one, (steps, _) = drive(ScriptedPlanner(decide(Wait(1))), quiet(ScriptedWorld(items=(element("x"),))))
    assert one.noticed == 0 and len(steps) == 12

    def count(env, _):
        env.items = (element(f"{len(env.acted)} taps"),)

    one, (steps, _) = drive(ScriptedPlanner(decide(A)), quiet(ScriptedWorld(items=(element("x"),), on_act=count)))
    assert one.noticed == 0 and len(steps) == 12


def test_deciding_nothing_is_a_loop_too_and_is_told_in_the_next_turn():
    planner = ScriptedPlanner(decide())
    _, (_, ending) = drive(planner, quiet(ScriptedWorld(items=(element("x"),))), give_up=2)
    assert ending.status == "failure"
    told = [part.part for request in planner.requests for part in request.recalled if part.source == "advice"]
    assert told and "doing nothing was done" in told[0]


def test_a_clock_in_a_bar_is_no_change_and_one_in_the_middle_is():
    def screen(*elements):
        return {"pc": view("pc", elements)}

    bar = [element("12:00", "text", 0), element("12:01", "text", 0)]

    high = [replace(one, box=Box(0.8, 0.0, 0.9, 0.04)) for one in bar]
    assert digest(screen(high[0])) == digest(screen(high[1]))
    low = [replace(one, box=Box(0.4, 0.4, 0.6, 0.5)) for one in bar]
    assert digest(screen(low[0])) != digest(screen(low[1]))
    assert digest(screen(element("12:00", "time", 5))) == digest(screen(element("12:01", "time", 5)))


def test_two_episodes_share_no_state():
    world = quiet(ScriptedWorld(items=(element("x"),)))
    one, _ = drive(ScriptedPlanner(decide(A), decide(A), decide(Done())), world)
    steps, _ = play(episode(world, one, brief(world)))
    assert one.noticed == 0 and [step.outcome.result for step in steps] == ["done", "done", "control"]


def test_numbers_that_make_no_sense_are_refused():
    for options in ({"repeats": 0}, {"give_up": 0}):
        with pytest.raises(ConfigError, match="at least 1"):
            LoopDetector(agent(ScriptedPlanner(decide(A))), **options)
