"""The rule `learned`: a logistic regression on a few numbers, fitted on a development run and kept in a small file."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.agents.base import Situation
from omnipilot.agents.wrappers.stopping.base import StopRule, StopVerdict, price_of_a_turn
from omnipilot.agents.wrappers.stopping.confidence import check_cost
from omnipilot.agents.wrappers.stopping.features import FEATURES, TurnFacts
from omnipilot.envs import ConfigError

FORMAT = 1
STILL = 10
"""Turns without anything new beyond which more say no more."""


@dataclass(frozen=True, slots=True)
class FittedRule:
    """A fitted rule: the probability that going on solves a task that is not solved yet is 1 / (1 + exp(-z)), with
    z = bias + Σ weight · number.

    Attributes:
        bias, weights: by the names of `FEATURES`.
        fitted: what it was fitted on: runs (each with its suite and split), and the numbers of episodes, turns, and
            solves (turns after which the task was solved), loss (mean log loss in nats), base (that of a rule that
            always says the share).

    Raises:
        ConfigError: a number is missing or not finite.
    """

    bias: float
    weights: Mapping[str, float]
    fitted: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.weights) != set(FEATURES) or not all(map(math.isfinite, (self.bias, *self.weights.values()))):
            raise ConfigError(f"a stopping rule has a finite weight for each of {', '.join(FEATURES)}, and a bias")

    def probability(self, numbers: Mapping[str, float]) -> float:
        """The probability that going on solves the task, in 0..1."""
        z = self.bias + sum(self.weights[name] * value for name, value in zip(FEATURES, row_of(numbers), strict=True))
        return 1 / (1 + math.exp(-max(-700.0, min(700.0, z))))

    def to_text(self) -> str:
        """As JSON text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> FittedRule:
        """The inverse of `to_text`.

        Raises:
            ConfigError: it is none.
        """
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise ConfigError(
                    f"this stopping rule has the format {data['format']!r}, and this version reads {FORMAT}"
                )
            weights = {str(name): float(value) for name, value in data["weights"].items()}
            return cls(float(data["bias"]), weights, dict(data["fitted"]))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(
                f"it is no stopping rule: {error!r:.200}; make one with `omnipilot stops RUN --fit FILE`"
            ) from None


def row_of(numbers: Mapping[str, float]) -> list[float]:
    """The numbers of a turn in the order of `FEATURES`, each in 0..1: of turns in a row, a share of ten."""
    return [min(numbers[name], STILL) / STILL if name == "still" else numbers[name] for name in FEATURES]


def fit_logistic(
    rows: Sequence[Sequence[float]], outcomes: Sequence[bool], ridge: float = 1.0
) -> tuple[float, list[float]]:
    """Logistic regression with a ridge on the weights, by Newton's method.

    Args:
        rows: numbers, shape (turns, features). outcomes: of each row. ridge: twice the weight of Σ w² beside the sum of
            log losses; keeps weights finite where a number tells all.

    Returns:
        The bias, and a weight for each feature.

    Raises:
        ConfigError: all outcomes are alike, so nothing can be learned.
    """
    import numpy as np

    if len(set(outcomes)) < 2:
        raise ConfigError(
            "every turn has the same outcome, so there is nothing to learn; fit on a run that solves some"
        )
    x = np.column_stack([np.ones(len(rows)), np.asarray(rows, dtype=float)])
    y = np.asarray(outcomes, dtype=float)
    penalty = np.diag([0.0, *[ridge] * (x.shape[1] - 1)])
    weights = np.zeros(x.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -700, 700)))
        gradient = x.T @ (p - y) + penalty @ weights
        curvature = (x * (p * (1 - p))[:, None]).T @ x + penalty + 1e-9 * np.eye(x.shape[1])
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if float(np.abs(step).max()) < 1e-10:
            break
    bias, *rest = (float(one) for one in weights)
    return bias, rest


class LearnedRule(StopRule):
    """Stops where a fitted rule says that going on solves the task with less probability than a turn costs.

    Args:
        fit: file that `omnipilot stops RUN --fit FILE` wrote.
        cost: λ, the price of the whole turn limit in probability of a solution.

    Raises:
        ConfigError: there is no such file, it holds no rule, or the cost is impossible.
    """

    main_option = "fit"

    def __init__(self, fit: str, cost: float = 1.0) -> None:
        check_cost(cost)
        try:
            text = Path(fit).expanduser().read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(
                f"cannot read the stopping rule {fit}: {error.strerror}; make one with `omnipilot stops RUN --fit FILE`"
            ) from None
        self.rule = FittedRule.from_text(text)
        self.cost = cost
        self._digest = hashlib.sha256(text.encode()).hexdigest()[:16]

    def identity(self) -> dict[str, str]:
        """A hash of the rule, which is part of a run's identity in place of its file's name."""
        return {"fit": self._digest}

    def before(self, facts: TurnFacts, situation: Situation) -> StopVerdict:  # noqa: ARG002
        """Stop where another turn is worth less than it costs; not in the first turn."""
        helps = self.rule.probability(facts.numbers())
        value = helps - price_of_a_turn(facts, self.cost)
        evidence = {"solves": helps, "value": value}
        if value >= 0 or facts.turn == 0:
            return StopVerdict(evidence=evidence)
        why = f"another turn is worth {value:+.3f}: going on solves it with {helps:.3f}"
        return StopVerdict(True, why, facts.goals == 1.0, evidence)
