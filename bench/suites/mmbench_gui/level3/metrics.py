"""MMBench-GUI levels 3 and 4: SR, EQA, EQ¹ and EQ² by platform and on average (tables 3 and 5).

EQ¹ = EQA / SR (equation 13) and EQ² = SR - EQA (equation 14). The average weighs platforms by their tasks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omnipilot.bench.scoring.eqa import (
    Attempt,
    Form,
    eq1,
    eq2,
    eqa_in_order,
    eqa_shuffled,
    limit_attempts,
    success_rate,
)
from omnipilot.envs import ConfigError

LIMITS = (15, 50)
"""The limits on steps that the paper reports."""


@dataclass(frozen=True, slots=True)
class PlatformRow:
    """One platform, or the average. Scores in 0..1; void ones count as failed."""

    tasks: int
    void: int
    success: float
    eqa: float

    @property
    def eq1(self) -> float | None:
        """EQ¹ of this row."""
        return eq1(self.success, self.eqa)

    @property
    def eq2(self) -> float:
        """EQ² of this row."""
        return eq2(self.success, self.eqa)


@dataclass(frozen=True, slots=True)
class EffortReport:
    """Table 3's row for one agent under one limit. shuffled: whether EQA is the mean over random orders."""

    form: Form
    limit: int
    shuffled: bool
    platforms: Mapping[str, PlatformRow]
    average: PlatformRow


def report(
    attempts: Sequence[Attempt], limit: int = LIMITS[0], form: Form = "release", shuffled: bool = False
) -> EffortReport:
    """Score recorded attempts under a limit; those that took longer count as failed at it (but see `limit_attempts`).

    Raises:
        ConfigError: no attempts, or a task twice on one platform.
    """
    if not attempts:
        raise ConfigError("there are no attempts to score; check the folder of results")
    rows = {}
    for platform in sorted({one.platform for one in attempts}):
        own = limit_attempts([one for one in attempts if one.platform == platform], limit, form)
        success = success_rate(own)
        # Also where orders are shuffled: it refuses a task that comes twice.
        efficiency = eqa_in_order(own, limit, form)
        if shuffled:
            efficiency = eqa_shuffled(own, limit, form)
        assert success is not None and efficiency is not None
        rows[platform] = PlatformRow(len(own), sum(one.void for one in own), success, efficiency)
    return EffortReport(form, limit, shuffled, rows, average(rows))


def average(rows: Mapping[str, PlatformRow]) -> PlatformRow:
    """The platforms' mean, weighted by tasks, as in table 3."""
    tasks = sum(row.tasks for row in rows.values())
    success = math.fsum(row.success * row.tasks for row in rows.values()) / tasks
    efficiency = math.fsum(row.eqa * row.tasks for row in rows.values()) / tasks
    return PlatformRow(tasks, sum(row.void for row in rows.values()), success, efficiency)
