"""The command `show`: what models were sent in a turn and what they answered; or the elements of a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many, Text, Whole
from omnipilot.envs import ConfigError


def show(
    run_: Annotated[
        Path,
        typer.Argument(
            metavar="RUN|PICTURE", help="Run directory, also of `omnipilot ground`; or a picture of a screen."
        ),
    ],
    task: Annotated[
        Text,
        typer.Argument(
            metavar="TASK",
            help="Id of a task that was run; of `omnipilot ground`, of a target, or none for all calls. "
            "For a PICTURE: what is to be done there, in words; none for all elements.",
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
    perception: Annotated[
        Text,
        typer.Option(
            metavar="NAME", help="For a PICTURE: what reads its elements; see `list perception`. Default: detact."
        ),
    ] = None,
    option: Annotated[
        Many,
        typer.Option("--option", "-o", metavar="perception.KEY=VALUE", help="For a PICTURE: option of it. Repeatable."),
    ] = None,
) -> None:
    """Print what models were sent in a turn of a recorded episode and what they answered; or a picture's elements."""
    if run_.is_file():
        from omnipilot.bench.cli.commands.picture import picture_command

        of_runs = {"--turn": turn, "--role": role, "--instance": instance, "--trial": trial, "--attempt": attempt}
        if given := [name for name, value in {**of_runs, "--new": new}.items() if value]:
            raise ConfigError(f"{', '.join(given)}: for runs alone; {run_} is a file")
        picture_command(run_, task, perception, option or [], json)
        return
    if perception or option:
        raise ConfigError(f"--perception and its options are for a picture; {run_} is no file")
    from omnipilot.bench.cli.commands.show import WhichCalls, show_command

    show_command(run_, WhichCalls(task, instance, trial, attempt, turn, role), new, json)
