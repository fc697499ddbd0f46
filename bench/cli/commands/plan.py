"""What `omnipilot plan` does: how large a run must be to show a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.terminal_tables import render_table
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What is planned for.

    Attributes:
        tasks: how many there are; None for as many as it takes.
        comparisons: how many will be made at once; planned for the strictest step of Holm's correction.
        jobs: episodes under way at once. level: confidence level. power: probability of detecting the difference.

    Raises:
        ConfigError: a number below 1.
    """

    tasks: int | None = None
    comparisons: int = 1
    jobs: int = 1
    level: float = LEVEL
    power: float = POWER

    def __post_init__(self) -> None:
        for name in ("comparisons", "jobs", "tasks"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"--{name} must be at least 1, not {value}")


def plan_command(
    difference: float,
    pilots: Sequence[Path] = (),
    assumed: Mapping[str, float] | None = None,
    how: PlanOptions | None = None,
) -> None:
    """Print how many tasks, trials, dollars and hours it takes to detect a difference.

    Args:
        difference: wanted, in points of a hundred. pilots: run directories, none, one, or one of each system.
        assumed: fields of `Assumptions` that were stated.
    """
    from omnipilot.bench.experiments.pilot import pilot_basis
    from omnipilot.bench.experiments.plan import Assumptions, plan_table
    from omnipilot.bench.experiments.plan import assumed_basis as from_assumptions

    if not 1 <= difference < 100:
        raise ConfigError(f"--difference is in percentage points, from 1 to below 100, not {difference:g}")
    how = how or PlanOptions()
    assumptions = Assumptions(**(assumed or {}))
    if pilots and "rate" in (assumed or {}):
        raise ConfigError("--rate and --pilot exclude each other: a pilot measures the rate")
    runs = [load_run(path) for path in pilots]
    basis = pilot_basis(runs, assumptions) if runs else from_assumptions(assumptions, difference / 100)
    strict = 1 - (1 - how.level) / how.comparisons
    typer.echo(f"\n{render_table(plan_table(difference / 100, basis, strict, how.power, how.jobs, how.tasks))}\n")
