"""The command `attribute`: why the episodes of a run failed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.model_flags import with_model
from omnipilot.bench.cli.options import Many, Number, Whole
from omnipilot.bench.stage_model import StageModel


@with_model
def attribute(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    task: Annotated[Many, typer.Option(metavar="ID", help="Only failures at this task. Repeatable.")] = None,
    sample: Annotated[
        Whole, typer.Option(metavar="N", help="Only N of the failures, drawn at random with a fixed seed.")
    ] = None,
    times: Annotated[
        int,
        typer.Option(
            metavar="K", help="Forks of each experiment; more than one where the agent is not the same each time."
        ),
    ] = 1,
    jobs: Annotated[int, typer.Option(help="Worker processes; 0 plays in this process.")] = 0,
    waive_cost: opt.WaiveCost = False,
    forks_budget: Annotated[Number, typer.Option(metavar="USD", help="Maximum model cost of all experiments.")] = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="DIR", help="Where the forks are written. Default: the folder attribution of RUN."),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Print table, or json: each episode with its evidence.")
    ] = "table",
    level: opt.Level = 0.95,
    *,
    helper: StageModel | None = None,
) -> None:
    """Find why episodes failed: play each again from where it was lost, with one part exchanged for the truth.

    With --model, a model reads the records instead, for worlds that cannot be put back; where experiments were made of
    the same failures before, it is said how far the two agree.
    """
    from omnipilot.bench.cli.commands.attribute import AttributeHow, attribute_command

    how = AttributeHow(tuple(task or ()), sample, times, jobs, waive_cost, forks_budget, out, format_, level)
    attribute_command(run_, how, helper)
