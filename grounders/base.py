"""The contract of grounders: from a described place to a point, or an abstention with its reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from omnipilot.envs.actions import Described
from omnipilot.envs.geometry import Box, Point
from omnipilot.envs.observation import Modality, Observation
from omnipilot.memory.transcript import Usage


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where the grounder points. `confidence` in 0..1 where it knows one."""

    point: Point
    box: Box | None = None
    confidence: float | None = None
    usage: Usage = field(default_factory=Usage)


AbstainReason: TypeAlias = Literal["not_found", "ambiguous", "no_view", "refused", "unparsable", "out_of_range"]


@dataclass(frozen=True, slots=True)
class Abstention:
    """The grounder does not point, and why. Never replaced by a default place.

    Attributes:
        reason: `not_found` or `ambiguous` on the screen, `no_view` (it was granted nothing to look at), or what a
            model did: `refused`, `unparsable`, `out_of_range`.
        detail: for the planner, who may describe the place otherwise.
    """

    reason: AbstainReason
    detail: str = ""
    usage: Usage = field(default_factory=Usage)


class Grounder(Protocol):
    """Points.

    Attributes:
        needs: modalities without which it cannot point at all.
    """

    @property
    def needs(self) -> frozenset[Modality]: ...

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place, or an element or mark by its id, on one observation.

        Raises:
            ModelUnavailable: its model did not answer.
        """
        ...
