"""An ablation as one table and one figure."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.ablation_results import ALL, AblationRow
from omnipilot.bench.report.comparison_table import p_text, p_words
from omnipilot.bench.report.figures.records import Dot, FigureSpec, drawn_intervals, forest
from omnipilot.bench.report.method_notes import holm_words, interval_words, intervals_note, many, p_words_of
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.tables import Table


def ablate_table(
    rows: Sequence[AblationRow], by: str, notes: Sequence[str] = (), level: float = LEVEL, power: float = POWER
) -> Table:
    """One row per condition and group of tasks: episodes solved, SR, the paired difference with p-values, void ones.

    Args:
        by: the tag that the tasks are grouped by. notes: on the conditions. level, power: that rows were made with.
    """
    grouped = any(row.group != ALL for row in rows)
    labels = ("condition", *([by] if grouped else []))
    columns = (*labels, "solved", "SR %", "difference", "p", "p Holm", "detectable", "void")
    cells = tuple((row.condition, *([row.group] if grouped else []), *_figures(row)) for row in rows)
    return Table(columns, cells, (*_methods(rows, level, power), *notes, *_gaps(rows)), labels=len(labels))


def ablate_figure(rows: Sequence[AblationRow], title: str, level: float = LEVEL) -> FigureSpec:
    """The paired differences, grouped by kind of task."""
    dots = []
    for group in dict.fromkeys(row.group for row in rows):
        for row in rows:
            if row.group != group or row.reference:
                continue
            found = row.difference.interval if row.difference else None
            note = "cannot be run" if row.why else p_words(row.adjusted, "Holm")
            count = f"{group} ({_pairs(rows, group)})"
            if found is None:
                dots.append(Dot(row.condition, None, None, None, count, note))
            else:
                dots.append(Dot(row.condition, found.estimate, found.low, found.high, count, note))
    title = f"{title}: success rate minus the full set's, {drawn_intervals(dots, level)}"
    return forest(title, dots, zero=True, unit="points")


def _figures(row: AblationRow) -> tuple[str, ...]:
    if row.why or row.solved is None:
        return "0/0", "—", "cannot be run" if row.why else "—", "—", "—", "—", "—"
    solved = (f"{row.count[0]}/{row.count[1]}", row.solved.all.text())
    void = str(row.solved.void)
    if row.solved.void:
        left = "none left" if row.solved.valid is None else f"SR {100 * row.solved.valid.estimate:.1f} without"
        void = f"{void} ({left})"
    if row.reference:
        return *solved, "reference", "", "", "", void
    if (one := row.difference) is None:
        return *solved, "—", "—", "—", "—", void
    least = "—" if one.detectable is None else f"{100 * one.detectable:.1f}"
    return *solved, one.interval.text(signed=True), p_text(one.p), p_text(row.adjusted), least, void


def _methods(rows: Sequence[AblationRow], level: float, power: float) -> list[str]:
    reference = next(row for row in rows if row.reference)
    compared = [row.difference for row in rows if row.difference is not None]
    tests = sum(row.adjusted is not None for row in rows)
    notes = [
        "SR: share of episodes solved; a void one (a device or a model was lost) counts as zero and stays in the "
        "denominator",
        intervals_note(level),
    ]
    if compared:
        tasks = ", ".join(
            f"{_pairs(rows, group)} {'in all' if group == ALL else f'of {group}'}"
            for group in dict.fromkeys(row.group for row in rows)
        )
        notes += [
            f"difference: a condition minus the {reference.condition}, in points, paired by task and instance, the "
            f"mean over trials ({tasks})",
            *(_by(rows, group) for group in dict.fromkeys(row.group for row in rows)),
            *[holm_words(tests, "this table", power)] * bool(tests),
        ]
    return notes


def _pairs(rows: Sequence[AblationRow], group: str) -> str:
    counts = {row.pairs for row in rows if row.group == group and not row.reference and not row.why}
    return f"{' or '.join(map(str, sorted(counts))) or 'no'} {'pair' if counts == {1} else 'pairs'}"


def _by(rows: Sequence[AblationRow], group: str) -> str:
    """How the intervals and p-values of a group's differences were obtained."""
    found = [row.difference for row in rows if row.group == group and row.difference is not None]
    methods = sorted({one.interval.method for one in found}, key=lambda method: "all alike" in method)
    return f"{group}: {interval_words('intervals', methods)}; {p_words_of([one.test for one in found])}"


def _gaps(rows: Sequence[AblationRow]) -> list[str]:
    """What could not be run, and what is not paired."""
    notes = [f"{row.condition} cannot be run: {row.why}" for row in rows if row.why and row.group == ALL]
    notes += [
        f"{row.condition}: {many(row.left_out, 'pair')} left out, because only it or the full set has them"
        for row in rows
        if row.left_out and row.group == ALL
    ]
    return notes
