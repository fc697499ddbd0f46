"""A planner that does nothing; any score it gets is given away by the task."""

from __future__ import annotations

from omnipilot.envs import ConfigError, Done, Intent, Modality, Noop
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Planner, Request


class NoopPlanner(Planner):
    """Skips a few turns and gives up.

    Args:
        patience: turns to skip before the episode ends as a failure; 0 gives up at once.
    """

    reads: frozenset[Modality] = frozenset()
    takes_notes: bool = False

    def __init__(self, patience: int = 3) -> None:
        if patience < 0:
            raise ConfigError(f"planner 'noop': patience must be at least 0, not {patience}")
        self.patience = patience

    def begin(self, brief: Brief) -> None:
        """Do nothing: there is no state."""

    def plan(self, request: Request) -> Decision:
        """A `Noop`, or `Done` once its patience is used up."""
        intent: Intent = Noop() if request.turn < self.patience else Done("failure", "it never does anything")
        return Decision((Move("", intent),), thought="Do nothing.")
