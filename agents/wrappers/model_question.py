"""Base of agent parts that ask a chat model single questions and read JSON answers: critics and trackers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from omnipilot.memory import MalformedReply, Message, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.models.exchange import in_role, tell_unread
from omnipilot.memory.models.replies.json_text import single_object
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.planners.chat import PromptedModel

T = TypeVar("T")


@dataclass(eq=False)
class StructuredQuestion(PromptedModel):
    """A model that is asked question by question; it keeps no conversation."""

    asks_as: ClassVar[str] = "reader"

    def ask(
        self, parts: Sequence[Part], schema: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]
    ) -> tuple[T | None, Usage]:
        """Ask and read the answer, asking again up to `repairs` times if it cannot be read.

        Args:
            read: reads the JSON object; raises KeyError, TypeError or ValueError if it is not usable.

        Returns:
            The value read, or None if no answer could be read, and the usage of all calls.

        Raises:
            ModelUnavailable: the model did not answer.
            ConfigError: as in `PromptedModel.complete`.
        """
        messages = [Message("system", (self.loaded_prompt.text,)), Message("user", tuple(parts))]
        spent = Usage()
        for _ in range(self.repairs + 1):
            with in_role(self.asks_as):
                reply = self.complete(messages, schema=schema)
            spent += reply.usage
            try:
                return read(single_object(without_thoughts(reply.text))), spent
            except (MalformedReply, KeyError, TypeError, ValueError) as error:
                tell_unread(f"{error}")
                problem = f"Your reply cannot be read: {error}. Answer with the JSON object and nothing else."
                messages += [Message("assistant", (reply.text[:2000] or "(empty)",)), Message("user", (problem,))]
        return None, spent
