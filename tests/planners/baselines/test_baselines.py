"""The planners that need no idea of the task: noop, random, oracle."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fixed_truth import FixedTruth, told
from scripted import ScriptedWorld, agent, brief, element, play, view

from omnipilot.agents import Limits, episode
from omnipilot.envs import ActionRejected, Click, ConfigError, Done, Noop, NotFound, Point, TypeText, Wait
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import Move
from omnipilot.memory.truth import WaitUntil
from omnipilot.planners import NoopPlanner, OraclePlanner, RandomPlanner, Request
from omnipilot.planners.baselines.random import DRAWN

A, B = Point(0.25, 0.5), Point(0.75, 0.5)


def run(world, planner, given=None, **options):
    return play(episode(world, agent(planner, ElementsGrounder()), given or brief(world), **options))


def test_noop_skips_and_gives_up():
    world = ScriptedWorld()
    steps, ending = run(world, NoopPlanner(patience=2))
    assert [step.executed for step in steps[:2]] == [Noop(), Noop()] and len(steps) == 3
    assert (ending.reason, ending.status, world.envs["pc"].acted) == ("done", "failure", [])


def test_oracle_plays_the_demonstration_a_move_a_turn_and_is_done():
    world = ScriptedWorld(("phone", "pc"))
    moves = (Move("pc", Click(A)), Move("phone", Click(B)), Move("pc", TypeText("x")))
    steps, ending = run(world, told(OraclePlanner(), FixedTruth(moves=moves)))
    assert [(step.turn, step.proposed) for step in steps] == [*enumerate(moves), (3, Move("", Done()))]
    assert (ending.reason, ending.status) == ("done", "success")


def test_oracle_with_an_empty_demonstration_is_done_at_once():
    world = ScriptedWorld()
    _, ending = run(world, told(OraclePlanner(), FixedTruth(moves=())))
    assert ending.status == "success"


def test_oracle_without_a_demonstration_says_so_to_the_user():
    world = ScriptedWorld()
    with pytest.raises(ConfigError, match="planner 'oracle' takes its answers from the runner"):
        run(world, OraclePlanner())


def test_oracle_tries_a_failed_move_once_more_and_goes_on():
    tries = []
    world = ScriptedWorld(rejects=lambda action: tries.append(action) or ("busy" if len(tries) == 1 else ""))
    moves = (Move("pc", Click(A)), Move("pc", Click(B)))
    _, ending = run(world, told(OraclePlanner(), FixedTruth(moves=moves)))
    assert world.envs["pc"].acted == [Click(A), Click(B)] and len(tries) == 3
    assert ending.status == "success"


def test_oracle_gives_up_on_a_move_that_fails_twice():
    world = ScriptedWorld(rejects=lambda _: "the screen is locked")
    moves = (Move("pc", Click(A)), Move("pc", Click(B)))
    steps, ending = run(world, told(OraclePlanner(), FixedTruth(moves=moves)))
    assert len(steps) == 3 and ending.status == "failure"
    assert "move 1 of 2" in ending.detail and "the screen is locked" in ending.detail


@pytest.mark.parametrize("error", [ActionRejected("the folder is gone"), NotFound("the folder is gone")])
def test_a_demonstration_that_breaks_fails_its_task(error):
    class Broken(FixedTruth):
        def demonstration(self, anew=False):
            raise error

    steps, ending = run(ScriptedWorld(), told(OraclePlanner(), Broken(moves=())))
    assert len(steps) == 1 and ending.status == "failure"
    assert "the demonstration breaks: the folder is gone" in ending.detail


def test_oracle_waits_until_what_it_needs_is_so_and_no_longer():
    world, looks = ScriptedWorld(), []
    moves = (
        Move("pc", Click(A)),
        WaitUntil("", Wait(9.0), "it is open", lambda: looks.append(world.now) is None and len(looks) > 3),
        WaitUntil("", Wait(9.0), "it is still open", lambda: True),
        Move("pc", Click(B)),
    )
    steps, ending = run(world, told(OraclePlanner(), FixedTruth(moves=moves)))
    waits = [step.proposed.intent.seconds for step in steps if isinstance(step.proposed.intent, Wait)]
    assert waits == [0.25, 0.25, 0.5] and len(looks) == 4
    assert world.envs["pc"].acted == [Click(A), Click(B)] and ending.status == "success"


def test_oracle_gives_up_on_what_never_comes_and_says_what_it_was():
    world = ScriptedWorld()
    moves = (WaitUntil("", Wait(9.0), "the dialog is open", lambda: False, patience=3.0), Move("pc", Click(A)))
    steps, ending = run(world, told(OraclePlanner(), FixedTruth(moves=moves)))
    assert ending.status == "failure" and "the dialog is open" in steps[-1].proposed.intent.text
    assert sum(step.proposed.intent.seconds for step in steps[:-1]) >= 3.0
    assert world.envs["pc"].acted == []


def test_oracle_puts_plain_waits_into_a_script():
    moves = (WaitUntil("", Wait(9.0), "it is open", lambda: False), Move("pc", Click(A)))
    planner = told(OraclePlanner(), FixedTruth(moves=moves))
    world = ScriptedWorld()
    planner.begin(replace(brief(world), script=True))
    decision = planner.plan(Request(brief(world), 0, {}, ()))
    assert decision.moves == (Move("", Wait(9.0)), Move("pc", Click(A)))


def test_oracle_forgets_the_last_episode():
    world, truth = ScriptedWorld(), FixedTruth(moves=(Move("pc", Click(A)),) * 3)
    planner = told(OraclePlanner(), truth)
    run(world, planner, limits=Limits(turns=2))
    truth.moves = (Move("pc", Click(B)),) * 2
    run(world, planner)
    assert world.envs["pc"].acted == [Click(A)] * 2 + [Click(B)] * 2


def drawn(seed, turns=40):
    world = ScriptedWorld(items=(element("Save", id="1"), element("Open", row=3)))
    steps, ending = run(world, RandomPlanner(turns), brief(world, seed=seed), limits=Limits(turns=100, actions=None))
    return [step.proposed for step in steps], ending


def test_random_repeats_itself_for_equal_seeds_only():
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_random_draws_only_verbs_that_the_environment_declares_and_ends_when_told():
    moves, ending = drawn(3, turns=40)
    kinds = [move.intent.kind for move in moves[:-1]]
    assert len(kinds) == 40
    assert set(kinds) == {"click", "type", "press", "scroll", "drag"}
    assert moves[-1].intent == Done() and ending.reason == "done"


def test_random_draws_places_among_the_elements():
    places = [move.intent.at for move in drawn(4)[0] if move.intent.kind == "click"]
    assert Ref("1") in places and element("Open", row=3).box.center in places


def test_random_can_draw_every_verb_that_it_claims():
    from random import Random

    from omnipilot.planners.baselines.random import draw

    for kind in DRAWN:
        for seed in range(20):
            assert draw(kind, Random(seed), lambda: A).kind == kind


def test_random_without_elements_draws_points_anywhere():
    world = ScriptedWorld(verbs=frozenset({"click"}))
    planner = RandomPlanner()
    planner.begin(brief(world))
    request = Request(brief(world), 0, {"pc": view("pc", None)})
    assert isinstance(planner.plan(request).moves[0].intent.at, Point)


def test_random_has_nothing_to_draw_where_nothing_is_declared():
    world = ScriptedWorld(verbs=frozenset())
    _, ending = run(world, RandomPlanner())
    assert ending.status == "infeasible"
