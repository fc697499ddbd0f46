"""What is put around an agent by its specification, and critics and lists that a model keeps."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from duet_teams import LEGIBLE, TRUTH, duet, run, single
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, element, play
from scripted_model import ScriptedModel, says

from omnipilot.agents import AgentSpec, CriticAgent, LoopDetector, PartSpec, ProgressAgent, SkillAgent, build, episode
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.wrappers.critic import ModelCritic
from omnipilot.agents.wrappers.progress import ModelTracker
from omnipilot.bench import RunSpec
from omnipilot.bench.spec import essence
from omnipilot.envs import Answer, Click, ConfigError, Done, Modality, Point, TypeText, Wait
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import ModelUnavailable, Role
from omnipilot.planners import OraclePlanner

WRAPPED = AgentSpec(
    "by-environment",
    PartSpec("oracle"),
    modalities=LEGIBLE,
    skills=PartSpec("routing", {"skills": "zoom,recall"}),
    progress=PartSpec("clauses", {"grace": 4}),
    loops=PartSpec("repeats", {"repeats": 3}),
    critic=PartSpec("rules", {"patience": 1, "checks": "disabled,completion"}),
)
SERVED = {"model": "openai/scripted", "url": "http://127.0.0.1:9/v1"}
BLIND = frozenset({Modality.SCREENSHOT})
A = Click(Point(0.2, 0.04))


def test_wrappers_go_around_the_agent_with_their_own_options_the_critic_last():
    outer = build(WRAPPED)
    kinds = [CriticAgent, LoopDetector, ProgressAgent, SkillAgent]
    for kind in kinds:
        assert type(outer) is kind
        outer = outer.agent
    whole = build(WRAPPED)
    assert (whole.patience, len(whole.critic.checks), whole.agent.repeats, whole.agent.agent.grace) == (1, 2, 3, 4)
    assert whole.critic is not build(WRAPPED).critic


def test_what_is_wrapped_solves_tasks_without_one_false_alarm():
    for task in ("mail-code-to-message", "move-file", "add-alarm", "no-call-while-writing"):
        whole = build(WRAPPED, TRUTH)
        assert run(whole, task).success
        assert (whole.vetoes, whole.agent.noticed, whole.agent.agent.held) == ([], 0, 0)
        assert set(whole.agent.agent.agent.used.values()) == {0}


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_the_oracle_never_seems_unsure(step):
    used = {}
    for info in list(duet().tasks())[::step]:
        whole = build(AgentSpec(planner=PartSpec("oracle"), modalities=LEGIBLE, skills=WRAPPED.skills), TRUTH)
        assert run(whole, info.id).success
        used[info.id] = sum(whole.used.values())
    assert len(used) >= 40 / step and not any(used.values())


def test_what_is_left_out_is_no_part_of_an_identity_and_each_that_is_there_is():
    plain, around = RunSpec(AgentSpec(), PartSpec("duet")), RunSpec(WRAPPED, PartSpec("duet"))
    kept = essence(plain.to_json())["agent"]
    assert not {"tool_agent", "critic", "progress", "loops", "skills", "readers", "critic_modalities"} & set(kept)
    assert RunSpec.from_json(json.loads(json.dumps(around.to_json()))) == around
    less = replace(WRAPPED, critic=None)
    assert len({plain.identity, around.identity, RunSpec(less, PartSpec("duet")).identity}) == 3


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"critic": PartSpec("rulez")}, "there is no critic 'rulez'; did you mean rules"),
        ({"critic": PartSpec("rules", {"patienze": 1})}, "option 'patienze'"),
        ({"progress": PartSpec("clauses", {"grace": -1})}, "grace must be at least 0"),
        ({"skills": PartSpec("routing", {"skills": "flying"})}, "unknown skill .flying"),
        ({"loops": PartSpec("repeats", {"repeats": "two"})}, "must be of type int"),
        ({"critic_modalities": ALL_MODALITIES, "critic": PartSpec("rules")}, "--critic-modalities grants"),
        ({"critic": PartSpec("rules", {"grace": 1})}, "critic 'rules': there is no option 'grace'"),
        ({"critic": PartSpec("model", {**SERVED, "history": 2})}, "critic 'model': there is no option 'history'"),
        ({"progress": PartSpec("model", {**SERVED, "repairs": -1})}, "progress option repairs must be at least 0"),
        ({"gate": PartSpec("model", {**SERVED, "temperature": -1})}, "gate option temperature must be 0 or more"),
    ],
)
def test_what_cannot_be_is_told(part, message):
    with pytest.raises(ConfigError, match=message):
        build(AgentSpec(planner=PartSpec("noop"), modalities=LEGIBLE, **part))


def test_who_warns_of_a_part_that_is_granted_nothing_to_look_at():
    parts = {"critic": PartSpec("rules"), "progress": PartSpec("clauses", {"grace": 3})}
    assert examine(AgentSpec(planner=PartSpec("noop"), modalities=LEGIBLE, **parts)).warnings() == []
    blind = AgentSpec(planner=PartSpec("noop"), grounder=PartSpec("ocr"), modalities=BLIND, **parts)
    assert [line.split(",")[0] for line in examine(blind).warnings()] == [
        "critic 'rules' cannot tell anything without elements",
        "progress 'clauses' cannot tell anything without elements",
    ]


def test_prompts_of_every_role_are_told_by_their_hash():
    planner = PartSpec("function-calling", SERVED)
    told = examine(AgentSpec("by-environment", planner, critic=PartSpec("model", SERVED))).prompts
    assert {"agent.head", "agent.device_agent", "agent.root_agent", "agent.ModelCritic"} <= set(told)
    other = examine(AgentSpec("by-function", planner, tool_agent=PartSpec("json", SERVED))).prompts
    assert {"agent.head", "agent.tool_agent"} <= set(other)
    assert len(set(told.values()) | set(other.values())) == len(told) + len(other) - 1


def test_head_tool_agent_and_critic_ask_models_of_their_own():
    spec = AgentSpec(
        "by-function",
        PartSpec("function-calling", {**SERVED, "history": 5, "prompt": "main_environment"}),
        tool_agent=PartSpec("json", {**SERVED, "model": "openai/other", "controls": "done,noop"}),
        critic=PartSpec("model", {"model": "openai/third", "url": SERVED["url"], "only": "completion"}),
    )
    whole = build(spec)
    inner = whole.agent
    assert (inner.thinker.model, inner.thinker.history, inner.thinker.prompt) == (
        "openai/scripted",
        5,
        "main_environment",
    )
    worker = inner.hire("tool_agent", frozenset({"done", "wait"}))
    assert (worker.model, worker.prompt, worker.offered) == ("openai/other", "tool_agent_json", ("done",))
    own = build(replace(spec, tool_agent=None)).agent.hire("device_agent", frozenset({"noop"}))
    assert (own.model, own.prompt, own.offered, own.history) == ("openai/scripted", "device_agent", ("noop",), 5)
    assert (whole.critic.model, whole.critic.only) == ("openai/third", "completion")


def judged(critic, *script, sees=ALL_MODALITIES):
    world = ScriptedWorld(("pc",), items=(element("Save"),))
    one = CriticAgent(agent(ScriptedPlanner(*script)), critic, Role("critic", sees))
    return one, play(episode(world, one, brief(world, "Save it")))


def test_a_model_is_asked_about_each_move_with_the_screen_the_task_and_what_was_done():
    model = ScriptedModel(says({"why": "It is the wrong one.", "ok": False}), says({"why": "", "ok": True}))
    _, (steps, _) = judged(ModelCritic.over(model), decide(A), decide(Wait(1)), decide(A), decide(Done()))
    assert [step.outcome.result for step in steps] == ["vetoed", "control", "done", "control"]
    assert steps[0].outcome.message == "It is the wrong one." and steps[0].usage == says("").usage
    first, second, third = model.asked
    assert "The task: Save it" in first.words and "No steps so far." in first.words and first.media
    assert 'which is the button "Save"' in first.words and first.schema["required"] == ["why", "ok"]
    assert 'held back before it was carried out: "It is the wrong one."' in second.words
    assert "The next action: done" in third.words


def test_a_model_sees_no_more_than_the_critics_role():
    model = ScriptedModel(says({"why": "", "ok": True}))
    judged(ModelCritic.over(model), decide(A), decide(Done()), sees=frozenset({Modality.CONTEXT}))
    assert all(asked.media == () and 'Save"' not in asked.words for asked in model.asked)


def test_only_completions_are_checked_where_that_is_wanted():
    model = ScriptedModel(says({"why": "Not saved.", "ok": False}), says({"why": "", "ok": True}))
    critic = ModelCritic.over(model, only="completion")
    _, (steps, _) = judged(critic, decide(A, TypeText("x")), decide(Answer("4")), decide(Done()))
    assert [step.outcome.result for step in steps] == ["done", "done", "vetoed", "control"]
    assert len(model.asked) == 2


def test_an_answer_that_cannot_be_read_is_asked_for_again_and_then_is_no_objection():
    model = ScriptedModel(says("Well."), says('Sure: {"ok": "no"}'), says('```json\n{"why": "No.", "ok": false}\n```'))
    _, (steps, _) = judged(ModelCritic.over(model, repairs=1), decide(A), decide(Done()), decide(Done("failure")))
    assert [step.outcome.result for step in steps] == ["done", "vetoed", "control"]
    assert len(model.asked) == 3 and "cannot be read" in model.asked[1].words
    assert steps[0].usage.calls == 2
    with pytest.raises(ModelUnavailable):
        judged(ModelCritic.over(ScriptedModel(ModelUnavailable("gone"))), decide(A))


def test_a_model_makes_the_list_and_ticks_it():
    script = says({"goals": ["It is open", "It is saved"]}), says({"reached": [1, 7]}), says("?"), says("?")
    model = ScriptedModel(*script, says({"reached": [2]}))
    one = ProgressAgent(
        agent(planner := ScriptedPlanner(decide(A))), ModelTracker.over(model), Role("progress"), grace=0
    )
    world = ScriptedWorld(("pc",), items=(element("Save"),))
    told = brief(world, "Save it", intent="not to lose it")
    steps, ending = play(episode(world, one, told))
    assert (ending.reason, ending.status, len(steps)) == ("done", "success", 4)
    assert "not to lose it" in model.asked[0].words and model.asked[0].media == ()
    assert "1. It is open" in model.asked[1].words and "1. It is open" not in model.asked[2].words
    shown = [part.part for part in planner.requests[2].recalled if part.source == "advice"]
    assert shown == ["Your sub-goals:\n1. [x] It is open\n2. [ ] It is saved"]


def test_without_a_list_that_can_be_read_the_agent_goes_on_as_it_is():
    one = ProgressAgent(
        single(OraclePlanner()), ModelTracker.over(ScriptedModel(says("no"))), Role("progress", LEGIBLE)
    )
    assert run(one, "send-message").success and one.list == []
