"""The flag of stages that may work in several processes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Jobs = Annotated[
    int,
    typer.Option(
        min=0, help="Worker processes, for what needs no model; 0 takes all cores where there are many graphs."
    ),
]
MANY = 2_000_000
"""Bytes of a file of graphs from which on worker processes are worth their start."""
MANY_GRAPHS = 100
"""Graphs to be played from which on they are."""


def jobs_for(jobs: int, graphs: Path | int) -> int:
    """How many worker processes a stage takes.

    Args:
        jobs: how many are asked for; 0 for what suits.
        graphs: the file of those that it works on, or how many it plays.
    """
    import os

    if jobs:
        return jobs
    if isinstance(graphs, int):
        many = graphs >= MANY_GRAPHS
    else:
        many = graphs.exists() and graphs.stat().st_size >= MANY
    return len(os.sched_getaffinity(0)) if many and hasattr(os, "sched_getaffinity") else 1
