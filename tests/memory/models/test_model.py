"""An LLM through litellm and a real server: what is sent, what comes back, and what it is said to have cost."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from chat_server import Answer, Body, ChatServer

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, Usage
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.litellm.parameters import accepted_parameters
from omnipilot.memory.models.strict_schema import is_strict

HELLO = (Message("system", ("Be brief.",)), Message("user", ("hello",)))
BOTH = pytest.mark.parametrize("model", ["hosted_vllm/tiny", "openai/tiny", "lm_studio/tiny"])


@dataclass(frozen=True)
class Verb:
    name: str
    description: str = "does it"
    parameters: dict[str, Any] = field(
        default_factory=lambda: {"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"]}
    )


CLICK = Verb("click")


def model_of(server: ChatServer, model: str = "hosted_vllm/tiny", **options: Any) -> ChatModel:
    return ChatModel(LlmEndpoint(model, server.url, **options))


@BOTH
def test_an_answer_has_its_text_usage_latency_and_the_name_the_server_gives(model: str) -> None:
    with ChatServer([Answer("hello", usage=(120, 7), model="tiny-2026", finish="length")]) as server:
        reply = model_of(server, model, price_in=2.0, price_out=10.0).complete(HELLO)
    (request,) = server.requests
    assert request.json["model"] == "tiny"
    assert request.json["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
    ]
    # litellm puts the provider before the name.
    assert (reply.text, reply.finish, reply.model.rpartition("/")[2]) == ("hello", "length", "tiny-2026")
    assert reply.usage.calls == 1 and (reply.usage.tokens_in, reply.usage.tokens_out) == (120, 7)
    assert reply.usage.cost == pytest.approx(120 * 2e-6 + 7 * 10e-6) and reply.usage.seconds > 0
    assert reply.dropped == () and not reply.replayed


@BOTH
def test_tools_travel_as_functions_and_calls_come_back_in_order(model: str) -> None:
    calls = (("click", '{"target": "OK"}'), ("type", '{"text": "unread'))
    with ChatServer([Answer(None, calls)]) as server:
        client = model_of(server, model)
        reply = client.complete(HELLO, tools=[CLICK], tool_choice="required")
        client.complete(HELLO, tools=[CLICK], tool_choice="click")
        client.complete(HELLO)
    first, named, bare = (request.json for request in server.requests)
    assert reply.text == "" and reply.calls == calls
    function = {"name": "click", "description": "does it", "parameters": CLICK.parameters}
    if model.startswith("hosted_vllm/"):
        function["strict"] = True
    assert first["tools"] == [{"type": "function", "function": function}]
    assert first["tool_choice"] == "required"
    assert named["tool_choice"] == {"type": "function", "function": {"name": "click"}}
    assert "tools" not in bare and "tool_choice" not in bare


def test_a_conversation_of_calls_and_their_answers() -> None:
    talk = (
        *HELLO,
        Message("assistant", ("I press it.",), (("click", '{"target": "OK"}'), ("done", "{}"))),
        Message("tool", ("clicked",)),
        Message("tool", ("not yet",)),
        Message("assistant", (), (("done", "{}"),)),
        Message("tool", ("yes",)),
    )
    with ChatServer() as server:
        model_of(server).complete(talk, tools=[CLICK])
    told = server.requests[0].json["messages"][2:]
    assert [(m["role"], m["content"], m.get("tool_call_id")) for m in told] == [
        ("assistant", "I press it.", None),
        ("tool", "clicked", "call_0"),
        ("tool", "not yet", "call_1"),
        ("assistant", "", None),
        ("tool", "yes", "call_2"),
    ]
    assert [call["id"] for m in told for call in m.get("tool_calls", ())] == ["call_0", "call_1", "call_2"]


@pytest.mark.parametrize("cut", [4, 3])
def test_a_call_without_an_answer_is_a_mistake_of_ours(cut: int) -> None:
    talk = (*HELLO, Message("assistant", (), (("a", "{}"), ("b", "{}"))), Message("tool", ("1",)), HELLO[1])
    with ChatServer() as server, pytest.raises(ValueError, match="no answer"):
        model_of(server).complete(talk[: cut + 1] if cut == 4 else talk[:cut])
    assert not server.requests


def test_parameters_and_a_schema_arrive() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    parameters = {"temperature": 0.0, "seed": 7, "max_tokens": 50, "extra_body": {"mm_processor_kwargs": {"fps": 2}}}
    with ChatServer() as server:
        reply = model_of(server, parameters=parameters).complete(HELLO, schema=schema)
    told = server.requests[0].json
    assert (told["temperature"], told["seed"], told["max_tokens"]) == (0.0, 7, 50)
    assert told["mm_processor_kwargs"] == {"fps": 2}
    assert told["response_format"]["json_schema"]["schema"] == schema
    assert reply.dropped == ()


def test_a_schema_is_strict_only_where_strict_mode_would_take_it() -> None:
    closed = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
    assert is_strict(closed) and is_strict({"anyOf": [closed, {"type": "null"}]})
    assert not is_strict({**closed, "required": []})
    assert not is_strict({"type": "array", "items": {"type": "object", "properties": {}}})


@pytest.mark.parametrize(
    ("model", "wanted", "dropped"),
    [
        ("openai/gpt-5", {"temperature": 0.0, "top_p": 0.5, "seed": 1, "max_tokens": 9}, {"temperature", "top_p"}),
        ("openai/gpt-4o", {"temperature": 0.0, "top_p": 0.5, "seed": 1, "stop": ["x"]}, set()),
        ("anthropic/claude-sonnet-4-5", {"seed": 1, "temperature": 0.0}, {"seed"}),
        ("ollama_chat/llava", {"tools": [{}], "tool_choice": "required"}, {"tool_choice"}),
        ("openai/gpt-3.5-turbo", {"response_format": {}}, {"response_format"}),
        ("hosted_vllm/any", {"response_format": {}, "top_k": 3, "extra_body": {"x": 1}}, set()),
    ],
)
def test_what_a_model_does_not_take_is_named(model: str, wanted: dict[str, Any], dropped: set[str]) -> None:
    kept, named = accepted_parameters(model, wanted)
    assert set(named) == dropped
    assert kept == {name: value for name, value in wanted.items() if name not in dropped}


def test_a_dropped_parameter_is_in_the_reply_and_not_in_the_request() -> None:
    with ChatServer([Answer("x")]) as server:
        reply = model_of(server, "openai/o3", parameters={"temperature": 0.5, "seed": 2}).complete(HELLO)
    assert reply.dropped == ("temperature",)
    assert "temperature" not in server.requests[0].json and server.requests[0].json["seed"] == 2


def test_unknown_costs_are_unknown() -> None:
    with ChatServer([Answer("x"), Answer("x", usage=None)]) as server:
        assert model_of(server).complete(HELLO).usage.cost is None
        assert model_of(server, price_in=1, price_out=1).complete(HELLO).usage.cost is None
        assert model_of(server, price_in=0, price_out=0).complete(HELLO).usage.cost == 0.0


def test_reasoning_is_told_apart_from_the_answer() -> None:
    message = {"role": "assistant", "content": "yes", "reasoning_content": "hm"}
    told = {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", "choices": [{"message": message}]}
    with ChatServer([Body(json.dumps(told).encode())]) as server:
        reply = model_of(server).complete(HELLO)
    assert (reply.text, reply.reasoning) == ("yes", "hm")


def test_threads_share_one_model_and_get_their_own_answers() -> None:
    gate = threading.Event()

    def echo(request: Any) -> Answer:
        return Answer(request.json["messages"][-1]["content"], gate=gate)

    replies: dict[int, tuple[str, Usage]] = {}
    with ChatServer(echo) as server:
        client = model_of(server)

        def ask(number: int) -> None:
            reply = client.complete((Message("user", (f"number {number}",)),))
            replies[number] = reply.text, reply.usage

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        assert server.wait_for(lambda s: s.under_way == 8)
        gate.set()
        for thread in threads:
            thread.join(60)
    assert {number: text for number, (text, _) in replies.items()} == {i: f"number {i}" for i in range(8)}


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        ({"model": "gpt-4o"}, "did you mean openai/gpt-4o"),
        ({"model": "ollama/llava"}, "ollama_chat/llava"),
        ({"model": "hosted_vllm/x"}, "needs the URL"),
        ({"parameters": {"temprature": 1}}, "unknown parameters temprature"),
        ({"parameters": {"api_key": "x"}}, "unknown parameters api_key"),
        ({"price_in": 1.0}, "both price_in and price_out"),
        ({"timeout": 0}, "more than 0 seconds"),
        ({"images": -1}, "0 or more"),
        ({"degrade": {"video": "frames:0"}}, "'frames:N'"),
        ({"degrade": {"audio": "frames"}}, "'describe'"),
        ({"degrade": {"smell": "describe"}}, "image, audio, video"),
    ],
)
def test_an_endpoint_that_cannot_be_says_what_to_write(options: dict[str, Any], cure: str) -> None:
    with pytest.raises(ConfigError, match=cure):
        LlmEndpoint(**{"model": "openai/gpt-4o", **options})


@pytest.mark.slow
def test_importing_the_client_does_not_import_litellm_and_litellm_asks_nobody() -> None:
    script = (
        "import sys, socket\n"
        "import omnipilot.memory.models.model, omnipilot.memory.models.prices\n"
        "assert 'litellm' not in sys.modules\n"
        "def no(*a, **k): raise AssertionError(f'network at import: {a}')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = no\n"
        "from omnipilot.memory.models.litellm.library import library\n"
        "assert library().telemetry is False and len(library().model_cost) > 500\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "" and done.stderr == ""


def test_every_option_named_like_one_of_an_endpoint_reaches_it() -> None:
    from dataclasses import fields

    from omnipilot.memory.models.model_options import ModelOptions
    from omnipilot.planners.chat.prompted_model import ChatOptions

    given = {"url": "http://127.0.0.1:1/v1", "retries": 2, "price_in": 1.0, "price_out": 2.0, "attempt": 5.0}
    media = {
        "images": 3,
        "audios": 1,
        "videos": 2,
        "degrade": {"audio": "describe"},
        "scale": 9,
        "jpeg": 7,
    }
    plain = ModelOptions("hosted_vllm/m", **given).endpoint
    whole = ChatOptions("hosted_vllm/m", **given, **media, detail="low").endpoint
    for name, value in given.items():
        assert getattr(plain, name) == getattr(whole, name) == value
    for name, value in media.items():
        assert getattr(whole, name) == value
    unknown = {one.name for one in fields(type(whole))} - {one.name for one in fields(ChatOptions)}
    assert unknown == {"concurrency", "square"}  # The planner fits screens into squares itself, and maps places back.
