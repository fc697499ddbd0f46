"""The command `fork`: a recorded episode, gone on with another way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Number, Text, Whole


def fork(
    run_: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="Id of a task that was run.")],
    turn: Annotated[int, typer.Option(metavar="N", help="The first turn that is decided anew, from 1.")],
    planner: Annotated[
        Text, typer.Option(metavar="NAME", help="Planner that goes on. Default: that of the run.")
    ] = None,
    planner_url: Annotated[Text, typer.Option(metavar="URL", help="Base URL of the server of its model.")] = None,
    grounder: Annotated[Text, typer.Option(metavar="NAME", help="Grounder. Default: that of the run.")] = None,
    memory: Annotated[Text, typer.Option(metavar="NAME", help="Memory. Default: that of the run.")] = None,
    option: opt.PartOption = None,
    times: Annotated[int, typer.Option(metavar="K", help="Number of forks.")] = 1,
    instance: Annotated[int, typer.Option(help="Instance of the task.")] = 0,
    trial: Annotated[int, typer.Option(help="Trial of the instance.")] = 0,
    attempt: Annotated[
        Whole, typer.Option(metavar="N", help="Attempt at the episode. Default: the last that came to an end.")
    ] = None,
    shadow: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option(
            "--shadow/--told",
            help="Ask the agent in the turns before, too, and throw its answers away; or only let its memory learn "
            "from them. Default: --shadow, unless its planner is a chat model.",
        ),
    ] = None,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="On a world that cannot be put back: carry the recorded actions out once more, without looking "
            "whether the screens are the same.",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option(help="Worker processes; 0 runs in this process.")] = 1,
    waive_cost: opt.WaiveCost = False,
    budget: Annotated[Number, typer.Option(metavar="USD", help="Maximum model cost of all forks.")] = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="DIR", help="Directory of the forks' run. Default: a folder in runs/."),
    ] = None,
) -> None:
    """Play a recorded episode again up to a turn, and go on from there with another agent."""
    from omnipilot.bench.cli.commands.fork import ForkHow, fork_command
    from omnipilot.bench.journal.results import Slot
    from omnipilot.bench.run.fork import ForkPoint
    from omnipilot.bench.settings import RunSettings

    point = ForkPoint(run_, Slot(task, instance, trial), turn, attempt, shadow, replay)
    changes = RunSettings(planner=planner, planner_url=planner_url, grounder=grounder, memory=memory)
    fork_command(point, changes, ForkHow(tuple(option or ()), times, jobs, waive_cost, budget, out))
