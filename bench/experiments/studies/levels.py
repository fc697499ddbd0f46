"""How a figure falls from one level of a complexity to the next (OmniBench, table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import contrast, pair
from omnipilot.bench.stats.summary import EpisodeOutcome, headline
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.complexity import HARD_FROM, Grade
from omnipilot.envs import ConfigError

PAPER = "OmniBench's mean drop from a level to the next: 6.19 points (table 5)"


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A level of one complexity.

    Attributes:
        tasks: number of tasks. mean: of the figure. drop: how much lower than at the level before it that has tasks;
            None for the first.
    """

    complexity: str
    grade: Grade
    tasks: int
    mean: Interval
    drop: Interval | None


def levels(episodes: Sequence[Episode], figure: str = "CR", level: float = LEVEL) -> list[LevelRow]:
    """A row for each level of each complexity that some task has; void episodes count as zero.

    Raises:
        ConfigError: no task is tagged with the level of a complexity.
    """
    grade_of = {episode.task: episode.tags for episode in episodes}
    found = outcomes(episodes, figure)
    rows: list[LevelRow] = []
    for name in HARD_FROM:
        before: set[str] = set()
        for grade in Grade:
            here = {task for task, tags in grade_of.items() if tags.get(name) == grade.value}
            if here:
                mean = headline([one for one in found if one.task in here], level).all
                rows.append(LevelRow(name, grade, len(here), mean, _drop(found, before, here, level)))
                before = here
    if not rows:
        raise ConfigError("no task of these runs says its level of a complexity; run a suite whose tasks do, as pool")
    return rows


def _drop(found: Sequence[EpisodeOutcome], before: set[str], here: set[str], level: float) -> Interval | None:
    if not before:
        return None
    pairs, _, _ = pair(found, found)
    # How much higher it is before than here; both sides of each pair are the same run.
    apart = contrast(pairs, here, before, level, test=False)[0]
    # One task shows nothing of how tasks of its level vary.
    return apart if min(len(here), len(before)) > 1 else replace(apart, low=None, high=None)


def levels_table(rows: Sequence[LevelRow], figure: str = "CR") -> Table:
    """The rows as a table, with the mean drop below."""
    cells = [
        (row.complexity, row.grade.value, str(row.tasks), row.mean.text(), row.drop.text() if row.drop else "")
        for row in rows
    ]
    drops = [row.drop.estimate for row in rows if row.drop is not None]
    notes = [f"mean drop: {100 * sum(drops) / len(drops):.2f} points over {len(drops)} steps"] if drops else []
    if any("—" in cell for row in cells for cell in row):
        notes.append("—: too few groups of tasks for an interval")
    return Table(
        ("complexity", "level", "tasks", figure, "drop since the level before"),
        tuple(cells),
        (*notes, PAPER),
        labels=2,
    )
