"""What all tools of a model share: control verbs, ways to name a place, notes for the memory, and names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.envs import CustomVerb
from omnipilot.memory.models import Tool
from omnipilot.planners.base import Brief

Places: TypeAlias = Literal["described", "grounded", "any"]
"""How a planner names a place: by description or id, for a grounder; by coordinates; or either."""

CONTROLS = ("wait", "answer", "ask_user", "done", "noop")
"""Verbs executed by the loop; offered once, not per environment."""

NOT_OFFERED = frozenset({*CONTROLS, "screenshot", "custom"})
"""Kinds that never become tools of an environment: the loop's own, and the placeholder of custom verbs."""

CONTROL_WORDS = {
    "wait": "Let time pass on every device, and look again.",
    "answer": "Give the answer to the task's question, and nothing else.",
    "ask_user": "Ask the user a question; what the user says is told in the next turn.",
    "done": "End your work: the task is done (`success`), it was not (`failure`), or it cannot be (`infeasible`).",
    "noop": "Do nothing in this turn.",
}
"""Descriptions of the control verbs for planners."""

TARGET = "target"
"""Name in a tool of a verb's single place (its field `at`)."""

LONGEST_TOOL = 64
"""Maximum length of a tool's name, in characters, that providers allow."""

REMEMBER = Tool(
    "remember",
    "Note a value under a name, beside your other calls: it takes no turn. From then on you are told how to have it "
    "typed exactly as you noted it.",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 40, "description": "such as 'door code'"},
            "value": {"type": "string", "minLength": 1, "maxLength": 2_000, "description": "what to type later"},
        },
        "required": ["name", "value"],
        "additionalProperties": False,
    },
)
"""A note for the agent's memory; no verb, as nothing is done in the world. Offered where notes become anchors."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a call asks for: a verb and its environment ("" for control verbs)."""

    env: str
    verb: str | CustomVerb


def tool_name(verb: str, env: str = "") -> str:
    """The name of a tool, using only characters that every provider accepts."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{verb}_in_{env}" if env else verb)[:LONGEST_TOOL]


def offers_notes(brief: Brief) -> bool:
    """Whether a planner may call `remember`: its notes become anchors, and no environment has a verb of that name."""
    return bool(brief.anchors) and all(REMEMBER.name not in verbs.custom for verbs in brief.envs.values())


def tool_lines(tools: Sequence[Tool]) -> str:
    """Tools in words, one per line, for a model that knows of them but cannot call them."""
    return "\n".join(f"- {tool.name}({_signature(tool.parameters)}): {tool.description}" for tool in tools)


def _signature(parameters: Mapping[str, Any]) -> str:
    required = parameters.get("required", ())
    return ", ".join(
        f"{name}: {in_words(item)}" if name in required else f"{name}?: {in_words(item)}"
        for name, item in parameters.get("properties", {}).items()
    )


def in_words(item: Mapping[str, Any]) -> str:
    """A short description of a JSON schema."""
    if "enum" in item:
        return "|".join(map(str, item["enum"])) if len(item["enum"]) <= _MOST_OPTIONS else "name"
    if "anyOf" in item:
        return " or ".join(dict.fromkeys(in_words(branch) for branch in item["anyOf"]))
    if item.get("type") == "array":
        return f"[{in_words(item['items'])}]"
    if item.get("type") == "object":
        return "{" + _signature(item) + "}"
    return str(item.get("type", "any"))


_MOST_OPTIONS = 10
