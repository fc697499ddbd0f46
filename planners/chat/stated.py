"""How a chat model states what it expects: the tool `expect`, or `expect` beside the actions of a JSON reply.

It is offered only where expectations are checked, is never required, and a statement in a wrong form is told in the
next turn: the actions beside it are carried out all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from omnipilot.memory import Expectation, MalformedReply
from omnipilot.memory.expectations import EXPECTATION_KINDS
from omnipilot.memory.models import Tool
from omnipilot.memory.models.replies.json_text import call_arguments
from omnipilot.planners.base import Verbs
from omnipilot.planners.chat.toolset import DEVICE

EXPECT = "expect"
MOST = 4
"""Expectations of one reply."""
_ABOUT = (
    "Optional, beside an action and never alone: what should hold after this turn. You are told if it does not. "
    "`what`: the element or file; `value`: what it holds, or the title, app, address or text on the clipboard; for "
    "sound stopped or started."
)
WORDS = f"""## What you expect

{_ABOUT.replace("Optional, beside an action and never alone: what", 'Beside "actions" you may write "expect": what')}
Example: "expect": [{{"kind": "field", "what": "the To field", "value": "Ann"}}]. Kinds: {", ".join(EXPECTATION_KINDS)}.
"""
"""What a model that writes JSON is told of it."""


def expect_tool(envs: Mapping[str, Verbs]) -> Tool:
    """The tool by which a model states one expectation."""
    return Tool(EXPECT, _ABOUT, expectation_schema(envs))


def expectation_schema(envs: Mapping[str, Verbs]) -> dict[str, Any]:
    """The JSON schema of one expectation; with several devices it may name one."""
    text = {"type": "string", "maxLength": 200}
    properties: dict[str, Any] = {"kind": {"type": "string", "enum": list(EXPECTATION_KINDS)}, "what": text}
    properties["value"] = text
    if len(envs) > 1:
        properties[DEVICE] = {"type": "string", "enum": list(envs)}
    return {"type": "object", "properties": properties, "required": ["kind"], "additionalProperties": False}


def read_expectations(
    stated: Iterable[Any], envs: Mapping[str, Verbs]
) -> tuple[tuple[Expectation, ...], tuple[str, ...]]:
    """The expectations that a model stated, and what to tell it of those that cannot be read.

    Args:
        stated: objects, or texts of objects.
    """
    found: list[Expectation] = []
    remarks: list[str] = []
    for said in stated:
        try:
            given = call_arguments(EXPECT, said) if isinstance(said, str) else said
            expectation = Expectation.from_json(given, DEVICE)
            if expectation.env and expectation.env not in envs:
                raise ValueError(f"there is no device {expectation.env!r:.40}; there are {', '.join(envs)}")
        except (ValueError, MalformedReply) as error:
            remarks.append(f"What you expect was not understood, and is not checked: {error}")
        else:
            found.append(expectation)
    if len(found) > MOST:
        remarks.append(f"You stated {len(found)} expectations; only the first {MOST} are checked.")
    return tuple(found[:MOST]), tuple(remarks[:MOST])
