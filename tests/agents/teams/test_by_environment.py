"""by-environment, message by message: the main agent sees all, each sub-agent its device, root nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from duet_teams import LEGIBLE, TRUTH, run, single
from scripted import ScriptedGrounder, ScriptedRecorder, ScriptedWorld, WatchedMemory, brief, element, play
from scripted_model import ScriptedModel
from scripted_team import ScriptedThinker, Staff, saying, shows, team

from omnipilot.agents import AgentSpec, ByEnvironmentAgent, Limits, PartSpec, build, episode
from omnipilot.agents.teams.by_environment import LOCAL, ROOTS
from omnipilot.envs import Answer, Click, Done, Modality, Noop, Point, Press, Wait
from omnipilot.memory import MalformedReply, Move, Reply, Role, Usage, WindowMemory
from omnipilot.planners import FunctionCallingPlanner
from omnipilot.planners.chat import ChatThinker

A, B = Click(Point(0.2, 0.5)), Click(Point(0.8, 0.5))
SKIP, DONE = Move("", Noop()), Move("", Done())
SECRET = "Book the table of Ms. Quimby"


def drive(thinker, phone, pc, root, world=None, limits=None, **options):
    world = world or ScriptedWorld(("phone", "pc"))
    staff = Staff(phone, pc, root)
    one = team(ByEnvironmentAgent, thinker, staff, **options)
    played = play(episode(world, one, brief(world, SECRET, intent="hunger"), limits or Limits(turns=6)))
    return staff, world, played


def test_every_sub_agent_is_asked_in_the_order_of_the_environments_root_last():
    thinker = ScriptedThinker("phone: left; pc: right.", "All done, root.")
    phone, pc = (saying(Move("phone", A)), saying(SKIP)), (saying(Move("", B)), saying(SKIP))
    staff, world, (steps, ending) = drive(thinker, phone, pc, (saying(SKIP), saying(DONE)))
    assert staff.hired == [("device_agent", LOCAL), ("device_agent", LOCAL), ("root_agent", ROOTS)]
    assert [(step.proposed.env, step.turn) for step in steps] == [("phone", 0), ("pc", 0), ("", 1)]
    assert world.envs["phone"].acted == [A] and world.envs["pc"].acted == [B]
    assert ending.status == "success"
    for worker in staff.workers:
        assert [request.message for request in worker.requests] == ["phone: left; pc: right.", "All done, root."]


def test_a_sub_agent_sees_its_device_alone_has_its_verbs_alone_and_does_not_know_the_task():
    thinker = ScriptedThinker("Go.", "Done.")
    staff, _, _ = drive(
        thinker, (saying(Move("phone", A)), saying(SKIP)), (saying(Move("pc", B)),), (saying(SKIP), saying(DONE))
    )
    for name, worker in zip(("phone", "pc", ""), staff.workers, strict=True):
        assert worker.begun[0].instruction == ""
        for request in worker.requests:
            own = {name} - {""}
            assert set(request.observations) == set(request.brief.envs) == own
            assert {part.env for part in request.recalled} <= own
            assert (request.brief.instruction, request.brief.intent) == ("", "")
            assert "Quimby" not in repr(request)
    mine, other, root = (worker.requests[0].brief.control for worker in staff.workers)
    assert mine == other == LOCAL and "done" not in mine and "wait" not in mine
    assert root == {"done", "answer", "ask_user", "wait", "noop"}
    for request in thinker.requests:
        assert set(request.observations) == {"phone", "pc"} and request.brief.instruction == SECRET


def test_modalities_of_the_planners_role_hold_for_sub_agents_too():
    staff, _, _ = drive(
        ScriptedThinker("Go."), (saying(SKIP),), (saying(SKIP),), (saying(DONE),), sees=frozenset({Modality.CONTEXT})
    )
    assert shows(staff.workers[0].requests[0].observations["phone"]) == {"context"}


def test_each_hears_what_became_of_its_own_moves_also_of_those_that_were_skipped():
    thinker = ScriptedThinker("Go.", "Done.")
    phone = (saying(Move("phone", A), Move("phone", Click("nowhere"))), saying(SKIP))
    staff, _, (steps, _) = drive(thinker, phone, (saying(Move("pc", B)), saying(SKIP)), (saying(SKIP), saying(DONE)))
    assert [step.outcome.result for step in steps] == ["done", "not_found", "control"]
    heard = [[told.outcome.result for told in worker.requests[1].feedback] for worker in staff.workers]
    assert heard == [["done", "not_found"], ["skipped"], ["control"]]
    assert [told.outcome.result for told in thinker.requests[1].feedback] == ["done", "not_found", "skipped"]


def test_a_turn_in_which_all_skip_is_a_turn_without_actions():
    """In CRAB's release every sub-agent had to act, so that such a turn took three of the budget."""
    thinker = ScriptedThinker("All skip.", "All skip.", "Root, finish.")
    skips = (saying(SKIP),)
    _, world, (steps, ending) = drive(
        thinker, skips, skips, (saying(SKIP), saying(SKIP), saying(DONE)), limits=Limits(turns=3, actions=1)
    )
    assert [(step.turn, step.counts) for step in steps] == [(2, False)]
    assert (ending.reason, world.now) == ("done", 0.0)
    limit = drive(ScriptedThinker("Skip."), skips, skips, (saying(SKIP),), limits=Limits(turns=3, actions=1))[2]
    assert (limit[0], limit[1].reason) == ([], "turns")


def test_turns_and_actions_are_both_limited():
    act = (saying(Move("phone", A)),), (saying(Move("pc", B)),), (saying(SKIP),)
    _, _, (steps, ending) = drive(ScriptedThinker("Go."), *act, limits=Limits(turns=9, actions=3))
    assert (len(steps), ending.reason) == (3, "actions")
    _, _, (steps, ending) = drive(ScriptedThinker("Go."), *act, limits=Limits(turns=2, actions=9))
    assert (len(steps), ending.reason) == (4, "turns")


@pytest.mark.parametrize(
    ("phone", "root", "told"),
    [
        (Move("", Done()), SKIP, "only root may done"),
        (Move("", Answer("4")), SKIP, "only root may answer"),
        (Move("", Wait(5.0)), SKIP, "only root may wait"),
        (Move("pc", A), SKIP, "the agent of phone cannot operate pc"),
        (SKIP, Move("pc", A), "root operates no device"),
        (SKIP, Move("", Press(("enter",))), "root operates no device"),
    ],
)
def test_a_move_of_another_role_is_rejected_and_its_sub_agent_told(phone, root, told):
    staff, world, (steps, _) = drive(
        ScriptedThinker("Go."), (saying(phone), saying(SKIP)), (saying(SKIP),), (saying(root), saying(DONE))
    )
    assert (steps[0].outcome.result, steps[0].executed) == ("rejected", None) and told in steps[0].outcome.message
    assert world.envs["pc"].acted == [] and world.waited == []
    whose = staff.workers[0 if phone != SKIP else 2]
    assert told in whose.requests[1].feedback[0].outcome.message


def test_root_waits_for_the_whole_world_answers_and_finishes():
    root = (saying(Move("", Wait(5.0))), saying(Move("", Answer("42")), DONE))
    _, world, (steps, ending) = drive(ScriptedThinker("Go."), (saying(SKIP),), (saying(SKIP),), root)
    assert world.waited == [5.0] and [step.executed for step in steps] == [Wait(5.0), Answer("42"), Done()]
    assert ending.reason == "done"


def test_what_a_turn_costs_is_that_of_all_also_where_one_cannot_be_read():
    recorder, world = ScriptedRecorder(), ScriptedWorld(("phone", "pc"))
    phone, pc = (saying(SKIP),), (MalformedReply("what?", Usage(1, 7, 0)), saying(SKIP))
    thinker, staff = ScriptedThinker("Go."), Staff(phone, pc, (saying(DONE),))
    steps, _ = play(episode(world, team(ByEnvironmentAgent, thinker, staff), brief(world), recorder=recorder))
    spent = [decision.usage for _, decision in recorder.decisions]
    assert spent == [Usage(3, 157, 15), Usage(4, 250, 25)]
    assert steps[0].outcome.message == "the agent of pc: what?"
    assert thinker.requests[1].feedback[0].outcome.message == "the agent of pc: what?"
    assert all(told.outcome.result == "control" for told in staff.workers[0].requests[1].feedback)


def test_two_episodes_share_no_state_and_a_new_device_gets_an_agent_of_its_own():
    thinker, staff = ScriptedThinker("Go."), Staff((saying(Move("phone", A)),), (saying(DONE),), (saying(SKIP),))
    one, first = team(ByEnvironmentAgent, thinker, staff), ScriptedWorld(("phone",))
    play(episode(first, one, brief(first)))
    second = ScriptedWorld(("phone", "tv"))
    play(episode(second, one, brief(second)))
    assert [job for job, _ in staff.hired] == ["device_agent", "root_agent", "device_agent"]
    phone = staff.workers[0]
    assert phone.requests[0].feedback == () and phone.requests[0].recalled == ()
    assert [len(worker.begun) for worker in staff.workers] == [2, 2, 1]


def test_what_chat_models_are_sent():
    """Each sub-agent's model gets its own screen, its own tools and the words; root's gets no screen at all."""
    names = ("phone", "pc", "root")
    models = {name: ScriptedModel(Reply("", (("noop", "{}"),))) for name in names}
    models["phone"].script = (Reply("", (("click", '{"target": "left"}'),)), Reply("", (("noop", "{}"),)))
    models["root"].script = (Reply("", (("noop", "{}"),)), Reply("", (("done", "{}"),)))
    main = ScriptedModel(Reply("phone: click left. Others skip."), Reply("Root: done."))
    world = ScriptedWorld(("phone", "pc"))
    for name, env in world.envs.items():
        env.items = (element(f"Secret of {name}"),)
    left = list(names)

    def hire(job, control):
        name = left.pop(0)
        controls = ",".join(sorted(control - {"screenshot"}))
        return FunctionCallingPlanner.over(models[name], prompt=job, controls=controls)

    head, roles = ChatThinker.over(main, prompt="main_environment"), (Role("planner"), Role("grounder"))
    one = ByEnvironmentAgent(head, hire, ScriptedGrounder({"left": Point(0.2, 0.5)}), WindowMemory(), *roles)
    play(episode(world, one, brief(world, SECRET)))
    assert world.envs["phone"].acted == [A] and world.envs["pc"].acted == []
    for name, model in models.items():
        others = {"phone", "pc"} - {name}
        assert len(model.asked) == 2
        for asked in model.asked:
            tools = {tool.name for tool in asked.tools}
            assert "phone: click left. Others skip." in asked.words and "Quimby" not in asked.words
            assert not any(f"Secret of {other}" in asked.words for other in others)
            assert (f"Secret of {name}" in asked.words) is (name != "root")
            assert bool(asked.media) is (name != "root")
            assert ("click" in tools, "done" in tools) == (name != "root", name == "root") and "noop" in tools
    assert all(SECRET in asked.words and asked.tools == () for asked in main.asked)
    assert "Secret of phone" in main.asked[0].words and "Secret of pc" in main.asked[0].words


@pytest.mark.parametrize("task", ["mail-code-to-message", "tones-to-caller", "no-call-while-writing"])
def test_a_team_without_a_model_does_as_its_planner_would_alone(task):
    spec = AgentSpec("by-environment", PartSpec("oracle"), modalities=LEGIBLE)
    together, alone = run(build(spec, TRUTH), task), run(single(build(replace(spec, system="single")).planner), task)
    assert together.success and alone.success
    assert [step.executed for step in together.steps] == [step.executed for step in alone.steps]


def test_the_memory_learns_every_turn_once():
    memory = WatchedMemory()
    drive(ScriptedThinker("Go."), (saying(SKIP),), (saying(SKIP),), (saying(SKIP), saying(DONE)), memory=memory)
    assert [(turn.index, turn.thought) for turn in memory.learnt] == [(0, "Go."), (1, "Go.")]
