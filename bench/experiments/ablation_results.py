"""Results of an ablation: each condition against the full set, over all tasks and by the values of a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.compared_figures import ComparedFigure, compare_runs
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import POWER, Difference, difference, pair
from omnipilot.bench.stats.summary import Headline, headline
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

ALL = "all tasks"


@dataclass(frozen=True, slots=True)
class AblationRow:
    """A condition on a group of tasks.

    Attributes:
        group: `ALL`, a value of the tag, or "no TAG" for tasks without one.
        solved: the success rate; None where no episode is finished. count: episodes solved, and all of them.
        difference: this minus the full set, over the pairs (task and instance) that both have; None for the full set
            itself and without common pairs. pairs, tasks: their numbers. left_out: pairs that only one of them has.
        adjusted: Holm's p over all rows. why: the reason the condition was not run, "" if it was.
        figures: further figures of the row over all tasks, those that were asked for or the headline of the benchmark.
    """

    condition: str
    group: str
    reference: bool = False
    solved: Headline | None = None
    count: tuple[int, int] = (0, 0)
    difference: Difference | None = None
    pairs: int = 0
    tasks: int = 0
    left_out: int = 0
    adjusted: float | None = None
    why: str = ""
    figures: tuple[ComparedFigure, ...] = ()


def rows_of(
    full: Run,
    others: Mapping[str, Run | str],
    by: str = "level",
    level: float = LEVEL,
    power: float = POWER,
    resamples: int = RESAMPLES,
    seed: int = 0,
    figures: Sequence[str] = (),
) -> tuple[AblationRow, ...]:
    """The rows of an ablation, condition by condition; the row over all tasks comes first.

    Args:
        full: the run that all are compared with. others: by name, the run of a condition or the reason there is none.
        by: the tag, "" for none. If all tasks have the same value, no rows are added.
        figures: names of further figures; by default the headline of the benchmark (`compare_runs`).

    Raises:
        ConfigError: no task has that tag, or a figure is unknown; the message names the nearest.
    """
    played = {full.name: full, **{name: run for name, run in others.items() if not isinstance(run, str)}}
    compared = compare_runs(list(played.values()), figures, 0, level, power, resamples, seed)
    more = dict(zip(played, compared, strict=True))
    groups = [ALL, *groups_of(full.episodes, by)]
    rows = []
    for name, run in ((full.name, full), *others.items()):
        for group in groups:
            row = AblationRow(name, group, name == full.name)
            if isinstance(run, str):
                rows.append(replace(row, why=run))
                continue
            ours, theirs = (outcomes(in_group(one.episodes, by, group)) for one in (run, full))
            solved = headline(ours, level, resamples, seed) if ours else None
            if group == ALL:
                row = replace(row, figures=more[name])
            row = replace(row, solved=solved, count=(round(sum(one.value for one in ours)), len(ours)))
            if not row.reference:
                pairs, only_full, only_ours = pair(theirs, ours)
                row = replace(
                    row,
                    difference=difference(pairs, level, power, resamples, seed) if pairs else None,
                    pairs=len(pairs),
                    tasks=len({one.task for one in pairs}),
                    left_out=len(only_full) + len(only_ours),
                )
            rows.append(row)
    tested = {at: row.difference.p for at, row in enumerate(rows) if row.difference and row.difference.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return tuple(replace(row, adjusted=adjusted.get(at)) for at, row in enumerate(rows))


def groups_of(episodes: Sequence[Episode], by: str) -> list[str]:
    """The values of a tag, in the order of the tasks; none if all tasks have the same value.

    Args:
        by: "" for none.

    Raises:
        ConfigError: tasks have tags, but not this one.
    """
    tags = sorted({tag for episode in episodes for tag in episode.tags})
    if not by:
        return []
    if tags and by not in tags:
        raise ConfigError(unknown("tag of a task", by, tags))
    found = dict.fromkeys(value for episode in episodes for value in values(episode, by))
    return list(found) if len(found) > 1 else []


def in_group(episodes: Sequence[Episode], by: str, group: str) -> list[Episode]:
    """The episodes of a group."""
    return [episode for episode in episodes if group == ALL or group in values(episode, by)]


def values(episode: Episode, by: str) -> list[str]:
    """The values of a task's tag, separated by plus signs."""
    return list(values_of(episode.tags, by)) or [f"no {by}"]
