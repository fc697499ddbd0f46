"""by-function, message by message: the main agent sees and says, the tool agent is told and calls."""

from __future__ import annotations

from dataclasses import replace

import pytest
from duet_teams import LEGIBLE, TRUTH, run, single
from scripted import (
    ScriptedGrounder,
    ScriptedPlanner,
    ScriptedRecorder,
    ScriptedWorld,
    WatchedMemory,
    brief,
    decide,
    element,
    play,
)
from scripted_model import ScriptedModel
from scripted_team import ScriptedThinker, Staff, saying, shows, team

from omnipilot.agents import AgentSpec, ByFunctionAgent, Limits, PartSpec, build, episode
from omnipilot.envs import Click, Done, Modality, Noop, Point, Press, TypeText
from omnipilot.envs.types.actions import CONTROL_VERBS
from omnipilot.memory import MalformedReply, ModelUnavailable, Move, Reply, Role, Usage, WindowMemory
from omnipilot.planners import FunctionCallingPlanner
from omnipilot.planners.chat import ChatThinker, RelayPlanner, RelayThinker

A = Point(0.2, 0.5)
LEFT, DONE = Move("pc", Click("left")), Move("", Done())
SECRET = "Book the table of Ms. Quimby"


def drive(thinker, *script, world=None, told=None, **options):
    world = world or ScriptedWorld(("phone", "pc"), items=(element("Quimby"),))
    staff = Staff(script)
    one = team(ByFunctionAgent, thinker, staff, options.pop("grounder", ScriptedGrounder({"left": A})), **options)
    played = play(episode(world, one, told or brief(world, SECRET, intent="hunger"), Limits(turns=6)))
    return staff, one, played


def test_the_main_agents_words_are_all_that_reaches_the_tool_agent():
    thinker = ScriptedThinker("Click left on the pc.", "It is done.")
    staff, _, (steps, ending) = drive(thinker, saying(LEFT), saying(DONE))
    (worker,) = staff.workers
    assert staff.hired == [("tool_agent", CONTROL_VERBS)]
    assert [request.message for request in worker.requests] == ["Click left on the pc.", "It is done."]
    assert [step.outcome.result for step in steps] == ["done", "control"] and ending.status == "success"
    for request in worker.requests:
        assert request.observations == {} and request.recalled == ()
        assert (request.brief.instruction, request.brief.intent) == ("", "")
        assert set(request.brief.envs) == {"phone", "pc"}
        assert "Quimby" not in repr(request)


def test_the_main_agent_sees_what_its_role_may_see_and_knows_the_task():
    thinker, memory = ScriptedThinker("Click left on the pc.", "Done."), WatchedMemory()
    sees = frozenset({Modality.ELEMENTS})
    drive(thinker, saying(LEFT), saying(DONE), sees=sees, envs=frozenset({"pc"}), memory=memory)
    for request in thinker.requests:
        assert set(request.observations) == {"pc"} and shows(request.observations["pc"]) == {"elements"}
        assert (request.brief.instruction, request.brief.intent, request.message) == (SECRET, "hunger", "")
    assert [told.outcome.result for told in thinker.requests[1].feedback] == ["done"]
    assert "Click left on the pc." in [part.part for part in thinker.requests[1].recalled]


def test_of_its_calls_the_tool_agent_learns_their_form_and_nothing_that_a_screen_shows():
    thinker = ScriptedThinker("Click nowhere.", "Press f13.", "Done.")
    world = ScriptedWorld(("pc",), rejects=lambda _: "the key f13 is not known")
    nowhere = Move("pc", Click("nowhere"))
    staff, _, _ = drive(thinker, saying(nowhere), saying(Move("pc", Press(("f13",)))), saying(DONE), world=world)
    first, second, third = staff.workers[0].requests
    assert first.feedback == ()
    assert [(told.move, told.outcome.result, told.outcome.message) for told in second.feedback] == [
        (nowhere, "not_found", "")
    ]
    assert [told.outcome.message for told in third.feedback] == ["the key f13 is not known"]
    assert "there is no nowhere" in thinker.requests[1].feedback[0].outcome.message


def test_to_skip_is_no_step_and_no_action():
    thinker = ScriptedThinker("Nothing to do.", "Done.")
    staff, _, (steps, _) = drive(thinker, saying(Move("", Noop())), saying(DONE))
    assert [step.turn for step in steps] == [1] and not any(step.counts for step in steps)
    assert [(told.move.intent, told.outcome.result) for told in staff.workers[0].requests[1].feedback] == [
        (Noop(), "control")
    ]


def test_what_a_turn_costs_is_that_of_both_and_its_thought_is_the_main_agents():
    recorder = ScriptedRecorder()
    world, staff = ScriptedWorld(("pc",)), Staff((saying(DONE),))
    one = team(ByFunctionAgent, ScriptedThinker("Done."), staff)
    play(episode(world, one, brief(world), recorder=recorder))
    ((_, decision),) = recorder.decisions
    assert (decision.thought, decision.usage) == ("Done.", Usage(2, 150, 15))


def test_a_reply_of_the_tool_agent_that_cannot_be_read_costs_both_and_is_told_to_the_main_agent():
    thinker = ScriptedThinker("Click left.", "Done.")
    staff, _, (steps, _) = drive(thinker, MalformedReply("no such tool", Usage(1, 7, 0)), saying(DONE))
    assert steps[0].outcome.result == "malformed"
    assert "the tool agent: no such tool" in thinker.requests[1].feedback[0].outcome.message
    assert staff.workers[0].requests[1].feedback == ()
    with pytest.raises(ModelUnavailable):
        drive(ScriptedThinker(ModelUnavailable("gone")), saying(DONE))


def test_two_episodes_share_no_state():
    thinker = ScriptedThinker("Skip.", "Done.")
    staff, one, _ = drive(thinker, saying(Move("", Noop())), saying(DONE))
    world = ScriptedWorld(("tv",))
    play(episode(world, one, brief(world, "another")))
    (worker,) = staff.workers
    assert [set(told.envs) for told in worker.begun] == [{"phone", "pc"}, {"tv"}]
    assert set(worker.requests[0].brief.envs) == {"tv"} and worker.requests[0].feedback == ()
    assert thinker.requests[0].recalled == ()


def test_what_two_chat_models_are_sent():
    """The tool agent's model gets its prompt, its tools and all that it was told; no image, no task."""
    main = ScriptedModel(*[Reply(f"Turn {n}: click left on the pc.") for n in range(4)], Reply("It is done."))
    click = Reply("", (("click_in_pc", '{"target": "left"}'),))
    tool = ScriptedModel(*[click] * 4, Reply("", (("done", "{}"),)))
    world = ScriptedWorld(("phone", "pc"), items=(element("Quimby"),))
    worker = FunctionCallingPlanner.over(tool, prompt="tool_agent")
    head = ChatThinker.over(main, prompt="main_function")
    roles = Role("planner"), Role("grounder")
    one = ByFunctionAgent(head, lambda *_: worker, ScriptedGrounder({"left": A}), WindowMemory(), *roles)
    steps, _ = play(episode(world, one, brief(world, SECRET)))
    assert [step.outcome.result for step in steps] == ["done"] * 4 + ["control"]
    for number, asked in enumerate(tool.asked):
        assert asked.media == () and "Quimby" not in asked.words and "elements" not in asked.words
        assert "You turn the words of a colleague into tool calls" in asked.words
        assert {"click", "done"} <= {made.name for made in asked.tools}
        said = [n for n in range(5) if f"Turn {n}:" in asked.words]
        assert said == list(range(min(number, 3) + 1))
        assert [message.role for message in asked.messages].count("tool") == number
    for asked in main.asked:
        assert asked.tools == () and asked.schema is None
        assert SECRET in asked.words and "- click(device: phone|pc, " in asked.words and asked.media


@pytest.mark.parametrize("task", ["mail-code-to-message", "move-file", "tones-to-message"])
def test_a_team_without_a_model_does_as_its_planner_would_alone(task):
    spec = AgentSpec("by-function", PartSpec("oracle"), modalities=LEGIBLE)
    together, alone = run(build(spec, TRUTH), task), run(single(build(replace(spec, system="single")).planner), task)
    assert together.success and alone.success
    assert [step.executed for step in together.steps] == [step.executed for step in alone.steps]


def test_typing_goes_through_words_unchanged():
    text = 'say "this"\nand {that}'

    world, staff = ScriptedWorld(("pc",)), lambda *_: RelayPlanner()
    head = RelayThinker(ScriptedPlanner(decide(("pc", TypeText(text)), thought="I\n{type}"), decide(Done())))
    one = team(ByFunctionAgent, head, staff)
    play(episode(world, one, brief(world)))
    assert world.envs["pc"].acted == [TypeText(text)]
