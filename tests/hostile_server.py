"""A server that repeats the key it is sent, in every form and wherever an answer has room."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from chat_server import Behaviour, Body, Request, Status
from secret_forms import FORMS

CUT = "… your key began with "


def repeated(request: Request, number: int) -> str:
    """One form of the key of a request, another each time; now and then its beginning or its end alone."""
    key = request.headers["authorization"].removeprefix("Bearer ")
    forms = list(FORMS.values())
    if number % 9 == 7:
        return CUT + key[: len(key) * 2 // 3]
    if number % 9 == 8:
        return key[len(key) // 3 :] + " was the end of your key"
    return forms[number % len(forms)](key)


def completion(request: Request, number: int, text: str, calls: tuple[tuple[str, str], ...] = ()) -> bytes:
    """A chat completion with the key in each of its texts; `KEY` in texts and arguments stands for it."""

    def told(offset: int) -> str:
        return repeated(request, number + offset)

    named = [(name, json.loads(arguments)) for name, arguments in calls]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": text.replace("KEY", told(0)),
        "reasoning_content": f"They sent me {told(1)}.",
        "tool_calls": [
            {
                "id": f"call_{i}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": json.dumps({k: _put(v, told(2)) for k, v in arguments.items()}),
                },
            }
            for i, (name, arguments) in enumerate(named)
        ]
        or None,
        "logprobs": {"content": [{"token": told(3), "logprob": 0.0}]},
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {
        "id": told(4),
        "object": "chat.completion",
        "created": 0,
        "model": f"scripted {told(5)}",
        "choices": [choice],
        "system_fingerprint": told(6),
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }
    return json.dumps(body).encode()


def _put(value: Any, told: str) -> Any:
    return value.replace("KEY", told) if isinstance(value, str) else value


def hostile(texts: list[tuple[str, tuple[tuple[str, str], ...]]]) -> Callable[[Request], Behaviour]:
    """A script: each request meets the next (text, calls), the last one for ever."""
    count = iter(range(10**9))

    def answer(request: Request) -> Behaviour:
        number = next(count)
        return Body(completion(request, number, *texts[min(number, len(texts) - 1)]))

    return answer


def failing(code: int, form: str) -> Callable[[Request], Behaviour]:
    """A script: an error that repeats the key in a form, far enough back to be cut, in its body and its headers."""

    def answer(request: Request) -> Behaviour:
        told = FORMS[form](request.headers["authorization"].removeprefix("Bearer "))
        line = json.dumps(told)[1:-1]
        return Status(code, f"{told} {'x' * 560} Bearer {told}", {"X-Echo": line, "Location": f"http://x/{line}"})

    return answer
