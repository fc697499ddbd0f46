"""The command `sweep`: every combination of planners, grounders and whatever else is given more than once."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Flags


@opt.with_settings("sweep")
def sweep(
    flags: Flags,
    config: Annotated[
        File, typer.Argument(help="TOML file: settings of a run, and a table [sweep] of lists. Flags override it.")
    ] = None,
    option: opt.PartOption = None,
    against: Annotated[
        str, typer.Option(help="Cell to compare with: its words, separated by commas. Default: the first.")
    ] = "",
    dry_run: opt.DryRun = False,
    rerun_void: opt.RerunVoid = False,
    level: opt.Level = 0.95,
    power: opt.Power = 0.8,
    figures: opt.ShownFigures = "",
    figure: opt.FigureFile = None,
    figure_width: opt.FigureWidth = "double",
) -> None:
    """Run every combination of the values given, as far as it is missing, and compare the results."""
    from omnipilot.agents.assembly.part_names import split_list
    from omnipilot.bench.cli.commands.sweep import SweepOptions, sweep_command
    from omnipilot.bench.report.figures.draw import figure_files

    drawn = figure_files(figure or (), figure_width)
    how = SweepOptions(dry_run, rerun_void, against, level, power, drawn, tuple(split_list(figures)))
    sweep_command(config, flags.axes, flags.settings, option or [], how)
