"""The command `prove`: that tasks of one's own measure what they claim to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.cli.options import Many


def prove(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="File of tasks, made with @task of omnipilot.bench.")],
    task: Annotated[Many, typer.Option(metavar="ID", help="Prove only this task. Repeatable.")] = None,
    instances: Annotated[int, typer.Option(min=1, metavar="N", help="Instances of each task: seeds 0, 1, …")] = 1,
) -> None:
    """Prove that tasks measure what they claim to: the demonstration solves them, doing nothing does not, and the
    demonstration without one of its moves does not either.

    Exit status: 0 if all is proved, 1 if something is not.
    """
    from omnipilot.bench.cli.commands.prove import prove_command

    prove_command(file, task or (), instances)
