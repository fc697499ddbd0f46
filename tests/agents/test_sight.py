"""Who sees what, and when: roles, ablation, the recorder's extras, the clock and the clips."""

from __future__ import annotations

import pytest
from scripted import (
    ScriptedGrounder,
    ScriptedPlanner,
    ScriptedRecorder,
    ScriptedWorld,
    agent,
    brief,
    decide,
    element,
    play,
)

from omnipilot.agents import SingleAgent, episode
from omnipilot.envs import Absent, Click, Done, Modality, Point, Thinking, Wait
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Role, WindowMemory

SCREENSHOT, ELEMENTS, AUDIO, VIDEO, CONTEXT = (
    frozenset({modality})
    for modality in (Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO, Modality.VIDEO, Modality.CONTEXT)
)
PLACES = {"left": Point(0.2, 0.5), "7": Point(0.3, 0.3)}


def present(observation):
    return frozenset(modality for modality in Modality if observation.has(modality))


def run(world, planner, grounder=None, recorder=None, **sees):
    return play(
        episode(world, agent(planner, grounder or ScriptedGrounder(PLACES), **sees), brief(world), recorder=recorder)
    )


def test_planner_and_grounder_see_each_only_what_its_role_is_granted():
    planner, grounder = ScriptedPlanner(decide(Click("left"), Click("left")), decide(Done())), ScriptedGrounder(PLACES)
    world = ScriptedWorld()
    run(world, planner, grounder, planner_sees=CONTEXT | AUDIO, grounder_sees=SCREENSHOT)
    assert {present(request.observations["pc"]) for request in planner.requests} == {CONTEXT | AUDIO}
    assert [present(shown) for shown in grounder.shown] == [SCREENSHOT, SCREENSHOT]


def test_what_is_withheld_says_that_it_is_ablated():
    planner = ScriptedPlanner(decide(Done()))
    run(ScriptedWorld(), planner, planner_sees=CONTEXT, grounder_sees=SCREENSHOT)
    seen = planner.requests[0].observations["pc"]
    assert seen.screenshot == Absent("ablated") and seen.elements == Absent("ablated")


def test_a_role_is_told_that_it_is_not_granted_what_nobody_asked_for():
    seen = ScriptedWorld().envs["pc"].observe(CONTEXT, 0.0)
    assert seen.screenshot == Absent("unasked")
    shown = seen.only(CONTEXT)
    assert shown.screenshot == Absent("ablated") and shown.has(Modality.CONTEXT)


def test_a_modality_that_no_role_is_granted_is_not_captured_at_all():
    world = ScriptedWorld()
    run(world, ScriptedPlanner(decide(Click("left"), Click("left"), Done())), planner_sees=CONTEXT, grounder_sees=AUDIO)
    assert [modalities for modalities, _, _ in world.envs["pc"].asked] == [CONTEXT | AUDIO] * 2


def test_what_the_record_needs_is_captured_beside_and_never_reaches_the_agent():
    world, recorder = ScriptedWorld(), ScriptedRecorder(SCREENSHOT | VIDEO)
    planner, grounder = ScriptedPlanner(decide(Click("left"), Click("left")), decide(Done())), ScriptedGrounder(PLACES)
    one = agent(planner, grounder, planner_sees=CONTEXT, grounder_sees=ELEMENTS)
    learnt = []
    one.learn = learnt.append
    steps, _ = play(episode(world, one, brief(world), recorder=recorder))
    assert {present(look) for _, look, _ in recorder.looks} == {SCREENSHOT | VIDEO | CONTEXT | ELEMENTS}
    shown = [request.observations["pc"] for request in planner.requests] + grounder.shown
    shown += [turn.observations["pc"] for turn in learnt] + [step.seen for step in steps if step.seen is not None]
    assert len(shown) >= 8
    assert not any(present(observation) & (SCREENSHOT | VIDEO) for observation in shown)


def test_each_look_is_one_capture_for_the_agent_and_the_record_together():
    world, recorder = ScriptedWorld(), ScriptedRecorder(SCREENSHOT)
    run(world, ScriptedPlanner(decide(Done())), recorder=recorder, planner_sees=CONTEXT, grounder_sees=CONTEXT)
    assert len(world.envs["pc"].asked) == 1


def test_a_text_only_planner_works_with_a_grounder_that_sees():
    world = ScriptedWorld()
    steps, _ = run(
        world, ScriptedPlanner(decide(Click("left")), decide(Done())), planner_sees=CONTEXT, grounder_sees=SCREENSHOT
    )
    assert steps[0].outcome.result == "done" and world.envs["pc"].acted == [Click(PLACES["left"])]


def role_agent(planner, grounder, planner_envs, grounder_envs):
    roles = Role("planner", envs=planner_envs), Role("grounder", envs=grounder_envs)
    return SingleAgent(planner, grounder, WindowMemory(), *roles)


def test_a_planner_sees_only_the_environments_that_its_role_is_granted():
    world = ScriptedWorld(("phone", "pc"))
    planner = ScriptedPlanner(decide(Done()))
    play(episode(world, role_agent(planner, ScriptedGrounder(), frozenset({"pc"}), None), brief(world)))
    assert list(planner.requests[0].observations) == ["pc"]


def test_a_grounder_is_shown_nothing_of_an_environment_that_its_role_is_not_granted():
    world = ScriptedWorld(("phone", "pc"))
    planner, grounder = ScriptedPlanner(decide(("phone", Click("left"))), decide(Done())), ScriptedGrounder(PLACES)
    play(episode(world, role_agent(planner, grounder, None, frozenset({"pc"})), brief(world)))
    assert [present(shown) for shown in grounder.shown] == [frozenset()]


def test_an_id_is_grounded_like_a_description():
    world = ScriptedWorld(items=(element("x", id="7"),))
    run(world, ScriptedPlanner(decide(Click(Ref("7"))), decide(Done())))
    assert world.envs["pc"].acted == [Click(PLACES["7"])]


@pytest.mark.parametrize(("thinking", "times"), [("frozen", [0.0, 1.0, 2.0]), ("fixed:5", [0.0, 6.0, 12.0])])
def test_the_worlds_clock_while_a_model_thinks(thinking, times):
    world = ScriptedWorld(thinking=Thinking.parse(thinking))
    planner = ScriptedPlanner(decide(Click("left")), decide(Click("left")), decide(Done()))
    steps, _ = run(world, planner)
    assert [request.observations["pc"].time for request in planner.requests] == times
    assert [step.start for step in steps[:2]] == [time - 1 for time in times[1:]]


def test_a_malformed_reply_takes_thinking_time_too():
    from omnipilot.memory import MalformedReply

    world = ScriptedWorld(thinking=Thinking.parse("fixed:3"))
    planner = ScriptedPlanner(MalformedReply("?"), decide(Done()))
    run(world, planner)
    assert [request.observations["pc"].time for request in planner.requests] == [0.0, 3.0]


def test_clips_cover_the_time_since_that_environments_observation_of_the_turn_before():
    world = ScriptedWorld(("phone", "pc"), thinking=Thinking.parse("fixed:2"))
    planner = ScriptedPlanner(
        decide(Wait(4.0), ("pc", Click("left"))), decide(("phone", Click("left"))), decide(Done())
    )
    run(world, planner)
    spans = [
        (seen.audio.start, seen.audio.end, seen.video.start, seen.video.end)
        for request in planner.requests
        for seen in request.observations.values()
    ]
    assert spans == [(0, 0, 0, 0)] * 2 + [(0, 7, 0, 7)] * 2 + [(7, 10, 7, 10)] * 2


def test_a_sound_during_a_fresh_look_is_still_heard_in_the_next_turn():
    world = ScriptedWorld(rings=((0.2, 0.8),))
    planner = ScriptedPlanner(decide(Click("left"), Click("left")), decide(Done()))
    run(world, planner)
    heard = planner.requests[1].observations["pc"].audio
    assert (heard.start, heard.end) == (0.0, 2.0) and heard.loudness() > 0.05


def test_asking_for_nothing_captures_nothing():
    world = ScriptedWorld()
    run(world, ScriptedPlanner(decide(Done())), planner_sees=frozenset(), grounder_sees=frozenset())
    assert world.envs["pc"].asked[0][0] == frozenset()
