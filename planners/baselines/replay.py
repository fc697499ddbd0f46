"""The planner that knows the solution and plays it in macro-actions: what macros are worth where all else is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from omnipilot.memory import Move
from omnipilot.memory.macros import digest_of, read_macros, shorten
from omnipilot.planners.base import Brief, Decision, Request
from omnipilot.planners.baselines.oracle import OraclePlanner


class ReplayPlanner(OraclePlanner):
    """Like `oracle`, but calls a macro wherever the demonstration makes its moves; run it with `--verbs macros:FILE`.

    A macro that fails is played once more in single moves, from its first.

    Args:
        macros: the TOML file of macros.

    Raises:
        ConfigError: it has no macros, or one is wrong.
    """

    main_option = "macros"
    part = "planner 'replay'"

    def __init__(self, macros: str) -> None:
        super().__init__()
        self._macros = read_macros(Path(macros))
        self._single: list[tuple[Move, ...]] = []

    def identity(self) -> dict[str, str]:
        """A hash of what the macros do; where their file lies does not matter."""
        return {"macros": digest_of(self._macros)}

    def begin(self, brief: Brief) -> None:
        """Start over."""
        super().begin(brief)
        self._single = []

    def plan(self, request: Request) -> Decision:
        """The next move of the demonstration, or the next moves as one macro."""
        failed = any(told.outcome.refused for told in request.feedback)
        if failed and self._moves is not None and self._tries and len(self._single[self._next]) > 1:
            moves = self._single[self._next]
            self._moves = (*self._moves[: self._next], *moves, *self._moves[self._next + 1 :])
            self._single[self._next : self._next + 1] = [(move,) for move in moves]
            self._tries = 0
            request = replace(request, feedback=())
        return super().plan(request)

    def _moves_of(self, demonstration: Sequence[Move]) -> Sequence[Move]:
        found = shorten(demonstration, self._macros)
        at = 0
        for _, number in found:
            self._single.append(tuple(demonstration[at : at + number]))
            at += number
        return [move for move, _ in found]
