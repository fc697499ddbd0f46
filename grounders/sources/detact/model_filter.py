"""The filter of DetACT by a model: it is told the task and the list, and names the numbers that the task needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.envs import Element, Size
from omnipilot.memory import MalformedReply, Message, Usage
from omnipilot.memory.models import ChatModel
from omnipilot.memory.models.exchange import in_role, tell_unread
from omnipilot.memory.models.replies.json_text import single_object
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.memory.prompts import Prompt, read_prompt
from omnipilot.memory.quoting import quote

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"elements": {"type": "array", "items": {"type": "integer"}}},
    "required": ["elements"],
    "additionalProperties": False,
}
KINDS = {"text": "text", "image": "icon", "color": "color"}
"""What a role is called in the list."""


def filter_prompt() -> Prompt:
    """The system prompt, with a slot for the number of elements."""
    return read_prompt("omnipilot.grounders.sources.detact", "detact")


def choose_by_model(
    model: ChatModel, elements: Sequence[Element], task: str, keep: int, size: Size
) -> tuple[list[Element] | None, Usage]:
    """The elements whose numbers a model gives, in the order of the list, at most `keep`; unknown numbers do not count.

    Args:
        size: of the screen in pixels.

    Returns:
        None where the reply cannot be read or names no element; and what the call cost.

    Raises:
        ModelUnavailable: the model did not answer.
    """
    system = filter_prompt().text.replace("{keep}", str(keep))
    asked = f"The task: {task}\n\nOn the screen:\n{numbered_list(elements, size)}"
    with in_role("grounder"):
        reply = model.complete([Message("system", (system,)), Message("user", (asked,))], schema=SCHEMA)
        try:
            numbers = single_object(without_thoughts(reply.text))["elements"]
            if not isinstance(numbers, list):
                raise TypeError("elements must be a list of numbers")
        except (MalformedReply, KeyError, TypeError, ValueError) as error:
            tell_unread(f"{error}")
            return None, reply.usage
    named = {one for one in numbers if isinstance(one, int) and not isinstance(one, bool)}
    # Of too many, those that it named first.
    first = [one for one in dict.fromkeys(numbers) if one in named and 1 <= one <= len(elements)][:keep]
    return [elements[one - 1] for one in sorted(first)] or None, reply.usage


def numbered_list(elements: Sequence[Element], size: Size) -> str:
    """One line for each element: `3. icon "trash" at (96, 276)`, in pixels."""
    lines = []
    for number, one in enumerate(elements, 1):
        x, y = one.box.center.to_pixel(size)
        lines.append(f"{number}. {KINDS.get(one.role, one.role)} {quote(one.name)} at ({x}, {y})")
    return "\n".join(lines)
