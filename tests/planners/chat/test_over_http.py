"""Chat planners over a real server that speaks the OpenAI protocol: tasks of `duet`, seen from the server's side."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
import served_duet
from chat_server import Answer, ChatServer
from scripted_model import as_call
from served_duet import SEEING, TASK, Played, by_calls, by_json, demonstration, parts, spec, words

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.agents.assembly.examine import examine
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.envs import ConfigError, Image, Modality, Size
from omnipilot.planners.chat import ChatPlanner
from omnipilot.planners.prompts import load, names


def test_function_calling_completes_a_task_message_by_message() -> None:
    moves = demonstration()
    with ChatServer(by_calls(moves)) as server:
        played = Played(spec(server))
    assert played.success
    assert played.ending is not None
    assert played.ending.reason == "done"
    assert [step.proposed for step in played.steps[:-1]] == moves
    assert len(server.requests) == len(moves) + 1
    for turn, request in enumerate(server.requests):
        roles = [message["role"] for message in request.json["messages"]]
        assert roles == ["system", *("user", "assistant", "tool") * turn, "user"]
        assert load("function_calling").text.split("{thought}")[0] in words(request)
        assert words(request).count(f"The task: {played.instruction}") == 1
        # One of each screen, and of the one that changed the picture of the turn before.
        assert 2 <= len(parts(request, "image_url")) <= 3
        assert words(request).count("The elements of phone:") == 1
        assert request.json["tool_choice"] == "required"
        offered = {tool["function"]["name"] for tool in request.json["tools"]}
        assert {"click", "set_clipboard", "done", "noop"} <= offered
        assert not any("_in_" in name for name in offered)
        assert f"You have left: {30 - turn} turns" in words(request)
    last = server.requests[-1].json["messages"]
    assert [call["function"]["name"] for call in last[-3]["tool_calls"]] == [as_call(moves[-1], True)[0]]
    assert last[-3]["tool_calls"][0]["id"] == last[-2]["tool_call_id"]
    assert "carried out" in str(last[-2]["content"])


def test_several_calls_at_once_are_carried_out_in_their_order() -> None:
    moves = demonstration()
    with ChatServer(by_calls(moves, each=3)) as server:
        played = Played(spec(server))
    assert played.success
    assert len(server.requests) == -(-len(moves) // 3) + 1
    roles = [message["role"] for message in server.requests[1].json["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "tool", "user"]


def test_json_completes_a_task_held_to_a_schema() -> None:
    moves = demonstration()
    with ChatServer(by_json(moves)) as server:
        played = Played(spec(server, "json"))
    assert played.success
    assert [step.proposed for step in played.steps[:-1]] == moves
    for request in server.requests:
        schema = request.json["response_format"]["json_schema"]["schema"]
        assert list(schema["properties"]) == ["thought", "actions"]
        assert "tools" not in request.json
        assert load("json").text.strip() in words(request)


@pytest.mark.parametrize("granted", [frozenset(), SEEING - {Modality.SCREENSHOT}, SEEING - {Modality.ELEMENTS}])
def test_what_the_planner_is_not_granted_never_reaches_its_server(granted: frozenset[Modality]) -> None:
    moves = demonstration()
    with ChatServer(by_calls(moves)) as server:
        played = Played(spec(server, planner_modalities=granted))
    # Ids that were not shown are words to the planner: the grounder looks for those among what it sees.
    assert len(played.steps) > 0
    for request in server.requests:
        assert bool(parts(request, "image_url")) == (b"data:image" in request.body) == (Modality.SCREENSHOT in granted)
        assert ("The elements of" in words(request)) == (Modality.ELEMENTS in granted)
        assert ("In front:" in words(request)) == (Modality.CONTEXT in granted)


def test_a_blind_planner_over_a_seeing_grounder_on_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANNER_KEY", "key-of-the-planner")
    monkeypatch.setenv("GROUNDER_KEY", "key-of-the-grounder")
    click = Answer("Tap it.", (("click_in_phone", '{"target": "the middle of the screen"}'),), usage=(100, 10))
    with (
        ChatServer([click, Answer("", (("done", "{}"),))], key="key-of-the-planner") as thinks,
        ChatServer([Answer("(500, 500)", usage=(40, 4))], key="key-of-the-grounder") as points,
    ):
        grounder = {"model": "osunlp/UGround-V1-7B", "url": points.url, "key_env": "GROUNDER_KEY"}
        played = Played(
            spec(
                thinks,
                options={"key_env": "PLANNER_KEY"},
                planner_modalities=frozenset(),
                grounder=PartSpec("vllm", grounder),
            )
        )
    assert [step.outcome.result for step in played.steps] == ["done", "control"]
    assert played.steps[0].usage.tokens == 44
    assert len(points.requests) == 1
    assert b"data:image" in points.requests[0].body
    for request in thinks.requests:
        assert request.headers["authorization"] == "Bearer key-of-the-planner"
        assert b"data:image" not in request.body
        assert b"key-of-the-grounder" not in request.body
    assert points.requests[0].headers["authorization"] == "Bearer key-of-the-grounder"
    assert played.instruction.encode() not in points.requests[0].body


def test_sound_reaches_a_model_that_takes_it_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = Answer("", (("wait", '{"seconds": 1}'),))
    everything = SEEING | {Modality.AUDIO}
    with ChatServer([wait, Answer("", (("done", "{}"),))]) as server:
        Played(spec(server, modalities=everything))
        assert "## phone, 412x916, at 1.0 s; sound: silent\n" in words(server.requests[1])
        assert not parts(server.requests[1], "input_audio")
    monkeypatch.setattr(served_duet, "TASK", "spoken-code-to-log")
    moves = demonstration()
    with ChatServer(by_calls(moves)) as server:
        Played(spec(server, modalities=everything))
        assert not parts(server.requests[0], "input_audio")
        assert any(parts(request, "input_audio") for request in server.requests)
    with ChatServer(by_calls(moves)) as server:
        deaf = spec(server, "openai/tiny", modalities=everything, options={"parameters": {"seed": 1}})
        Played(deaf)
        assert not any(parts(request, "input_audio") for request in server.requests)
    (told,) = examine(deaf).warnings()
    assert "is shown no audio" in told
    assert "degrade" in told


BAD = [
    (Answer("Let me think."), "You called no tool"),
    (Answer(None), "You called no tool"),
    (Answer("", (("tap_in_phone", "{}"),)), "phone cannot do 'tap'"),
    (Answer("", (("click_in_phone", '{"target": '),)), "are no JSON"),
    (Answer("", (("type_in_phone", '{"text": [5]}'),)), "type.text"),
    (Answer("", (("noop", "{}"), ("click_in_tv", "{}"))), "there is no tool 'click_in_tv'"),
]


@pytest.mark.parametrize(("bad", "says"), BAD)
def test_a_malformed_reply_is_mended_and_counted_either_way(bad: Answer, says: str) -> None:
    with ChatServer([bad, Answer("", (("done", "{}"),))]) as server:
        played = Played(spec(server))
        assert [step.outcome.result for step in played.steps] == ["control"]
        assert says in str(server.requests[1].json["messages"][-1]["content"])
        assert server.requests[1].json["messages"][-2]["role"] == "assistant"
    with ChatServer([bad]) as server:
        played = Played(spec(server, options={"repairs": 0}), retries=1)
        assert [step.outcome.result for step in played.steps] == ["malformed", "malformed"]
        assert says in played.steps[0].outcome.message
        assert played.ending is not None
        assert played.ending.reason == "invalid"
        assert len(server.requests) == 2


def test_two_episodes_in_one_process_share_no_state() -> None:
    moves = demonstration()[:3]
    sent = []
    for _ in range(2):
        with ChatServer(by_calls(moves)) as server:
            Played(spec(server))
        sent.append([request.json for request in server.requests])
    assert sent[0] == sent[1]


def test_a_name_with_a_slash_is_a_model_that_calls_functions() -> None:
    with ChatServer() as server:
        planner = build(spec(server)).planner  # type: ignore[attr-defined]
        assert isinstance(planner, ChatPlanner)
        assert (planner.model, planner.own_prompt) == ("hosted_vllm/tiny", "function_calling")
        with pytest.raises(ConfigError, match="no provider 'x' for the model 'x/y'"):
            build(spec(server, options={"model": "x/y"}))
        with pytest.raises(ConfigError, match="no option 'modle'"):
            build(spec(server, options={"modle": 1}))
    with pytest.raises(ConfigError, match="needs the URL of its server"):
        build(AgentSpec(planner=PartSpec("function-calling", {"model": "hosted_vllm/tiny"})))


def test_the_prompt_is_in_what_a_run_is_identified_by() -> None:
    with ChatServer() as server:
        ours = examine(spec(server)).prompts
        assert ours == {"planner.prompt": load("function_calling").digest}
        assert examine(spec(server, options={"prompt": "json"})).prompts == {
            **ours,
            "planner.prompt": load("json").digest,
        }
    assert {"function_calling", "json"} <= set(names())
    assert load("function-calling").digest != load("json").digest


@pytest.mark.parametrize("name", names("omnipilot.planners.chat"))
def test_prompts_name_no_benchmark_task_or_app(name: str) -> None:
    text = load(name).text
    assert not re.search(r"\b(duet|crab|omni\w+|miniwob|benchmark|judges?)\b", text, re.IGNORECASE)
    assert not re.search(r"\b(Messages|Notes|Mail|Signals|Calendar|Gallery|Settings|Chrome|Gmail)\b", text)


def test_a_run_completes_the_task_and_is_no_longer_the_same_with_another_prompt(tmp_path: Path) -> None:
    with ChatServer(by_calls(demonstration())) as server:
        asked = RunSpec(spec(server), PartSpec("duet"), tasks=(TASK,))
        result = run(asked, tmp_path / "run")
        assert [episode.success for episode in result.episodes] == [True]
        assert result.spec.prompts == {"planner.prompt": load("function_calling").digest}
        told = json.loads((tmp_path / "run" / "spec.json").read_text())
        assert told["spec"]["prompts"] == dict(result.spec.prompts)
        with pytest.raises(ConfigError, match="prompt"):
            run(RunSpec(spec(server, options={"prompt": "json"}), PartSpec("duet"), tasks=(TASK,)), tmp_path / "run")


def picture_of(part: dict[str, Any]) -> Image:
    """A picture as it arrived at the server."""
    return Image.encoded(base64.b64decode(part["image_url"]["url"].partition(";base64,")[2]))


def test_the_screen_before_stands_at_the_left_with_red_frames_around_what_was_acted_on() -> None:
    moves = demonstration()
    options = {"stitched": True, "square": 512, "history": 1, "unchanged": False}
    with ChatServer(by_calls(moves)) as server:
        played = Played(spec(server, "function-calling", options=options))
    assert played.success
    acted = [(turn, step) for turn, step in enumerate(played.steps) if step.touched]
    assert acted
    for turn, step in acted:
        request = server.requests[turn + 1]
        pictures = [picture_of(part) for part in parts(request, "image_url")]
        # One picture a device, none of earlier turns: a square of each turn, side by side.
        assert [one.size for one in pictures] == [Size(1024, 512)] * 2
        assert step.proposed is not None
        place = ["phone", "desktop"].index(step.proposed.env)
        pixels = pictures[place].array().astype(int)
        red = pixels[:, :, 0] - pixels[:, :, 1:].max(axis=2) > 120
        assert red[:, :512].sum() > 20 and red[:, 512:].sum() > 20
        other = pictures[1 - place].array()
        assert (other[:, :512] != other[:, 512:]).mean() < 0.2
        assert "with red frames around what was acted on" in words(request)
    first = [picture_of(part).size for part in parts(server.requests[0], "image_url")]
    assert first == [Size(512, 512)] * 2


@pytest.mark.parametrize("option", ["stitched", "square"])
def test_a_planner_that_points_is_shown_screens_as_they_are(option: str) -> None:
    with pytest.raises(ConfigError, match=f"{option} shows no screen as it is"):
        ChatPlanner("openai-compatible/x", url="http://127.0.0.1:9/v1", places="grounded", **{option: 1})
