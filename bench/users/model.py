"""The user `model`: a chat model that is told a task's facts and speaks as its user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from omnipilot.bench.tasks.user_facts import UNKNOWN, UserFacts
from omnipilot.bench.users.base import User
from omnipilot.memory import Message
from omnipilot.memory.models.exchange import in_role
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.planners import Brief
from omnipilot.planners.chat import PromptedModel


@dataclass(eq=False)
class ModelUser(PromptedModel, User):
    """Asks a chat model, which is told the instruction, the facts and what was said before, to answer as the user.

    It is told to say nothing but the facts that are asked for. Whether it keeps to that is the model's: what it said is
    in the record, and its calls are in the role "user" there. They count for `--budget`, and not for the agent's
    tokens, dollars and limits.
    """

    max_tokens: int | str = 400

    own_prompt: ClassVar[str] = "omnipilot.bench.users:user"
    asks_as: ClassVar[str] = "user"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._said: list[Message] = []

    def begin_task(self, instruction: str, facts: UserFacts | None, seed: int) -> None:
        """Tell the model of this task, and forget what was said in the last one."""
        self.begin(Brief(instruction, {}, seed))
        known = [f"- {', '.join(fact.topics)}: {fact.answer}" for fact in (facts.facts if facts else ())]
        text = "\n".join([self.loaded_prompt.text, "", f"You asked for this: {instruction}", "", "You know:", *known])
        self._said = [Message("system", (text,))]

    def answer(self, question: str) -> str:
        """What the model says; "I don't know." if it says nothing.

        Raises:
            ModelUnavailable: it did not answer.
        """
        self._said.append(Message("user", (question,)))
        with in_role(self.asks_as):
            reply = self.complete(self._said)
        words = " ".join(without_thoughts(reply.text).split()) or UNKNOWN
        self._said.append(Message("assistant", (words,)))
        return words
