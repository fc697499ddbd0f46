"""Figures of runs that are computed from their episodes: ours, those of plug-ins, and any "module:attribute".

A metric is a function from an episode to a number, and a few words about it:

    @metric(title="waits", about="moves that only wait")
    def waits(episode: Episode) -> float:
        return episode.verbs.get("wait", 0)

In a file `my_metrics.py` it is called `my_metrics:waits`, wherever a command takes columns or figures; a plug-in gives
it a name of its own in its table `metrics`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from omnipilot.agents import Registry
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.scoring.score import Better, Figure, Item
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES, Interval, mean_interval
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

Value: TypeAlias = float | tuple[float, float] | None
Of: TypeAlias = Callable[[Episode], Value]
Void: TypeAlias = Literal["zero", "left out", "asked"]
Form: TypeAlias = Literal["mean", "sum", "of"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a run that is computed from its episodes.

    Attributes:
        name: as a user writes it: "sr". title: heading of its column, without the unit: "SR".
        of: the value of an episode: a number, whose mean is the figure; or a part and a whole, whose sums' ratio is;
            None where the episode says nothing; NaN where it cannot be known, and so neither can the figure.
        unit: what the denominator counts: "episodes", "actions".
        scale, digits: print format; scale 100 for percent.
        better: which values are good; "" for neither. about: a line for the notes of a table.
        most: the largest value of an episode; 1 for shares.
        void: what a void episode counts: "zero", as in SR; nothing ("left out"), as in a mean of turns; or what `of`
            says of it ("asked").
        needs: the figure is undefined where this holds for no episode: CE without any token.
        form: how a table shows it: as "mean" or ratio; as a "sum" ("3"); as so many "of" all ("5/8").
    """

    name: str
    title: str
    of: Of
    unit: str = "episodes"
    scale: float = 1.0
    digits: int = 1
    better: Better = "higher"
    about: str = ""
    most: float = math.inf
    void: Void = "left out"
    needs: Callable[[Episode], object] | None = None
    form: Form = "mean"

    @property
    def heading(self) -> str:
        """Its title with the unit: "SR %"."""
        return f"{self.title}{' %' if self.scale == 100 else ''}"


def metric(
    title: str = "",
    *,
    name: str = "",
    unit: str = "episodes",
    scale: float = 1.0,
    digits: int = 1,
    better: Better = "higher",
    about: str = "",
    most: float | None = None,
    void: Void = "left out",
    needs: Callable[[Episode], object] | None = None,
    form: Form = "mean",
) -> Callable[[Of], Metric]:
    """Make a metric of a function from an episode; see `Metric`.

    Args:
        title: by default, the function's name. name: by default the function's, with hyphens.
        about: by default, the first line of its docstring. most: by default 1 with scale 100, else infinite.
    """

    def made(of: Of) -> Metric:
        called = getattr(of, "__name__", "metric")
        told = about or (inspect.getdoc(of) or "").partition("\n")[0]
        limit = most if most is not None else (1.0 if scale == 100 else math.inf)
        words = title or called.replace("_", " ")
        short = name or called.replace("_", "-")
        return Metric(short, words, of, unit, scale, digits, better, told, limit, void, needs, form)

    return made


_OWN = "omnipilot.bench.scoring.episode_metrics"
USUAL = ("solved", "sr", "cr", "ee", "ce")
"""The columns of a table for which none are chosen."""
METRICS = Registry(
    "metric",
    {
        "solved": f"{_OWN}:success_count",
        "sr": f"{_OWN}:success_rate",
        "cr": f"{_OWN}:completion_ratio",
        "ee": f"{_OWN}:execution_efficiency",
        "ce": f"{_OWN}:cost_efficiency",
        **{name: f"{_OWN}:{name}" for name in ("turns", "steps", "actions")},
        "after-success": f"{_OWN}:turns_after_success",
        "ended-early": f"{_OWN}:ended_early",
        "stopped": f"{_OWN}:stopped_by_rule",
        "invalid": f"{_OWN}:invalid_moves",
        "unread": f"{_OWN}:unread_replies",
        "unknown": f"{_OWN}:unknown_actions",
        "questions": f"{_OWN}:user_questions",
        "rejected": f"{_OWN}:rejected_moves",
        "denied": f"{_OWN}:denied_moves",
        "skill-calls": f"{_OWN}:skill_calls",
        "skill-zoom": f"{_OWN}:zoom_calls",
        "skill-read": f"{_OWN}:read_calls",
        "skill-recall": f"{_OWN}:recall_calls",
        "skill-helped": f"{_OWN}:helpful_calls",
        "skill-false": f"{_OWN}:needless_calls",
        "lacking": f"{_OWN}:lacking_verbs",
        "died": f"{_OWN}:died_of_lack",
        "not-found": f"{_OWN}:missed_targets",
        "cut": f"{_OWN}:cut_calls",
        "undetected": f"{_OWN}:undetected_places",
        **{name: f"{_OWN}:{name}" for name in ("calls", "tokens")},
        "tokens-in": f"{_OWN}:tokens_in",
        "tokens-out": f"{_OWN}:tokens_out",
        **{name: f"{_OWN}:{name}" for name in ("dollars", "seconds")},
        "model-seconds": f"{_OWN}:model_seconds",
        "world-seconds": f"{_OWN}:world_seconds",
        "void": f"{_OWN}:void",
    },
    "metrics",
)


def load_metric(name: str, variant: str = "paper") -> Metric:
    """The metric of a name, or at "module:attribute".

    Args:
        variant: of CRAB's figures: with "release", EE is the released code's.

    Raises:
        ConfigError: there is none, with the nearest names; or what is there is no metric.
    """
    known = {one.casefold(): one for one in METRICS.names()}
    if name.casefold() == "ee" and variant == "release":
        released: Metric = METRICS.load(f"{_OWN}:released_efficiency")
        return released
    found: Any = METRICS.load(known.get(name.casefold(), name))
    if not isinstance(found, Metric):
        raise ConfigError(
            f"metric {name!r} is a {type(found).__name__}: put @metric(title=…) of omnipilot.bench.scoring above a "
            "function from an episode to a number"
        )
    return found if name.casefold() == found.name else replace(found, name=name)


def metric_sums(metric: Metric, episodes: Sequence[Episode]) -> tuple[float, float]:
    """The sums of parts and of wholes over some episodes; NaN where a part cannot be known."""
    parts = list(_values(metric, episodes))
    return math.fsum(part for _, part, _ in parts), math.fsum(whole for _, _, whole in parts)


def metric_figure(
    metric: Metric,
    episodes: Sequence[Episode],
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """A metric of a run's episodes as a figure: its interval resamples tasks (`mean_interval`), its items are
    instances of tasks, with their trials together.

    Raises:
        ConfigError: the metric failed for an episode, or gave something that is no value.
    """
    counted = list(_values(metric, episodes))
    voids = sum(episode.void for episode in episodes) if metric.void == "zero" else 0
    valid = [one for one in counted if not one[0].void]
    whole = math.fsum(whole for _, _, whole in counted)
    return Figure(
        metric.title,
        _interval(metric, counted, level, resamples, seed),
        round(whole) if metric.unit != "episodes" else len(counted),
        metric.unit,
        voids,
        _interval(metric, valid, level, resamples, seed) if voids else None,
        metric.scale,
        metric.digits,
        tuple(_items(counted)),
        metric.better,
        most=metric.most,
        noun="tasks",
    )


def _values(metric: Metric, episodes: Iterable[Episode]) -> Iterator[tuple[Episode, float, float]]:
    """Episodes that the metric counts, each with its part and whole."""
    episodes = list(episodes)
    if metric.needs is not None and not any(metric.needs(episode) for episode in episodes):
        return
    for episode in episodes:
        if episode.void and metric.void == "left out":
            continue
        value = 0.0 if episode.void and metric.void == "zero" else episode_value(metric, episode)
        if value is not None:
            yield (episode, *(value if isinstance(value, tuple) else (float(value), 1.0)))


def episode_value(metric: Metric, episode: Episode) -> Value:
    """The value of one episode: a number, part and whole, or None.

    Raises:
        ConfigError: the metric failed, or gave something that is no value.
    """
    try:
        value: Any = metric.of(episode)
    except Exception as error:
        raise ConfigError(
            f"metric {metric.name!r} failed for episode {episode.key}: {type(error).__name__}: {error}"
        ) from error
    numbers = value if isinstance(value, tuple) else (value,)
    fits = len(numbers) == (2 if isinstance(value, tuple) else 1) and all(
        isinstance(number, (int, float)) for number in numbers
    )
    if value is None or fits:
        return value  # type: ignore[no-any-return]
    raise ConfigError(
        f"metric {metric.name!r} gave {value!r:.60} for episode {episode.key}: it gives a number, a tuple of part and "
        "whole, or None"
    )


def _interval(
    metric: Metric, counted: Sequence[tuple[Episode, float, float]], level: float, resamples: int, seed: int
) -> Interval | None:
    told = [one for one in counted if one[2]]
    if not told or any(math.isnan(part) or math.isnan(whole) for _, part, whole in told):
        return None
    wholes = np.array([whole for _, _, whole in told], dtype=float)
    values = np.array([part for _, part, _ in told], dtype=float) / wholes
    clusters = cluster([one.task for one, _, _ in told], [values_of(one.tags, "template") for one, _, _ in told])
    low = 0.0 if float(values.min()) >= 0 else -math.inf
    weights = wholes if float(np.ptp(wholes)) else None
    return mean_interval(values, clusters, (low, metric.most), level, resamples, seed, weights)


def _items(counted: Sequence[tuple[Episode, float, float]]) -> Iterator[Item]:
    """One for each instance of a task; its trials are summed."""
    cells: dict[tuple[str, int], list[tuple[Episode, float, float]]] = {}
    for one in counted:
        cells.setdefault((one[0].task, one[0].instance), []).append(one)
    for (task, instance), trials in cells.items():
        part, whole = math.fsum(part for _, part, _ in trials), math.fsum(whole for _, _, whole in trials)
        if not math.isnan(part):
            yield Item(f"{task}#{instance}", task, part, whole, values_of(trials[0][0].tags, "template"))
