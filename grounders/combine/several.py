"""What grounders that ask several others have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from omnipilot.envs import Box, ConfigError, Modality, Observation
from omnipilot.grounders.base import Grounder, identities, reads
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up


class SeveralGrounders(Grounder):
    """A grounder that asks several others in turn, at most one of which numbers marks.

    Args:
        of: the grounders, in the order in which they are asked.

    Raises:
        ConfigError: more than one of them numbers marks.
    """

    combines: ClassVar[str] = "many"
    main_option: ClassVar[str] = "of"

    def __init__(self, of: Sequence[Grounder]) -> None:
        if sum(one.annotates for one in of) > 1:
            raise ConfigError("only one of several grounders may number marks, or a number would be ambiguous")
        self.of = tuple(of)

    def warm_up(self) -> None:
        """Warm up every grounder."""
        warm_up(*self.of)

    def identity(self) -> dict[str, str]:
        """What of its grounders can change a run's numbers besides their options."""
        return identities(self.of)

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities that any of them uses."""
        return frozenset().union(*(reads(one) for one in self.of))

    @property
    def annotates(self) -> bool:
        """Whether one of them numbers marks."""
        return any(one.annotates for one in self.of)

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """The annotation of the one that numbers marks."""
        return next((parts for one in self.of if (parts := one.annotate(observation))), ())

    def candidates(self, env: str) -> Sequence[Box] | None:
        """Those of the one that numbers marks."""
        return next((boxes for one in self.of if (boxes := one.candidates(env)) is not None), None)


def short_name(one: Grounder) -> str:
    """What a grounder is called where several tell of themselves: "vllm"."""
    return type(one).__name__.removesuffix("Grounder").lower() or "grounder"
