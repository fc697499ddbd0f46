"""The command `skill`: what a coding agent has to know to use omnipilot, as a file that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SKILL = Path(__file__).with_name("SKILL.md")


def skill(
    to: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write it to DIR/omnipilot/SKILL.md; else print it."),
    ] = None,
) -> None:
    """Print or install the skill by which coding agents use omnipilot."""
    text = SKILL.read_text(encoding="utf-8")
    if to is None:
        typer.echo(text, nl=False)
        return
    file = to / "omnipilot" / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    typer.echo(str(file))
