"""The command `grid`: every planner with every grounder, and what either of the two is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Flags


@opt.with_settings("grid")
def grid(
    flags: Flags,
    config: Annotated[
        File,
        typer.Argument(
            help="TOML file: settings of a run, and a table [grid] with the lists planner and grounder. "
            "Flags override it."
        ),
    ] = None,
    option: opt.PartOption = None,
    dry_run: opt.DryRun = False,
    rerun_void: opt.RerunVoid = False,
    level: opt.Level = 0.95,
    figures: opt.ShownFigures = "",
    figure: opt.FigureFile = None,
    figure_width: opt.FigureWidth = "double",
) -> None:
    """Run every planner with every grounder, as far as it is missing, and say what either part is worth."""
    from omnipilot.agents.assembly.part_names import split_list
    from omnipilot.bench.cli.commands.grid import grid_command
    from omnipilot.bench.report.figures.draw import figure_files

    drawn, shown = figure_files(figure or (), figure_width), split_list(figures)
    grid_command(config, flags.axes, flags.settings, option or [], dry_run, rerun_void, level, drawn, shown)
