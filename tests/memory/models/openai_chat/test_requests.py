"""The lean client says what litellm says for the same request, and reads what servers say is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from chat_server import Answer, Body, ChatServer, Status

from omnipilot.envs import ConfigError, Image, Size
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint, Tool
from omnipilot.memory.models.litellm import LitellmClient
from omnipilot.memory.models.openai_chat.wire import read_error
from omnipilot.memory.models.providers import provider_of

TALK = (
    Message("system", ("Be brief.",)),
    Message("user", ('first "\0" {"\0":0} ü\n', Image.raw(Size(2, 2), bytes(12)), "what is this?")),
    Message("assistant", ("I look.",), (("look", '{"at": "OK"}'),)),
    Message("tool", ("seen", Image.raw(Size(2, 2), bytes(12)))),
    Message("user", ("and now?",)),
)
CLOSED = {
    "type": "object",
    "properties": {"at": {"type": "string", "pattern": "^[a-z]$", "maxLength": 1}, "deep": {"type": "object"}},
    "required": ["at", "deep"],
    "additionalProperties": False,
}
LOOK = Tool("look", "looks", CLOSED)
PARAMETERS: tuple[dict[str, Any], ...] = (
    {},
    {
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 10,
        "seed": 3,
        "stop": ["x"],
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
        "logit_bias": {"5": 1},
        "parallel_tool_calls": False,
        "service_tier": "auto",
        "extra_body": {"mm_processor_kwargs": {"fps": 2}},
    },
    {"max_completion_tokens": 10, "top_k": 5, "reasoning_effort": "low", "verbosity": "low"},
)
ASKED: dict[str, dict[str, Any]] = {
    "plain": {},
    "required": {"tools": [LOOK]},
    "auto": {"tools": [LOOK], "tool_choice": "auto"},
    "by name": {"tools": [LOOK], "tool_choice": "look"},
    "schema": {"schema": CLOSED},
    "open schema": {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}},
}


@pytest.mark.parametrize("model", ["hosted_vllm/tiny", "openai/tiny"])
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("parameters", PARAMETERS, ids=["none", "usual", "rare"])
def test_it_sends_what_litellm_sends(
    model: str, asked: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer() as server:
        endpoint = LlmEndpoint(model, server.url, parameters=parameters)
        lean = ChatModel(endpoint).complete(TALK, **ASKED[asked])
        monkeypatch.setattr(type(provider_of(model)), "make_client", lambda self, endpoint: LitellmClient(endpoint))
        through_litellm = ChatModel(endpoint).complete(TALK, **ASKED[asked])
    ours, theirs = (request.json for request in server.requests)
    assert _without_strictness(ours) == _without_strictness(theirs)
    assert lean.dropped == through_litellm.dropped == (("verbosity",) if "verbosity" in parameters else ())
    assert lean.text == through_litellm.text and lean.finish == through_litellm.finish


def _without_strictness(body: dict[str, Any]) -> dict[str, Any]:
    """A request whose tools do not say how strictly they are kept, which litellm does not pass on to vLLM."""
    for tool in body.get("tools", ()):
        tool["function"].pop("strict", None)
        tool["function"]["parameters"].pop("additionalProperties", None)
    return body


@pytest.mark.parametrize(
    ("model", "strict"), [("hosted_vllm/tiny", True), ("openai/tiny", None), ("openai-compatible/tiny", None)]
)
@pytest.mark.parametrize("choice", ["required", "auto", "look"])
def test_only_vllm_is_asked_to_hold_arguments_to_the_schema(model: str, strict: bool | None, choice: str) -> None:
    """It takes optional arguments in strict tools, too; others would refuse them."""
    optional = Tool("look", "looks", {**CLOSED, "required": []})
    with ChatServer() as server:
        ChatModel(LlmEndpoint(model, server.url)).complete(TALK, tools=[optional], tool_choice=choice)
    (request,) = server.requests
    (tool,) = request.json["tools"]
    assert tool["function"].get("strict") is strict
    assert tool["function"]["parameters"]["additionalProperties"] is False


def test_a_grounder_s_request_and_a_planner_s_are_written_alike() -> None:
    with ChatServer() as server:
        model = ChatModel(LlmEndpoint("openai-compatible/tiny", server.url))
        model.complete(TALK, tools=[LOOK])
    (request,) = server.requests
    assert request.json["tools"][0]["function"]["parameters"]["additionalProperties"] is False
    assert "maxLength" not in request.json["tools"][0]["function"]["parameters"]["properties"]["at"]
    assert "authorization" not in request.headers


@pytest.mark.parametrize(
    ("status", "error", "kind", "told"),
    [
        (
            400,
            {"message": "the maximum context length is 4096 tokens."},
            ConfigError,
            "too long.*less history",
        ),
        (400, {"message": "no", "code": "context_length_exceeded"}, ConfigError, "conversation is too long"),
        (400, {"message": "rejected", "code": "content_filter"}, ModelUnavailable, "refuses the content"),
        (400, {"message": "rejected", "type": "content_policy_violation"}, ModelUnavailable, "refuses the content"),
        (400, {"message": "temperature is too high"}, ConfigError, "refuses the request .*temperature"),
        (429, {"message": "spent", "code": "insufficient_quota"}, ConfigError, "no credit left"),
        (402, {"message": "pay"}, ConfigError, "no credit left"),
        (404, {"message": "no such model"}, ConfigError, "does the URL end in /v1"),
    ],
)
def test_what_a_server_says_is_wrong_is_told_by_who_can_mend_it(
    status: int, error: dict[str, str], kind: type[Exception], told: str
) -> None:
    body = json.dumps({"error": error}).encode()
    with ChatServer([Status(status, body.decode())]) as server, pytest.raises(kind, match=f"(?s){told}"):
        ChatModel(LlmEndpoint("hosted_vllm/tiny", server.url, retries=0)).complete(TALK)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"error": {"message": "no", "code": "content_filter", "type": "bad"}}', ("no", "content_filter bad")),
        (b'{"error": {"message": "no", "code": 400, "type": null}}', ("no", "400 ")),
        (b'{"object": "error", "message": "no", "type": "BadRequest", "code": 400}', ("no", "400 BadRequest")),
        (b'{"error": "no"}', ("no", "")),
        (b'{"detail": "no"}', ("no", " ")),
        (b'[{"error": {"message": "no", "code": 429, "status": "RESOURCE_EXHAUSTED"}}]\n', ("no", "429 ")),
        (b"[1, 2]", ("'[1, 2]'", "")),
        (b"<html>", ("'<html>'", "")),
    ],
)
def test_an_error_has_its_words_and_its_code(body: bytes, told: tuple[str, str]) -> None:
    assert read_error(body) == told


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "yes", "reasoning_content": "hm"}, "yes", "hm"),
        ({"content": "yes", "reasoning": "hm"}, "yes", "hm"),
        ({"content": "<think>hm</think>yes"}, "yes", "hm"),
        ({"content": "yes <think>hm</think>"}, "yes <think>hm</think>", ""),
        ({"content": "<think>never ends"}, "<think>never ends", ""),
    ],
)
@pytest.mark.parametrize("model", ["hosted_vllm/tiny", "lm_studio/tiny"])
def test_reasoning_is_read_where_servers_put_it(model: str, message: dict[str, str], text: str, reasoning: str) -> None:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    told = {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", "choices": [choice]}
    with ChatServer([Body(json.dumps(told).encode())]) as server:
        reply = ChatModel(LlmEndpoint(model, server.url)).complete(TALK[:2])
    assert (reply.text, reply.reasoning) == (text, reasoning)


def test_a_tool_is_written_once_and_another_of_the_same_name_anew() -> None:
    other = Tool("look", "looks", {"type": "object", "properties": {}})
    with ChatServer([Answer("x")]) as server:
        model = ChatModel(LlmEndpoint("hosted_vllm/tiny", server.url))
        for tool in (LOOK, LOOK, other):
            model.complete(TALK[:1], tools=[tool])
    first, second, third = (request.json["tools"] for request in server.requests)
    assert first == second != third and third[0]["function"]["parameters"] == other.parameters
