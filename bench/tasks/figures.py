"""The figures that every run has: success, completion, execution and cost efficiency, and how its episodes ended.

They are defined as in CRAB (arXiv:2407.01511, §4.3 and table 3). `variant="paper"` follows the paper; `"release"` its
released code, which counts the evaluation before the first action as one more action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Variant: TypeAlias = Literal["paper", "release"]
Termination: TypeAlias = Literal[
    "success", "false completion", "turn limit", "invalid action", "gave up", "cap", "world over", "unjudged", "void"
]


@dataclass(frozen=True, slots=True)
class Score:
    """One episode, as input to the metrics.

    Attributes:
        completed, total: nodes of the graph, C and N. actions: A. tokens: T of all model calls.
    """

    completed: int
    total: int
    actions: int
    tokens: int
    void: bool = False

    @property
    def success(self) -> bool:
        """SR of one episode: every node complete, and not void."""
        return self.completed == self.total and not self.void

    @property
    def completion(self) -> float:
        """CR of one episode, C/N in 0..1; 0 if it is void."""
        return 0.0 if self.void else self.completed / self.total


def success_rate(scores: Sequence[Score]) -> float | None:
    """SR: share of episodes solved, counting void ones in the denominator; None without episodes."""
    return sum(score.success for score in scores) / len(scores) if scores else None


def completion_ratio(scores: Sequence[Score]) -> float | None:
    """CR: mean of C/N; None without episodes."""
    return sum(score.completion for score in scores) / len(scores) if scores else None


def execution_efficiency(scores: Sequence[Score], variant: Variant = "paper") -> float | None:
    """EE: mean over episodes of CR/A (paper; 0 for an episode without actions) or CR/(A+1) (release).

    None if no episode has an action, since the figure is then meaningless.
    """
    if not any(score.actions for score in scores):
        return None
    return sum(efficiency(score.completion, score.actions, variant) for score in scores) / len(scores)


def efficiency(completion: float, actions: int, variant: Variant = "paper") -> float:
    """EE of one episode; the release divides by its observations, one of which precedes the first action."""
    divisor = actions + (variant == "release")
    return completion / divisor if divisor else 0.0


def cost_efficiency(scores: Sequence[Score]) -> float | None:
    """CE: mean over episodes of CR/T; None if no episode used any tokens."""
    if not any(score.tokens for score in scores):
        return None
    return sum(s.completion / s.tokens if s.tokens else 0.0 for s in scores) / len(scores)


def termination(reason: str, status: str, success: bool) -> Termination:
    """Why an episode ended: CRAB's categories plus four of ours.

    Success is judged by completion, never by the reason: a success on the last allowed step is a success. An agent that
    reports failure itself `gave up`; CRAB counts it as a false completion.

    Args:
        reason, status: of `omnipilot.bench.journal.events.EpisodeEnded`.
    """
    if reason == "void":
        return "void"
    if success:
        return "success"
    if reason == "done":
        return "false completion" if status == "success" else "gave up"
    return _REASONS[reason]


_REASONS: dict[str, Termination] = {
    "turns": "turn limit",
    "actions": "turn limit",
    "tokens": "cap",
    "seconds": "cap",
    "cost": "cap",
    "working": "cap",
    "invalid": "invalid action",
    "world": "world over",
    "unjudged": "unjudged",
}
