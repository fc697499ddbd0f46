"""Baselines that point without reading what is asked for: at one place, or at a random element."""

from __future__ import annotations

import hashlib
import random

from omnipilot.envs import Absent, ConfigError, Modality, Observation, Point
from omnipilot.envs.types import INTERACTIVE
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding


class CentreGrounder(Grounder):
    """Always points at one place, by default the centre of the screen.

    Args:
        x, y: the place, each in 0..1 from the left and from the top.

    Raises:
        ConfigError: the place is not on the screen.
    """

    needs: frozenset[Modality] = frozenset()
    reads: frozenset[Modality] = frozenset({Modality.SCREENSHOT})

    def __init__(self, x: float = 0.5, y: float = 0.5) -> None:
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise ConfigError(f"grounder 'centre': x and y must be in 0..1 of the screen, not {x:g} and {y:g}")
        self.point = Point(x, y)

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:  # noqa: ARG002
        """The same place, whatever is asked for."""
        return Grounding(self.point)


class RandomElementGrounder(Grounder):
    """Points at the centre of an operable element, drawn for each description from a fixed seed."""

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    reads: frozenset[Modality] = needs

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """The centre of a random element."""
        elements = observation.elements
        if isinstance(elements, Absent):
            return Abstention("no_view", f"the elements of {observation.env} are not there")
        shown = [e for e in elements if e.role in INTERACTIVE | {"listitem"} and "offscreen" not in e.states]
        if not shown:
            return Abstention("not_found", "the screen has no element to draw from")
        seed = hashlib.sha256(f"{target}/{observation.time}/{len(shown)}".encode()).hexdigest()
        return Grounding(random.Random(seed).choice(shown).box.center)
