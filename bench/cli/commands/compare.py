"""What `omnipilot compare` does: two runs, or one under two budgets, side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.bench.gates.rule import FigureGate, GateVerdict, judge_gates
from omnipilot.bench.journal.load_runs import load_checked
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.terminal_tables import ShownRows, render_results
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError

if TYPE_CHECKING:
    from omnipilot.bench.experiments.comparison import Comparison


FAILED_GATE = 5
"""Exit status if a gate of `--fail-if` fails; 1 is a bug, 2 a mistake in what was asked for."""


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """What of two runs is compared, and how.

    Attributes:
        instance, trial: the only one that is compared, counted from 0; None for all.
        turns: two budgets, as for `read_budgets`; None for the limits of the runs.
        level: confidence level of intervals. power: for which the smallest detectable difference is given.
        resamples, seed: of the bootstrap.
        out: a folder for the figure and for a page that holds the tables and the episodes of both; None for neither.
        figures: where else the figure is drawn; the curves of two budgets go to files named with "-eqa".
        shown: how much of the tables is printed.
        further: names of further figures, see `omnipilot.bench.scoring.run_figures`.
        gates: what may not happen to a figure; the command fails where it has.
        junit, markdown: files for a build server and for a pull request; None for neither.

    Raises:
        ConfigError: fewer resamples than 100, or gates or a file are asked for of runs under budgets.
    """

    instance: int | None = None
    trial: int | None = None
    turns: str | None = None
    level: float = LEVEL
    power: float = POWER
    resamples: int = RESAMPLES
    seed: int = 0
    out: Path | None = None
    figures: FigureFiles = FigureFiles()
    shown: ShownRows = ShownRows()
    further: tuple[str, ...] = ()
    gates: tuple[FigureGate, ...] = ()
    junit: Path | None = None
    markdown: Path | None = None

    def __post_init__(self) -> None:
        if self.resamples < 100:
            raise ConfigError(f"--resamples must be at least 100, not {self.resamples}")
        if self.turns is not None and (self.gates or self.junit is not None or self.markdown is not None):
            raise ConfigError("--fail-if, --junit and --markdown are about whole episodes; leave out --turns")


def compare_command(a: Path, b: Path | None = None, how: CompareOptions | None = None) -> None:
    """Print two runs, or two budgets, side by side: what they say, figures with their differences, and what flipped.

    Args:
        b: None for A under two budgets.

    Raises:
        typer.Exit: a gate fails, with `FAILED_GATE`, when all else is done.
        ConfigError: the runs cannot be compared, or a gate cannot be told.
    """
    from omnipilot.bench.experiments.budget import read_budgets
    from omnipilot.bench.experiments.comparison import compare, narrow
    from omnipilot.bench.report.evaluation.comparison import (
        draw_comparison,
        evaluate_comparison,
        write_comparison_page,
    )

    how = how or CompareOptions()
    budgets = None if how.turns is None else read_budgets(how.turns)
    other = a if b is None else b
    paths = list(dict.fromkeys((a.resolve(), other.resolve())))
    if len(paths) == 1 and budgets is None:
        which = f"{a} and {b} are the same run" if b is not None else f"{a} is one run"
        raise ConfigError(f"{which}; give two different runs, or two budgets such as --turns 15,50")
    looked = CountProgress("captures checked", sys.stderr)
    ours, theirs = (narrow(load_checked(path, looked), how.instance, how.trial) for path in (a, other))
    if ours.name == theirs.name and len(paths) == 2:
        ours, theirs = replace(ours, name=str(a)), replace(theirs, name=str(b))
    found = compare(ours, theirs, how.level, how.power, how.resamples, how.seed, budgets, how.further)
    verdicts = judge_gates(ours, theirs, how.gates, how.level, how.power, how.resamples, how.seed)
    evaluation = evaluate_comparison(found, ours, theirs, [a] if len(paths) == 1 else [a, other], how.shown.most)
    typer.echo(f"{render_results(evaluation.said, evaluation.printed, how.shown)}\n")
    if verdicts:
        _print_gates(verdicts)
    _write_files(found, ours, theirs, evaluation.said.sentences, verdicts, how)
    if how.out is not None:
        typer.echo("\n".join(write_comparison_page(evaluation, how.out, how.turns, how.figures)))
    elif how.figures.paths:
        typer.echo("\n".join(f"figure: {path}" for path in draw_comparison(evaluation, how.figures)))
    if any(one.failed for one in verdicts):
        raise typer.Exit(FAILED_GATE)


def _print_gates(verdicts: Sequence[GateVerdict]) -> None:
    from omnipilot.bench.gates.words import gate_lines

    typer.echo("\n".join(gate_lines(verdicts)) + "\n")


def _write_files(
    found: Comparison,
    a: Run,
    b: Run,
    sentences: Sequence[str],
    verdicts: Sequence[GateVerdict],
    how: CompareOptions,
) -> None:
    """Write the files for a build server and for a pull request, where they are asked for."""
    if how.junit is None and how.markdown is None:
        return
    from omnipilot.bench.gates.changes import changed_instances, task_results
    from omnipilot.bench.gates.junit import junit_xml
    from omnipilot.bench.gates.summary import summary_markdown

    changes = list(changed_instances(found, a, b))
    texts: list[tuple[Path | None, Callable[[], str]]] = [
        (how.junit, lambda: junit_xml(found, a.spec.suite.name, task_results(a, b, changes), verdicts)),
        (how.markdown, lambda: summary_markdown(found, sentences, changes, verdicts)),
    ]
    for file, text in texts:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text(), encoding="utf-8")
            typer.echo(f"written: {file}")
