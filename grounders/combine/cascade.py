"""The grounder `cascade`: asks one grounder after the other, until one finds the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from omnipilot.envs import ConfigError, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import AbstainReason, Abstention, Grounder, Grounding, annotates, reads, shown_by
from omnipilot.memory import Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up


class CascadeGrounder:
    """The first grounding that one of its grounders gives; their cost is added up, also of those that abstained.

    Where all abstain, so does it, and tells what each of them said.

    Args:
        of: grounders, in the order in which they are asked; the cheap ones first.

    Raises:
        ConfigError: none is given, or more than one that numbers marks.
    """

    combines: ClassVar[str] = "many"

    def __init__(self, of: Sequence[Grounder]) -> None:
        if not of:
            raise ConfigError("a cascade asks at least one grounder, as in of=elements,ocr")
        if sum(annotates(one) for one in of) > 1:
            raise ConfigError("only one grounder of a cascade may number marks; two would mean different things by 7")
        self.of = tuple(of)

    def warm_up(self) -> None:
        """Warm up every grounder of it."""
        warm_up(*self.of)

    @property
    def needs(self) -> frozenset[Modality]:
        """What all of them need: with anything less than that, none can point."""
        return frozenset.intersection(*(frozenset(one.needs) for one in self.of))

    @property
    def reads(self) -> frozenset[Modality]:
        """What any of them looks at."""
        return frozenset().union(*(reads(one) for one in self.of))

    @property
    def annotates(self) -> bool:
        """Whether one of them numbers marks."""
        return any(annotates(one) for one in self.of)

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """What the one that numbers marks shows."""
        return next((parts for one in self.of if (parts := shown_by(one, observation))), ())

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Ask them in order.

        Raises:
            ModelUnavailable: the model of one that was asked did not answer; the next are not asked, for that would
                pass as a result of this cascade.
        """
        usage = Usage()
        told: list[tuple[str, Abstention]] = []
        for one in self.of:
            found = one.ground(observation, target)
            usage += found.usage
            if isinstance(found, Grounding):
                return replace(found, usage=usage)
            told.append((_name(one), found))
        detail = "; ".join(f"{name} ({said.reason}): {said.detail}" for name, said in told)
        return Abstention(_reason([said.reason for _, said in told]), detail, usage)


def _reason(reasons: list[AbstainReason]) -> AbstainReason:
    """The one that helps the planner most."""
    for helpful in ("ambiguous", "not_found"):
        if helpful in reasons:
            return "ambiguous" if helpful == "ambiguous" else "not_found"
    return reasons[0]


def _name(one: Grounder) -> str:
    return type(one).__name__.removesuffix("Grounder").lower() or "grounder"
