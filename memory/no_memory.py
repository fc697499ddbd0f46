"""The memory `none`: nothing is recalled."""

from __future__ import annotations

from collections.abc import Collection

from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.trajectory import Turn


class NoMemory(Memory):
    """Recalls nothing: what an agent does without a memory."""

    def clear(self) -> None:
        """There is nothing to forget."""

    def record(self, turn: Turn) -> None:
        """Keep nothing."""

    def recall(
        self,
        query: str,  # noqa: ARG002
        budget: Budget,  # noqa: ARG002
        role: Role,  # noqa: ARG002
        envs: Collection[str],  # noqa: ARG002
    ) -> tuple[Recalled, ...]:
        """Nothing."""
        return ()
