"""The contract of those who answer an agent's questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from omnipilot.bench.tasks.user_facts import UserFacts

NO_USER = "none"
"""The name that stands for nobody: every question is refused."""


class User(ABC):
    """Answers the questions (`ask_user`) of an agent, one episode after another.

    Attributes:
        needs_facts: whether it can only answer in tasks that say what their user knows (`Task.user`); in all others,
            questions are refused.
        own_process: whether it has to be asked in the process that the command was started in.
    """

    needs_facts: ClassVar[bool] = True
    own_process: ClassVar[bool] = False

    @abstractmethod
    def begin_task(self, instruction: str, facts: UserFacts | None, seed: int) -> None:
        """Start a new episode; nothing of the previous one remains.

        Args:
            instruction: what this user asked for.
            facts: what this user knows; None, for one who does not need them, in a task that says nothing of it.
            seed: of the trial.
        """

    @abstractmethod
    def answer(self, question: str) -> str:
        """What the user says to a question.

        Raises:
            ModelUnavailable: its model did not answer.
        """

    def identity(self) -> Mapping[str, str]:
        """Hashes of what affects its answers besides its options, by name."""
        return {}

    def check(self) -> None:
        """Refuse a user who cannot be asked here and now.

        Raises:
            ConfigError: such as for a person where there is no terminal.
        """
