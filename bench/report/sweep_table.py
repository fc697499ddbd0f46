"""A sweep as one table: a row per cell, with only those settings in which cells differ."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.sweep_results import SweepRow
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.comparison_table import p_text
from omnipilot.bench.report.method_notes import (
    bound_notes_of,
    holm_words,
    interval_words,
    intervals_note,
    many,
    p_words_of,
)
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.tables import Table


def sweep_table(rows: Sequence[SweepRow], axes: Sequence[str], level: float = LEVEL, power: float = POWER) -> Table:
    """One row per cell: episodes solved, SR, void episodes, and the difference to the reference with its p-values.

    Args:
        axes: names of the settings in which the cells differ. level, power: that the rows were made with.
    """
    voids = any(row.solved is not None and row.solved.void for row in rows)
    columns = (
        *(name.replace("_", " ") for name in axes),
        "solved",
        "SR %",
        "void",
        *(["SR % without void"] if voids else []),
        "difference",
        "p",
        "p Holm",
        "detectable",
    )
    cells = tuple(
        (*(AXES[name](row.run.spec) for name in axes), *_figures(row, voids), *_compared(row)) for row in rows
    )
    return Table(columns, cells, tuple(_notes(rows, level, power)), labels=len(axes))


def _figures(row: SweepRow, voids: bool) -> tuple[str, ...]:
    if row.solved is None:
        return ("0/0", "—", "0", *(["—"] if voids else []))
    found = row.solved
    shown = (f"{sum(e.success for e in row.run.episodes)}/{len(row.run.episodes)}", found.all.text(), str(found.void))
    if not voids:
        return shown
    return (*shown, "—" if found.valid is None else found.valid.text() if found.void else "·")


def _compared(row: SweepRow) -> tuple[str, ...]:
    if row.reference:
        return "reference", "", "", ""
    if (one := row.difference) is None:
        return "—", "—", "—", "—"
    least = "—" if one.detectable is None else f"{100 * one.detectable:.1f}"
    return one.interval.text(signed=True), p_text(one.p), p_text(row.adjusted), least


def _notes(rows: Sequence[SweepRow], level: float, power: float) -> list[str]:
    reference = next(row for row in rows if row.reference)
    compared = [row for row in rows if row.difference is not None]
    tests = sum(row.adjusted is not None for row in rows)
    notes = [
        "SR: share of episodes solved; a void one (a device or a model was lost) counts as zero and stays in the "
        "denominator",
        f"{intervals_note(level)}; "
        + interval_words("SR", [row.solved.all.method for row in rows if row.solved is not None]),
    ]
    if compared:
        notes.append(
            f"difference: a cell minus {reference.run.name}, in points, {_pairs(compared)}; "
            + interval_words("interval", [row.difference.interval.method for row in compared if row.difference])
            + "; "
            + p_words_of([row.difference.test for row in compared if row.difference])
        )
        notes += [holm_words(tests, "this sweep", power)] * bool(tests)
    notes += bound_notes_of([row.run for row in rows])
    notes += all_void_notes([(row.run.name, row.run.episodes) for row in rows])
    notes += [
        f"not finished: {row.run.name}, {len(row.run.episodes)} of {row.run.planned} episodes"
        for row in rows
        if len(row.run.episodes) < row.run.planned
    ]
    notes += [
        f"{row.run.name}: {many(row.left_out, 'pair')} left out, because only it or the reference has them"
        for row in rows
        if row.left_out
    ]
    return notes


def _pairs(rows: Sequence[SweepRow]) -> str:
    counts = sorted({(row.pairs, row.tasks) for row in rows})
    told = " or ".join(f"{many(pairs, 'pair')} of {many(tasks, 'task')}" for pairs, tasks in counts)
    return f"paired by task and instance, the mean over trials ({told})"
