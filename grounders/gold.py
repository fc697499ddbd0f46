"""The gold grounder: points at what was asked for, by the truth."""

from __future__ import annotations

from omnipilot.envs import Absent, Element, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.memory import TakesTruth


class GoldGrounder(TakesTruth, Grounder):
    """Points at the centre of the element that is described, by the true elements: the most that pointing is worth.

    It abstains where the true elements cannot tell which one is meant.
    """

    part = "grounder 'gold'"
    needs: frozenset[Modality] = frozenset()
    reads: frozenset[Modality] = frozenset()

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """The centre of what was asked for."""
        found = self._truth.meaning(observation.env, target)
        return Grounding(found.box.center, found.box) if isinstance(found, Element) else abstention(found)


def abstention(found: Absent | str) -> Abstention:
    """Why the truth does not tell what a described place means, as an answer."""
    if isinstance(found, Absent):
        return Abstention("no_view", found.detail)
    return Abstention("not_found", found)
