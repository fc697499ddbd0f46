"""What `omnipilot grid` does: run what is missing of every planner with every grounder, and say what each is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from omnipilot.bench.cli.commands.sweep import (
    check_cells,
    chosen_specs,
    fail_if_void,
    has_results,
    run_missing,
    show_evaluation,
)
from omnipilot.bench.experiments.grid import grid_of, grid_specs
from omnipilot.bench.experiments.sweep import sweep_request
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.terminal_tables import ShownRows, render_table
from omnipilot.bench.scoring.run_figures import check_figures
from omnipilot.bench.settings import CROSSED, RunSettings
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.envs.schema.read_toml import read_toml


@dataclass(frozen=True, slots=True)
class GridOptions:
    """How a grid is run and evaluated.

    Attributes:
        dry: only print what is missing. rerun_void: run void episodes again. level: confidence level of intervals.
        figures: where else the figure is drawn. shown: how much of the tables is printed.
        further: names of further figures in the tables, see `omnipilot.bench.scoring.run_figures`.
    """

    dry: bool = False
    rerun_void: bool = False
    level: float = LEVEL
    figures: FigureFiles = FigureFiles()
    shown: ShownRows = ShownRows()
    further: tuple[str, ...] = ()


@loading_suites_once()
def grid_command(
    config: Path | None,
    lists: Mapping[str, Sequence[Any]],
    flags: RunSettings,
    options: Sequence[str] = (),
    how: GridOptions | None = None,
) -> None:
    """Run a grid, print its conclusion and its main tables, write these, its figure and a page with all tables.

    Args:
        config: a TOML file with settings of a run and a table `grid`. lists: planners and grounders given as flags.
        flags: settings that all cells share. options: of parts in every cell, as PART.KEY=VALUE.

    Raises:
        ConfigError: a setting is wrong, or there is nothing to cross. typer.Exit: as in `run_missing`.
    """
    how = how or GridOptions()
    check_level(how.level)
    file = read_toml(config) if config else {}
    found = sweep_request(file, lists, flags, source=str(config or ""), command="grid")
    specs, out = chosen_specs(found, grid_specs(found, options), "grid")
    grid = grid_of(specs, out)
    check_figures(how.further, grid.cells[0].spec.suite.name)
    jobs = found.settings.workers
    due = check_cells(grid.cells, len(specs), found.settings, how.rerun_void)
    if how.dry:
        from omnipilot.bench.experiments.sweep_preview import dry_table

        typer.echo(f"\n{render_table(dry_table(due, CROSSED, jobs, budget=found.settings.budget))}\n")
        return
    grid.write(out)
    runs = run_missing(due, out, found.settings, how.rerun_void)
    if has_results(runs, found.settings):
        from omnipilot.bench.experiments.grid_results import grid_results
        from omnipilot.bench.report.evaluation.grid import evaluate_grid

        results = grid_results(grid.planners, grid.grounders, runs, how.level, figures=how.further)
        show_evaluation(evaluate_grid(grid, runs, results, how.shown.every), out, how.shown, how.figures)
    fail_if_void(runs)
