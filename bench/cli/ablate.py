"""The command `ablate`: what each modality is worth to an agent, and to which tasks."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Flags, Text


@opt.with_settings("ablate")
def ablate(
    flags: Flags,
    conditions: Annotated[
        Text,
        typer.Option(
            metavar="LIST",
            help="Comma-separated conditions: no-audio, no-audio-video, only-elements, silence, noise, other, …; or "
            "withheld, alone, control for all of a kind. The full set is always run. Default: all.",
        ),
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="TAG", help="Group tasks by this tag. Default: level, if the tasks have it.")
    ] = "",
    option: opt.PartOption = None,
    config: opt.Config = None,
    dry_run: opt.DryRun = False,
    rerun_void: opt.RerunVoid = False,
    level: opt.Level = 0.95,
    power: opt.Power = 0.8,
    figures: opt.ShownFigures = "",
    figure: opt.FigureFile = None,
    figure_width: opt.FigureWidth = "double",
) -> None:
    """Measure what each modality is worth: run an agent with all modalities, without each, with each alone, and with
    audio and video replaced by silence, noise or another task's. Only what is missing is run."""
    from omnipilot.agents.assembly.part_names import split_list
    from omnipilot.bench.cli.commands.ablate import AblationOptions, ablate_command
    from omnipilot.bench.report.figures.draw import figure_files

    names = tuple(name.strip() for name in (conditions or "").split(",") if name.strip())
    drawn = figure_files(figure or (), figure_width)
    how = AblationOptions(names, by, dry_run, rerun_void, level, power, drawn, tuple(split_list(figures)))
    ablate_command(config, flags.settings, option or [], how)
