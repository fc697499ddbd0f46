"""What a request to the chat server of the tests may meet."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Answer:
    """A chat completion, after `delay` seconds and once `gate` (if any) is open. Tool calls are (name, JSON)."""

    text: str | None = ""
    calls: tuple[tuple[str, str], ...] = ()
    usage: tuple[int, int] | None = (11, 3)
    delay: float = 0.0
    gate: threading.Event | None = None
    model: str = ""
    finish: str = "stop"


@dataclass(frozen=True, slots=True)
class Status:
    """An error of HTTP, told as OpenAI tells it."""

    code: int
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Body:
    """Any 200 at all: whatever bytes."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is closed without an answer; with `reset` it is torn down."""

    reset: bool = False


@dataclass(frozen=True, slots=True)
class HalfSent:
    """The whole answer is announced, half of it is sent, and the connection closed."""

    answer: Answer = Answer("(500, 500)")


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing comes, and the connection stays open until the server stops."""


@dataclass(frozen=True, slots=True)
class Drip:
    """A byte comes every so often, header (`of_header`) or body, and never an end."""

    seconds: float = 0.02
    of_header: bool = True


Behaviour: TypeAlias = Answer | Status | Body | Drop | HalfSent | Hang | Drip


@dataclass(frozen=True, slots=True)
class Request:
    """What came: `connection` counts from 0; `json` is the parsed body, None of a GET."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    json: Any
    connection: int


def completion(answer: Answer, request: Request) -> bytes:
    """The body of a chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.calls:
        message["tool_calls"] = [
            {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for i, (name, arguments) in enumerate(answer.calls)
        ]
    told: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": answer.model or request.json.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
    }
    if answer.usage is not None:
        given, made = answer.usage
        told["usage"] = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
    return json.dumps(told).encode()
