"""The contract of grounders: from a described place to a point, or an abstention with its reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from omnipilot.envs import Box, Modality, Observation, Point
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Described
from omnipilot.memory import Usage
from omnipilot.memory.base import Reads
from omnipilot.memory.messages import Part


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


@runtime_checkable
class Annotator(Protocol):
    """What a grounder may do beside: show the planner the places that it can point at (Set-of-Marks)."""

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """Parts for the planner's request; empty where there is nothing to show.

        Args:
            observation: of what the planner and the grounder may both see, and nothing beyond: what is shown here
                is told to the planner.
        """
        ...


@runtime_checkable
class AnnotatesAtTimes(Protocol):
    """An `Annotator` that may have nothing to show (`annotates` is false), because it asks a grounder that has nothing.
    An annotator that does not say always annotates."""

    @property
    def annotates(self) -> bool: ...


@runtime_checkable
class Closes(Protocol):
    """A grounder that holds connections or a model until it is closed."""

    def close(self) -> None:
        """Release them; the grounder is not used again."""
        ...


def shown_by(grounder: Grounder, observation: Observation) -> tuple[Part, ...]:
    """What a grounder shows the planner of an observation; nothing if it is no `Annotator`."""
    return grounder.annotate(observation) if isinstance(grounder, Annotator) else ()


def annotates(grounder: Grounder) -> bool:
    """Whether a grounder shows the planner anything, itself or through one that it asks."""
    if not isinstance(grounder, Annotator):
        return False
    return grounder.annotates if isinstance(grounder, AnnotatesAtTimes) else True


def reads(grounder: Grounder) -> frozenset[Modality]:
    """What a grounder looks at; everything if it does not say."""
    return grounder.reads if isinstance(grounder, Reads) else ALL_MODALITIES
