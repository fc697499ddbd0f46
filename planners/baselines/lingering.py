"""The planner `lingering`: knows the solution, and not that it is done."""

from __future__ import annotations

from omnipilot.envs import ConfigError, Done, Noop, Scroll
from omnipilot.memory import Move
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.baselines.oracle import OraclePlanner


class LingeringPlanner(OraclePlanner):
    """Plays the demonstration like `oracle`, and then looks about for nothing before it says that it is done.

    It scrolls down and up again, on one device after the other; where nothing scrolls, it does nothing. With `looks`
    0 it never says that it is done. It is a subject for stopping rules: all it does too much comes after the solution.

    Args:
        looks: needless turns after the demonstration; 0 for turns without end.

    Raises:
        ConfigError: fewer than none.
    """

    main_option = "looks"
    part = "planner 'lingering'"

    def __init__(self, looks: int = 6) -> None:
        if looks < 0:
            raise ConfigError(f"planner lingering: looks must be 0 (without end) or more, not {looks}")
        super().__init__()
        self.looks = looks
        self._looked = 0
        self._scrolling: tuple[str, ...] = ()

    def begin(self, brief: Brief) -> None:
        """Start over."""
        super().begin(brief)
        self._looked = 0
        self._scrolling = tuple(name for name, verbs in brief.envs.items() if "scroll" in verbs.kinds)

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, then needless looks, then the end.

        Raises:
            ConfigError: the task has no solution.
        """
        if self._looked:
            return self._look()
        decision = super().plan(request)
        ends = any(isinstance(move.intent, Done) and move.intent.status == "success" for move in decision.moves)
        return self._look() if ends else decision

    def _look(self) -> Decision:
        if self.looks and self._looked >= self.looks:
            return Decision((Move("", Done("success")),), thought="The demonstration is over.")
        turn, self._looked = self._looked, self._looked + 1
        if not self._scrolling:
            return Decision((Move("", Noop()),), thought="Looking again.")
        device = self._scrolling[turn // 2 % len(self._scrolling)]
        return Decision((Move(device, Scroll("up" if turn % 2 else "down")),), thought="Looking about.")
