"""What `omnipilot plan` does: how large a run must be to show a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.bench.experiments.plan import TaskPool
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.report.conclusions import Conclusion
from omnipilot.bench.report.terminal_tables import ShownRows, render_results
from omnipilot.bench.run.config import set_options, suite_of
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.tasks.reviewed_tasks import listed_tasks
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError, MissingExtra

if TYPE_CHECKING:
    from omnipilot.agents import PartSpec
    from omnipilot.bench.experiments.plan import Basis
    from omnipilot.bench.journal.run import Run
    from omnipilot.bench.settings import RunSettings


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What is planned for.

    Attributes:
        tasks: how many there are; None for those of the suite, or for as many as it takes.
        comparisons: how many will be made at once; planned for the strictest step of Holm's correction.
        jobs: episodes under way at once. level: confidence level. power: probability of detecting the difference.
        suite: settings that name one, with its data; None for that of the pilots. options: of it, as suite.KEY=VALUE.

    Raises:
        ConfigError: a number below 1.
    """

    tasks: int | None = None
    comparisons: int = 1
    jobs: int = 1
    level: float = LEVEL
    power: float = POWER
    suite: RunSettings | None = None
    options: Sequence[str] = ()

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
    from omnipilot.bench.experiments.plan import Assumptions, plan_sentences, plan_table, pool_table
    from omnipilot.bench.experiments.plan import assumed_basis as from_assumptions

    if not 1 <= difference < 100:
        raise ConfigError(f"--difference is in percentage points, from 1 to below 100, not {difference:g}")
    how = how or PlanOptions()
    assumptions = Assumptions(**(assumed or {}))
    if pilots and "rate" in (assumed or {}):
        raise ConfigError("--rate and --pilot exclude each other: a pilot measures the rate")
    runs = [load_run(path) for path in pilots]
    measured = pilot_basis(runs, assumptions) if runs else None

    def basis_at(wanted: float) -> Basis:
        return measured or from_assumptions(assumptions, wanted)

    wanted, strict = difference / 100, 1 - (1 - how.level) / how.comparisons
    pool = _pool(how.suite, how.options, runs, how.tasks)
    table = plan_table(wanted, basis_at(wanted), strict, how.power, how.jobs, pool.tasks if pool else None)
    if pool is not None and not table.rows:
        table = replace(pool_table(basis_at, pool, strict, how.power), methods=table.notes[1:])
    said = " ".join(plan_sentences(wanted, basis_at, strict, how.power, pool))
    typer.echo(f"{render_results(Conclusion((said,)), [table], ShownRows(methods=True))}\n")


def _pool(suite: RunSettings | None, options: Sequence[str], runs: Sequence[Run], tasks: int | None) -> TaskPool | None:
    """The tasks that there are: those of the suite that is named, or else of the pilots', or as many as are stated.

    Raises:
        ConfigError: there is no such suite, or more tasks are stated than it has.
    """
    pool = None
    if suite is not None:
        pool = _tasks_of(suite_of(set_options(suite, options)))
    elif runs:
        # The data of a pilot's suite need not be here; then its size is not known.
        with suppress(ConfigError, MissingExtra):
            pool = _tasks_of(runs[0].spec.suite)
    if tasks is None:
        return pool
    if pool is not None and tasks > pool.tasks:
        raise ConfigError(
            f"--tasks {tasks} is more than the {pool.words}; leave out --tasks, choose another split with "
            "-o suite.split=, or plan more --instances and --trials of fewer tasks, as the table does"
        )
    return TaskPool(pool.name if pool else "", tasks, tasks, pool is not None and pool.sharing)


def _tasks_of(part: PartSpec) -> TaskPool:
    suite = load_suite(part)
    infos = listed_tasks(suite)
    templates = [values_of(info.tags, "template") for info in infos]
    sharing = cluster([info.id for info in infos], templates).kind != "task"
    return TaskPool(part.name, len(infos), max(len(infos), len(suite.every())), sharing)
