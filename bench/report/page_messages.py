"""The model calls of an attempt for the report: what was sent and what came back, each message once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.journal.calls import CallReader, RecordedCall, recorded_calls
from omnipilot.bench.report.page_data import Attempt, Look

Json = dict[str, Any]


def messages(attempt: Attempt, look: Look, reader: CallReader) -> Json:
    """What the viewer shows of an attempt's calls.

    Returns:
        `values`: messages, lists of tools and schemas, each once; `calls`, which name them by their place in it: the
        request's "options", "kept" (so many messages of the call "after" come first), "messages" (the further ones),
        "tools" and "schema" (None for none), and "attempts" with "raw", "reply", "problem", "usage", "replayed" and
        "dropped"; "unread" says why a reply could not be read.
    """
    places: dict[str, int] = {}
    values: list[Any] = []

    def place(digest: str) -> int | None:
        if not digest:
            return None
        if digest not in places:
            places[digest] = len(values)
            values.append(_with_media(reader.value(digest), look))
        return places[digest]

    def shown(call: RecordedCall) -> Json:
        return {
            "number": call.number,
            "turn": call.turn,
            "role": call.role,
            "model": call.model,
            "whole": call.whole,
            "options": dict(call.options),
            "after": call.after,
            "kept": call.kept,
            "messages": [place(digest) for digest in call.messages[call.kept :]],
            "tools": place(call.tools),
            "schema": place(call.schema),
            "attempts": [
                {
                    "raw": reader.raw(one),
                    "reply": reader.reply(one),
                    "problem": one.problem,
                    "usage": dict(one.usage),
                    "replayed": one.replayed,
                    "dropped": one.dropped,
                }
                for one in call.attempts
            ],
            "unread": call.unread,
        }

    calls = [shown(call) for call in recorded_calls(attempt.calls)]
    return {"calls": calls, "values": values}


def _with_media(value: Any, look: Look) -> Any:
    """A message; its sounds with their `wave`, its films with their `frames`."""
    if isinstance(value, list):
        return [_with_media(item, look) for item in value]
    if not isinstance(value, Mapping):
        return value
    kind = value.get("media")
    if kind in ("audio", "video") and "digest" in value:
        read = look({kind: {name: value[name] for name in ("digest", "start", "end")}})[kind]
        return {**value, **{name: read[name] for name in ("wave", "frames") if name in read}}
    return {key: _with_media(item, look) for key, item in value.items()}
