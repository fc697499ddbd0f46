"""Baselines that point without looking: at the screen's centre, or at the centre of a random element."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

from omnipilot.envs import Absent, Modality, Observation, Point
from omnipilot.envs.types.actions import Described
from omnipilot.envs.types.roles import INTERACTIVE
from omnipilot.grounders import Abstention, Grounder, Grounding


class Centre:
    """Always points at the centre of the screen."""

    needs: frozenset[Modality] = frozenset()
    reads: frozenset[Modality] = frozenset({Modality.SCREENSHOT})

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:  # noqa: ARG002
        """The screen's centre."""
        return Grounding(Point(0.5, 0.5))


class RandomElement:
    """Points at the centre of an operable element, drawn for each instruction from a fixed seed."""

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


BASELINES: dict[str, Callable[[], Grounder]] = {"centre": Centre, "random element": RandomElement}
"""Shown beside every result."""
