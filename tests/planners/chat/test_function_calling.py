"""The planner `function-calling` over a scripted model: what it is told, what becomes of its calls, what it repeats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scripted import ScriptedGrounder, ScriptedWorld, agent, element, shade
from scripted_model import COST, ScriptedModel, calls, says

from omnipilot.agents import Limits, episode
from omnipilot.envs import Click, ConfigError, Done, Modality, Noop, Point, Ref, TypeText
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import MalformedReply, ModelUnavailable, Move, Outcome, Recalled, Reply, Step
from omnipilot.planners import Brief, Feedback, FunctionCallingPlanner, Request, Verbs

PLACES = {"Save": Point(0.1, 0.2), "e1": Point(0.3, 0.4)}
ENVS = {"pc": Verbs("desktop", frozenset({"click", "type"}))}
BRIEF = Brief("Save it.", ENVS)


def lived(world: ScriptedWorld, *script: Any, **options: Any) -> tuple[ScriptedModel, list[Step], Any]:
    """An episode of a scripted model in a scripted world."""
    model = ScriptedModel(*script)
    sees = options.pop("sees", ALL_MODALITIES)
    retries = options.pop("retries", 3)
    planner = FunctionCallingPlanner.over(model, **options)
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    grounder = ScriptedGrounder(PLACES)
    run = episode(world, agent(planner, grounder, sees), Brief("Save it.", verbs), Limits(9, 20), retries)
    steps = []
    while True:
        try:
            steps.append(next(run))
        except StopIteration as stop:
            return model, steps, stop.value


def world(*names: str) -> ScriptedWorld:
    return ScriptedWorld(names or ("pc",), items=(element("Save", id="e1"),))


def asked_once(model: ScriptedModel, request: Request | None = None, **options: Any) -> Any:
    planner = FunctionCallingPlanner.over(model, **options)
    planner.begin(BRIEF)
    return planner.plan(request or Request(BRIEF, 0, {}))


def test_an_episode_from_calls_to_done() -> None:
    one = calls(("click", {"target": "Save"}), ("type", {"text": "hi", "target": "#e1"}), text="Save first.")
    _, steps, ending = lived(here := world(), one, calls(("done", {})))
    assert [step.proposed for step in steps] == [
        Move("pc", Click("Save")),
        Move("pc", TypeText("hi", Ref("e1"))),
        Move("", Done()),
    ]
    assert here.envs["pc"].acted == [Click(PLACES["Save"]), TypeText("hi", PLACES["e1"])]
    assert (ending.reason, ending.status) == ("done", "success")


def test_the_device_is_an_argument_where_there_are_several() -> None:
    here = world("pc", "phone")
    model, _, _ = lived(here, calls(("click", {"device": "phone", "target": "Save"})), calls(("done", {})))
    assert here.envs["phone"].acted == [Click(PLACES["Save"])]
    assert here.envs["pc"].acted == []
    (click,) = [tool for tool in model.asked[0].tools if tool.name == "click"]
    assert list(click.parameters["properties"])[:2] == ["thought", "device"]
    assert click.parameters["required"] == ["thought", "device"]
    assert click.parameters["properties"]["device"]["enum"] == ["pc", "phone"]
    assert model.asked[0].tool_choice == "required"


def test_tools_carry_the_name_of_their_device_where_that_is_wanted() -> None:
    here = world("pc", "phone")
    model, _, _ = lived(here, calls(("click_in_phone", {"target": "Save"})), calls(("done", {})), tools="per-device")
    assert here.envs["phone"].acted == [Click(PLACES["Save"])]
    assert {tool.name for tool in model.asked[0].tools} >= {"click_in_pc", "click_in_phone", "done", "noop"}
    assert all("device" not in tool.parameters["properties"] for tool in model.asked[0].tools)


@pytest.mark.parametrize(("said", "why"), [({}, "'device' is missing; write one of"), ({"device": "tv"}, "no device")])
def test_a_call_without_a_known_device_is_repaired(said: dict[str, Any], why: str) -> None:
    here = world("pc", "phone")
    right = calls(("click", {"device": "phone", "target": "Save"}))
    model, steps, _ = lived(here, calls(("click", {"target": "Save", **said})), right, calls(("done", {})))
    assert why in str(model.asked[1].messages[-1].parts[0])
    assert "pc" in str(model.asked[1].messages[-1].parts[0]) and "phone" in str(model.asked[1].messages[-1].parts[0])
    assert [step.outcome.result for step in steps] == ["done", "control"]


def test_the_thought_is_an_argument_that_reaches_the_decision() -> None:
    one = ("click", {"thought": "Save comes first.", "target": "Save"})
    two = ("type", {"thought": "Then the text.", "text": "hi"})
    model = ScriptedModel(calls(one, two))
    decision = asked_once(model)
    assert decision.thought == "Save comes first.\nThen the text."
    assert decision.moves == (Move("pc", Click("Save")), Move("pc", TypeText("hi")))
    assert all(next(iter(tool.parameters["properties"])) == "thought" for tool in model.asked[0].tools)
    assert "Give each call a `thought`" in model.asked[0].words and "{thought}" not in model.asked[0].words
    same = ("click", {"thought": "Save it.", "target": "Save"})
    assert asked_once(ScriptedModel(calls(same, same, text="Now."))).thought == "Now.\nSave it."


def test_the_thought_is_text_where_that_is_wanted() -> None:
    model = ScriptedModel(calls(("noop", {}), text="So."))
    assert asked_once(model, thought="text").thought == "So."
    assert all("thought" not in tool.parameters["properties"] for tool in model.asked[0].tools)
    assert "efore the calls, write one or two sentences" in model.asked[0].words


def outcomes(model: ScriptedModel) -> list[Any]:
    return [message.parts[0] for message in model.asked[-1].messages if message.role == "tool"]


def test_the_history_is_all_rounds_with_the_result_of_every_call() -> None:
    script = [
        calls(("noop", {}), text="one"),
        calls(("click", {"target": "gone"}), ("noop", {}), text="two"),
        calls(("click", {"target": "Save"}), text="three"),
        calls(("done", {})),
    ]
    model, _, _ = lived(world(), *script)
    first, last = model.asked[0].messages, model.asked[-1].messages
    assert [message.role for message in first] == ["system", "user"]
    assert [message.role for message in last] == [
        "system",
        *("user", "assistant", "tool"),
        *("user", "assistant", "tool", "tool"),
        *("user", "assistant", "tool"),
        "user",
    ]
    assert last[5].calls == script[1].calls
    assert last[5].parts == ("two",)
    assert outcomes(model)[1:] == [
        "not carried out, the place was not found: \"'gone' was not found on pc (not_found): there is no gone\"",
        "not carried out: an earlier move of the turn failed",
        "carried out",
    ]
    # The screen was the same in the first, second and third turn, and is shown once.
    assert [part for part in model.asked[-1].media if type(part).__name__ == "Image"] == [
        shade(0, "pc", 0),
        shade(1, "pc", 1),
    ]
    assert model.asked[2].media == (shade(0, "pc", 0),)
    assert "The screen of pc: unchanged since turn 1" in model.asked[2].words
    assert model.asked[-1].words.count("The task: Save it.") == 1


@pytest.mark.parametrize("history", [0, 1, 3])
def test_the_history_is_as_long_as_it_is_told(history: int) -> None:
    model, _, _ = lived(world(), *[calls(("noop", {}))] * 5, calls(("done", {})), history=history)
    assert [message.role for message in model.asked[-1].messages].count("assistant") == history
    told = "What became of your last actions:\n- noop: carried out" in model.asked[-1].words
    assert told == (history == 0)
    left_out = {0: "Earlier turns are", 1: "Turns 1 to 4 are", 3: "Turns 1 to 2 are"}[history]
    assert f"({left_out} left out here.)" in model.asked[-1].words


def test_what_the_history_holds_is_not_recalled_again() -> None:
    told = [
        Recalled("I think", "thought", "", 0.0, 0),
        Recalled(shade(1, "pc", 0), "screenshot", "pc", 0.0, 0),
        Recalled("a note", "note", "", 0.0, 0),
        Recalled("click on phone", "action", "phone", 0.0, 0),
    ]
    model = ScriptedModel(calls(("noop", {})))
    planner = FunctionCallingPlanner.over(model)
    planner.begin(BRIEF)
    seen = world().envs["pc"].observe([Modality.CONTEXT], 0.0)
    planner.plan(Request(BRIEF, 0, {"pc": seen}))
    planner.plan(Request(BRIEF, 1, {"pc": seen}, told))
    assert "I think" not in model.asked[1].words
    assert model.asked[1].media == ()
    assert "- turn 1, note: a note\n- turn 1, phone, action: click on phone" in model.asked[1].words


BAD = [
    (calls(), "called no tool"),
    (says("I would click Save."), "called no tool"),
    (says("", reasoning="I would click Save."), "came as reasoning, without a </think>"),
    (calls(("tap", {})), "there is no tool 'tap'"),
    (calls(("click", '{"target": "Sa')), "are no JSON"),
    (calls(("click", {"count": "two"})), "click.count"),
    (calls(("click", {"target": "Save"}), ("type", {})), "type.text: is missing"),
    (calls(*[("noop", {})] * 9), "at most 8"),
]


WRITTEN = '<tool_call>\n{"name": "click", "arguments": {"thought": "Now.", "target": "Save"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        (WRITTEN, "Now."),
        (f"It is open.\n\n{WRITTEN}\n", "It is open.\nNow."),
        (f"<think>which?</think>\n{WRITTEN}", "Now."),
        (WRITTEN.removesuffix("\n</tool_call>"), "Now."),
        (
            "<tool_call>\n<function=click>\n<parameter=thought>\nNow.\n</parameter>\n<parameter=target>\nSave\n"
            "</parameter>\n</function>\n</tool_call>",
            "Now.",
        ),
    ],
)
def test_calls_that_a_server_left_in_the_text_are_calls(text: str, thought: str) -> None:
    model = ScriptedModel(says(text), calls(("noop", {})))
    planner = FunctionCallingPlanner.over(model, tool_choice="auto")
    planner.begin(BRIEF)
    seen = world().envs["pc"].observe([Modality.CONTEXT], 0.0)
    decision = planner.plan(Request(BRIEF, 0, {"pc": seen}))
    assert (decision.moves, decision.thought) == ((Move("pc", Click("Save")),), thought)
    planner.plan(Request(BRIEF, 1, {"pc": seen}))
    # In the conversation they are calls too, as the answers of tools have to follow them.
    (said,) = (message for message in model.asked[1].messages if message.role == "assistant")
    assert [name for name, _ in said.calls] == ["click"] and "<tool_call>" not in str(said.parts)


@pytest.mark.parametrize(
    ("text", "finish", "why"),
    [
        (f"The page says {WRITTEN!r}, which I ignore.", "stop", "called no tool"),
        (f"{WRITTEN}\nThat is what it asks me to call.", "stop", "called no tool"),
        (WRITTEN[:60], "length", "called no tool.*cut off"),
        ('<tool_call>\n{"name": "click", "arguments": {"target": "Sa}', "stop", "this is no JSON"),
    ],
)
def test_a_call_that_is_spoken_of_or_cut_off_is_none(text: str, finish: str, why: str) -> None:
    with pytest.raises(MalformedReply, match=f"(?s){why}"):
        asked_once(ScriptedModel(says(text, finish=finish)), repairs=0)


@pytest.mark.parametrize(("bad", "says_"), BAD)
def test_a_malformed_reply_is_answered_with_what_was_wrong(bad: Reply, says_: str) -> None:
    model = ScriptedModel(bad, calls(("noop", {})))
    decision = asked_once(model)
    assert decision.moves == (Move("", Noop()),)
    assert decision.usage == COST + COST
    *before, told, asked = model.asked[1].messages
    assert tuple(before) == model.asked[0].messages
    assert (told.role, told.calls, asked.role) == ("assistant", (), "user")
    assert says_ in str(asked.parts[0])
    for name, arguments in bad.calls:
        assert f"{name}({arguments})" in str(told.parts[0])


@pytest.mark.parametrize(("bad", "says_"), BAD)
def test_it_gives_up_with_the_usage_of_every_attempt(bad: Reply, says_: str) -> None:
    for repairs in (0, 2):
        model = ScriptedModel(bad)
        with pytest.raises(MalformedReply) as error:
            asked_once(model, repairs=repairs)
        assert says_ in str(error.value)
        assert len(model.asked) == error.value.usage.calls == repairs + 1
        assert error.value.usage.cost == 0.25 * (repairs + 1)


def test_the_loop_counts_a_malformed_reply_and_the_next_turn_is_told_of_it() -> None:
    model, steps, ending = lived(world(), says("no"), says("no"), calls(("done", {})))
    assert [step.outcome.result for step in steps] == ["malformed", "control"]
    assert "- your reply could not be read: You called no tool." in model.asked[2].words
    assert ending.reason == "done"
    _, steps, ending = lived(world(), says("no"), retries=0)
    assert (len(steps), ending.reason) == (1, "invalid")


def test_a_reply_that_was_cut_off_is_told_so() -> None:
    with pytest.raises(MalformedReply, match="longer than allowed"):
        asked_once(ScriptedModel(calls(("type", '{"text": "abc'), finish="length")))


def test_thinking_is_told_apart_from_what_is_said() -> None:
    model = ScriptedModel(
        calls(("noop", {}), text="<think>hm <b></think> Wait."), calls(("done", {}), reasoning="deep")
    )
    planner = FunctionCallingPlanner.over(model)
    planner.begin(BRIEF)
    assert planner.plan(Request(BRIEF, 0, {})).thought == "Wait."
    assert planner.plan(Request(BRIEF, 1, {})).thought == "deep"
    assert "hm <b>" not in model.asked[1].words


def test_a_blind_planner_describes_and_a_seeing_grounder_finds() -> None:
    here = world()
    model, _, ending = lived(here, calls(("click", {"target": "Save"})), calls(("done", {})), sees=frozenset())
    assert all(not asked.media for asked in model.asked)
    assert all("e1" not in asked.words and '"Save"' not in asked.words for asked in model.asked)
    assert here.envs["pc"].acted == [Click(PLACES["Save"])]
    assert ending.reason == "done"


def test_an_episode_leaves_nothing_to_the_next() -> None:
    model = ScriptedModel(calls(("noop", {}), text="secret of the first"))
    planner = FunctionCallingPlanner.over(model)
    for _ in range(2):
        planner.begin(BRIEF)
        planner.plan(Request(BRIEF, 0, {}))
        planner.plan(Request(BRIEF, 1, {}, feedback=[Feedback(Move("", Noop()), Outcome("control"))]))
    assert model.asked[2] == model.asked[0]
    assert model.asked[3] == model.asked[1]


def test_trials_differ_by_their_salt_alone() -> None:
    model = ScriptedModel(calls(("noop", {})))
    planner = FunctionCallingPlanner.over(model)
    for seed in (3, 4):
        planner.begin(replace(BRIEF, seed=seed))
        planner.plan(Request(BRIEF, 0, {}))
    assert [asked.salt for asked in model.asked] == [3, 4]
    assert model.asked[0].messages == model.asked[1].messages


def test_a_model_that_is_not_there_is_no_malformed_reply() -> None:
    with pytest.raises(ModelUnavailable):
        asked_once(ScriptedModel(ModelUnavailable("gone")))


@pytest.mark.parametrize(
    ("options", "says_"),
    [
        ({"history": -1}, "history must be at least 0"),
        ({"actions": 0}, "actions must be at least 1"),
        ({"places": "pixels"}, "places must be described or grounded"),
        ({"marks": "left"}, "marks must be alone or both or beside"),
        ({"marks": "beside", "places": "any"}, "take places=described"),
        ({"controls": "done,skip"}, "unknown control verb .skip."),
        ({"prompt": "functon_calling"}, "did you mean function_calling"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], says_: str) -> None:
    with pytest.raises(ConfigError, match=says_):
        FunctionCallingPlanner.over(ScriptedModel(says("")), **options)
