"""The figures of a run in a table: over all tasks, over those with a value of a tag, and their differences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.part_names import is_object, split_value
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.pointing_directory import ANSWERS, read_spec
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.pointing.data import DataPointing
from omnipilot.bench.pointing.run import read_answers
from omnipilot.bench.registry import POINTING
from omnipilot.bench.report.paper.row_names import screen_in
from omnipilot.bench.report.paper.sources import TableSource
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.scoring.efficiency import NAMES as EFFICIENCY
from omnipilot.bench.scoring.efficiency import efficiency, efficiency_difference, has_eqa
from omnipilot.bench.scoring.figure_difference import figure_difference
from omnipilot.bench.scoring.figure_parts import figure_among
from omnipilot.bench.scoring.metrics import METRICS, USUAL, load_metric, metric_figure
from omnipilot.bench.scoring.run_figures import benchmark_of, figure_names, figures_named, run_figures, scored_run
from omnipilot.bench.scoring.score import Better, Figure, Item, PrintedRows, Scored
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.paired import Difference
from omnipilot.bench.tasks.scope import SCOPES, scope_words
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

Part: TypeAlias = tuple[tuple[str, str], ...]
"""Tags with a value each; () for all tasks."""
DEVICE, TASK, SCOPE = "device", "task", "scope"
"""What tasks can be told apart by, besides their tags."""
HIT = "hit"
"""The share of instructions at which a grounder pointed right: the figure of every run of `omnipilot ground`."""
OF_A_BUDGET = ("sr", "eqa", "eq1", "eq2", "solved", "turns")
"""Figures that are known of an episode that is cut at a budget."""
_TARGET_TAGS = ("platform", "mode", "kind", "ui_type", "app", "theme", "group", "style", "distractor")


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """How figures are computed.

    Attributes:
        variant: whose rules of a benchmark; None for its first. level: of intervals. resamples, seed: of bootstraps.
    """

    variant: str | None = None
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TableValue:
    """A figure of a run over a part of its tasks, with what its difference is computed from.

    Attributes:
        episodes: that it is about, where it is EQA or one that comes from it; these have no items.
    """

    figure: Figure
    episodes: tuple[Episode, ...] = field(default=(), repr=False)


def usual_names(source: TableSource, settings: ValueSettings) -> list[str]:
    """The names of the figures that are shown where none are chosen: those of the benchmark, or the usual metrics."""
    if source.cut:
        return ["sr", "eqa"] if source.run is not None and has_eqa(source.run.episodes) else ["sr"]
    if not _benchmark(source) and source.run is not None:
        return [name for name in USUAL if name != "solved"]
    if not _benchmark(source):
        return [HIT]
    return [one.short or one.name for one in scored_run(source.folder, _benchmark(source), settings.variant).figures]


def expand(source: TableSource, name: str, settings: ValueSettings) -> list[str]:
    """The names that a pattern with a * fits, such as "windows *"; the name itself if it is none.

    Raises:
        ConfigError: nothing fits.
    """
    if "*" not in name:
        return [name]
    run: Any = source.folder if source.run is None else source.run
    return [one.short or one.name for one in run_figures(run, [name], settings.variant)]


def value_of(source: TableSource, name: str, part: Part, settings: ValueSettings) -> TableValue | None:
    """A figure of a run over a part of its tasks; None where the run has none such.

    Raises:
        ConfigError: the run has no figure of this name; the message names the nearest.
    """
    plain = name.casefold()
    if source.cut and plain not in OF_A_BUDGET:
        raise ConfigError(
            f"{name} is of whole episodes, not of a budget of turns; with --turns choose from {', '.join(OF_A_BUDGET)}"
        )
    own = _scored(source, settings)
    of_benchmark = own is not None and bool(figures_named(own, name))
    if source.run is not None and not of_benchmark and plain.upper() in EFFICIENCY:
        return _efficiency(episodes_among(source, part), plain.upper(), settings)
    if source.run is None and plain == HIT and not of_benchmark:
        return _among(_hits(source), source, part, settings)
    if part and source.run is not None and not of_benchmark and (split_value(name) is None or is_object(name)):
        if not is_object(name) and plain not in (one.casefold() for one in METRICS.names()):
            raise ConfigError(
                describe_unknown("figure", name, [*figure_names(own), *METRICS.names(), *map(str.lower, EFFICIENCY)])
            )
        metric = load_metric(name, settings.variant or "paper")
        some = episodes_among(source, part)
        if not some:
            return None
        return TableValue(metric_figure(metric, some, settings.level, settings.resamples, settings.seed))
    run: Any = source.folder if source.run is None else source.run
    if source.cut:
        run = replace(run, folder=None)
    found = run_figures(run, [name], settings.variant, settings.level, settings.resamples, settings.seed)[0]
    if part and not found.items:
        return _named_part(run, name, part, settings)
    return _among(found, source, part, settings)


def _named_part(run: Run | Path, name: str, part: Part, settings: ValueSettings) -> TableValue | None:
    """A figure of a part that the benchmark itself gives, such as "EQA@15 linux"; None if it gives none."""
    wanted = " ".join([name, *(value for _, value in part)])
    try:
        found = run_figures(run, [wanted], settings.variant, settings.level, settings.resamples, settings.seed)
    except ConfigError:
        return None
    return TableValue(found[0])


def difference_of(a: TableValue, b: TableValue, name: str, settings: ValueSettings) -> Difference | None:
    """B - A over what both have; None where they have nothing in common or it cannot be paired."""
    if not (a.episodes or b.episodes):
        return figure_difference(a.figure, b.figure, settings.level, resamples=settings.resamples, seed=settings.seed)
    both = {(one.task, one.instance) for one in a.episodes} & {(one.task, one.instance) for one in b.episodes}
    ours, theirs = ([one for one in side.episodes if (one.task, one.instance) in both] for side in (a, b))
    if not both:
        return None
    return efficiency_difference(
        ours, theirs, name.upper(), settings.level, settings.resamples, settings.seed, test=True
    )


def values_of_tag(sources: Sequence[TableSource], tag: str) -> list[str]:
    """The values of a tag that tasks of these runs have, numbers and grades in their order.

    Raises:
        ConfigError: no task has that tag; the message names the nearest.
    """
    found: dict[str, None] = {}
    known: set[str] = set()
    for source in sources:
        if source.run is not None:
            for episode in sorted(source.run.episodes, key=lambda one: _natural(one.task)):
                found.update(dict.fromkeys(_episode_values(episode, tag)))
                known.update(episode.tags)
        else:
            for tags in _targets_at(source.folder).values():
                found.update(dict.fromkeys(values_of(tags, tag)))
                known.update(tags)
    if not found:
        more = [DEVICE, TASK, SCOPE] if any(source.run is not None for source in sources) else []
        raise ConfigError(describe_unknown("tag of these tasks", tag, [*sorted(known - {"template"}), *more]))
    # Numbers and grades in their order, other values as the tasks have them.
    places = {value: place for value in found if (place := _order(value)) is not None}
    return sorted(found, key=places.__getitem__) if len(places) == len(found) else list(found)


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A key by which "task 10" comes after "task 9"."""
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", text)]


_GRADES = {
    word: place
    for words in (
        ("basic", "advanced"),
        ("easy", "medium", "hard"),
        ("low", "middle", "high"),
        ("short", "long"),
        ("one", "several"),
        SCOPES,
    )
    for place, word in enumerate(words)
}


def _order(value: str) -> float | None:
    """The place of a number, of a grade such as "easy", or of one with a number such as "L2"; None for another word."""
    digits = re.fullmatch(r"[^\W\d]?([\d,]+(?:\.\d+)?)", value)
    return float(digits[1].replace(",", "")) if digits else _GRADES.get(value.casefold())


def _benchmark(source: TableSource) -> str:
    return benchmark_of(source.folder if source.run is None else source.run)


def _scored(source: TableSource, settings: ValueSettings) -> Scored | None:
    """The run by the rules of its benchmark; None where it has none, or its episodes are cut at a budget."""
    name = _benchmark(source)
    return None if not name or source.cut else scored_run(source.folder, name, settings.variant)


def printed_beside(source: TableSource, settings: ValueSettings) -> PrintedRows | None:
    """The rows of its paper that a run may stand beside; None where there are none."""
    own = _scored(source, settings)
    return None if own is None else own.printed


def _efficiency(episodes: Sequence[Episode], name: str, settings: ValueSettings) -> TableValue | None:
    if not has_eqa(episodes):
        return None
    found = efficiency(episodes, settings.level, settings.resamples, settings.seed)
    assert found is not None
    void = sum(one.void for one in episodes)
    scale, digits = (1.0, 2) if name == "EQ1" else (100.0, 1)
    better: Better = "lower" if name == "EQ2" else "higher"
    figure = Figure(
        name, found.figure(name), len(episodes), "episodes", void, None, scale, digits, better=better, noun="tasks"
    )
    return TableValue(figure, tuple(episodes))


def episodes_among(source: TableSource, part: Part) -> list[Episode]:
    assert source.run is not None
    return [one for one in source.run.episodes if all(value in _episode_values(one, tag) for tag, value in part)]


def _episode_values(episode: Episode, tag: str) -> tuple[str, ...]:
    if tag == TASK:
        return (episode.task,)
    if tag == DEVICE:
        return (" + ".join(episode.envs),) if episode.envs else ()
    if tag == SCOPE and SCOPE not in episode.tags:
        known = scope_words(episode.tags, episode.envs)
        return (known,) if known else ()
    return values_of(episode.tags, tag)


def _among(figure: Figure, source: TableSource, part: Part, settings: ValueSettings) -> TableValue | None:
    """A figure over the items of a part; None where its items are not told apart so."""
    if not part:
        return TableValue(figure)
    if not figure.items:
        return None
    values = _item_values(source)
    found = figure_among(
        figure,
        lambda item: all(value in values(item, tag) for tag, value in part),
        settings.level,
        settings.resamples,
        settings.seed,
    )
    return TableValue(found) if found.items else None


def _item_values(source: TableSource) -> Callable[[Item, str], tuple[str, ...]]:
    """The values of a tag that an item has: those of its task, or of its target."""
    if source.run is None:
        targets = _targets_at(source.folder)
        return lambda item, tag: values_of(targets.get(item.key, {}), tag)
    by_task = {episode.task: episode for episode in source.run.episodes}

    def of_task(item: Item, tag: str) -> tuple[str, ...]:
        if item.tags:
            return values_of(dict(item.tags), tag)
        for name in (item.key, item.key.partition("#")[0], item.cluster):
            if name in by_task:
                return _episode_values(by_task[name], tag)
        return ()

    return of_task


def _hits(source: TableSource) -> Figure:
    """The share of instructions at which the grounder pointed right; screens are resampled whole."""
    answers = list(read_answers(source.folder / ANSWERS))
    screens = {target: tags.get("screen", "") for target, tags in _targets_at(source.folder).items()}
    items = tuple(
        Item(f"{one.target} {one.style}", screens[one.target] or screen_in(one.target), float(one.hit))
        for one in answers
    )
    whole = Figure("hit", None, len(items), "instructions", items=items, noun="screens")
    return figure_among(whole, lambda _: True)


@lru_cache(maxsize=64)
def _targets_at(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """The tags of each target of a run of `omnipilot ground`, by its id and by that with the style of instruction."""
    told: dict[str, dict[str, str]] = {}
    for answer in read_answers(folder / ANSWERS):
        tags = {name: str(value) for name in _TARGET_TAGS if (value := getattr(answer, name, "")) not in ("", None)}
        told[answer.target] = told[f"{answer.target} {answer.style}"] = tags
    known = _suite_tags(read_spec(folder))
    return {key: {**tags, **known.get(key.rpartition(" ")[0], {}), **known.get(key, {})} for key, tags in told.items()}


def _suite_tags(pointed: Mapping[str, Any]) -> Mapping[str, dict[str, str]]:
    """What a benchmark's records say of its targets, such as the platform."""
    spec = dict(pointed.get("suite", {}))
    name = str(spec.pop("name", ""))
    spec.pop("version", None)
    if name not in BENCHMARKS.names() or name not in POINTING.names():
        return {}
    data = pointed.get("data")
    suite = POINTING.make(PartSpec(name, {**spec, **({"data": data} if data else {})}))
    if not isinstance(suite, DataPointing):
        return {}
    return {
        spot.target.id: {"screen": spot.screen.name}
        | {tag: str(value) for tag in _TARGET_TAGS if (value := getattr(spot, tag, "")) not in ("", None)}
        for spot in suite.spots
    }
