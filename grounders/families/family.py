"""A model family: how to ask a model for a place and how to parse its answer, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from omnipilot.envs import Box, ConfigError, Image, Point, Size
from omnipilot.envs.types import Frame, OutOfRange, Resize
from omnipilot.envs.types.frames import Order, Space
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.grounders.families.prompt_template import IMAGE, TEMPLATE, PromptLayout
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.memory import Message
from omnipilot.memory.models import Sampling
from omnipilot.memory.models.evidence import READ, Evidence, proof
from omnipilot.memory.models.replies.numbers import Numbers, NumbersVerdict, Written
from omnipilot.memory.models.replies.text import with_plain_marks, without_reasoning

__all__ = ["Backend", "Evidence", "Family", "Sampling", "Serving"]

Backend: TypeAlias = Literal["vllm", "completions", "transformers", "api"]


@dataclass(frozen=True, slots=True)
class Family:
    """How to ask the models of one family for a place, and how to parse their answers.

    Attributes:
        name: lower-case; the value of `--family`, also printed in reports.
        models: exact ids; the first is the default.
        base: the architecture it was trained from.
        space, order: coordinate space and axis order of an answer.
        resize: maps a screenshot's size to the sent size.
        syntax: format of an answer.
        layout: format of a question.
        schema: JSON schema of the answer, if structured output is allowed.
        shipped: folder with the weights of the first of `models`, if they come with the package; else "".
        evidence, source, checked: how reliable the record is, where it comes from, and the month when that was read.
    """

    name: str
    models: tuple[str, ...]
    base: str
    backends: tuple[Backend, ...]
    space: Space
    resize: Resize
    syntax: Syntax
    layout: PromptLayout
    evidence: Evidence
    source: str
    order: Order = "xy"
    sampling: Sampling = field(default_factory=Sampling)
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    serving: Serving = field(default_factory=Serving)
    note: str = ""
    checked: str = READ
    shipped: str = ""

    @property
    def proof(self) -> str:
        """What was verified, against what, and when, in one line."""
        return proof(self.evidence, self.source, self.checked)

    def sent_size(self, screenshot: Size) -> Size:
        """The size at which a screenshot is sent, in pixels.

        Raises:
            ValueError: the family does not support a screenshot of that shape; the message names the limit.
        """
        return self.resize.size(screenshot)

    def messages(self, image: Image, description: str) -> tuple[Message, ...]:
        """The question where on `image` (already resized) `description` is.

        Raises:
            ConfigError: the family's prompt is not shipped and no file with it was given.
        """
        return self.layout.messages(image, description, self.name)

    def with_template(self, path: str) -> Family:
        """The family with a file for the part of its prompt that only its authors publish; it is read when needed.

        Raises:
            ConfigError: its prompt is complete and takes no file.
        """
        if not self.layout.takes_template:
            raise ConfigError(f"the prompt of {self.name!r} is complete; leave the option template out")
        return replace(self, layout=replace(self.layout, template_file=path))

    def with_prompt(self, path: str) -> Family:
        """The family asked with the text in a file, instead of its own question; it is read when needed.

        {description}, {width} and {height} in it are filled in. Where a part of the family's prompt comes from a file
        anyway, the file is that part.
        """
        if self.layout.takes_template:
            return self.with_template(path)
        image_last = self.layout.user[-1] == IMAGE
        user = (TEMPLATE, IMAGE) if image_last else (IMAGE, TEMPLATE)
        return replace(self, layout=replace(self.layout, user=user, template_file=path, ours=False))

    def completed(self, reply: str) -> str:
        """A reply including its prefill, whether the server repeats that, leaves it out or ignores it."""
        prefill = self.layout.prefill
        if not prefill or reply.lstrip().startswith(prefill.strip()):
            return reply
        # A prefill that stops before a number was ignored where anything but a number follows.
        ignored = prefill.endswith(("[", "(")) and not reply.lstrip()[:1].isdigit() and reply.lstrip()[:1] not in "-."
        return reply if ignored else prefill + reply

    def parse(self, raw: str, sent: Size, screenshot: Size) -> Grounding | Abstention:
        """Parse a completed reply.

        Args:
            raw: the model's reply.
            sent: size of the image sent to it.
            screenshot: size of the original screenshot.

        Returns:
            A point on the screenshot (the centre of a box), or an abstention: `refused`, `unparsable`, `out_of_range`.
        """
        where = self.syntax.region
        region = where.narrow(without_reasoning(with_plain_marks(raw), where.announces))
        found = None if region is None else self.syntax.read(region)
        if found is NumbersVerdict.REFUSED:
            return Abstention("refused", f"{self.name} says that it is not there: {_excerpt(raw)}")
        if found is None or isinstance(found, NumbersVerdict):
            return Abstention("unparsable", f"no coordinate of {self.name} in {_excerpt(raw)}")
        try:
            order = "xy" if isinstance(found, Written) and found.named else self.order
            return _grounding(found, Frame(screenshot, sent, self.space, order))
        except OutOfRange as error:
            return Abstention("out_of_range", str(error))

    def render(self, point: Point, sent: Size) -> str:
        """The reply a model of this family would give for `point`, in its own syntax and grid."""
        return self.syntax.write(*Frame(sent, sent, self.space, self.order).from_point(point))


def _grounding(numbers: Numbers, frame: Frame) -> Grounding:
    if len(numbers) == 2:
        return Grounding(frame.to_point(*numbers))
    one, other = frame.to_point(*numbers[:2]), frame.to_point(*numbers[2:])
    box = Box(min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y))
    return Grounding(frame.to_point((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2), box)


def _excerpt(raw: str) -> str:
    text = " ".join(raw[:400].split())
    return repr(text if len(text) <= 120 else text[:120] + "…") if text else "an empty reply"
