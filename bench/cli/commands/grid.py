"""What `omnipilot grid` does: run what is missing of every planner with every grounder, and say what each is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.bench.cli.commands.sweep import check_cells, chosen_specs, fail_if_void, run_missing
from omnipilot.bench.experiments.grid import Grid, grid_of, grid_specs
from omnipilot.bench.experiments.sweep import sweep_request
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.terminal_tables import render_table, render_tables
from omnipilot.bench.scoring.run_figures import check_figures
from omnipilot.bench.settings import CROSSED, RunSettings
from omnipilot.bench.stats.intervals import LEVEL, check_level
from omnipilot.envs.schema.read_toml import read_toml

if TYPE_CHECKING:
    from omnipilot.bench.journal.run import Run

FIGURE, PAGE = "grid.svg", "report.html"


@loading_suites_once()
def grid_command(
    config: Path | None,
    lists: Mapping[str, Sequence[Any]],
    flags: RunSettings,
    options: Sequence[str] = (),
    dry: bool = False,
    rerun_void: bool = False,
    level: float = LEVEL,
    figures: FigureFiles | None = None,
    shown: Sequence[str] = (),
) -> None:
    """Run a grid, print its main tables and its conclusion, write its figure and a page with all tables.

    Args:
        config: a TOML file with settings of a run and a table `grid`. lists: planners and grounders given as flags.
        flags: settings that all cells share. options: of parts in every cell, as PART.KEY=VALUE.
        dry: only print what is missing. rerun_void: run void episodes again. level: confidence level of intervals.
        figures: where else the figure is drawn. shown: names of further figures in the tables, see `run_figures`.

    Raises:
        ConfigError: a setting is wrong, or there is nothing to cross. typer.Exit: as in `run_missing`.
    """
    check_level(level)
    file = read_toml(config) if config else {}
    found = sweep_request(file, lists, flags, source=str(config or ""), command="grid")
    specs, out = chosen_specs(found, grid_specs(found, options), "grid")
    grid = grid_of(specs, out)
    check_figures(shown, grid.cells[0].spec.suite.name)
    jobs = found.settings.workers
    due = check_cells(grid.cells, len(specs), found.settings, rerun_void)
    if dry:
        from omnipilot.bench.experiments.sweep_preview import dry_table

        typer.echo(f"\n{render_table(dry_table(due, CROSSED, jobs, budget=found.settings.budget))}\n")
        return
    grid.write(out)
    runs = run_missing(due, out, found.settings, rerun_void)
    _show(grid, runs, out, level, figures or FigureFiles(), shown)
    fail_if_void(runs)


def _show(grid: Grid, runs: Sequence[Run], out: Path, level: float, figures: FigureFiles, shown: Sequence[str]) -> None:
    from omnipilot.bench.experiments.grid_results import grid_results
    from omnipilot.bench.report.figures_table import further_tables
    from omnipilot.bench.report.grid_conclusion import conclusion
    from omnipilot.bench.report.grid_figure import grid_figure
    from omnipilot.bench.report.grid_table import grid_tables, main_tables
    from omnipilot.bench.report.page import Section, write_report

    found = grid_results(grid.planners, grid.grounders, runs, level, figures=shown)
    labels = [cell.label for cell in grid.cells]
    more = further_tables(labels, [cell.figures for cell in found.all_cells], level=level, label="cell")
    svg, told = figures.write(out / FIGURE, grid_figure(found, runs[0].spec.suite.name))
    typer.echo(f"\n{render_tables((*main_tables(found), *more))}")
    sentences = conclusion(found)
    typer.echo("".join(f"\n{sentence}" for sentence in sentences))
    page = write_report(
        [cell.folder for cell in grid.cells],
        out / PAGE,
        sections=[Section("Grid", (*grid_tables(found), *more), svg, sentences)],
        names=labels,
    )
    typer.echo("\n".join(("", *told, f"report: {page}")))
