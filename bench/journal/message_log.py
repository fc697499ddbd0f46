"""Keeps what models were sent and what they answered: the journal names it, and the run's media store holds it.

A conversation repeats most of itself in the next request. A message is stored once, by the hash of its content, and a
request names an earlier one of its role that it begins like: a run's record grows with what is new in each turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from omnipilot.bench.journal.events import Event, ModelCalled, ReplyUnread
from omnipilot.envs import Image
from omnipilot.memory import MediaStore, Reply, Usage
from omnipilot.memory.models.exchange import Enclosed, Exchange
from omnipilot.memory.models.pictures import JpegImage
from omnipilot.memory.secrets.scrub import scrub

Json: TypeAlias = dict[str, Any]
GIVEN = ("input", "file")
"""What a request without messages is about: texts to embed, a sound to transcribe."""
APART = ("messages", "tools", "response_format", *GIVEN)
"""Keys of a request's body that have a file of their own."""


class MessageLog:
    """A listener that writes each call of an attempt at an episode.

    Args:
        keep: whether messages and replies are kept; without, only who asked what model, and what it cost.
        emit: receives each event, after what it names is stored.

    Attributes:
        turn: the current turn.
    """

    def __init__(
        self, key: str, attempt: int, store: MediaStore, emit: Callable[[Event], None], keep: bool = True
    ) -> None:
        self.turn = -1
        self._key, self._attempt = key, attempt
        self._store, self._emit, self._keep = store, emit, keep
        self._calls = 0
        self._unnamed: list[int] = []
        self._last: dict[str, tuple[int, list[Json]]] = {}
        self._schemas: dict[str, tuple[Any, str]] = {}

    def exchanged(self, exchange: Exchange) -> None:
        """Store what is new of an attempt, and write its event."""
        first = exchange.attempt == 1
        call = self._calls if first else self._calls - 1
        if first:
            self._calls += 1
            self._unnamed.append(call)
        reply = exchange.reply
        self._emit(
            ModelCalled(
                self._key,
                self._attempt,
                self.turn,
                call,
                exchange.attempt - 1,
                exchange.role,
                exchange.model,
                self._request(call, exchange) if first and self._keep else {},
                self._text(exchange.raw) if exchange.raw and self._keep else "",
                reply_to_json(reply) if self._keep and reply is not None and _needs_words(exchange) else {},
                exchange.problem,
                _usage(exchange.usage),
                exchange.replayed,
                [] if reply is None else list(reply.dropped),
                "" if reply is None else scrub(reply.finish),
                round(exchange.waited, 3),
            )
        )

    def unread(self, problem: str, unknown: Sequence[str] = ()) -> None:
        """Write that the reply of the last call could not be read."""
        if self._calls:
            named = [scrub(name)[:80] for name in unknown]
            self._emit(ReplyUnread(self._key, self._attempt, self._calls - 1, scrub(problem), named))

    def take_calls(self) -> list[int]:
        """The numbers of the calls since this was last asked."""
        calls, self._unnamed = self._unnamed, []
        return calls

    def _request(self, call: int, exchange: Exchange) -> Json:
        body = exchange.body
        messages: list[Json] = list(body.get("messages", ()))
        before, earlier = self._last.get(exchange.role, (0, []))
        kept = 0
        while kept < min(len(earlier), len(messages)) and earlier[kept] == messages[kept]:
            kept += 1
        if messages:
            # One without, between two of a conversation, does not end it.
            self._last[exchange.role] = call, messages
        # Transcribers name the form of their answer by a word, which is an option like any other.
        options = {k: v for k, v in body.items() if k not in APART or (k == "response_format" and isinstance(v, str))}
        out: Json = {"options": json.loads(_text(options))}
        if kept:
            out |= {"after": before, "kept": kept}
        out["messages"] = [self._json(message) for message in messages[kept:]]
        for name, key in (("tools", "tools"), ("schema", "response_format")):
            if body.get(key) and key not in options:
                out[name] = self._offered(f"{exchange.role} {key}", body[key])
        if given := {name: self._json(body[name]) for name in GIVEN if name in body}:
            out["given"] = given
        return out

    def _offered(self, what: str, value: Any) -> str:
        """The hash of tools or a schema; they stay the same from turn to turn, and are then not encoded again."""
        before, digest = self._schemas.get(what, (None, ""))
        if before is not value and before != value:
            digest = self._json(value)
            self._schemas[what] = value, digest
        return digest

    def _json(self, value: Any) -> str:
        """The hash of a value that is stored as JSON, with a reference in the place of each capture."""
        return self._text(_text(value, self._named))

    def _text(self, text: str) -> str:
        return self._store.put_json(scrub(text)).digest

    def _named(self, enclosed: Enclosed) -> Json:
        media = enclosed.media
        ref = self._store.put_jpeg(media.jpeg) if isinstance(media, JpegImage) else self._store.put(media)
        out: Json = {"media": ref.kind, "digest": ref.digest, "type": enclosed.kind, "prefix": enclosed.prefix}
        if isinstance(media, Image):
            return out | {"size": [media.size.width, media.size.height]}
        return out | {"env": ref.env, "start": ref.start, "end": ref.end}


def _needs_words(exchange: Exchange) -> bool:
    """Whether the reply itself is written: it cannot be read again from the answer as it came."""
    return not exchange.raw or "messages" not in exchange.body


def _text(value: Any, named: Callable[[Enclosed], Json] | None = None) -> str:
    def other(item: Any) -> Any:
        if isinstance(item, Enclosed) and named is not None:
            return named(item)
        if isinstance(item, Mapping):
            return dict(item)
        return list(item) if isinstance(item, tuple | frozenset | set) else str(item)

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=other)
    # Half a surrogate pair has no UTF-8; the escaped form keeps it.
    return text if text.isascii() or _is_text(text) else json.dumps(value, separators=(",", ":"), default=other)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def reply_to_json(reply: Reply) -> Json:
    """What a reply says as JSON values, without its usage."""
    return {
        "text": reply.text,
        "calls": [list(call) for call in reply.calls],
        "reasoning": reply.reasoning,
        "finish": reply.finish,
        "model": reply.model,
    }


def _usage(usage: Usage) -> Json:
    return {
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost": usage.cost,
        "seconds": usage.seconds,
    }
