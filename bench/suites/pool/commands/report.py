"""The command `synth report`: what a pool has come to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="Folder of the pool.")],
    seed: Annotated[int, typer.Option(help="Of the examples on the page.")] = 0,
) -> None:
    """Write report.json and report.html: survivors, distributions, pictures of graphs, examples to click through."""
    from omnipilot.bench.suites.pool.report.stage import report_command

    report_command(pool, seed)
