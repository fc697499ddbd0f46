"""A model that answers what a test tells it, and keeps what it was asked; and demonstrations as replies of models."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.envs.actions import place_fields
from omnipilot.envs.codec import to_json
from omnipilot.memory.trace import Move
from omnipilot.memory.transcript import Message, Part, Reply, Usage
from omnipilot.planners.tool import Tool
from omnipilot.planners.tools import TARGET, tool_name

COST = Usage(1, 100, 10, 0.25, 0.5)
"""Of every reply."""


@dataclass(frozen=True)
class Asked:
    """One call of the model."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_choice: str
    schema: Mapping[str, Any] | None
    salt: int

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything in it, in order."""
        return tuple(part for message in self.messages for part in message.parts)

    @property
    def words(self) -> str:
        """All of its text."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def media(self) -> tuple[Part, ...]:
        """All that is no text."""
        return tuple(part for part in self.parts if not isinstance(part, str))


Said = Reply | Exception | Callable[[Asked], Reply]


class ScriptedModel:
    """Plays its script, one entry a call, the last one again and again."""

    def __init__(self, *script: Said) -> None:
        self.script = script
        self.asked: list[Asked] = []

    def complete(
        self,
        messages: Sequence[Message],
        timeout: float | None = None,
        *,
        tools: Sequence[Tool] = (),
        tool_choice: str = "required",
        schema: Mapping[str, Any] | None = None,
        salt: int = 0,
    ) -> Reply:
        asked = Asked(tuple(messages), tuple(tools), tool_choice, schema, salt)
        said = self.script[min(len(self.asked), len(self.script) - 1)]
        self.asked.append(asked)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else said(asked)


def calls(*pairs: tuple[str, Any], text: str = "", **more: Any) -> Reply:
    """A reply that calls tools; arguments are JSON, or become it."""
    told = tuple((name, given if isinstance(given, str) else json.dumps(given)) for name, given in pairs)
    return Reply(text, told, COST, **more)


def says(text: Any, **more: Any) -> Reply:
    """A reply of text, or of what becomes JSON."""
    return Reply(text if isinstance(text, str) else json.dumps(text), (), COST, **more)


def as_call(move: Move, several: bool) -> tuple[str, str]:
    """A move as a model calls it; places are ids of elements."""
    told = to_json(move.intent)
    kind = told.pop("kind")
    if kind == "custom":
        return tool_name(told["name"], move.env if several else ""), json.dumps(told.get("arguments", {}))
    for name in place_fields(move.intent):
        if isinstance(told.get(name), dict):
            told[name] = f"#{told[name]['id']}"
    if "at" in told and "at" in place_fields(move.intent):
        told[TARGET] = told.pop("at")
    return tool_name(kind, move.env if several and move.env else ""), json.dumps(told)


def as_object(move: Move) -> dict[str, Any]:
    """A move as a model writes it."""
    told = to_json(move.intent)
    kind = told.pop("kind")
    return {"kind": kind, **({"env": move.env} if move.env else {}), **told}
