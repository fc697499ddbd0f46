"""The command `run`: an agent on a suite."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Text, Whole
from omnipilot.bench.settings import RUN


@opt.with_settings("run")
def run(
    flags: opt.Flags,
    option: opt.PartOption = None,
    config: opt.Config = None,
    rerun_void: opt.RerunVoid = False,
    dry_run: opt.DryRun = False,
    nodes: Annotated[
        Whole,
        typer.Option(metavar="N", help="With --cluster slurm: shards. Default: 4.", rich_help_panel=RUN),
    ] = None,
    partition: Annotated[
        Text, typer.Option(metavar="NAME", help="With --cluster slurm: partition of the jobs.", rich_help_panel=RUN)
    ] = None,
    time: Annotated[
        Text,
        typer.Option(metavar="LIMIT", help="With --cluster slurm: limit of each job, as 4:00:00.", rich_help_panel=RUN),
    ] = None,
    submit: Annotated[
        bool,
        typer.Option("--submit", help="With --cluster slurm: hand the scripts to sbatch, too.", rich_help_panel=RUN),
    ] = False,
) -> None:
    """Run an agent on a suite, or resume an interrupted run."""
    from omnipilot.bench.cli.commands.run import run_command
    from omnipilot.bench.cli.commands.run_cluster import ClusterFlags

    asked = ClusterFlags(nodes, partition, time, submit, tuple(sys.argv[1:]))
    run_command(config, flags.settings, option or [], rerun_void, dry_run, asked)
