"""The command `list`: parts, suites, presets and tasks by name."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import Many, Text


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="agents, planners, grounders, memories, critics, suites, presets, tasks, stats, terms, verbs, …"
        ),
    ],
    suite: Annotated[
        Text,
        typer.Option(
            metavar="NAME", help="Suite whose tasks are listed; with `list suites`, the suite to show in full."
        ),
    ] = None,
    data: opt.Data = None,
    world: opt.WorldFile = None,
    where: opt.Where = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option", "-o", metavar="PART.KEY=VALUE", help="Option of the suite, e.g. suite.split=test. Repeatable."
        ),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="With `list verbs`: what stands for each verb on each platform.")
    ] = False,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="With --matrix: table, csv, json, markdown or latex.")
    ] = "table",
) -> None:
    """List available parts, suites, presets or tasks, including those of plug-ins; or statistics of a suite's tasks."""
    from omnipilot.bench.cli.commands.list import list_command

    if matrix or format != "table":
        from omnipilot.bench.cli.commands.verb_matrix import print_matrix

        print_matrix(what, matrix, format)
        return
    list_command(what, suite, where or [], option or [], data, world)
