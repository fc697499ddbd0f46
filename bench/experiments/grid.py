"""Cells: runs that will stand in one table. Each has its directory, and only what is missing of it is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.bench.journal.run import Run
from omnipilot.bench.run.labels import name_words
from omnipilot.bench.spec import RunSpec

if TYPE_CHECKING:
    from omnipilot.bench.experiments.pending import Due
    from omnipilot.bench.run.runner import OnProgress

LONGEST = 80
"""Characters of a directory's name before its hash."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of several: what it is called in tables, what is run, and in which directory."""

    label: str
    spec: RunSpec
    folder: Path


class Stopped(typer.Exit):
    """The user stopped a cell; a command that lets this pass ends with status 130.

    Attributes:
        runs: what there is, one a cell; those that were not reached have the episodes of earlier starts, or none.
    """

    def __init__(self, runs: list[Run]) -> None:
        super().__init__(130)
        self.runs = runs


def run_cells(
    cells: Sequence[Cell],
    jobs: int = 0,
    on_progress: OnProgress | None = None,
    rerun_void: bool = False,
    on_cell: Callable[[Due], None] | None = None,
) -> list[Run]:
    """Run what is missing of each cell, in order.

    Cells of one identity are one: the first one's directory is run, and all have its episodes. A directory that holds
    fewer tasks, instances or trials of the same specification grows; of one that holds more, what is asked for counts.

    Args:
        jobs: worker processes. on_progress: told how the cell that runs stands. on_cell: told before a cell runs.
        rerun_void: make new attempts at episodes that came out void.

    Returns:
        One run a cell, named by the cell's label.

    Raises:
        ConfigError: a cell cannot be run; found before any is, and the message names it.
        Stopped: Ctrl-C was pressed.
        RunFailed: as `omnipilot.bench.run.runner.run`.
    """
    from omnipilot.bench.experiments.pending import due_of

    return run_due(due_of(cells, rerun_void), jobs, on_progress, rerun_void, on_cell)


def run_due(
    found: Sequence[Due],
    jobs: int = 0,
    on_progress: OnProgress | None = None,
    rerun_void: bool = False,
    on_cell: Callable[[Due], None] | None = None,
) -> list[Run]:
    """The same for cells of which `due_of` has found out that they can be run, and what they lack."""
    from omnipilot.bench.experiments.pending import named
    from omnipilot.bench.journal.run_directory import enlarge
    from omnipilot.bench.run.runner import run

    done: dict[str, Run] = {}
    stopped = False
    for due in found:
        if due.identity in done:
            continue
        if stopped or not due.lacking:
            done[due.identity] = due.run
            continue
        if on_cell is not None:
            on_cell(due)
        with named(due.cell):
            enlarge(due.cell.folder, due.spec)
            result = run(due.spec, due.cell.folder, jobs, on_progress, rerun_void)
        done[due.identity] = due.with_episodes(result.episodes)
        stopped = result.interrupted
    runs = [replace(done[due.identity], name=due.cell.label) for due in found]
    if stopped:
        raise Stopped(runs)
    return runs


def cell_name(spec: RunSpec) -> str:
    """A directory's name for a cell: its planner, what else of it is not the default, and a hash.

    It does not depend on how many tasks, instances and trials there are: a larger sweep goes on where a smaller was.
    Nor on whether a limit that is the default was given, which only matters to tasks that have their own.
    """
    words = re.sub(r"[^A-Za-z0-9.]+", "-", name_words(spec)).strip("-.")
    return f"{words[:LONGEST].rstrip('-.')}-{_regardless_of_size(spec).identity[:8]}"


def _regardless_of_size(spec: RunSpec) -> RunSpec:
    return replace(spec, tasks=(), instances=1, trials=1, limits=spec.limits.without_restated())
