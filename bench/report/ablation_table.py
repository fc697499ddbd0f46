"""An ablation as tables and one figure: the conditions over all tasks, and, for exploring, over groups of tasks."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.ablation_results import ALL, AblationRow
from omnipilot.bench.report.comparison_table import EVERY_TRIAL, p_text, p_words
from omnipilot.bench.report.conclusions import by_effect, rows_left_out
from omnipilot.bench.report.figures.records import Dot, FigureSpec, drawn_intervals, forest
from omnipilot.bench.report.method_notes import (
    DETECTABLE,
    SUCCESS,
    corrected_note,
    every_trial_note,
    interval_words,
    intervals_note,
    many,
    p_words_of,
)
from omnipilot.bench.stats.intervals import LEVEL
from omnipilot.bench.stats.paired import POWER
from omnipilot.bench.tables import Table


def ablate_table(
    rows: Sequence[AblationRow],
    notes: Sequence[str] = (),
    methods: Sequence[str] = (),
    level: float = LEVEL,
    power: float = POWER,
    most: int | None = None,
) -> Table:
    """One row per condition over all tasks: episodes solved, SR, the paired difference with p-values, void ones.

    The full set comes first, then the conditions from the largest loss to the largest gain.

    Args:
        notes: on the runs. methods: on the conditions. level, power: that rows were made with.
        most: how many conditions to show; None for all.
    """
    every = [row for row in rows if row.group == ALL]
    shown = by_effect(every, most)
    found, voids = _first_difference(every), _any_void(every)
    trials = any(row.every_trial is not None for row in every)
    columns = ("condition", "solved", "SR %", *([EVERY_TRIAL] * trials), "difference", "p", "p Holm", "detectable")
    cells = tuple((row.condition, *_figures(row, trials, voids)) for row in shown)
    tests = sum(row.adjusted is not None for row in every)
    needed = [
        f"difference: minus the full set, in points, over {_pairs(every, ALL)}; {intervals_note(level, short=True)}"
    ]
    needed = [
        *needed * bool(found),
        *every_trial_note(max(row.trials for row in every)),
        *[corrected_note(tests, "condition")] * (tests > 1),
    ]
    return Table(
        (*columns, *(["void"] * voids)),
        cells,
        (*needed, *notes, *_gaps(every), *rows_left_out(every, most)),
        methods=(*_methods(every, level, power), *methods),
    )


def groups_table(rows: Sequence[AblationRow], by: str, level: float = LEVEL) -> Table | None:
    """One row per condition and group of tasks, without correction; None where tasks are not grouped.

    Args:
        by: the tag that the tasks are grouped by. level: that rows were made with.
    """
    groups = [group for group in dict.fromkeys(row.group for row in rows) if group != ALL]
    if not groups:
        return None
    some = [row for row in rows if row.group != ALL]
    trials, voids = any(row.every_trial is not None for row in some), _any_void(some)
    order = [row.condition for row in by_effect([row for row in rows if row.group == ALL])]
    columns = ("condition", by, "solved", "SR %", *([EVERY_TRIAL] * trials), "difference", "p", "detectable")
    cells = []
    for group in groups:
        of = {row.condition: row for row in some if row.group == group}
        for condition in order:
            cells.append((condition, group, *_figures(of[condition], trials, voids, corrected=False)))
    notes = (
        f"by {by}: for exploring. These p-values are not corrected: of as many rows as these, some fall below "
        f"{1 - level:.2g} by chance",
    )
    return Table(
        (*columns, *(["void"] * voids)),
        tuple(cells),
        notes,
        labels=2,
        methods=tuple(_by(some, group) for group in groups),
    )


def ablate_figure(rows: Sequence[AblationRow], title: str, level: float = LEVEL, by_group: bool = False) -> FigureSpec:
    """The paired differences over all tasks, the largest loss first.

    Args:
        by_group: draw those of groups of tasks below them.
    """
    order = [row.condition for row in by_effect([row for row in rows if row.group == ALL])]
    dots = []
    for group in dict.fromkeys(row.group for row in rows if by_group or row.group == ALL):
        of = {row.condition: row for row in rows if row.group == group}
        for row in (of[name] for name in order):
            if row.reference:
                continue
            found = row.difference.interval if row.difference else None
            p = p_words(row.adjusted, "Holm") if group == ALL else p_words(row.difference.p if row.difference else None)
            note = "cannot be run" if row.why else p
            count = f"{group} ({_pairs(rows, group)})"
            if found is None:
                dots.append(Dot(row.condition, None, None, None, count, note))
            else:
                dots.append(Dot(row.condition, found.estimate, found.low, found.high, count, note))
    title = f"{title}: success rate minus the full set's, {drawn_intervals(dots, level)}"
    return forest(title, dots, zero=True, unit="points")


def _figures(row: AblationRow, trials: bool, voids: bool, corrected: bool = True) -> tuple[str, ...]:
    """Solved, SR, pass^k (with `trials`), difference, p, p Holm (with `corrected`), detectable, void (with `voids`)."""
    lost = [""] * voids
    if row.why or row.solved is None:
        unknown = "cannot be run" if row.why else "—"
        return "0/0", "—", *(["—"] * trials), unknown, *(["—"] * (2 + corrected)), *lost
    solved = [f"{row.count[0]}/{row.count[1]}", row.solved.all.text()]
    solved += ["—" if row.every_trial is None else row.every_trial.text()] * trials
    if voids:
        lost = [str(row.solved.void)]
        if row.solved.void:
            left = "none left" if row.solved.valid is None else f"SR {100 * row.solved.valid.estimate:.1f} without"
            lost = [f"{row.solved.void} ({left})"]
    if row.reference:
        return *solved, "reference", *([""] * (2 + corrected)), *lost
    if (one := row.difference) is None:
        return *solved, *(["—"] * (3 + corrected)), *lost
    least = "—" if one.detectable is None else f"{100 * one.detectable:.1f}"
    p = [p_text(one.p), *([p_text(row.adjusted)] * corrected)]
    return *solved, one.interval.text(signed=True), *p, least, *lost


def _methods(rows: Sequence[AblationRow], level: float, power: float) -> list[str]:
    notes = [SUCCESS, intervals_note(level)]
    if _first_difference(rows):
        notes += [
            "difference: paired by task and instance, the mean over trials",
            _by(rows, ALL),
            DETECTABLE.format(100 * power),
        ]
    return notes


def _first_difference(rows: Sequence[AblationRow]) -> bool:
    return any(row.difference is not None for row in rows)


def _any_void(rows: Sequence[AblationRow]) -> bool:
    return any(row.solved is not None and row.solved.void for row in rows)


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
    notes = [f"{row.condition} cannot be run: {row.why}" for row in rows if row.why]
    notes += [
        f"{row.condition}: {many(row.left_out, 'pair')} left out, because only it or the full set has them"
        for row in rows
        if row.left_out
    ]
    return notes
