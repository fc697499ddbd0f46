"""Columns of result tables by choice, and tables with a row for each level, device, application or other value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from omnipilot.agents.assembly.part_names import is_object, split_list
from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.metrics import METRICS, USUAL, Metric, load_metric, metric_sums
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import Variant
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

PER_EPISODE = "means over the episodes, without void ones: "
SEVERAL = "a task with several values counts in each of their rows"
DEVICE, TASK = "device", "task"
"""What a table can be made by, besides the tags of tasks."""


def chosen_columns(text: str) -> tuple[str, ...]:
    """The names of metrics in a comma-separated list; "all" is every one that has a name.

    Raises:
        ConfigError: there is no such metric, none is named, or "module:attribute" cannot be imported or is none.
    """
    known = {name.casefold(): name for name in METRICS.names()}
    names = tuple(dict.fromkeys(known.get(name.casefold(), name) for name in split_list(text)))
    for name in names:
        if is_object(name):
            load_metric(name)
        elif name not in known.values() and name.casefold() != "all":
            raise ConfigError(unknown("column", name, (*known, "all")))
    if not names:
        raise ConfigError(f"--columns names no column; choose from {', '.join(known)}")
    return METRICS.names() if "all" in map(str.casefold, names) else names


def headings(columns: Sequence[str]) -> tuple[str, ...]:
    """The headings of columns."""
    return tuple(load_metric(name).heading for name in columns)


def cells(episodes: Sequence[Episode], columns: Sequence[str], variant: Variant = "paper") -> tuple[str, ...]:
    """The cells of columns for some episodes."""
    return tuple(metric_cell(load_metric(name, variant), episodes) for name in columns)


def metric_cell(metric: Metric, episodes: Sequence[Episode]) -> str:
    """A metric of some episodes as a cell, without an interval; "—" where it is undefined, "?" where it is unknown."""
    part, whole = metric_sums(metric, episodes)
    if metric.form == "of":
        return f"{part:g}/{whole:g}"
    if metric.form == "sum":
        return f"{part:g}"
    if not whole:
        return "—"
    return "?" if math.isnan(part) else f"{metric.scale * part / whole:,.{metric.digits}f}"


def notes(columns: Sequence[str]) -> tuple[str, ...]:
    """What is to be known of columns, one line each: which are means, and what those say that are not ours."""
    found = [(name, load_metric(name)) for name in columns]
    means = [
        metric.heading
        for _, metric in found
        if metric.void == "left out" and metric.form == "mean" and metric.unit == "episodes"
    ]
    lines = [PER_EPISODE + ", ".join(means)] if means else []
    told = [
        (metric, f"of all {metric.unit}" if metric.unit != "episodes" else "")
        for name, metric in found
        if not METRICS.is_ours(name) or metric.unit != "episodes"
    ]
    for metric, of in told:
        if words := "; ".join(one for one in (metric.about.rstrip("."), of) if one):
            lines.append(f"{metric.title}: {words}")
    return tuple(lines)


def table_by(
    runs: Sequence[Run], by: str, columns: Sequence[str] = USUAL, names: Sequence[str] = (), variant: Variant = "paper"
) -> Table:
    """One row for each run and each value of what the tasks are told apart by.

    Args:
        by: "device" (which devices its judges are about), "task", or a tag of the tasks such as "level" or "app".
        names: what the runs are called; by default, by their directories.

    Raises:
        ConfigError: no task has such a tag.
    """
    rows: list[tuple[str, ...]] = []
    several = False
    for run, name in zip(runs, names or [run.name for run in runs], strict=True):
        groups: dict[str, list[Episode]] = {}
        for episode in run.episodes:
            values = _values(episode, by)
            several |= len(values) > 1
            for value in values:
                groups.setdefault(value, []).append(episode)
        for value in groups if by == TASK else sorted(groups):
            tasks = len({episode.task for episode in groups[value]})
            rows.append((name, value, str(tasks), *cells(groups[value], columns, variant)))
    if not rows:
        tags = sorted({tag for run in runs for episode in run.episodes for tag, value in episode.tags.items() if value})
        raise ConfigError(unknown("tag of these tasks", by, (DEVICE, TASK, *tags)))
    found = Table(
        ("run", by, "tasks", *headings(columns)), tuple(rows), (*notes(columns), *([SEVERAL] * several)), labels=2
    )
    if len(runs) > 1:
        return found
    return replace(found, columns=found.columns[1:], rows=tuple(row[1:] for row in found.rows), labels=1)


def _values(episode: Episode, by: str) -> tuple[str, ...]:
    if by == TASK:
        return (episode.task,)
    if by == DEVICE:
        return (" + ".join(episode.envs),) if episode.envs else ()
    return values_of(episode.tags, by)
