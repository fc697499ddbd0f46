"""The grounder `cascade`: tries several grounders in order until one finds the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from omnipilot.envs import Box, ConfigError, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import (
    AbstainReason,
    Abstention,
    Grounder,
    Grounding,
    identities,
    reads,
)
from omnipilot.memory import Usage
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up


class CascadeGrounder(Grounder):
    """Tries several grounders in order and returns the first grounding; the usage includes those that abstained.

    If all abstain, it abstains and reports what each of them said.

    Args:
        of: grounders in the order in which they are tried; cheap ones first.

    Raises:
        ConfigError: no grounder is given, or more than one that numbers marks.
    """

    combines: ClassVar[str] = "many"
    main_option: ClassVar[str] = "of"

    def __init__(self, of: Sequence[Grounder]) -> None:
        if not of:
            raise ConfigError("a cascade needs at least one grounder, as in of=elements,ocr")
        if sum(one.annotates for one in of) > 1:
            raise ConfigError("only one grounder of a cascade may number marks, or a number would be ambiguous")
        self.of = tuple(of)

    def warm_up(self) -> None:
        """Warm up every grounder."""
        warm_up(*self.of)

    def identity(self) -> dict[str, str]:
        """What of its grounders can change a run's numbers besides their options."""
        return identities(self.of)

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities that all of them need: without these, none can work."""
        return frozenset.intersection(*(frozenset(one.needs) for one in self.of))

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

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Try the grounders in order.

        Raises:
            ModelUnavailable: the model of one grounder did not answer; the next are not tried, because the result would
                pass as one of this cascade.
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
    """The reason that helps the planner most."""
    for helpful in ("ambiguous", "not_found"):
        if helpful in reasons:
            return "ambiguous" if helpful == "ambiguous" else "not_found"
    return reasons[0]


def _name(one: Grounder) -> str:
    return type(one).__name__.removesuffix("Grounder").lower() or "grounder"
