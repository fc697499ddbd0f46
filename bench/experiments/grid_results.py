"""Results of a grid: every cell, both margins, and what either part is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.compared_figures import ComparedFigure, compare_runs
from omnipilot.bench.scoring.efficiency import efficiency, has_eqa
from omnipilot.bench.stats.clusters import Kind
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.crossed import (
    Contrast,
    Crossed,
    Range,
    contrast,
    crossed_outcomes,
    line,
    mean_over,
    range_difference,
    widest,
)
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.pointing import pointing_accuracy
from omnipilot.bench.stats.summary import Headline, headline
from omnipilot.bench.tasks.figures import termination

Axis: TypeAlias = Literal["planner", "grounder"]
ROWS: Axis = "planner"
COLUMNS: Axis = "grounder"
_NUMBER = {ROWS: 0, COLUMNS: 1}


@dataclass(frozen=True, slots=True)
class GridCell:
    """One planner with one grounder.

    Attributes:
        solved: the success rate; None where no episode is finished. complete: whether all episodes are finished.
        right, told: places that the grounder pointed at rightly, of those for which it can be told.
        accuracy: right / told, with its interval; None where nothing can be told.
        efficiency: EQA in 0..1 (`omnipilot.bench.scoring.efficiency`); None where it has none (`has_eqa`).
        false_completions: episodes that the agent called done, and were not.
        figures: further figures, those that were asked for or the headline of the benchmark; each is compared with the
            first cell's.
    """

    run: Run
    solved: Headline | None
    complete: bool
    right: int
    told: int
    accuracy: Interval | None
    efficiency: Interval | None
    false_completions: int
    figures: tuple[ComparedFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class Worth:
    """What one part is worth in place of another of its kind.

    Attributes:
        axis: which kind of part is exchanged. new, old: the two parts; the contrast is new minus old.
        within: the part of the other kind with which it was measured; "" for the mean over all of that kind.
        adjusted: Holm's p over all comparisons of the same table.
    """

    axis: Axis
    new: str
    old: str
    contrast: Contrast
    within: str = ""
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class GridResults:
    """A grid's figures.

    Attributes:
        planners, grounders: names of rows and columns. cells: row by row.
        level: confidence level of all intervals.
        row_margins: of each planner, the mean over all grounders; None where a cell of the row is not finished.
        column_margins: of each grounder, the mean over all planners, likewise. grand: the mean of all cells, likewise.
        units, tasks: number of task instances and tasks that all finished cells share.
        groups, kind: number of clusters of these, and what they are (`Clusters`).
        gains: along both margins, each part against the first of its kind that is finished everywhere.
        within: the same for each part of the other kind alone, where a grid has more than one of these.
        ranges: by kind of part, best minus worst along the margin, chosen after seeing the data; none for a kind of
            which there is one, or unless the grid is complete.
        dominance: the kind with the wider range, by how much it is wider, and whether the data tell that it is; None
            where either kind has no range.
    """

    planners: tuple[str, ...]
    grounders: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    level: float
    row_margins: tuple[Interval | None, ...]
    column_margins: tuple[Interval | None, ...]
    grand: Interval | None = None
    units: int = 0
    tasks: int = 0
    groups: int = 0
    kind: Kind = "task"
    gains: tuple[Worth, ...] = ()
    within: tuple[Worth, ...] = ()
    ranges: Mapping[Axis, Range] = field(default_factory=dict)
    dominance: tuple[Axis, Interval, bool] | None = None

    @property
    def all_cells(self) -> tuple[GridCell, ...]:
        """The cells in one row."""
        return tuple(cell for row in self.cells for cell in row)

    @property
    def complete(self) -> bool:
        """Whether all episodes of all cells are finished."""
        return all(cell.complete for cell in self.all_cells)

    @property
    def void(self) -> int:
        """Number of void episodes."""
        return sum(cell.solved.void for cell in self.all_cells if cell.solved is not None)

    def names(self, axis: Axis) -> tuple[str, ...]:
        """The parts of one kind."""
        return self.planners if axis == ROWS else self.grounders


def grid_results(
    planners: Sequence[str],
    grounders: Sequence[str],
    runs: Sequence[Run],
    level: float = LEVEL,
    seed: int = 0,
    figures: Sequence[str] = (),
) -> GridResults:
    """The figures of a grid.

    Args:
        runs: row by row: the first planner with each grounder, then the next planner; as many as there are pairs.
        level: of intervals. seed: of all bootstraps.
        figures: names of further figures; by default the headline of the benchmark (`compare_runs`).
    """
    width = len(grounders)
    more = compare_runs(runs, figures, 0, level, seed=seed)
    every = [replace(_cell(run, level, seed), figures=some) for run, some in zip(runs, more, strict=True)]
    cells = tuple(tuple(every[start : start + width]) for start in range(0, len(every), width))
    found = crossed_outcomes(
        [[outcomes(cell.run.episodes) if cell.complete else None for cell in row] for row in cells]
    )
    names = {ROWS: tuple(planners), COLUMNS: tuple(grounders)}
    if found is None:
        return GridResults(names[ROWS], names[COLUMNS], cells, level, (None,) * len(planners), (None,) * width)
    whole = bool(found.known.all())
    ranges: dict[Axis, Range] = {}
    for axis in (COLUMNS, ROWS):
        if whole and (one := widest(found, _NUMBER[axis], level, seed=seed)) is not None:
            ranges[axis] = one
    return GridResults(
        names[ROWS],
        names[COLUMNS],
        cells,
        level,
        _margins(found, ROWS, len(planners), level, seed),
        _margins(found, COLUMNS, width, level, seed),
        grand=mean_over(found, found.known, level, seed) if whole else None,
        units=found.units,
        tasks=found.tasks,
        groups=found.clusters.count,
        kind=found.clusters.kind,
        gains=_adjusted(_gains(found, names, level, seed)),
        within=_adjusted(_within(found, names, level, seed)),
        ranges=ranges,
        dominance=_dominance(found, ranges, level, seed),
    )


def _cell(run: Run, level: float, seed: int) -> GridCell:
    episodes = judged_episodes(run.episodes)
    effort = efficiency(episodes, level, seed=seed) if has_eqa(episodes) else None
    return GridCell(
        run,
        headline(outcomes(episodes), level, seed=seed) if episodes else None,
        bool(run.episodes) and len(run.episodes) >= run.planned,
        sum(one.pointed_right for one in episodes),
        sum(one.pointed_told for one in episodes),
        pointing_accuracy(episodes, level, seed=seed),
        None if effort is None else effort.eqa,
        sum(termination(one.reason, one.status, one.success) == "false completion" for one in episodes),
    )


def _margins(found: Crossed, axis: Axis, count: int, level: float, seed: int) -> tuple[Interval | None, ...]:
    lines = [line(found, _NUMBER[axis], index) for index in range(count)]
    return tuple(mean_over(found, one, level, seed) if found.known[one].all() else None for one in lines)


def _gains(found: Crossed, names: dict[Axis, tuple[str, ...]], level: float, seed: int) -> list[Worth]:
    """Along the margins: each part that is finished everywhere against the first of these."""
    worth = []
    for axis in (COLUMNS, ROWS):
        lines = [(name, line(found, _NUMBER[axis], index)) for index, name in enumerate(names[axis])]
        whole = [(name, cells) for name, cells in lines if found.known[cells].all()]
        worth += [
            Worth(axis, name, whole[0][0], contrast(found, cells, whole[0][1], level, seed=seed))
            for name, cells in whole[1:]
        ]
    return worth


def _within(found: Crossed, names: dict[Axis, tuple[str, ...]], level: float, seed: int) -> list[Worth]:
    """Within each row and column that is not the only one: each finished cell against the first finished one."""
    worth = []
    for axis in (COLUMNS, ROWS):
        other: Axis = ROWS if axis == COLUMNS else COLUMNS
        if len(names[other]) < 2:
            continue
        for index, within in enumerate(names[other]):
            fixed = line(found, _NUMBER[other], index)
            each = [(name, fixed & line(found, _NUMBER[axis], at)) for at, name in enumerate(names[axis])]
            done = [(name, cells) for name, cells in each if found.known[cells].all()]
            worth += [
                Worth(axis, name, done[0][0], contrast(found, cells, done[0][1], level, seed=seed), within)
                for name, cells in done[1:]
            ]
    return worth


def _adjusted(worth: Sequence[Worth]) -> tuple[Worth, ...]:
    values = iter(holm([one.contrast.p for one in worth if one.contrast.p is not None]))
    return tuple(one if one.contrast.p is None else replace(one, adjusted=next(values)) for one in worth)


def _dominance(
    found: Crossed, ranges: dict[Axis, Range], level: float, seed: int
) -> tuple[Axis, Interval, bool] | None:
    if len(ranges) < 2:
        return None
    spans = {axis: one.contrast.difference.estimate for axis, one in ranges.items()}
    axis: Axis = ROWS if spans[ROWS] > spans[COLUMNS] else COLUMNS
    told = range_difference(found, _NUMBER[axis], level, seed=seed)
    return None if told is None else (axis, *told)
