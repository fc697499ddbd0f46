"""The OpenAI chat protocol on the wire: a conversation to the bytes of a request, the bytes of a reply to a `Reply`.

Parts keep their order and none is dropped. The bytes of a conversation are a function of its content alone, so that
questions that begin alike share the server's prefix cache; and each capture is encoded once, however often it is sent.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.memory.messages import Message, Part, Reply, Usage
from omnipilot.memory.models.sampling import Sampling
from omnipilot.memory.secrets.scrub import scrub_error
from omnipilot.memory.store.single_flight_cache import SingleFlightCache

KEPT_BYTES = 64 << 20
"""Encoded captures that a writer keeps."""
LARGE = 32 << 10
"""Bytes from which sending a piece by itself is cheaper than copying it."""
_SHOWN, _READ = 120, 100_000


class Malformed(Exception):
    """The body of a reply is not that of a chat completion; the message says what is wrong with it."""


class Writer:
    """Writes requests; remembers captures that it has encoded."""

    def __init__(self) -> None:
        self._encoded: SingleFlightCache[tuple[type, str], bytes] = SingleFlightCache(KEPT_BYTES, len)

    def request(
        self,
        model: str,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: Mapping[str, Any] | None = None,
    ) -> tuple[bytes, ...]:
        """The body of `POST /chat/completions`, in pieces: captures are not copied for every question about them.

        A last message of the assistant is a prefill: the server is asked to go on with it (as vLLM understands it).
        A schema becomes a `response_format`.
        """
        fields: dict[str, Any] = {"model": model}
        options: dict[str, Any] = {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens}
        if sampling.top_p is not None:
            options["top_p"] = sampling.top_p
        if sampling.stop:
            options["stop"] = list(sampling.stop)
        if messages and messages[-1].role == "assistant":
            options |= {"continue_final_message": True, "add_generation_prompt": False}
        if schema is not None:
            named = {"name": "answer", "schema": dict(schema), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        options |= sampling.extra_body
        pieces = [_json(fields)[:-1], b',"messages":[']
        for i, message in enumerate(messages):
            pieces += [b"," if i else b"", *self._message(message)]
        return _gathered([*pieces, b"],", _json(options)[1:]])

    def _message(self, message: Message) -> Iterator[bytes]:
        parts = message.parts
        yield b'{"role":%s,"content":' % _json(message.role)
        if all(isinstance(part, str) for part in parts) and len(parts) < 2:
            # Chat templates of many models take the words of a system or assistant message as plain text only.
            yield _json(parts[0] if parts else "")
        else:
            for i, part in enumerate(parts):
                yield b"," if i else b"["
                yield self._part(part)
            yield b"]"
        yield b"}"

    def _part(self, part: Part) -> bytes:
        if isinstance(part, str):
            return b'{"type":"text","text":%s}' % _json(part)
        return self._encoded.get((type(part), part.digest), lambda: _capture(part))


def _gathered(pieces: Iterable[bytes]) -> tuple[bytes, ...]:
    """The same bytes with neighbours joined, except for large pieces."""
    groups = groupby(pieces, key=lambda piece: len(piece) >= LARGE)
    return tuple(piece for large, group in groups for piece in (group if large else [b"".join(group)]))


def _capture(part: Image | AudioClip | VideoClip) -> bytes:
    if isinstance(part, AudioClip):
        data = base64.b64encode(part.wav())
        return b'{"type":"input_audio","input_audio":{"data":"%s","format":"wav"}}' % data
    if isinstance(part, VideoClip):
        return b'{"type":"video_url","video_url":{"url":"data:video/mp4;base64,%s"}}' % base64.b64encode(part.mp4())
    return b'{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}}' % base64.b64encode(part.png())


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def read_reply(body: bytes) -> Reply:
    """The first choice of a chat completion; its usage has the tokens, not yet calls and seconds.

    Raises:
        Malformed: it is not one.
    """
    told = _object(body)
    try:
        message = told["choices"][0]["message"]
        content, calls = message.get("content"), message.get("tool_calls") or ()
        named = tuple((str(call["function"]["name"]), _arguments(call["function"])) for call in calls)
        usage = told.get("usage") or {}
        tokens = Usage(tokens_in=_count(usage, "prompt_tokens"), tokens_out=_count(usage, "completion_tokens"))
        return Reply(_words(content), named, tokens, str(told.get("model") or ""))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Malformed(f"it is no chat completion: {_shown(body)}") from error


def read_models(body: bytes) -> tuple[str, ...]:
    """The ids that `GET /models` lists.

    Raises:
        Malformed: it is no such list.
    """
    try:
        return tuple(str(model["id"]) for model in _object(body)["data"])
    except (KeyError, TypeError) as error:
        raise Malformed(f"it is no list of models: {_shown(body)}") from error


def read_error(body: bytes) -> str:
    """What the server says is wrong; whatever it sent where that is not an error object."""
    try:
        told = _object(body)
    except Malformed:
        return _shown(body)
    error = told.get("error", told)
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error
    return error if isinstance(error, str) else _shown(body)


def _object(body: bytes) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"it is no JSON: {_shown(body)}") from error
    if not isinstance(told, dict):
        raise Malformed(f"it is no JSON object: {_shown(body)}")
    return told


def _words(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type", "text") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError("content is text")
    return content or ""


def _arguments(function: Mapping[str, Any]) -> str:
    arguments = function.get("arguments") or "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _count(usage: Mapping[str, Any], name: str) -> int:
    count = usage.get(name) or 0
    if not isinstance(count, int) or count < 0:
        raise TypeError(f"{name} is a number of tokens")
    return count


def _shown(body: bytes) -> str:
    if not body:
        return "it is empty"
    # The longest body that is looked at; what the end of it cuts is far behind what is shown.
    return repr(scrub_error(body[:_READ].decode("utf-8", "replace"))[:_SHOWN])
