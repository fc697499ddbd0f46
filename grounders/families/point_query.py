"""The path from an image to a point, shared by all backends: resize, prompt, call, parse."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from omnipilot.envs import Absent, Box, Image, Observation, Size
from omnipilot.envs.types import OutOfRange, Square
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.resize import prepare
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.replies.reasoning import ONLY_REASONING, without_lost_answer
from omnipilot.memory.store.single_flight_cache import SingleFlightCache

KEPT_PIXELS = 32 << 20
"""Cache size in pixels of resized screenshots, for further questions: about 16 desktop screens or three of 4K."""


class KeptPictures:
    """Screenshots as they are sent to a family, kept for further questions on the same screen."""

    def __init__(self) -> None:
        self._kept: SingleFlightCache[tuple[str, Size], Image] = SingleFlightCache(
            KEPT_PIXELS, lambda image: image.size.pixels
        )

    def __call__(self, image: Image, family: Family) -> Image:
        """The picture to send; the screenshot itself where it has the right size."""
        size = family.sent_size(image.size)
        if size == image.size:
            return image
        return self._kept.get((image.digest, size), lambda: prepare(image, family))


def picture_and_words(observation: Observation, target: Described) -> tuple[Image, str] | Abstention:
    """The screenshot and the words to ask a model of pictures about, or why there is nothing to ask."""
    picture = observation.screenshot
    if isinstance(picture, Absent):
        why = f"{picture.reason}{': ' if picture.detail else ''}{picture.detail}"
        return Abstention("no_view", f"there is no screenshot of {observation.env} ({why})")
    if isinstance(target, Ref):
        return Abstention("not_found", f"on a picture nothing has an id such as {target.id!r}; say what it looks like")
    return picture, target


class Complete(Protocol):
    """Completes a conversation within its own deadline."""

    def __call__(
        self, messages: Sequence[Message], sampling: Sampling, schema: Mapping[str, Any] | None, /
    ) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a model, and how to turn its reply into a result.

    Attributes:
        family: the model's family.
        messages, sampling, schema: arguments of `Complete`.
        sent: size of the image sent to the model. screenshot: size of the original screenshot.
    """

    family: Family
    messages: tuple[Message, ...]
    sampling: Sampling
    schema: Mapping[str, Any] | None
    sent: Size
    screenshot: Size

    def answered(self, reply: Reply) -> Grounding | Abstention:
        """A point on the screenshot, or an abstention; both carry the reply's usage."""
        given = without_lost_answer(reply)
        text = _text(self.family, given)
        if given is not reply and not _asked_without_thought(self.sampling):
            # A thought that never ends: it goes over to the answer where the family announces it, and not before.
            text = f"<think>\n{text}"
        found = self.family.parse(text, self.sent, self.screenshot)
        if given is not reply and isinstance(found, Abstention) and found.reason == "unparsable":
            found = replace(found, detail=f"{found.detail}. {ONLY_REASONING}")
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
    """The question where something is on a screenshot, or an abstention if it cannot be asked; see `ask`."""
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
        family: how to prompt the model and parse its reply.
        complete: calls the model.
        image: the screenshot.
        description: of the place, in words.
        structured: constrain the answer to the family's JSON schema, if it has one.
        sampling: replaces the family's.
        prepared: resizes a screenshot to the family's size; pass your own to cache the results.

    Returns:
        A point on the screenshot, or an abstention; both carry the reply's usage.

    Raises:
        ModelUnavailable, ConfigError: from `complete`.
    """
    asked = question(family, image, description, structured=structured, sampling=sampling, prepared=prepared)
    if isinstance(asked, Abstention):
        return asked
    return asked.answered(complete(asked.messages, asked.sampling, asked.schema))


def from_square(found: Grounding, square: Square, screenshot: Size) -> Grounding | Abstention:
    """The place on a screenshot that a place on its square stands for; an abstention if that is in the padding."""
    try:
        point = square.to_screen(found.point, screenshot)
    except OutOfRange:
        return Abstention("out_of_range", "the model pointed at the padding beside the screen", found.usage)
    box = None
    if found.box is not None:
        inner, side = square.size(screenshot), square.side
        one = found.box
        box = Box.clipped(one.left * side, one.top * side, one.right * side, one.bottom * side, inner)
    return replace(found, point=point, box=box)


def _asked_without_thought(sampling: Sampling) -> bool:
    """Whether the model was told not to think, so that what a server takes for reasoning is its answer."""
    asked = sampling.extra_body.get("chat_template_kwargs")
    return isinstance(asked, Mapping) and asked.get("enable_thinking") is False


def _text(family: Family, reply: Reply) -> str:
    """The reply as the model wrote it: servers that parse tool calls remove them from the text."""
    if reply.text.strip() or not reply.calls:
        return family.completed(reply.text)
    told = (f'{{"name": {json.dumps(name)}, "arguments": {arguments}}}' for name, arguments in reply.calls)
    return "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in told)
