"""The group `omnipilot synth`: makes tasks from what a world can do, one stage a command, all over one folder."""

from __future__ import annotations

import typer

from omnipilot.bench.suites.pool.commands.ablate import ablate
from omnipilot.bench.suites.pool.commands.all import all_stages
from omnipilot.bench.suites.pool.commands.check import check
from omnipilot.bench.suites.pool.commands.compose import compose
from omnipilot.bench.suites.pool.commands.crab import crab
from omnipilot.bench.suites.pool.commands.explore import explore
from omnipilot.bench.suites.pool.commands.export import export
from omnipilot.bench.suites.pool.commands.rate import rate
from omnipilot.bench.suites.pool.commands.report import report
from omnipilot.bench.suites.pool.commands.subtasks import subtasks
from omnipilot.bench.suites.pool.commands.tell import tell
from omnipilot.bench.suites.pool.commands.verify import verify

synth = typer.Typer(
    help="Make tasks from what a world can do: explore, verify, compose, tell, rate, export.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@synth.callback()
def _synth() -> None:
    """A group of its own, even with a single command."""


synth.command("all")(all_stages)
synth.command()(explore)
synth.command()(subtasks)
synth.command()(verify)
synth.command()(compose)
synth.command()(tell)
synth.command()(check)
synth.command()(rate)
synth.command()(report)
synth.command()(ablate)
synth.command()(export)
synth.command()(crab)
