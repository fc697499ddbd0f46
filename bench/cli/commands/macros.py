"""What `omnipilot macros` does: mine macros, write their file, and print what speaks for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from omnipilot.bench.experiments.macro_mining import mine_macros
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError


def macros_command(runs: Sequence[Path], out: Path, support: int, longest: int, most: int) -> None:
    """Mine macros and write them to a file.

    Raises:
        ConfigError: nothing was found, or the file cannot be written.
    """
    found = mine_macros(runs, support, longest, most)
    if not found:
        raise ConfigError(f"no sequence of moves occurs in {support} tasks and pays for its name; lower --support")
    try:
        out.write_text("\n".join(one.macro.to_toml() for one in found), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from None
    rows = [
        (one.macro.name, str(len(one.macro.steps)), str(len(one.macro.parameters)), str(one.support), str(one.gain))
        for one in found
    ]
    notes = ("tasks: that it occurs in; gain: symbols saved in these runs, less those of its definition",)
    typer.echo(Table(("macro", "steps", "parameters", "tasks", "gain"), tuple(rows), notes).text())
    typer.echo(f"\n{len(found)} macros: {out}; use them with --verbs macros:{out}")
