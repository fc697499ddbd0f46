"""The model calls of an episode as its journal and its media store tell them: what was sent, and what came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from omnipilot.bench.journal.events import Event, ModelCalled, ReplyUnread
from omnipilot.bench.journal.message_log import reply_to_json
from omnipilot.envs.schema import parse_json
from omnipilot.memory import MediaStore
from omnipilot.memory.models.openai_chat.wire import Malformed, UpstreamFailed, read_reply
from omnipilot.memory.store import MediaError

Json: TypeAlias = dict[str, Any]
KEPT = 200
"""Texts that a reader keeps in memory: those that many calls name are asked for again soon."""


@dataclass
class RecordedCall:
    """One call of a model, with all its attempts.

    Attributes:
        number: within the attempt at the episode, from 0. turn: in which it was made; -1 before the first.
        added: hashes of the messages that were sent beyond the first `kept` ones of the call `before`, whose number is
            `after`; None for none before.
        options: the other keys of the request's body. tools, schema: hashes; "" for none.
        given: hashes by key of the body, of what a request that is no conversation is about.
        attempts: in order. unread: why the reply could not be read by who asked; "" if it could.
        whole: whether messages were kept; if not, only roles and figures are known.
    """

    number: int
    turn: int
    role: str
    model: str
    added: tuple[str, ...] = ()
    kept: int = 0
    after: int = -1
    before: RecordedCall | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)
    tools: str = ""
    schema: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    attempts: list[ModelCalled] = field(default_factory=list)
    unread: str = ""
    whole: bool = True

    @property
    def messages(self) -> tuple[str, ...]:
        """Hashes of all messages that were sent, in order; put together each time, as conversations grow long."""
        parts: list[tuple[str, ...]] = []
        call: RecordedCall | None = self
        most = self.kept + len(self.added)
        while call is not None and most > 0:
            parts.append(call.added[: max(0, most - call.kept)])
            most = min(most, call.kept)
            call = call.before
        return tuple(digest for part in reversed(parts) for digest in part)

    @property
    def seconds(self) -> float:
        """Seconds of all attempts, pauses between them left out."""
        return sum(float(one.usage.get("seconds", 0.0)) for one in self.attempts)


def recorded_calls(events: Iterable[Event]) -> list[RecordedCall]:
    """The calls of one attempt at an episode, from its events in order; others are passed over."""
    found: dict[int, RecordedCall] = {}
    for event in events:
        if isinstance(event, ReplyUnread) and event.call in found:
            found[event.call].unread = event.problem
        elif isinstance(event, ModelCalled):
            if event.call not in found:
                found[event.call] = _begun(event, found)
            found[event.call].attempts.append(event)
    return list(found.values())


def _begun(event: ModelCalled, before: Mapping[int, RecordedCall]) -> RecordedCall:
    request = event.request
    if not request:
        return RecordedCall(event.call, event.turn, event.role, event.model, whole=False)
    kept = int(request.get("kept", 0))
    if kept and request["after"] not in before:
        # The line of that call cannot be read.
        return RecordedCall(event.call, event.turn, event.role, event.model, whole=False)
    return RecordedCall(
        event.call,
        event.turn,
        event.role,
        event.model,
        tuple(request["messages"]),
        kept,
        int(request.get("after", -1)),
        before[request["after"]] if kept else None,
        request["options"],
        str(request.get("tools", "")),
        str(request.get("schema", "")),
        request.get("given", {}),
    )


class CallReader:
    """Reads from a run's media store what its calls name; what was asked for lately once.

    What is missing there is said in its place, never made up.
    """

    def __init__(self, store: MediaStore) -> None:
        self._store = store
        self._read = lru_cache(KEPT)(self._value)

    def value(self, digest: str) -> Any:
        """The JSON value with a hash; {"missing": why} if it cannot be read."""
        return self._read(digest)

    def _value(self, digest: str) -> Any:
        try:
            return parse_json(self._store.get_json(digest), keep_halves=True)
        except (MediaError, ValueError) as error:
            return {"missing": str(error)}

    def raw(self, attempt: ModelCalled) -> str:
        """The answer as it came; "" if there is none."""
        if not attempt.raw:
            return ""
        try:
            return self._store.get_json(attempt.raw)
        except MediaError as error:
            return f"({error})"

    def body(self, call: RecordedCall) -> Json:
        """The body of the request; each capture's file stands as {"media", "digest", "type", "prefix", …}."""
        out: Json = {**call.options, **{name: self.value(digest) for name, digest in call.given.items()}}
        if call.messages or not call.given:
            out["messages"] = [self.value(digest) for digest in call.messages]
        if call.tools:
            out["tools"] = self.value(call.tools)
        if call.schema:
            out["response_format"] = self.value(call.schema)
        return out

    def reply(self, attempt: ModelCalled) -> Json:
        """The answer's {"text", "calls", "reasoning", "finish", "model"}; empty if nothing could be read of it."""
        if attempt.reply:
            return dict(attempt.reply)
        try:
            found = read_reply(self.raw(attempt).encode())
        except (Malformed, UpstreamFailed):
            return {}
        return reply_to_json(found)

    def attempts(self, call: RecordedCall) -> list[Json]:
        """Each attempt at a call as {"raw", "reply", "problem", "usage", "replayed", "dropped"}."""
        return [
            {
                "raw": self.raw(one),
                "reply": self.reply(one),
                "problem": one.problem,
                "usage": dict(one.usage),
                "replayed": one.replayed,
                "dropped": one.dropped,
            }
            for one in call.attempts
        ]
