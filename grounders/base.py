"""The contract of grounders: from a described place to a point, or an abstention with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from omnipilot.envs import Box, Modality, Observation, Point
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Described
from omnipilot.memory import Usage
from omnipilot.memory.base import Reads
from omnipilot.memory.messages import Part
from omnipilot.memory.truth import TakesTruth


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where the grounder points. `confidence` is in 0..1, or None if unknown."""

    point: Point
    box: Box | None = None
    confidence: float | None = None
    usage: Usage = field(default_factory=Usage)


AbstainReason: TypeAlias = Literal["not_found", "ambiguous", "no_view", "refused", "unparsable", "out_of_range"]


@dataclass(frozen=True, slots=True)
class Abstention:
    """The grounder gives no point, and why. It is never replaced by a default place.

    Attributes:
        reason: `not_found` or `ambiguous` on the screen, `no_view` (no modality to look at), or a model's failure:
            `refused`, `unparsable`, `out_of_range`.
        detail: an explanation for the planner, which may describe the place differently.
    """

    reason: AbstainReason
    detail: str = ""
    usage: Usage = field(default_factory=Usage)

    @property
    def unread(self) -> bool:
        """Whether the reply of its model was of no use, rather than an answer that there is no such place."""
        return self.reason in ("refused", "unparsable", "out_of_range")


class Grounder(Protocol):
    """Finds described places on the screen.

    Attributes:
        needs: modalities without which it cannot work at all.
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
    """Optional capability of a grounder: showing the planner what it can point at (Set-of-Marks)."""

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """Parts for the planner's request; empty if there is nothing to show.

        Args:
            observation: only what both planner and grounder may see, because the result is shown to the planner.
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
    """What a grounder shows the planner of an observation; nothing if it is not an `Annotator`."""
    return grounder.annotate(observation) if isinstance(grounder, Annotator) else ()


def knows_the_screen(grounder: object) -> bool:
    """Whether a grounder, or one that it is made of, points by the true elements of the whole screen."""
    inner = getattr(grounder, "of", ())
    within = inner if isinstance(inner, tuple | list) else (inner,)
    return isinstance(grounder, TakesTruth) or any(map(knows_the_screen, within))


def identities(grounders: Iterable[object]) -> dict[str, str]:
    """What of several grounders can change a run's numbers besides their options, as each says by `identity`."""
    return {name: told for one in grounders for name, told in getattr(one, "identity", dict)().items()}


def annotates(grounder: Grounder) -> bool:
    """Whether a grounder annotates, itself or through a grounder it wraps."""
    if not isinstance(grounder, Annotator):
        return False
    return grounder.annotates if isinstance(grounder, AnnotatesAtTimes) else True


def reads(grounder: Grounder) -> frozenset[Modality]:
    """Modalities a grounder uses; all if it does not say."""
    return grounder.reads if isinstance(grounder, Reads) else ALL_MODALITIES
