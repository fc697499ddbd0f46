"""The user `rules`: a task's facts, told by rule."""

from __future__ import annotations

from omnipilot.bench.tasks.user_facts import UserFacts
from omnipilot.bench.users.base import User


class RulesUser(User):
    """Tells a task's facts when asked for them, one a question; see `omnipilot.bench.tasks.user_facts.UserFacts`."""

    def __init__(self) -> None:
        self._facts = UserFacts(())

    def begin_task(self, instruction: str, facts: UserFacts | None, seed: int) -> None:  # noqa: ARG002
        """Know the facts of this task, and no others."""
        self._facts = facts or UserFacts(())

    def answer(self, question: str) -> str:
        """One fact, or why there is none."""
        return self._facts.answer(question)
