"""CRAB's own prompts and names of actions, as a server is sent them: by each structure of its paper."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from scripted_model import as_call
from served_duet import Played, demonstration, words

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.suites.crab.actions import ACTIONS
from omnipilot.envs import ConfigError, Modality
from omnipilot.planners import FunctionCallingPlanner
from omnipilot.planners.chat.tool_calls import written_calls

OURS = {"done", "answer", "noop"}
SEEING = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})


def agent(name: str, server: ChatServer) -> AgentSpec:
    """The agent of a preset, asked at a server; places are found in the elements."""
    spec = spec_from(presets.load(name).settings).agent
    options = {**spec.planner.options, "model": "hosted_vllm/tiny", "url": server.url}
    return AgentSpec(
        system=spec.system,
        planner=PartSpec("function-calling", options),
        grounder=PartSpec("elements"),
        modalities=SEEING,
    )


def system(request: Any) -> str:
    content = request.json["messages"][0]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def offered(request: Any) -> set[str]:
    return {tool["function"]["name"] for tool in request.json.get("tools", ())}


def crab_call(call: tuple[str, str]) -> tuple[str, str]:
    """A call by CRAB's name of its action."""
    kind, joint, env = call[0].partition("_in_")
    return {"done": "complete"}.get(kind, kind) + joint + env, call[1]


def named_calls() -> list[tuple[str, str]]:
    """The calls that solve the task, by the names that CRAB gives them, and the end."""
    found = []
    for move in demonstration():
        name, arguments = as_call(move, False)
        found.append(crab_call((f"{name}_in_{move.env}" if move.env else name, arguments)))
    return [*found, ("complete", "{}")]


def test_a_single_agent_is_asked_in_crabs_words_and_calls_crabs_names() -> None:
    calls = named_calls()
    assert {name.partition("_in_")[0] for name, _ in calls} >= {"type", "complete"}
    with ChatServer([Answer("I see it.", (call,)) for call in calls]) as server:
        played = Played(agent("crab-single", server))
    assert played.success
    first = server.requests[0]
    assert system(first).startswith("You are a helpful assistant. Now you have to do a task as described below:")
    assert f"**{played.instruction}**" in system(first) and "- phone: a phone" in system(first)
    assert "[type_in_phone: In phone environment, Type where" in system(first) and "[complete: " in system(first)
    assert not re.search(r"\{[a-z_]+\}", system(first)) and "You operate a user's devices" not in words(first)
    assert {"complete", "submit", "SKIP", "type_in_desktop", "click_in_phone"} <= offered(first)
    assert not {name.partition("_in_")[0] for name in offered(first)} & OURS
    told = server.requests[-1].json["messages"]
    assert told[-3]["tool_calls"][0]["function"]["name"] == calls[-2][0]


def test_a_turn_is_told_and_offered_as_crab_does() -> None:
    spec = spec_from(presets.load("crab-single").settings).agent
    options = {**spec.planner.options, "model": "hosted_vllm/tiny"}
    answers = [Answer("I see.", (("tap_in_phone", '{"elem": 1}'),)), Answer("Go.", (("SKIP", "{}"),))]
    with ChatServer(answers) as server:
        options["url"] = server.url
        marks = PartSpec("marks", {"sources": "elements"})
        played = Played(
            replace(spec, planner=PartSpec("function-calling", options), grounder=marks, modalities=SEEING), turns=2
        )
    first, second = (request.json["messages"] for request in server.requests)
    told = [part.get("text", "picture") for part in first[1]["content"]]
    assert told == [
        "Here is the current screenshot of phone:",
        "picture",
        "Here is the screenshot with element labels of phone:",
        "picture",
        "Here is the current screenshot of desktop:",
        "picture",
        "Here is the screenshot with element labels of desktop:",
        "picture",
        f"Your target: {played.instruction}\nTell me the next action.",
    ]
    _, user, _, result, now = second
    assert (user, result["role"], result["content"]) == (first[1], "tool", "success")
    assert [part.get("text", "picture") for part in now["content"]] == told
    assert "[tap_in_phone: In phone environment, Tap on elem" in system(server.requests[0])
    assert {name for name in offered(server.requests[0]) if name.endswith("_in_desktop")} == {
        f"{name}_in_desktop" for name in ACTIONS["desktop"]
    }


def test_the_controls_take_crabs_arguments_and_no_others() -> None:
    calls = [
        ("submit", '{"text": "tea"}'),
        ("submit", "{}"),
        ("complete", '{"status": "failure"}'),
        ("submit", '{"content": "tea"}'),
        ("wait", "{}"),
        ("complete", "{}"),
    ]
    with ChatServer([Answer("I see it.", (call,)) for call in calls]) as server:
        played = Played(agent("crab-single", server))
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in server.requests[0].json["tools"]}
    assert {name: list(tools[name]["properties"]) for name in ("complete", "submit", "wait")} == {
        "complete": [],
        "submit": ["content"],
        "wait": [],
    }
    assert tools["submit"]["required"] == ["content"] and "ask_user" not in tools
    problems = [words(request) for request in server.requests[1:4]]
    assert "submit takes content, not text" in problems[0]
    assert "submit: 'content' is missing" in problems[1]
    assert "complete takes no arguments, not status" in problems[2]
    answer, wait, done = (step.executed for step in played.steps if step.executed is not None)
    assert (answer.text, wait.seconds, done.status) == ("tea", 5, "success")
    assert server.requests[-1].json["messages"][-3]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_without_function_calling_calls_are_written_in_code_blocks() -> None:
    blocks = [
        "I see the screens.\n```json\n" + json.dumps({"name": name, "arguments": json.loads(told)}) + "\n```"
        for name, told in named_calls()
    ]
    with ChatServer([Answer(block) for block in blocks]) as server:
        played = Played(agent("crab-single-json", server))
    assert played.success
    for request in server.requests:
        assert "tools" not in request.json and "response_format" not in request.json
        assert '{"name": "action_name", "arguments": {"arg1": "value1", "arg2": "value2"}}' in system(request)
    assert server.requests[1].json["messages"][-2]["content"] in (blocks[0], [{"type": "text", "text": blocks[0]}])
    assert all(
        "[**type_in_phone**:\naction description: In phone environment, Type where" in system(one)
        for one in server.requests
    )
    assert "What became of your last actions:" not in words(server.requests[1])


def test_several_blocks_are_several_actions_and_none_is_a_mistake() -> None:
    blocks = ('{"name": "a", "arguments": {"x": 1}}', '{"name": "b", "arguments": {}}')
    text = "It is open.\n" + "\nand\n".join(f"```json\n{block}\n```" for block in blocks)
    assert written_calls(text) == ("It is open.", (("a", '{"x": 1}'), ("b", "{}")))
    assert written_calls('{"name": "a"}') == ("", (("a", "{}"),))


def test_each_agent_of_a_team_has_its_own_prompt_and_sub_agents_know_the_task() -> None:
    with ChatServer([Answer("Nothing to do: all skip.", (("SKIP", "{}"),))]) as server:
        played = Played(agent("crab-by-environment", server), turns=1)
    main, *subs = server.requests[:4]
    assert system(main).startswith("You are a main agent, and your goal is to plan")
    assert offered(main) == set() and f"described below: {played.instruction}." in system(main)
    devices = [one for one in subs if "root environment" not in system(one)]
    (root,) = [one for one in subs if "root environment" in system(one)]
    assert f'completing the whole task: "{played.instruction}"' in system(root)
    assert {"complete", "submit", "SKIP"} <= offered(root) and not any("type" in name for name in offered(root))
    for request, name in zip(devices, ("phone", "desktop"), strict=True):
        assert f"responsible for the {name} environment" in system(request)
        assert "The final task is described below" in system(request) and played.instruction in system(request)
        assert "SKIP" in offered(request) and "complete" not in offered(request)


def test_a_tool_agent_is_told_no_task() -> None:
    with ChatServer([Answer("Do nothing.", (("SKIP", "{}"),))]) as server:
        played = Played(agent("crab-by-function", server), turns=1)
    main, tool = server.requests[:2]
    assert "You may receive a screenshot of the current system." in system(main) and "[SKIP: " in system(main)
    assert system(tool).startswith("You are a helpful assistant in generating function calls.")
    assert played.instruction not in words(tool)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"wording": {"greeting": "x"}}, "there is no 'greeting'"),
        ({"wording": {"end": "{name}"}}, "has no slot {name}; there is {task_description}"),
        ({"wording": {"screen": "x"}, "marks": "beside"}, "leave out marks=beside"),
        ({"arguments": {"click": {}}}, "is one of wait, answer"),
        ({"arguments": {"done": {"reason": "why"}}}, "no argument 'reason'; there are status, text"),
        ({"arguments": {"answer": {}}}, "text has no default"),
        ({"arguments": {"wait": {"seconds": 0}}}, "seconds"),
        ({"arguments": {"done": {"status": "x", "text": "x"}}}, "name of its own"),
        ({"names": {"tap": "x"}}, "there is no action 'tap'"),
        ({"names": {"done": "a b"}}, "no name of a tool"),
        ({"names": {"done": "click"}}, "two actions"),
        ({"names": {"done": "x", "noop": "x"}}, "two actions"),
        ({"written": True}, "prompt=PACKAGE:NAME"),
        ({"prompts": "omnipilot.bench.suites.omnigui"}, "no prompt"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        FunctionCallingPlanner("hosted_vllm/x", url="http://127.0.0.1:9/v1", **options)
