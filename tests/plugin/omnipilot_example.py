"""A planner and a grounder that live in a package of their own."""

from __future__ import annotations

from omnipilot.envs.actions import Click, Described, Done
from omnipilot.envs.observation import Absent, Modality, Observation
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.memory.trace import Move
from omnipilot.planners.base import Brief, Decision, Request


class FirstButton:
    """Clicks the first button that it sees, `clicks` times, and says that it is done."""

    reads = frozenset({Modality.ELEMENTS})

    def __init__(self, clicks: int = 1) -> None:
        self.clicks = clicks

    def begin(self, brief: Brief) -> None:
        """Nothing to remember."""

    def plan(self, request: Request) -> Decision:
        """A click on the first button, or the end."""
        if request.turn >= self.clicks:
            return Decision((Move("", Done()),))
        for env, seen in request.observations.items():
            items = [] if isinstance(seen.elements, Absent) else list(seen.elements)
            if button := next((element for element in items if element.role == "button"), None):
                return Decision((Move(env, Click(button.name)),), thought=f"{button.name} comes first.")
        return Decision((Move("", Done("infeasible")),))


class FirstNamed:
    """Points at the first element whose name is the description."""

    needs = frozenset({Modality.ELEMENTS})

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find it by its exact name."""
        items = [] if isinstance(observation.elements, Absent) else list(observation.elements)
        found = next((element for element in items if element.name == target), None)
        return Grounding(found.box.center, found.box) if found else Abstention("not_found", f"no element {target!r}")
