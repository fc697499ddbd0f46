"""The command `show`: what models were sent in a turn, and what they answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Text, Whole


def show(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory, also of `omnipilot ground`.")],
    task: Annotated[
        Text,
        typer.Argument(
            metavar="TASK", help="Id of a task that was run; of `omnipilot ground`, of a target, or none for all calls."
        ),
    ] = None,
    turn: Annotated[
        Whole, typer.Option(metavar="N", help="Turn, from 1. Without it, the calls of all turns are listed.")
    ] = None,
    role: Annotated[
        Text, typer.Option(metavar="NAME", help="Role whose calls are printed, e.g. planner or grounder. Default: all.")
    ] = None,
    instance: Annotated[int, typer.Option(help="Instance of the task.")] = 0,
    trial: Annotated[int, typer.Option(help="Trial of the instance.")] = 0,
    attempt: Annotated[
        Whole, typer.Option(metavar="N", help="Attempt at the episode. Default: the last that came to an end.")
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Leave out messages that an earlier call had sent already.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: requests as they were sent, captures as references.")
    ] = False,
) -> None:
    """Print what models were sent in a turn of a recorded episode, and what they answered."""
    from omnipilot.bench.cli.commands.show import WhichCalls, show_command

    show_command(run_, WhichCalls(task, instance, trial, attempt, turn, role), new, json)
