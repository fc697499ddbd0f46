"""The OpenAI chat protocol on the wire: encodes requests as bytes and decodes answers to a `Reply`.

Parts keep their order and none is dropped. The bytes of a conversation are a function of its content alone, so that
questions that begin alike share the server's prefix cache; and each capture is encoded once, however often it is sent.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from omnipilot.envs.schema import parse_json
from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Reply, Usage, read_count
from omnipilot.memory.models.client import ChatRequest
from omnipilot.memory.models.media_forms import Form, MediaForms
from omnipilot.memory.models.openai_messages import (
    capture_file,
    enclosed_part,
    file_kind,
    function,
    media_part,
    openai_messages,
    response_format,
    tool_choice,
)
from omnipilot.memory.models.replies.reasoning import split_leading_thought
from omnipilot.memory.models.tool import Tool
from omnipilot.memory.secrets.scrub import scrub_error
from omnipilot.memory.store.single_flight_cache import SingleFlightCache

KEPT_BYTES = 64 << 20
"""Encoded captures that a writer keeps."""
KEPT_SCHEMAS = 512
"""Tools and schemas that a writer keeps."""
MOST_WORDS = 2 << 20
"""Characters of a reply, its calls and its reasoning together; no model says so much in one answer."""
LARGE = 32 << 10
"""Bytes from which sending a piece by itself is cheaper than copying it."""
_SHOWN, _READ = 120, 100_000
_PLACE = re.compile(rb'\{"\\u0000":(\d+)\}')
"""Where a capture goes in the text of the messages: in words, its quotes would be escaped."""
_DATA = "\0"
FILTERED = "content_filter"
"""The reason for which a reply ended that a provider's filter withheld."""


class Malformed(Exception):
    """The body of a reply is not a chat completion; the message says what is wrong."""


class UpstreamFailed(Exception):
    """A reply with status 200 says that there is none: the provider behind a router failed, or its filter refused.

    Attributes:
        status: the HTTP status that would have said so. code: a name for the error.
    """

    def __init__(self, message: str, status: int, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Writer:
    """Writes requests and caches encoded captures."""

    def __init__(self) -> None:
        self._encoded: SingleFlightCache[tuple[Form, str, str, str], bytes] = SingleFlightCache(KEPT_BYTES, len)
        self._schemas: dict[tuple[int, bool], tuple[Any, bytes]] = {}

    def request(
        self,
        model: str,
        request: ChatRequest,
        forms: MediaForms,
        *,
        omit: Iterable[str] = (),
        strict_tools: bool = False,
    ) -> tuple[bytes, ...]:
        """The body of `POST /chat/completions`, in pieces, so that captures are not copied for every request.

        A last message of the assistant is a prefill: the server is asked to go on with it (as vLLM understands it).
        A schema becomes a `response_format`; what is under `extra_body` becomes keys of the body.

        Args:
            forms: in which media travel.
            omit: parameters to leave out.
            strict_tools: tools are sent with "strict": true.
        """
        options = _options(request, omit)
        last = b""
        if request.tools:
            last = b',"tools":[%s]' % b",".join(self._tool(tool, strict_tools) for tool in request.tools)
        if request.schema is not None:
            last += b',"response_format":' + self._kept(request.schema, False, response_format)
        captures: list[bytes] = []

        def place(media: Media, form: Form, detail: str) -> Any:
            key = (form, file_kind(media), detail, media.digest)
            captures.append(self._encoded.get(key, lambda: _capture(media, form, detail)))
            return {_DATA: len(captures) - 1}

        messages = _json(openai_messages(request.messages, forms, place))
        # Every second piece is the number of a capture.
        pieces = [captures[int(p)] if i % 2 else p for i, p in enumerate(_PLACE.split(messages))]
        head = _json({"model": model})[:-1] + b',"messages":'
        return _gathered([head, *pieces, b"," if options else b"", _json(options)[1:-1], last, b"}"])

    def _tool(self, tool: Tool, strict: bool) -> bytes:
        return self._kept(tool, strict, lambda it: _function(it, strict))

    def _kept(self, source: Any, strict: bool, write: Callable[[Any], Any]) -> bytes:
        """The bytes of a tool or schema, encoded once: a planner offers the same objects every turn.

        By identity, which costs less than comparing; what is kept cannot be another object meanwhile.
        """
        key = (id(source), strict)
        kept = self._schemas.get(key)
        if kept is None:
            if len(self._schemas) >= KEPT_SCHEMAS:
                self._schemas.clear()
            kept = self._schemas[key] = source, _json(write(source))
        return kept[1]


def request_body(
    model: str, request: ChatRequest, forms: MediaForms, *, omit: Iterable[str] = (), strict_tools: bool = False
) -> dict[str, Any]:
    """What `Writer.request` writes, as JSON values, with an `Enclosed` in the place of each capture's file."""
    body: dict[str, Any] = {"model": model, "messages": openai_messages(request.messages, forms, enclosed_part)}
    body |= _options(request, omit)
    if request.tools:
        body["tools"] = [_function(tool, strict_tools) for tool in request.tools]
    if request.schema is not None:
        body["response_format"] = response_format(request.schema)
    return body


def _options(request: ChatRequest, omit: Iterable[str]) -> dict[str, Any]:
    """The keys of a body that are neither its messages nor schemas."""
    omitted = frozenset(omit)
    options: dict[str, Any] = {k: value for k, value in request.parameters.items() if k not in omitted}
    if request.tools:
        options["tool_choice"] = tool_choice(request.tool_choice)
    if request.messages and request.messages[-1].role == "assistant":
        options |= {"continue_final_message": True, "add_generation_prompt": False}
    options |= options.pop("extra_body", None) or {}
    return options


_functions: dict[tuple[int, bool], tuple[Tool, dict[str, Any]]] = {}


def _function(tool: Tool, strict: bool) -> dict[str, Any]:
    """A tool as it is sent, made once, by identity as in `Writer._kept`; do not change it."""
    key = (id(tool), strict)
    kept = _functions.get(key)
    if kept is None or kept[0] is not tool:
        if len(_functions) >= KEPT_SCHEMAS:
            _functions.clear()
        kept = _functions[key] = tool, function(tool, strict)
    return kept[1]


def _gathered(pieces: Iterable[bytes]) -> tuple[bytes, ...]:
    """The same bytes with adjacent pieces joined, except for large ones."""
    groups = groupby(pieces, key=lambda piece: len(piece) >= LARGE)
    return tuple(piece for large, group in groups for piece in (group if large else [b"".join(group)]))


def _capture(media: Media, form: Form, detail: str = "") -> bytes:
    data, kind = capture_file(media)
    return _json(media_part(form, kind, _DATA, detail)).replace(b"\\u0000", base64.b64encode(data))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def read_reply(body: bytes) -> Reply:
    """The first choice of a chat completion; its usage has the tokens, but not yet calls and seconds.

    Raises:
        Malformed: it is not one.
        UpstreamFailed: it says that something failed instead.
    """
    answer = _object(body)
    try:
        if not answer.get("choices") and answer.get("error"):
            raise _upstream_failure(answer["error"])
        choice = answer["choices"][0]
        finish = str(choice.get("finish_reason") or "")
        if choice.get("error") or finish == "error":
            raise _upstream_failure(choice.get("error") or {})
        message = choice.get("message") if finish == FILTERED else choice["message"]
        if finish == FILTERED and not (message or {}).get("content") and not (message or {}).get("tool_calls"):
            raise UpstreamFailed(f"the provider's filter withheld the reply ({FILTERED})", 400, FILTERED)
        content, calls = message.get("content"), message.get("tool_calls") or ()
        named = tuple((str(call["function"]["name"] or ""), _arguments(call["function"])) for call in calls)
        usage = answer.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        tokens = Usage(tokens_in=_count(usage, "prompt_tokens"), tokens_out=_count(usage, "completion_tokens"))
        text = _words(content)
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        if not reasoning:
            # A server without a parser of reasoning leaves it in the text.
            reasoning, text = split_leading_thought(text)
        if len(text) + len(str(reasoning)) + sum(len(name) + len(given) for name, given in named) > MOST_WORDS:
            raise Malformed(f"it is longer than {MOST_WORDS} characters: {_shown(body)}")
        return Reply(text, named, tokens, str(answer.get("model") or ""), finish, str(reasoning))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Malformed(f"it is no chat completion: {_shown(body)}") from error


def read_error(body: bytes) -> tuple[str, str]:
    """The server's error message (the raw body if it is not an error object), and its error code.

    Google sends a list of one error object.
    """
    alone = body.strip()
    if alone.startswith(b"[") and alone.endswith(b"]"):
        alone = alone[1:-1]
    try:
        answer = _object(alone)
    except Malformed:
        return _shown(body), ""
    error = answer.get("error", answer)
    code = ""
    if isinstance(error, dict):
        code = f"{error.get('code') or ''} {error.get('type') or ''}"
        error = error.get("message") or error.get("detail") or error
    return (error if isinstance(error, str) else _shown(body)), code


def _object(body: bytes) -> dict[str, Any]:
    try:
        told = parse_json(body, bounded=True)
    except ValueError as error:
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
    """A number of tokens; 0 where what is told is none: a reply is not asked for again because of it."""
    return read_count(usage.get(name)) or 0


def _upstream_failure(error: Any) -> UpstreamFailed:
    """What a router says of its provider, as the status that it stands for: 502 where it names none."""
    told = error if isinstance(error, dict) else {"message": error}
    code = str(told.get("code") or "")
    status = int(code) if code.isdecimal() and 400 <= int(code) < 600 else 502
    message = told.get("message") or "the provider behind this server failed and does not say why"
    return UpstreamFailed(str(message), status, f"{code} {told.get('type') or ''}".strip())


def _shown(body: bytes) -> str:
    if not body:
        return "it is empty"
    # The longest body that is looked at; what the end of it cuts is far behind what is shown.
    return repr(scrub_error(body[:_READ].decode("utf-8", "replace"))[:_SHOWN])
