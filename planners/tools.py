"""Tools that a model can call, one for each verb that an environment declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.envs import ConfigError, CustomVerb
from omnipilot.envs.types import VERBS
from omnipilot.envs.types.actions import place_fields
from omnipilot.envs.types.fields import LONGEST_NAME
from omnipilot.memory.models import Tool
from omnipilot.planners.base import Brief, Verbs

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

_WORDS = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_NAME,
    "description": "what is there, in words, such as 'the Save button of the dialog'; or # and the id of a listed "
    "element or the number of a drawn mark, such as #7",
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a tool's name: a verb and its environment ("" for control verbs)."""

    env: str
    verb: str | CustomVerb


def meanings(
    envs: Mapping[str, Verbs], suffix: bool | None = None, controls: Collection[str] = CONTROLS
) -> dict[str, Meaning]:
    """Every tool name with its meaning; environments in their order, verbs in the vocabulary's order.

    Args:
        suffix: name tools `<verb>_in_<environment>`; None: only if there are several environments.
        controls: the control verbs to offer.

    Raises:
        ConfigError: two tools would have one name.
    """
    suffix = len(envs) > 1 if suffix is None else suffix
    found: dict[str, Meaning] = {}
    for env, verbs in envs.items():
        own: list[str | CustomVerb] = [kind for kind in VERBS if kind in verbs.kinds and kind not in NOT_OFFERED]
        for verb in own + list(verbs.custom.values()):
            name = verb.name if isinstance(verb, CustomVerb) else verb
            called = tool_name(name, env if suffix else "")
            if called in found:
                other = found[called]
                raise ConfigError(
                    f"{name!r} of {env!r} and a verb of {other.env!r} would both become the tool {called!r}; "
                    "give one of the environments another name"
                )
            found[called] = Meaning(env, verb)
    return found | {kind: Meaning("", kind) for kind in CONTROLS if kind in controls}


def tool_name(verb: str, env: str = "") -> str:
    """The name of a tool, using only characters that every provider accepts."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{verb}_in_{env}" if env else verb)[:LONGEST_TOOL]


def offers_notes(brief: Brief) -> bool:
    """Whether a planner may call `remember`: its notes become anchors, and no environment has a verb of that name."""
    return bool(brief.anchors) and all(REMEMBER.name not in verbs.custom for verbs in brief.envs.values())


def tools_for(
    envs: Mapping[str, Verbs],
    suffix: bool | None = None,
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    remembers: bool = False,
) -> tuple[Tool, ...]:
    """One tool per verb and environment, then the control verbs once.

    Args:
        envs: what each environment can do. suffix, controls: see `meanings`.
        places: how a place is named; if `described`, it is a string (`target`, or `start` and `end`).
        remembers: offer `remember` too, last.

    Raises:
        ConfigError: two tools would have one name, or a custom verb has parameters that no schema can hold.
    """
    from omnipilot.envs.schema import tool_schema

    made = []
    for name, meaning in meanings(envs, suffix, controls).items():
        schema = tool_schema(meaning.verb, places, flat=True)
        parameters = schema["parameters"]
        if isinstance(meaning.verb, str):
            parameters = _with_targets(parameters, meaning.verb, places)
        where = f"On {meaning.env}: " if meaning.env and len(envs) > 1 else ""
        description = schema["description"] if meaning.env else CONTROL_WORDS[str(meaning.verb)]
        made.append(Tool(name, where + description, parameters))
    return (*made, REMEMBER) if remembers else tuple(made)


def tool_lines(tools: Sequence[Tool]) -> str:
    """Tools in words, one per line, for a model that knows of them but cannot call them."""
    return "\n".join(f"- {tool.name}({_signature(tool.parameters)}): {tool.description}" for tool in tools)


def _with_targets(parameters: Mapping[str, Any], kind: str, places: Places) -> dict[str, Any]:
    """The parameters with strings for described places, and a verb's single place named `target`."""
    properties: dict[str, Any] = {}
    spots = place_fields(VERBS[kind])
    for name, item in parameters["properties"].items():
        if name in spots and places == "described":
            item = {**item, "items": _WORDS} if item.get("type") == "array" else _WORDS
        properties[TARGET if name == "at" and name in spots else name] = item
    required = [TARGET if name == "at" else name for name in parameters["required"]]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


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
