"""The command `study`: OmniBench's experiments, one command each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Flags


@opt.with_settings("ablate")
def study(
    flags: Flags,
    name: Annotated[str, typer.Argument(metavar="STUDY", help="levels, chain, orders, intent or people.")],
    option: opt.PartOption = None,
    config: opt.Config = None,
    figure: Annotated[str, typer.Option(help="Of an episode: CR, SR, EE or CE.")] = "CR",
    level: opt.Level = 0.95,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For people: what they said of episodes."),
    ] = None,
) -> None:
    """Run one of OmniBench's experiments: levels and drops, chains against graphs, order of words, intent, people.
    Only what is missing is run."""
    from omnipilot.bench.cli.commands.study import StudyOptions, study_command

    study_command(name, config, flags.settings, option or [], StudyOptions(figure, level, sheet))
