"""A planner that does nothing: whatever it scores, the task gives away."""

from __future__ import annotations

from omnipilot.envs import ConfigError, Done, Intent, Modality, Noop
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Request


class NoopPlanner:
    """Skips a few turns and gives up.

    Args:
        patience: turns that it skips before it ends the episode as a failure; 0 gives up at once.
    """

    reads: frozenset[Modality] = frozenset()

    def __init__(self, patience: int = 3) -> None:
        if patience < 0:
            raise ConfigError(f"planner 'noop': patience is at least 0, not {patience}")
        self.patience = patience

    def begin(self, brief: Brief) -> None:
        """Nothing to remember."""

    def plan(self, request: Request) -> Decision:
        """A `Noop`, or `Done` once its patience is over."""
        intent: Intent = Noop() if request.turn < self.patience else Done("failure", "it never does anything")
        return Decision((Move("", intent),), thought="Do nothing.")
