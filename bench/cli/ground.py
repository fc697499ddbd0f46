"""The command `ground`: how often a grounder points at what is described."""

from __future__ import annotations

from typing import Annotated

import typer

from omnipilot.bench.cli import options as opt
from omnipilot.bench.cli.options import File, Many, Text, Whole


def ground(
    grounder: Annotated[str, typer.Option(help="Grounder; see `omnipilot list grounders`.")] = "elements",
    suite: Annotated[
        Text, typer.Option(metavar="NAME", help="Pointing suite. Default: the first of `omnipilot list pointing`.")
    ] = None,
    data: opt.Data = None,
    option: Annotated[
        Many,
        typer.Option(
            "--option",
            "-o",
            metavar="PART.KEY=VALUE",
            help="Option of the grounder or suite, e.g. grounder.model=ID. Repeatable.",
        ),
    ] = None,
    styles: Annotated[
        str, typer.Option(help="Styles of instructions: basic (name, appearance, place), advanced (function).")
    ] = ("basic,advanced"),
    limit: Annotated[Whole, typer.Option(metavar="N", help="Maximum number of targets. Default: all.")] = None,
    concurrency: Annotated[int, typer.Option(help="Parallel requests, for grounders behind a server.")] = 1,
    out: Annotated[
        File,
        typer.Option(metavar="DIR", help="Folder for answers and tables; an unfinished evaluation in it is resumed."),
    ] = None,
    pictures: Annotated[int, typer.Option(help="Number of misses to draw (with --out).")] = 0,
    messages: Annotated[
        Text,
        typer.Option(
            metavar="WHICH",
            help="With --out: keep what models are sent and what they answer, for `omnipilot show`: all or none. "
            "Default: all.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would be asked.")] = False,
) -> None:
    """Evaluate a grounder: how often it points at the described target, next to baselines."""
    from omnipilot.bench.cli.commands.ground import GroundOptions, ground_command

    how = GroundOptions(styles, limit, concurrency, out, pictures, dry_run, messages)
    ground_command(suite, grounder, data, option or [], how)
