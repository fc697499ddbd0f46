"""The one path from a picture to a point: resize, prompt, call, parse. Whoever calls the model, this is the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from omnipilot.envs import Image, Size
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.resize import prepare
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import Sampling


class Complete(Protocol):
    """Answers a conversation, within a deadline of its own."""

    def __call__(
        self, messages: Sequence[Message], sampling: Sampling, schema: Mapping[str, Any] | None, /
    ) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked, and how its reply becomes a result.

    Attributes:
        family: of the model.
        messages, sampling, schema: what `Complete` takes.
        sent: size of the picture that the model sees. screenshot: size of the screen.
    """

    family: Family
    messages: tuple[Message, ...]
    sampling: Sampling
    schema: Mapping[str, Any] | None
    sent: Size
    screenshot: Size

    def answered(self, reply: Reply) -> Grounding | Abstention:
        """A point of the screenshot, or why there is none; the usage is the reply's in both cases."""
        found = self.family.parse(_text(self.family, reply), self.sent, self.screenshot)
        return replace(found, usage=reply.usage)


def question(
    family: Family,
    image: Image,
    description: str,
    *,
    structured: bool = False,
    sampling: Sampling | None = None,
    prepared: Callable[[Image, Family], Image] = prepare,
) -> Question | Abstention:
    """The question where something is on a screenshot, or why it cannot be asked; arguments as in `ask`."""
    try:
        sent = prepared(image, family)
    except ValueError as error:
        return Abstention("no_view", f"{family.name} cannot be shown this screen: {error}")
    schema = family.schema if structured else None
    messages = family.messages(sent, description)
    return Question(family, messages, sampling or family.sampling, schema, sent.size, image.size)


def ask(
    family: Family,
    complete: Complete,
    image: Image,
    description: str,
    *,
    structured: bool = False,
    sampling: Sampling | None = None,
    prepared: Callable[[Image, Family], Image] = prepare,
) -> Grounding | Abstention:
    """Ask a model of a family where something is on a screenshot.

    Args:
        family: how its models are asked and answer.
        complete: calls the model.
        image: the screenshot.
        description: of the place, in words.
        structured: hold the answer to the family's JSON schema, where it has one.
        sampling: instead of the family's.
        prepared: resizes a screenshot to what the family sends; given where the results are kept.

    Returns:
        A point of the screenshot, or why there is none; the usage is the reply's in both cases.

    Raises:
        ModelUnavailable, ConfigError: `complete` raises them.
    """
    asked = question(family, image, description, structured=structured, sampling=sampling, prepared=prepared)
    if isinstance(asked, Abstention):
        return asked
    return asked.answered(complete(asked.messages, asked.sampling, asked.schema))


def _text(family: Family, reply: Reply) -> str:
    """The reply as the model wrote it: servers that parse tool calls take them out of the text."""
    if reply.text.strip() or not reply.calls:
        return family.completed(reply.text)
    told = (f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}' for name, arguments in reply.calls)
    return "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in told)
