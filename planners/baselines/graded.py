"""Graded planners: know the solution, and get a set share of its moves wrong."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.memory import Move
from omnipilot.memory.truth import check_grade
from omnipilot.planners.baselines.gold import GoldPlanner

ERRORS = ("drop", "double", "exchange")
"""The ways to get a move wrong. The last move cannot be exchanged with the next one, and is dropped instead."""
VERSION = "1"
"""Of the error model. Equal versions give equal moves; part of a run's identity."""


class GradedPlanner(GoldPlanner):
    """Like `gold`, but a move is right only with a set probability; others are dropped, doubled or exchanged.

    Each move is right with the probability `accuracy`. A wrong one is left out (`drop`), made twice (`double`), or
    exchanged with the next one (`exchange`). Which moves are wrong depends on the episode and the move, by random
    numbers that are the same for every accuracy: what is right at 0.5 is right at 0.9 too, but for the second move of
    an exchange.

    Args:
        accuracy: the probability that a move is right, 0..1.
        errors: the ways to get a move wrong, from `drop`, `double` and `exchange`; all are equally likely.

    Raises:
        ConfigError: an impossible accuracy, or an unknown error.
    """

    main_option = "accuracy"
    part = "planner 'graded'"

    def __init__(self, accuracy: float, errors: str | Sequence[str] = ERRORS) -> None:
        super().__init__()
        self.errors = check_grade(self.part, accuracy, errors, ERRORS)
        self.accuracy = accuracy

    def identity(self) -> dict[str, str]:
        """The version of the error model, which can change a run's numbers."""
        return {"errors": VERSION}

    def _moves_of(self, demonstration: Sequence[Move]) -> Sequence[Move]:
        moves: list[Move] = []
        number = 0
        while number < len(demonstration):
            move = demonstration[number]
            draw = self._truth.draw("planner graded", f"move {number}")
            luck, error = draw.random(), self.errors[int(draw.random() * len(self.errors))]
            number += 1
            if luck < self.accuracy:
                moves.append(move)
            elif error == "double":
                moves += [move, move]
            elif error == "exchange" and number < len(demonstration):
                moves += [demonstration[number], move]
                number += 1
        return moves
