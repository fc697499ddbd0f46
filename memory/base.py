"""The contract of memories, and roles: who may see what."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from omnipilot.envs import Modality
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory.messages import Part
from omnipilot.memory.trajectory import Turn

TRANSCRIPT, TEXTS = "transcript", "texts"
"""Sources of what readers tell: what was heard, and what is written on the screen, in words."""


@dataclass(frozen=True, slots=True)
class Role:
    """A part of an agent and its permissions to see.

    Attributes:
        name: planner, grounder, tool agent, critic, …
        modalities: granted modalities. envs: granted environments; None for all.
    """

    name: str
    modalities: frozenset[Modality] = ALL_MODALITIES
    envs: frozenset[str] | None = None

    def sees(self, env: str) -> bool:
        """Whether the role is granted this environment."""
        return self.envs is None or env in self.envs


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one recall: numbers of parts, and total characters of text parts."""

    texts: int = 100
    images: int = 4
    clips: int = 2
    characters: int = 8_000


@dataclass(frozen=True, slots=True)
class Recalled:
    """One recalled part with its origin.

    Attributes:
        source: where it comes from: "thought", "action", "outcome", "screenshot", "audio", … or a reader's name.
        turn: index of the turn it belongs to.
    """

    part: Part
    source: str
    env: str
    time: float
    turn: int


@runtime_checkable
class Reads(Protocol):
    """A part of an agent that says which modalities it looks at. A part that does not say may look at all of them."""

    @property
    def reads(self) -> frozenset[Modality]: ...


@runtime_checkable
class Needs(Protocol):
    """A part of an agent that cannot work without some modalities. A part that does not say needs none."""

    @property
    def needs(self) -> frozenset[Modality]: ...


class Memory(Protocol):
    """Records turns and recalls what is relevant now."""

    def clear(self) -> None:
        """Forget everything; called before each episode."""
        ...

    def record(self, turn: Turn) -> None:
        """Record a completed turn."""
        ...

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """Parts relevant to `query`, oldest first, from `envs` only, and nothing that `role` may not see."""
        ...
