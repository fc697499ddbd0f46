"""The command `audit`: attacks the tasks of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.bench.cli.options import Many, Number, PartOption


def audit(
    suite: Annotated[Optional[str], typer.Argument(metavar="SUITE", help="Suite with judges, such as toy.")] = None,  # noqa: UP045
    task: Annotated[Many, typer.Option(metavar="ID", help="Only this task. Repeatable.")] = None,
    instances: Annotated[int, typer.Option(help="Instances of each task.")] = 1,
    sequences: Annotated[int, typer.Option(help="Sequences of the search, over all tasks.")] = 20_000,
    minutes: Annotated[Number, typer.Option(help="Wall time of the searches, over all tasks.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all that is drawn.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes side by side.")] = 1,
    planner: Annotated[
        Many, typer.Option(metavar="NAME", help="A planner that plays each task for a row of its own. Repeatable.")
    ] = None,
    doors: Annotated[bool, typer.Option(help="Try doors for which a server or a phone is started.")] = True,
    option: PartOption = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the certificates and findings.")] = Path("audit"),
    replay: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="FILE", help="Instead, play the sequence of a finding again."),
    ] = None,
) -> None:
    """Look for ways to be judged successful without doing the task, and certify what was tried.

    Exit status: 0 if nothing was found, 1 if something was, 2 if a task could not be audited.
    """
    from omnipilot.bench.cli.commands.audit import audit_command, replay_command

    if replay is not None:
        replay_command(replay)
        return
    audit_command(
        suite,
        option or (),
        out,
        tasks=tuple(task or ()),
        instances=instances,
        sequences=sequences,
        minutes=minutes,
        seed=seed,
        jobs=jobs,
        planners=tuple(planner or ()),
        doors=doors,
    )
