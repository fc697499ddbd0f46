"""The grounder `cascade`: tries several grounders in order until one finds the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omnipilot.envs import ConfigError, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import (
    AbstainReason,
    Abstention,
    Grounder,
    Grounding,
)
from omnipilot.grounders.combine.several import SeveralGrounders, short_name
from omnipilot.memory import Usage


class CascadeGrounder(SeveralGrounders):
    """Tries several grounders in order and returns the first grounding; the usage includes those that abstained.

    If all abstain, it abstains and reports what each of them said.

    Args:
        of: grounders in the order in which they are tried; cheap ones first.

    Raises:
        ConfigError: no grounder is given, or more than one that numbers marks.
    """

    def __init__(self, of: Sequence[Grounder]) -> None:
        if not of:
            raise ConfigError("a cascade needs at least one grounder, as in of=elements,ocr")
        super().__init__(of)

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities that all of them need: without these, none can work."""
        return frozenset.intersection(*(frozenset(one.needs) for one in self.of))

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
            told.append((short_name(one), found))
        detail = "; ".join(f"{name} ({said.reason}): {said.detail}" for name, said in told)
        return Abstention(_reason([said.reason for _, said in told]), detail, usage)


def _reason(reasons: list[AbstainReason]) -> AbstainReason:
    """The reason that helps the planner most."""
    for helpful in ("ambiguous", "not_found"):
        if helpful in reasons:
            return "ambiguous" if helpful == "ambiguous" else "not_found"
    return reasons[0]
