"""The group `omnipilot synth`: makes tasks from what a world can do, one stage a command, all over one folder."""

from __future__ import annotations

import typer

from omnipilot.bench.suites.pool.commands.rate import rate
from omnipilot.bench.suites.pool.commands.report import report
from omnipilot.bench.suites.pool.commands.subtasks import subtasks

synth = typer.Typer(
    help="Make tasks from what a world can do: explore, verify, compose, tell, rate, export.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@synth.callback()
def _synth() -> None:
    """A group of its own, even with a single command."""


synth.command()(subtasks)
synth.command()(rate)
synth.command()(report)
