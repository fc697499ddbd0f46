"""Base of agent parts that ask a chat model single questions and read JSON answers: critics and trackers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply, Message, Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.models.exchange import in_role, tell_unread
from omnipilot.memory.models.replies.json_text import single_object
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.planners.chat import ChatPlanner

T = TypeVar("T")


@dataclass(eq=False)
class StructuredQuestion(ChatPlanner):
    """Takes a chat planner's options, including those of its endpoint, but keeps no conversation.

    Attributes:
        asks_as: its role in the record of its calls.
    """

    history: int = 0

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
        """
        if self._client is None:
            raise ConfigError(f"{type(self).__name__} needs the option model, such as openai/gpt-4o")
        messages = [Message("system", (self.loaded_prompt.text,)), Message("user", tuple(parts))]
        spent = Usage()
        for _ in range(self.repairs + 1):
            salt: dict[str, Any] = {"salt": self._brief.seed} if self._brief.seed else {}
            with in_role(self.asks_as):
                reply = self._client.complete(messages, schema=schema, **salt)
            spent += reply.usage
            try:
                return read(single_object(without_thoughts(reply.text))), spent
            except (MalformedReply, KeyError, TypeError, ValueError) as error:
                tell_unread(f"{error}")
                problem = f"Your reply cannot be read: {error}. Answer with the JSON object and nothing else."
                messages += [Message("assistant", (reply.text[:2000] or "(empty)",)), Message("user", (problem,))]
        return None, spent
