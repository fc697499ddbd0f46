"""What `omnipilot figure` does: draw one figure of runs to files, and write its numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from omnipilot.bench.cli.commands.table import read_length
from omnipilot.bench.registry import loading_suites_once
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, make_figure
from omnipilot.bench.report.figures.draw import check_figure, save_figure
from omnipilot.bench.report.figures.records import FigureSpec, Forest
from omnipilot.bench.report.paper.figure import TO_MILLIMETRES
from omnipilot.bench.stats.intervals import check_level
from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.scrub import scrub_error

DATA = ".csv"


@loading_suites_once()
def figure_command(kind: str, request: FigureRequest, files: Sequence[Path], width: str, title: bool = True) -> None:
    """Draw a figure to each of the files, write a CSV file beside each, and print what its caption has to say.

    Args:
        width: as `read_length` takes it. title: whether the figure has its title in it.

    Raises:
        ConfigError: as `make_figure`, `read_length` and `check_figure`. MissingExtra: matplotlib is not installed.
    """
    millimetres = read_length(width) * TO_MILLIMETRES
    check_level(request.settings.level)
    for file in files:
        check_figure(file, millimetres)
    made = make_figure(kind, request)
    spec = made.spec if title else _without_title(made.spec)
    for file in files:
        save_figure(spec, file, millimetres)
        typer.echo(f"figure: {file}")
    for file in dict.fromkeys(file.with_suffix(DATA) for file in files):
        file.write_text(scrub_error(made.data) + "\n", encoding="utf-8")
        typer.echo(f"numbers: {file}")
    if made.caption:
        typer.echo(f"caption: {'. '.join(scrub_error(one) for one in made.caption)}.")


def read_steps(words: Sequence[str]) -> tuple[int, ...]:
    """The numbers of --steps.

    Raises:
        ConfigError: one is no number from 1.
    """
    if strange := [one for one in words if not one.isdecimal() or int(one) < 1]:
        raise ConfigError(f"--steps takes numbers from 1, such as 1,4,9, and not {strange[0]!r}")
    return tuple(map(int, words))


def _without_title(spec: FigureSpec) -> FigureSpec:
    """The figure without a title, where it has one; those of several blocks or panels say which is which."""
    blocks = [block for row in spec.rows for block in row]
    if sum(bool(block.title) for block in blocks) != 1:
        return spec
    return FigureSpec(
        [[block if isinstance(block, Forest) else replace(block, title="") for block in row] for row in spec.rows]
    )
