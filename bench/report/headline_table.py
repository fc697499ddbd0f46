"""Headline figures of runs with their intervals, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.method_notes import bound_notes_of, intervals_note
from omnipilot.bench.scoring.efficiency import efficiency, has_eqa
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.stats.outcomes import FIGURES, outcomes, says_anything
from omnipilot.bench.stats.pointing import pointing_accuracy
from omnipilot.bench.stats.summary import Headline, all_k, at_k, fewest_trials, headline
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.task import values_of

DIGITS = {"CE": 4}


def interval_table(runs: Sequence[Run], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0) -> Table:
    """One row per run and figure: over all episodes that were judged, with void ones as zero, and without those if
    there are any.

    How often the grounder pointed right is added where that can be told, over all episodes that have such places.
    EQA is added where it says something (`has_eqa`), and how often a harm came about where tasks state some.
    pass^k and pass@k follow SR if every instance has several trials; k is the smallest number of trials of an instance.
    """
    rows: list[tuple[str, ...]] = []
    for run in runs:
        run = replace(run, episodes=judged_episodes(run.episodes))
        if not run.episodes:
            continue
        for name in FIGURES:
            if not says_anything(run.episodes, name):
                continue
            of = outcomes(run.episodes, name)
            rows.append((run.name, f"{name} %", *_cells(headline(of, level, resamples, seed), DIGITS.get(name, 1))))
            if name == "SR":
                rows += _trial_rows(run, level, resamples, seed)
        if (pointed := pointing_accuracy(run.episodes, level, resamples, seed)) is not None:
            rows.append((run.name, "pointed right %", pointed.text(), "", _count(pointed), pointed.method))
        rows += _efficiency_rows(run, level, resamples, seed)
        rows += _harm_rows(run, level, resamples, seed)
    notes: tuple[str, ...] = (
        intervals_note(level),
        "a void episode (a device or a model was lost) counts as zero; “without void” leaves it out",
    )
    bounds = tuple(bound_notes_of(runs))
    columns: tuple[str, ...] = ("run", "figure", "all episodes", "without void", "of", "interval by")
    if not any(row[3] for row in rows):
        columns, rows, notes = without(columns), list(map(without, rows)), notes[:1]
    return Table(columns, tuple(rows), (*notes, *bounds), labels=2, words=("interval by",))


def _trial_rows(run: Run, level: float, resamples: int, seed: int) -> list[tuple[str, ...]]:
    """The rows of pass^k and pass@k, if every instance has several trials."""
    solved = outcomes(run.episodes)
    if (k := fewest_trials(solved)) < 2:
        return []
    found = [(sign, share(solved, k, level, resamples, seed)) for sign, share in (("^", all_k), ("@", at_k))]
    return [(run.name, f"pass{sign}{k} %", one.text(), "", _count(one), one.method) for sign, one in found]


def without(row: tuple[str, ...], column: int = 3) -> tuple[str, ...]:
    """A row minus one of its cells."""
    return row[:column] + row[column + 1 :]


def _efficiency_rows(run: Run, level: float, resamples: int, seed: int) -> list[tuple[str, ...]]:
    """The row of EQA, if the run has one."""
    if not has_eqa(run.episodes):
        return []
    every = efficiency(run.episodes, level, resamples, seed)
    valid = [one for one in run.episodes if not one.void]
    rest = every if len(valid) == len(run.episodes) else efficiency(valid, level, resamples, seed)
    assert every is not None
    found = Headline(every.eqa, rest.eqa if rest else None, len(run.episodes) - len(valid))
    return [(run.name, "EQA %", *_cells(found, 1))]


def _harm_rows(run: Run, level: float, resamples: int, seed: int) -> list[tuple[str, ...]]:
    """The row of episodes in which what must not come about did, of those whose tasks say what that is."""
    told = [one for one in run.episodes if one.harms and not one.void]
    if not told:
        return []
    clusters = cluster([one.task for one in told], [values_of(one.tags, "template") for one in told])
    harmed = np.array([any(one.harms.values()) for one in told], dtype=float)
    found = mean_interval(harmed, clusters, (0.0, 1.0), level, resamples, seed)
    return [(run.name, "harmed %", found.text(), "", _count(found), found.method)]


def _cells(found: Headline, digits: int) -> tuple[str, ...]:
    if not found.void:
        without = ""
    elif found.valid is None:
        without = f"all {found.void} void"
    else:
        without = f"{found.valid.text(digits)} ({found.void} void)"
    return found.all.text(digits), without, _count(found.all), found.all.method


def _count(interval: Interval) -> str:
    return str(interval.units)
