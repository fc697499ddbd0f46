"""MMBench-GUI's EQA, success against effort (appendix A.5.2, equations 8 to 12), in all its forms.

N tasks are done in a fixed order; s_i is 1 where task i succeeds, t_i its steps, T_k and S_k the sums of the first k,
u_k = T_k / (N · t_max). R(u) is S_k / N for the last task finished by u.

| form | what it is |
|---|---|
| `"integral"` | the area under R (equation 11, left) |
| `"grid"` | the mean of R at 0, 0.01, …, 1 (equation 11, right) |
| `"closed"` | Σ of (1 - u_i) / N over solved tasks (equation 12): the integral, if u_i counts all spent by then |
| `"release"` | the mean, at the same 101 points, of straight lines through (0, 0) and all (u_k, S_k / N), then flat |

The published tables were most likely made with the last: the caption of figure 5 describes it. It gives credit for a
success before it is reached, so it is larger, by Σ over solved tasks of t_i / (2 N · T_max) before the grid. All depend
on the order, about which the paper is silent; the release sorts by path, and `eqa_shuffled` is free of it. u is cut
at 1. Attempts longer than the limit fail at it, but for those of the release at 50 steps (`limit_attempts`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, TypeAlias

from omnipilot.envs import ConfigError

Form: TypeAlias = Literal["integral", "grid", "closed", "release"]
GRID = 101
UNCUT = 50
"""From this limit on the release cuts no attempt."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One episode of level 3 or 4.

    Attributes:
        task: its id, or its path below the folder of results. steps: taken, failed or not.
        void: the infrastructure failed; it stays in the denominator and counts as failed.
        limit: t_max of this task, where tasks have limits of their own; None where one limit holds for all.

    Raises:
        ConfigError: fewer than no steps.
    """

    task: str
    success: bool
    steps: int
    platform: str = ""
    void: bool = False
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.steps < 0:
            raise ConfigError(f"task {self.task} took {self.steps} steps; correct the record")

    @property
    def solved(self) -> bool:
        """s_i: succeeded and not void."""
        return self.success and not self.void


def limit_attempts(attempts: Sequence[Attempt], steps: int, form: Form = "closed") -> list[Attempt]:
    """The attempts as they would be under a limit: longer ones are cut off there and count as failed.

    The release cuts only where it scores at 15 steps; at 50 it takes success and steps as they are written.
    """
    if form == "release" and steps >= UNCUT:
        return list(attempts)
    return [replace(one, success=one.success and one.steps <= steps, steps=min(one.steps, steps)) for one in attempts]


def success_rate(attempts: Sequence[Attempt]) -> float | None:
    """SR: share of tasks solved (equation 12); None without attempts."""
    return sum(one.solved for one in attempts) / len(attempts) if attempts else None


def eq1(success: float, efficiency: float) -> float | None:
    """EQ¹ = EQA / SR (equation 13); None where nothing succeeded."""
    return efficiency / success if success else None


def eq2(success: float, efficiency: float) -> float:
    """EQ² = SR - EQA (equation 14)."""
    return success - efficiency


def in_order(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Sorted by task id as the released summary sorts its files: folder by folder."""
    return sorted(attempts, key=lambda one: (*one.task.split("/"), "result.txt"))


def eqa_in_order(attempts: Sequence[Attempt], limit: int, form: Form = "release") -> float | None:
    """EQA in 0..1 in the order of `in_order`, regardless of the order of records; None without attempts.

    Args:
        limit: t_max, the most steps a task may take.

    Raises:
        ConfigError: a task twice; which trial comes first would decide.
    """
    if twice := [task for task, times in Counter(one.task for one in attempts).items() if times > 1]:
        raise ConfigError(
            f"EQA needs one attempt per task; there are more of: {', '.join(sorted(twice))}. "
            "Score each trial separately"
        )
    return eqa_as_given(in_order(attempts), limit, form) if attempts else None


def eqa_shuffled(
    attempts: Sequence[Attempt], limit: int, form: Form = "release", orders: int = 1000, seed: int = 0
) -> float | None:
    """Mean EQA over random task orders, reproducible by seed; None without attempts."""
    if not attempts:
        return None
    draw, shuffled, values = Random(seed), in_order(attempts), []
    for _ in range(orders):
        draw.shuffle(shuffled)
        values.append(eqa_as_given(shuffled, limit, form))
    return math.fsum(values) / orders


def eqa_as_given(attempts: Sequence[Attempt], limit: int, form: Form = "release") -> float:
    """EQA of one or more attempts in the given order; a resample may contain the same attempt twice."""
    budget, ends, solved = limit * len(attempts), [0], [0]
    for one in attempts:
        ends.append(min(ends[-1] + one.steps, budget))
        solved.append(solved[-1] + one.solved)
    if form == "integral":
        area = sum(count * (end - begin) for count, begin, end in zip(solved, ends, [*ends[1:], budget], strict=True))
        return area / (budget * len(attempts))
    if form == "closed":
        left = sum(budget - end for end, one in zip(ends[1:], attempts, strict=True) if one.solved)
        return left / (budget * len(attempts))
    values: list[float] = []
    last = 0
    for point in range(GRID):
        # Whole numbers: 100 · T_k <= m · T_max, so that no rounding moves a task over a point of the grid.
        at = point * budget
        while last < len(attempts) and (GRID - 1) * ends[last + 1] <= at:
            last += 1
        value = float(solved[last])
        if form == "release" and last < len(attempts) and solved[last + 1] > solved[last]:
            value += (at - (GRID - 1) * ends[last]) / ((GRID - 1) * (ends[last + 1] - ends[last]))
        values.append(value)
    return math.fsum(values) / (GRID * len(attempts))
