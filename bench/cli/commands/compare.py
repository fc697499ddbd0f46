"""What `omnipilot compare` does: two runs, or one under two budgets, side by side."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from omnipilot.bench.journal.load_runs import load_checked, load_run
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.method_notes import person_notes
from omnipilot.bench.report.terminal_tables import ShownRows, render_results
from omnipilot.bench.run.progress import CountProgress
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.paired import POWER
from omnipilot.envs import ConfigError


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

    Raises:
        ConfigError: fewer resamples than 100.
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

    def __post_init__(self) -> None:
        if self.resamples < 100:
            raise ConfigError(f"--resamples must be at least 100, not {self.resamples}")


def compare_command(a: Path, b: Path | None = None, how: CompareOptions | None = None) -> None:
    """Print two runs, or two budgets, side by side: what they say, figures with their differences, and what flipped.

    Args:
        b: None for A under two budgets.
    """
    from omnipilot.bench.experiments.budget import read_budgets
    from omnipilot.bench.experiments.comparison import compare, narrow
    from omnipilot.bench.report.comparison_table import compare_scopes_table, compare_table, flip_table
    from omnipilot.bench.report.conclusions import conclude_comparison

    how = how or CompareOptions()
    out, figures = how.out, how.figures
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
    both = list({run.name: run for run in (ours, theirs)}.values())
    doubts = [f"{run.name}: {problem}" for run in both for problem in run.problems]
    doubts += person_notes((run.name, run) for run in both)
    first = compare_table(found)
    scopes = compare_scopes_table(found)
    upper = (replace(first, notes=(*first.notes, *doubts)), *([scopes] if scopes else []))
    tables, said = (*upper, flip_table(found)), conclude_comparison(found)
    typer.echo(f"{render_results(said, (*upper, flip_table(found, how.shown.most)), how.shown)}\n")
    if out is None and not figures.paths:
        return
    from omnipilot.bench.experiments.comparison_file import write_comparison
    from omnipilot.bench.report.comparison_figure import compare_figure, curves_figure
    from omnipilot.bench.report.page import Section, write_report
    from omnipilot.bench.report.results.stored import store_results

    title, curves = f"{found.names[1]} against {found.names[0]}", curves_figure(found) if found.curves else None
    if out is None:
        for path in figures.save(compare_figure(found)) + (figures.save(curves, "-eqa") if curves else []):
            typer.echo(f"figure: {path}")
        return
    if (out / "spec.json").exists():
        raise ConfigError(f"{out} is a run directory; choose another --out for the comparison")
    write_comparison(out, [a] if len(paths) == 1 else [a, other], how.turns)
    svg, told = figures.write(out / "compare.svg", compare_figure(found))
    sections = [Section(title, tables, svg, said.sentences)]
    text = store_results(out, said, {title: tables})
    if curves:
        drawn, more = figures.write(out / "eqa.svg", curves, "-eqa")
        told += [line for line in more if line not in told]
        sections.append(Section("Success against the budget spent", (), drawn))
    # One run under two budgets has its episodes once, by its own name.
    runs, names = ([a], [load_run(a).name]) if len(paths) == 1 else ([a, other], found.names)
    page = write_report(runs, out / "report.html", sections=sections, names=names)
    typer.echo("\n".join((*told, f"results: {text}", f"report: {page}")))
