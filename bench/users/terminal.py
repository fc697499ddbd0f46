"""The user `terminal`: a person who types the answers."""

from __future__ import annotations

import sys
from typing import ClassVar

from omnipilot.bench.tasks.user_facts import UNKNOWN, UserFacts
from omnipilot.bench.users.base import User
from omnipilot.envs import ConfigError


class TerminalUser(User):
    """Shows each question in the terminal and waits for the answer that a person types.

    What the task's user knows is shown with the first question. An empty line, or the end of input, says "I don't
    know." The world of a simulated task stands still meanwhile.
    """

    needs_facts: ClassVar[bool] = False
    own_process: ClassVar[bool] = True

    def __init__(self) -> None:
        self._opening: list[str] = []

    def check(self) -> None:
        """Refuse where nobody could type.

        Raises:
            ConfigError: standard input or standard error is no terminal.
        """
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise ConfigError(
                "--user terminal asks a person, and this is no terminal; start it in one, or choose --user rules"
            )

    def begin_task(self, instruction: str, facts: UserFacts | None, seed: int) -> None:  # noqa: ARG002
        """Say with the first question what the task is, and what its user knows."""
        known = facts.facts if facts is not None else ()
        self._opening = [f"The task: {instruction}"]
        self._opening += [f"You know ({', '.join(fact.topics)}): {fact.answer}" for fact in known]

    def answer(self, question: str) -> str:
        """What the person types."""
        lines, self._opening = ["", *self._opening, f"The agent asks: {question}", "Your answer: "], []
        sys.stderr.write("\n".join(lines))
        sys.stderr.flush()
        return sys.stdin.readline().strip() or UNKNOWN
