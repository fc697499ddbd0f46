"""The contract of grounders: from a described place to a point, or an abstention with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from omnipilot.envs import Box, Modality, Observation, Point
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import Described
from omnipilot.memory import AgentPart, TakesTruth, Usage
from omnipilot.memory.messages import Part

if TYPE_CHECKING:
    from omnipilot.grounders.families.family import Family


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


class Grounder(AgentPart, ABC):
    """Finds described places on the screen.

    A grounder has `ground`. Everything else is optional: the bodies here are those of a grounder that needs no
    modality, shows the planner nothing, and holds nothing open.

    Attributes:
        family: of the model that it asks, with whose coordinate convention a failed calibration is compared; None if it
            asks none, or one of no known family.
    """

    family: Family | None = None

    @abstractmethod
    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place, or an element or mark by its id, on one observation.

        Raises:
            ModelUnavailable: its model did not answer.
        """

    @property
    def annotates(self) -> bool:
        """Whether it shows the planner what it can point at (Set-of-Marks), itself or through a grounder that it asks;
        see `annotate`."""
        return False

    def annotate(self, observation: Observation) -> tuple[Part, ...]:  # noqa: ARG002
        """Parts for the planner's request; empty if there is nothing to show.

        Args:
            observation: only what both planner and grounder may see, because the result is shown to the planner.
        """
        return ()

    def candidates(self, env: str) -> Sequence[Box] | None:  # noqa: ARG002
        """The boxes that the planner was last shown of an environment (`annotate`), detected ones among them; None
        where nothing was shown. What lies in none of them was detected by nobody."""
        return None

    def close(self) -> None:
        """Release the connections or the model that it holds; the grounder is not used again."""


def knows_the_screen(grounder: object) -> bool:
    """Whether a grounder, or one that it is made of, points by the true elements of the whole screen."""
    inner = getattr(grounder, "of", ())
    within = inner if isinstance(inner, tuple | list) else (inner,)
    return isinstance(grounder, TakesTruth) or any(map(knows_the_screen, within))


def identities(grounders: Iterable[Grounder]) -> dict[str, str]:
    """What of several grounders can change a run's numbers besides their options, as each says by `identity`."""
    return {name: told for one in grounders for name, told in one.identity().items()}


def reads(grounder: Grounder) -> frozenset[Modality]:
    """Modalities a grounder uses; all if it does not say."""
    return ALL_MODALITIES if grounder.reads is None else grounder.reads
