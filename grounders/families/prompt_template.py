"""The layout of a question to a grounding model: messages, order of text and image, prefill of the reply."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from omnipilot.envs import ConfigError, Image
from omnipilot.envs.types import read_text
from omnipilot.memory import Message
from omnipilot.memory.messages import Part

IMAGE = "{image}"
"""Placeholder of the screenshot among the parts of the user's message."""
TEMPLATE = "{template}"
"""Placeholder of text that only the model's authors publish, read from a file named by the user."""
_FIELD = re.compile(r"\{(description|instruction|width|height)\}")


@dataclass(frozen=True, slots=True)
class PromptLayout:
    """The layout of one question's messages.

    Texts may contain {description} (or {instruction}, as some authors call it), {width} and {height} of the sent image.

    Attributes:
        user: the parts of the user's message, in order; `IMAGE` is the screenshot, `TEMPLATE` the user's file.
        system: the system message; "" for none; `TEMPLATE` for the user's file.
        prefill: text that starts the reply.
        needs: if a `TEMPLATE` is among the parts, what belongs in the file, and where to find it.
        template_file: a UTF-8 file named by the user.
        drop_period: whether one full stop at the end of the description is dropped.
        ours: whether the wording is ours; otherwise it is what the model was trained on or its authors publish.
    """

    user: tuple[str, ...]
    system: str = ""
    prefill: str = ""
    needs: str = ""
    template_file: str = ""
    drop_period: bool = False
    ours: bool = False

    @property
    def takes_template(self) -> bool:
        """Whether a part of the prompt comes from a file named by the user."""
        return TEMPLATE in (self.system, *self.user)

    def messages(self, image: Image, description: str, family: str = "") -> tuple[Message, ...]:
        """The question about an image of the size that the model will see.

        Raises:
            ConfigError: a part of the prompt is in a file that was not given or cannot be read.
        """
        if self.drop_period:
            description = description.removesuffix(".")
        size = image.size
        words = {"width": str(size.width), "height": str(size.height)}
        words["description"] = words["instruction"] = description

        def filled(text: str) -> str:
            if text == TEMPLATE:
                text = self._template(family)
            return _FIELD.sub(lambda field: words[field[1]], text)

        parts: tuple[Part, ...] = tuple(image if part == IMAGE else filled(part) for part in self.user)
        messages = [Message("user", parts)]
        if self.system:
            messages.insert(0, Message("system", (filled(self.system),)))
        if self.prefill:
            messages.append(Message("assistant", (self.prefill,)))
        return tuple(messages)

    def identity(self) -> dict[str, str]:
        """The SHA-256 of the user's file, or that the wording is ours; empty where the wording is the authors'."""
        if self.template_file:
            return {"prompt": hashlib.sha256(self._template("").encode()).hexdigest()}
        return {"prompt": "ours"} if self.ours else {}

    def _template(self, family: str) -> str:
        if not self.template_file:
            raise ConfigError(
                f"a part of the prompt of {family!r} is not shipped with omnipilot: put {self.needs} into a text file "
                "and name it with the grounder's option template=FILE; {description}, {width} and {height} in it are "
                "filled in"
            )
        try:
            return read_text(self.template_file)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"the template of {family!r} cannot be read: {error}") from error
