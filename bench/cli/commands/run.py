"""What `omnipilot run` does: resolve the settings, run what is missing, show the report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.commands.run_cluster import ClusterFlags
from omnipilot.bench.journal.void_reasons import AGAIN
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.run.config import resolve_settings
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.prepare import prepare_run
from omnipilot.bench.run.preview import bad_records_note
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.shards.shard import Shard

OVER_BUDGET = 3
"""Exit status of a command that stopped because its budget is used up."""
INTERRUPTED = 130
"""Exit status of a command that the user stopped with Ctrl-C, or the machine with SIGTERM."""
FAILING = 4
"""Exit status of a command that stopped after too many void episodes in a row, or had none but void ones."""


@loading_suites_once()
def run_command(
    config: Path | None,
    flags: RunSettings,
    options: Sequence[str] = (),
    rerun_void: bool = False,
    dry: bool = False,
    cluster: ClusterFlags | None = None,
) -> None:
    """Run, show progress, print the table, write the report.

    Args:
        config: a TOML file. flags: override it. options: of parts, as PART.KEY=VALUE; they override both.
        dry: only print what would be run; nothing is written, and no model is called.
        cluster: flags of one of which the scripts are written instead.
    """
    settings = resolve_settings(config, flags, options)
    asked = None if cluster is None else cluster.options(settings.cluster)
    prepared = prepare_run(settings)
    spec, out, mistakes = prepared.spec, prepared.out, prepared.mistakes
    for note in prepared.notes:
        typer.echo(note, err=True)
    if dry or mistakes.found:
        from omnipilot.bench.run.preview import dry_run

        # One that is already refused is looked at to its end, so that all of its mistakes are told at once.
        with mistakes.noting():
            agent, budget = prepared.agent, settings.budget
            told = dry_run(spec, out, settings.workers, rerun_void, budget, mistakes, agent, settings.part)
            if dry:
                typer.echo(told)
        mistakes.refuse()
        return
    if asked is not None and cluster is not None:
        cluster.write(out, asked, settings.workers)
        return
    from omnipilot.bench.run.progress import Progress

    known = {}
    if settings.calibrate:
        from omnipilot.bench.cli.commands.calibrate import calibration_of

        known = calibration_of(settings, spec)
    how = RunExecution.of(settings, [out], Progress(sys.stderr), rerun_void)
    result = prepared.play(how, known)
    if result.repaired:
        typer.echo(f"repaired the journal: removed an incomplete last line: {result.repaired[:120]}", err=True)
    if result.bad:
        typer.echo(bad_records_note(result.bad), err=True)
    if result.interrupted:
        typer.echo(resume_note(out), err=True)
        raise typer.Exit(INTERRUPTED)
    if result.episodes and not result.ran and not result.left:
        typer.echo(there_already_note(len(result.episodes)), err=True)
    if settings.part is not None:
        typer.echo(shard_note(settings.part), err=True)
        if not result.episodes:
            return
    from omnipilot.bench.cli.commands.report import report_command

    report_command([out], None, "paper")
    if spec.suite.name in BENCHMARKS.names():
        variant = spec.suite.options.get("variant")
        same = f" --variant {variant}" if variant in BENCHMARKS.make(PartSpec(spec.suite.name)).variants else ""
        typer.echo(f"score by the benchmark's own rules: omnipilot score {spec.suite.name} {out}{same}")
    if result.over_budget:
        left = "1 episode is left" if result.left == 1 else f"{result.left} episodes are left"
        typer.echo(f"{how.spending.words()}; {left}", err=True)
        raise typer.Exit(OVER_BUDGET)
    if not how.voids.failing and result.episodes and all(episode.void for episode in result.episodes):
        # Nothing was left to play, and nothing was played before.
        typer.echo(f"every episode is void; {AGAIN}", err=True)
        raise typer.Exit(FAILING)
    if how.voids.failing:
        typer.echo(how.voids.words(result.left), err=True)
        raise typer.Exit(FAILING)


def there_already_note(episodes: int) -> str:
    """What to tell of a run that a start before this one has finished."""
    those = "the episode was" if episodes == 1 else f"all {episodes} episodes were"
    return f"{those} there already; nothing was played"


def shard_note(shard: Shard) -> str:
    """What to tell of a shard that is finished."""
    return f"this was shard {shard}; `omnipilot merge DIR/* --out RUN` makes one run of all shards"


def resume_note(out: Path) -> str:
    """What to tell where a run was stopped by Ctrl-C or SIGTERM."""
    return f"interrupted; run the same command again to resume: {out} keeps what is finished"
