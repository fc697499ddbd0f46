"""What `omnipilot list grounders` and `list planners` print of the families of models."""

from __future__ import annotations

import shutil
import textwrap

import typer

from omnipilot.grounders.families.table import rows
from omnipilot.grounders.families.unsupported import ELSEWHERE

ASKED_NATIVE = "none of these models was asked here: no result of theirs stands behind the records"


def list_families() -> None:
    """Print every model family: its name, coordinate space, evidence and models; and known models without one."""
    lines = [("family", "space", "evidence", "models"), *rows()]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    typer.echo("\nmodel families, with MODEL one of their models")
    typer.echo("  on a server: --grounder vllm -o grounder.model=MODEL -o grounder.url=URL")
    typer.echo("  in this process, where transformers has it: --grounder local -o grounder.model=MODEL\n")
    room = max(40, shutil.get_terminal_size((120, 24)).columns - sum(widths) - 6)
    for line in lines:
        first, *more = textwrap.wrap(line[3], room, break_long_words=False, break_on_hyphens=False)
        typer.echo("  ".join((*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), first)))
        for rest in more:
            typer.echo(" " * (sum(widths) + 6) + rest)
    typer.echo("\nknown models that are not asked here:")
    for name, (ids, why) in ELSEWHERE.items():
        typer.echo(f"  {name} ({', '.join(ids)}): {why}")


def list_native_families() -> None:
    """Print every native family, and the models whose actions are not read."""
    from omnipilot.planners.native.families.table import UNREAD, families

    typer.echo("\nfamilies of the planner native, with MODEL one of their models")
    typer.echo("  on a server of your own: --planner native -o planner.model=hosted_vllm/MODEL --planner-url URL")
    typer.echo("  hosted by their provider: --planner native -o planner.model=MODEL\n")
    known = families()
    width = max(len(family.name) for family in known)
    for family in known:
        words = "ours" if family.layout.ours else "its authors'"
        typer.echo(f"  {family.name.ljust(width)}  {', '.join(family.models)}")
        typer.echo(f"  {' ' * width}  prompt: {words}; {family.proof}")
    typer.echo(f"  {ASKED_NATIVE}")
    typer.echo("\nmodels whose actions the planner native does not read:")
    for name, (ids, why) in UNREAD.items():
        typer.echo(f"  {name} ({ids}): {why}")
