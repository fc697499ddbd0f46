"""Columns of result tables by choice, and tables with a row for each level, device, application or other value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import fewest_trials, per_instance
from omnipilot.bench.stats.trials import pass_all
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.figures import (
    Score,
    Variant,
    completion_ratio,
    cost_efficiency,
    execution_efficiency,
    success_rate,
)
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

PER_EPISODE = "means over the episodes, without void ones: "
EVERY_TRIAL = (
    "pass^k: an instance counts if all k of its trials are solved, with the fewest trials that one has; — for one each"
)
SEVERAL = "a task with several values counts in each of their rows"


def score(episode: Episode) -> Score:
    """An episode as input for the metrics."""
    return Score(episode.completed, episode.total, episode.actions, episode.usage.tokens, episode.void)


def _percent(value: float | None, digits: int = 1) -> str:
    return "—" if value is None else f"{100 * value:.{digits}f}"


def _mean(of: Callable[[Episode], float], digits: int) -> Callable[[Sequence[Episode], Variant], str]:
    def cell(episodes: Sequence[Episode], variant: Variant) -> str:  # noqa: ARG001
        valid = [of(episode) for episode in episodes if not episode.void]
        return f"{sum(valid) / len(valid):,.{digits}f}" if valid else "—"

    return cell


def _dollars(episodes: Sequence[Episode], variant: Variant) -> str:
    valid = [episode for episode in episodes if not episode.void]
    return "?" if any(episode.cost is None for episode in valid) else _mean(lambda e: e.cost or 0.0, 4)(valid, variant)


def _every_trial(episodes: Sequence[Episode]) -> float | None:
    """pass^k with the fewest trials that an instance has; None for single trials."""
    solved = outcomes(episodes)
    if (k := fewest_trials(solved)) < 2:
        return None
    each = per_instance(solved, pass_all, k)
    return sum(one.value for one in each) / len(each)


COLUMNS: Mapping[str, tuple[str, Callable[[Sequence[Episode], Variant], str]]] = MappingProxyType(
    {
        "solved": ("solved", lambda es, _: f"{sum(e.success for e in es)}/{len(es)}"),
        "sr": ("SR %", lambda es, _: _percent(success_rate([score(e) for e in es]))),
        "pass^k": ("pass^k %", lambda es, _: _percent(_every_trial(es))),
        "cr": ("CR %", lambda es, _: _percent(completion_ratio([score(e) for e in es]))),
        "ee": ("EE %", lambda es, variant: _percent(execution_efficiency([score(e) for e in es], variant))),
        "ce": ("CE %", lambda es, _: _percent(cost_efficiency([score(e) for e in es]), digits=4)),
        "turns": ("turns", _mean(lambda e: e.turns, 1)),
        "steps": ("steps", _mean(lambda e: e.steps, 1)),
        "actions": ("actions", _mean(lambda e: e.actions, 1)),
        "invalid": ("invalid", _mean(lambda e: e.invalid, 1)),
        "calls": ("calls", _mean(lambda e: e.usage.calls, 1)),
        "tokens": ("tokens", _mean(lambda e: e.tokens, 0)),
        "tokens-in": ("tokens in", _mean(lambda e: e.usage.tokens_in, 0)),
        "tokens-out": ("tokens out", _mean(lambda e: e.usage.tokens_out, 0)),
        "dollars": ("dollars", _dollars),
        "seconds": ("seconds", _mean(lambda e: e.wall_seconds, 1)),
        "model-seconds": ("model seconds", _mean(lambda e: e.usage.seconds, 1)),
        "world-seconds": ("world seconds", _mean(lambda e: e.world_seconds, 1)),
        "void": ("void", lambda es, _: str(sum(e.void for e in es))),
    }
)
"""Columns by the name that a user writes: its heading, and its cell for some episodes."""
USUAL = ("solved", "sr", "cr", "ee", "ce")
"""The columns of a table for which none are chosen."""
DEVICE, TASK = "device", "task"
"""What a table can be made by, besides the tags of tasks."""


def chosen_columns(text: str) -> tuple[str, ...]:
    """The names of columns in a comma-separated list; "all" is every one.

    Raises:
        ConfigError: there is no such column, or none is named.
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in COLUMNS and name != "all":
            raise ConfigError(describe_unknown("column", name, (*COLUMNS, "all")))
    if not names:
        raise ConfigError(f"--columns names no column; choose from {', '.join(COLUMNS)}")
    return tuple(COLUMNS) if "all" in names else names


def usual_columns(runs: Sequence[Run]) -> tuple[str, ...]:
    """The columns of a table for which none are chosen: pass^k beside SR if a run has several trials."""
    several = any(fewest_trials(outcomes(run.episodes)) > 1 for run in runs)
    return (*USUAL[:2], *(["pass^k"] * several), *USUAL[2:])


def headings(columns: Sequence[str]) -> tuple[str, ...]:
    """The headings of columns."""
    return tuple(COLUMNS[name][0] for name in columns)


def cells(episodes: Sequence[Episode], columns: Sequence[str], variant: Variant = "paper") -> tuple[str, ...]:
    """The cells of columns for some episodes."""
    return tuple(COLUMNS[name][1](episodes, variant) for name in columns)


def notes(columns: Sequence[str]) -> tuple[str, ...]:
    """What is to be known of columns, one line each."""
    means = [name for name in columns if name not in (*USUAL, "pass^k", "void")]
    told = [EVERY_TRIAL] * ("pass^k" in columns)
    return (*told, *([PER_EPISODE + ", ".join(headings(means))] if means else []))


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
