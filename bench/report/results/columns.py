"""Columns of result tables by choice, and tables with a row for each level, device, application or other value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from omnipilot.agents.assembly.part_names import is_object, split_list
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.scoring.metrics import METRICS, USUAL, Metric, load_metric, metric_sums
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import fewest_trials, per_instance
from omnipilot.bench.stats.trials import pass_all
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import Variant
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

PER_EPISODE = "means over the episodes, without void ones: "
EVERY_TRIAL = "pass^k"
"""The column of instances that every trial solves. It is no metric of episodes: it takes the trials of one together."""
EVERY_TRIAL_NOTE = (
    "pass^k: an instance counts if all k of its trials are solved, with the fewest trials that one has; — for one each"
)
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
        elif name != EVERY_TRIAL and name not in known.values() and name.casefold() != "all":
            raise ConfigError(describe_unknown("column", name, (*known, EVERY_TRIAL, "all")))
    if not names:
        raise ConfigError(f"--columns names no column; choose from {', '.join(known)}")
    return METRICS.names() if "all" in map(str.casefold, names) else names


def usual_columns(runs: Sequence[Run]) -> tuple[str, ...]:
    """The columns of a table for which none are chosen: pass^k beside SR if a run has several trials."""
    several = any(fewest_trials(outcomes(run.episodes)) > 1 for run in runs)
    return (*USUAL[:2], *([EVERY_TRIAL] * several), *USUAL[2:])


def headings(columns: Sequence[str]) -> tuple[str, ...]:
    """The headings of columns."""
    return tuple(f"{EVERY_TRIAL} %" if name == EVERY_TRIAL else load_metric(name).heading for name in columns)


def cells(episodes: Sequence[Episode], columns: Sequence[str], variant: Variant = "paper") -> tuple[str, ...]:
    """The cells of columns for some episodes."""
    return tuple(
        _every_trial(episodes) if name == EVERY_TRIAL else metric_cell(load_metric(name, variant), episodes)
        for name in columns
    )


def _every_trial(episodes: Sequence[Episode]) -> str:
    """pass^k with the fewest trials that an instance has; "—" for single trials."""
    solved = outcomes(episodes)
    if (k := fewest_trials(solved)) < 2:
        return "—"
    each = per_instance(solved, pass_all, k)
    return f"{100 * sum(one.value for one in each) / len(each):.1f}"


def metric_cell(metric: Metric, episodes: Sequence[Episode]) -> str:
    """A metric of some episodes as a cell, without an interval; "—" where it is undefined, "?" where it is unknown."""
    part, whole = metric_sums(metric, episodes)
    if metric.form == "of":
        return f"{part:g}/{whole:g}" if whole or not episodes else "—"
    if metric.form == "sum":
        return f"{part:g}"
    if not whole:
        return "—"
    return "?" if math.isnan(part) else f"{metric.scale * part / whole:,.{metric.digits}f}"


def notes(columns: Sequence[str]) -> tuple[str, ...]:
    """What is to be known of columns, one line each: which are means, and what those say that are not ours."""
    found = [(name, load_metric(name)) for name in columns if name != EVERY_TRIAL]
    means = [
        metric.heading
        for _, metric in found
        if metric.void == "left out" and metric.form == "mean" and metric.unit == "episodes"
    ]
    lines = [EVERY_TRIAL_NOTE] * (EVERY_TRIAL in columns)
    lines += [PER_EPISODE + ", ".join(means)] if means else []
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
        raise ConfigError(_no_tag(runs, by))
    found = Table(
        ("run", by, "tasks", *headings(columns)), tuple(rows), (*notes(columns), *([SEVERAL] * several)), labels=2
    )
    if len(runs) > 1:
        return found
    return replace(found, columns=found.columns[1:], rows=tuple(row[1:] for row in found.rows), labels=1)


def _no_tag(runs: Sequence[Run], by: str) -> str:
    """What to say of a tag that no task has: the nearest, and all that there are, with how many tasks have each."""
    tasks: dict[str, set[tuple[str, str]]] = {DEVICE: set()}
    for run in runs:
        for episode in run.episodes:
            task = (run.spec.suite.name, episode.task)
            for tag in (*([DEVICE] if episode.envs else []), *(tag for tag, value in episode.tags.items() if value)):
                tasks.setdefault(tag, set()).add(task)
    every = len({(run.spec.suite.name, episode.task) for run in runs for episode in run.episodes})
    if not every:
        return f"there is no episode yet to group by {by!r}"
    near = describe_unknown("tag", by, (*tasks, TASK)).partition("?")[0].partition("; ")[2]
    counts = ", ".join(f"{tag} ({len(tasks[tag])})" for tag in sorted(tasks, key=lambda tag: (-len(tasks[tag]), tag)))
    told = f"; {near}? There" if near else "; there"
    return f"no task has a tag {by!r}{told} are, with how many of {every} tasks have each: {counts}, and {TASK}"


def _values(episode: Episode, by: str) -> tuple[str, ...]:
    if by == TASK:
        return (episode.task,)
    if by == DEVICE:
        return (" + ".join(episode.envs),) if episode.envs else ()
    return values_of(episode.tags, by)
