"""The gold grounder: points at what was asked for, by the truth."""

from __future__ import annotations

from omnipilot.envs import Absent, Element, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.envs.types.element_reading import read_target
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.memory.truth import Truth, Unknown


class GoldGrounder:
    """Points at the centre of the element that is described, by the true elements: the most that pointing is worth."""

    needs: frozenset[Modality] = frozenset()
    reads: frozenset[Modality] = frozenset()

    def __init__(self) -> None:
        self._truth: Truth = Unknown("grounder 'gold'")

    def take_truth(self, truth: Truth) -> None:
        """Take its answers from here."""
        self._truth = truth

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """The centre of what was asked for; it abstains where the true elements cannot tell what that is."""
        elements = self._truth.elements(observation.env)
        if isinstance(elements, Absent):
            return Abstention("no_view", elements.detail)
        found = read_target(elements, target)
        if isinstance(found, Element):
            return Grounding(found.box.center, found.box)
        return Abstention("not_found", found)
