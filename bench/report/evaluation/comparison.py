"""What a comparison of two runs, or of one under two budgets, came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from omnipilot.bench.experiments.comparison import Comparison
from omnipilot.bench.experiments.comparison_file import write_comparison
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.comparison_figure import compare_figure, curves_figure
from omnipilot.bench.report.comparison_table import compare_scopes_table, compare_table, flip_table
from omnipilot.bench.report.conclusions import conclude_comparison
from omnipilot.bench.report.evaluation.evaluation import DrawnSection, Evaluation
from omnipilot.bench.report.figures.draw import FigureFiles
from omnipilot.bench.report.method_notes import person_notes
from omnipilot.envs import ConfigError

FIGURE, CURVES, SUFFIX = "compare.svg", "eqa.svg", "-eqa"


def evaluate_comparison(found: Comparison, a: Run, b: Run, runs: Sequence[Path], most: int | None = None) -> Evaluation:
    """What a comparison came to.

    Args:
        a, b: the two runs, or one twice. runs: their directories, or the one. most: flips that are printed.
    """
    both = list({run.name: run for run in (a, b)}.values())
    doubts = [f"{run.name}: {problem}" for run in both for problem in run.problems]
    doubts += person_notes((run.name, run) for run in both)
    first, scopes = compare_table(found), compare_scopes_table(found)
    upper = (replace(first, notes=(*first.notes, *doubts)), *([scopes] if scopes else []))
    said, title = conclude_comparison(found), f"{found.names[1]} against {found.names[0]}"
    sections = [DrawnSection(title, (*upper, flip_table(found)), said.sentences, compare_figure(found), FIGURE)]
    if found.curves:
        drawn = curves_figure(found)
        sections.append(DrawnSection("Success against the budget spent", (), (), drawn, CURVES, SUFFIX))
    # One run under two budgets has its episodes once, by its own name.
    names = (load_run(runs[0]).name,) if len(runs) == 1 else found.names
    return Evaluation(said, (*upper, flip_table(found, most)), tuple(sections), tuple(runs), names)


def write_comparison_page(
    evaluation: Evaluation, out: Path, turns: str | None = None, figures: FigureFiles | None = None
) -> list[str]:
    """Write the files and the page of a comparison, and which runs it is of.

    Args:
        turns: the budgets as written; None for none. figures: as in `Evaluation.write`.

    Returns:
        A line for each file.

    Raises:
        ConfigError: the folder is a run directory.
    """
    if (out / "spec.json").exists():
        raise ConfigError(f"{out} is a run directory; choose another --out for the comparison")
    write_comparison(out, evaluation.runs, turns)
    return evaluation.write(out, figures)


def draw_comparison(evaluation: Evaluation, figures: FigureFiles) -> list[Path]:
    """Draw the figures of a comparison to files alone, without a page; the files."""
    drawn = [figures.save(one.figure, one.suffix) for one in evaluation.sections if one.figure is not None]
    return [path for some in drawn for path in some]
