"""What `omnipilot prove` does: print each proof of a file's tasks as soon as it is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.own.proofs import prove_task
from omnipilot.bench.own.suite import FileSuite
from omnipilot.envs import ConfigError
from omnipilot.envs.types import documentation_page
from omnipilot.memory.secrets.scrub import scrub_error


def prove_command(file: Path, tasks: Sequence[str], instances: int) -> None:
    """Prove the tasks of a file.

    Args:
        tasks: their ids; none for all.

    Raises:
        ConfigError: there is no such file or task. typer.Exit: something is not proved.
    """
    if not file.is_file():
        raise ConfigError(f"there is no file {file}; name one with a task in it, see {documentation_page('python')}")
    suite = FileSuite(str(file))
    wrong = 0
    for task in tasks or [info.id for info in suite.tasks()]:
        for instance in range(instances):
            for proof in prove_task(suite, task, instance):
                typer.echo(f"{task}#{instance}: {proof.claim}: {'no' if proof.defects else 'yes'}")
                for defect in proof.defects:
                    typer.echo(f"  {scrub_error(defect)}")
                wrong += bool(proof.defects)
    if wrong:
        typer.echo(f"{wrong} {'proof fails' if wrong == 1 else 'proofs fail'}", err=True)
        raise typer.Exit(1)
