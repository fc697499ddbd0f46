"""A sweep as one table: a row per cell, with only those settings in which cells differ."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.sweep_results import SweepRow
from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.void_reasons import all_void_notes
from omnipilot.bench.report.comparison_table import EVERY_TRIAL, p_text
from omnipilot.bench.report.conclusions import by_effect, rows_left_out
from omnipilot.bench.report.method_notes import (
    DETECTABLE,
    SUCCESS,
    bound_notes_of,
    corrected_note,
    every_trial_note,
    interval_words,
    intervals_note,
    many,
    p_words_of,
)
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.tables import Table


def sweep_table(
    rows: Sequence[SweepRow],
    axes: Sequence[str],
    level: float = LEVEL,
    power: float = POWER,
    most: int | None = None,
) -> Table:
    """One row per cell: episodes solved, SR, void episodes, and the difference to the reference with its p-values.

    The reference comes first, then the cells from the largest loss to the largest gain.

    Args:
        axes: names of the settings in which the cells differ. level, power: that the rows were made with.
        most: how many cells to show besides the reference; None for all.
    """
    voids = any(row.solved is not None and row.solved.void for row in rows)
    trials = max(row.trials for row in rows)
    columns = (
        *(name.replace("_", " ") for name in axes),
        "solved",
        "SR %",
        *([EVERY_TRIAL] if trials else []),
        *(["void", "SR % without void"] if voids else []),
        "difference",
        "p",
        "p Holm",
        "detectable",
    )
    cells = tuple(
        (*(AXES[name](row.run.spec) for name in axes), *_figures(row, trials > 0, voids), *_compared(row))
        for row in by_effect(rows, most)
    )
    notes = (*_notes(rows, level, trials), *rows_left_out(rows, most))
    return Table(columns, cells, notes, labels=len(axes), methods=tuple(_methods(rows, level, power)))


def _figures(row: SweepRow, trials: bool, voids: bool) -> tuple[str, ...]:
    """Solved, SR, pass^k (with `trials`), void and SR without them (with `voids`)."""
    if row.solved is None:
        return ("0/0", "—", *(["—"] * trials), *(["0", "—"] * voids))
    found = row.solved
    shown = [f"{sum(e.success for e in row.run.episodes)}/{len(judged_episodes(row.run.episodes))}", found.all.text()]
    shown += ["—" if row.every_trial is None else row.every_trial.text()] * trials
    if voids:
        shown += [str(found.void), "—" if found.valid is None else found.valid.text() if found.void else "·"]
    return tuple(shown)


def _compared(row: SweepRow) -> tuple[str, ...]:
    if row.reference:
        return "reference", "", "", ""
    if (one := row.difference) is None:
        return "—", "—", "—", "—"
    least = "—" if one.detectable is None else f"{100 * one.detectable:.1f}"
    return one.interval.text(signed=True), p_text(one.p), p_text(row.adjusted), least


def _notes(rows: Sequence[SweepRow], level: float, trials: int) -> list[str]:
    """What a reader needs at once."""
    reference = next(row for row in rows if row.reference)
    compared = [row for row in rows if row.difference is not None]
    tests = sum(row.adjusted is not None for row in rows)
    notes = [
        f"difference: a cell minus {reference.run.name}, in points, over {_pairs(compared)}; "
        + intervals_note(level, short=True)
    ] * bool(compared)
    notes += every_trial_note(trials)
    notes += [corrected_note(tests, "cell")] * (tests > 1)
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


def _methods(rows: Sequence[SweepRow], level: float, power: float) -> list[str]:
    compared = [row.difference for row in rows if row.difference is not None]
    solved = [row.solved.all.method for row in rows if row.solved is not None]
    notes = [SUCCESS, f"{intervals_note(level)}; {interval_words('SR', solved)}"]
    if compared:
        notes += [
            "difference: paired by task and instance, the mean over trials; "
            + interval_words("interval", [one.interval.method for one in compared])
            + "; "
            + p_words_of([one.test for one in compared]),
            DETECTABLE.format(100 * power),
        ]
    return notes


def _pairs(rows: Sequence[SweepRow]) -> str:
    counts = sorted({(row.pairs, row.tasks) for row in rows})
    return " or ".join(f"{many(pairs, 'pair')} of {many(tasks, 'task')}" for pairs, tasks in counts)
