"""Execution efficiency of an episode, and how an episode ended, as CRAB defines them (arXiv:2407.01511, §4.3, table 3).

`variant="paper"` follows the paper; `"release"` its released code, which counts the evaluation before the first action
as one more action. The figures of a run are metrics (`omnipilot.bench.scoring.episode_metrics`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Variant: TypeAlias = Literal["paper", "release"]
Termination: TypeAlias = Literal[
    "success",
    "false completion",
    "turn limit",
    "invalid action",
    "gave up",
    "stopped",
    "cap",
    "world over",
    "refused by the guard",
    "unjudged",
    "void",
]


def efficiency(completion: float, actions: int, variant: Variant = "paper") -> float:
    """EE of one episode; the release divides by its observations, one of which precedes the first action."""
    divisor = actions + (variant == "release")
    return completion / divisor if divisor else 0.0


def termination(reason: str, status: str, success: bool) -> Termination:
    """Why an episode ended: CRAB's categories plus seven of ours.

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
    "stopped": "stopped",
    "turns": "turn limit",
    "actions": "turn limit",
    "idle": "turn limit",
    "tokens": "cap",
    "seconds": "cap",
    "cost": "cap",
    "working": "cap",
    "invalid": "invalid action",
    "denied": "refused by the guard",
    "world": "world over",
    "unjudged": "unjudged",
}
