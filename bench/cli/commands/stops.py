"""What `omnipilot stops` does: compare runs with and without stopping rules, or fit a rule."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.experiments.stopping import compare_budgets, compare_stops, fit_stop
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.stopping_table import budgets_table, stops_table
from omnipilot.envs import ConfigError


def stops_command(
    paths: Sequence[Path], turns: str | None, fit: Path | None, level: float, resamples: int, seed: int
) -> None:
    """Print both tables, or fit a rule and write it.

    Raises:
        ConfigError: as `compare_stops`, `compare_budgets` and `fit_stop`; or the file cannot be written.
    """
    from omnipilot.bench.experiments.budget import read_budgets

    if fit is not None:
        _fit(paths, fit)
        return
    runs = [load_run(path) for path in paths]
    tables = [stops_table(compare_stops(runs, level, resamples, seed), runs[0].name, level)] if len(runs) > 1 else []
    if turns is not None:
        budgets = read_budgets(turns)
        words = (str(budgets[0]), str(budgets[1]))
        tables.append(budgets_table(compare_budgets(runs, budgets, level, resamples, seed), words, level))
    if not tables:
        raise ConfigError("one run has nothing to compare; give a second one, or two budgets such as --turns 15,50")
    typer.echo("\n\n".join(table.text() for table in tables))


def _fit(paths: Sequence[Path], out: Path) -> None:
    rule = fit_stop(paths)
    try:
        out.write_text(rule.to_text(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from None
    typer.echo(f"bias {rule.bias:+.2f}")
    for name, weight in rule.weights.items():
        typer.echo(f"{name} {weight:+.2f}")
    told = rule.fitted
    typer.echo(
        f"{told['turns']} turns of {told['episodes']} episodes, of which {told['solves']} led to a solution; "
        f"log loss {told['loss']}, of the share alone {told['base']}"
    )
    typer.echo(f"rule: {out}; use it with --stop learned:{out}")
