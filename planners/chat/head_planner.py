"""The main agent of a team: a chat model that sees, thinks, and says in words what to do, without calling tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from omnipilot.memory import MalformedReply, Message, Reply
from omnipilot.memory.messages import Part
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.planners.base import Request, Thinker, Thought
from omnipilot.planners.chat.history import ParsedReply
from omnipilot.planners.chat.planner import ChatPlanner


@dataclass(eq=False)
class ChatThinker(ChatPlanner, Thinker):
    """Sees what a planner sees, plus the actions in words, and answers in words.

    Its answer is passed on verbatim, without any tagged reasoning before it.
    """

    own_prompt: ClassVar[str] = "main_function"

    def think(self, request: Request) -> Thought:
        """Say what to do now.

        Raises:
            MalformedReply, ModelUnavailable, ConfigError: as in `plan`.
        """
        decision = self.plan(request)
        return Thought(decision.thought, decision.usage)

    def _system(self, request: Request) -> tuple[Part, ...]:
        (text,) = super()._system(request)
        if self._says_actions:
            return (text,)
        return (f"{text}\n\n## The actions that there are\n\n{self._actions_in_words(request.brief)}",)

    def _format(self, request: Request) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def _read(self, reply: Reply, request: Request) -> ParsedReply:  # noqa: ARG002
        words = without_thoughts(reply.text)
        if not words:
            raise MalformedReply("Your reply is empty; say in words what is to be done now.")
        return ParsedReply((), words, Message("assistant", (words,)))
