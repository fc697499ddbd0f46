"""The command `plan`: how large a run must be to show a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Number, Text, Whole

Runs = Optional[list[Path]]  # noqa: UP045 (typer reads annotations at run time)


def plan(
    difference: Annotated[float, typer.Option(help="Difference to detect, in percentage points.")],
    pilot: Annotated[
        Runs, typer.Option(metavar="RUN", help="Run directory of a pilot; give it twice for one run of each system.")
    ] = None,
    rate: Annotated[
        Number,
        typer.Option(help="Assumed success rate of the weaker system (used when no --pilot is given). Default: 0.5."),
    ] = None,
    noise: Annotated[Number, typer.Option(help="Assumed share of variance between trials. Default: 0.3.")] = None,
    content: Annotated[Number, typer.Option(help="Assumed share of variance between instances. Default: 0.2.")] = None,
    agreement: Annotated[
        Number, typer.Option(help="Assumed correlation of the two systems' success. Default: 0.5.")
    ] = None,
    cost: Annotated[Number, typer.Option(metavar="USD", help="Cost per episode. Default: the pilot's.")] = None,
    seconds: Annotated[Number, typer.Option(help="Seconds per episode. Default: the pilot's.")] = None,
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME",
            help="Suite whose tasks there are to choose from; no more than these are planned. Default: the pilot's.",
        ),
    ] = None,
    data: Annotated[Text, typer.Option(metavar="DIR", help="Folder of the suite's data, or hf://OWNER/NAME.")] = None,
    option: opt.PartOption = None,
    tasks: Annotated[
        Whole, typer.Option(metavar="N", help="Number of tasks available. Default: those of the suite.")
    ] = None,
    comparisons: Annotated[int, typer.Option(help="Number of comparisons, for Holm correction.")] = 1,
    jobs: Annotated[int, typer.Option(help="Number of episodes run in parallel.")] = 1,
    level: opt.Level = 0.95,
    power: Annotated[float, typer.Option(help="Probability of detecting the difference.")] = 0.8,
) -> None:
    """Estimate how many tasks and trials, and how much money and time, it takes to detect a difference."""
    from omnipilot.bench.cli.commands.plan import PlanOptions, plan_command
    from omnipilot.bench.settings import RunSettings

    stated = {"rate": rate, "noise": noise, "content": content, "agreement": agreement, "cost": cost}
    known = {key: value for key, value in (stated | {"seconds": seconds}).items() if value is not None}
    of = RunSettings(suite=suite, data=data) if suite is not None else None
    how = PlanOptions(tasks, comparisons, jobs, level, power, of, option or [])
    plan_command(difference, pilot or [], known, how)
