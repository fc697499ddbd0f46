"""OmniGUI's figures with their intervals, clustered by episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from omnipilot.bench.scoring.score import Better, Figure, Item
from omnipilot.bench.stats.intervals import RESAMPLES, Interval
from omnipilot.bench.stats.ratio import mean_of
from omnipilot.bench.suites.omnigui.metrics.reply import Variant
from omnipilot.bench.suites.omnigui.metrics.scores import EpisodeReport, StepScore, report
from omnipilot.bench.tables import Table

T = TypeVar("T")
DRAWS = 8_000_000
"""Clusters drawn for an interval of the headline: fewer resamples where the episodes are many and each tells less."""
_IN_TABLES = 1_000_000
_LEAST = 400


def figures(scores: Sequence[StepScore], variant: Variant) -> tuple[Figure, ...]:
    """EM and TM over steps, SR and GP over episodes, and the share of unreadable replies (excluding void ones)."""
    whole = _episodes(scores)
    valid = [one for one in scores if not one.step.void]
    sound = [steps for steps in whole if not any(one.step.void for one in steps)]
    reports = {id(steps): report(steps, variant) for steps in whole}

    def steps(name: str, flag: Callable[[StepScore], bool], better: Better = "higher") -> Figure:
        void = len(scores) - len(valid)
        return Figure(
            name,
            of_steps(scores, flag),
            len(scores),
            "steps",
            void,
            of_steps(valid, flag) if void else None,
            items=tuple(
                Item(f"{_name(one)}-{one.step.step}", _name(one), float(flag(one)), tags=_tags(one)) for one in scores
            ),
            better=better,
            noun="episodes",
        )

    def episodes(name: str, value: Callable[[EpisodeReport], float | None]) -> Figure:
        def of(some: Sequence[list[StepScore]]) -> Interval | None:
            values = [value(reports[id(one)]) or 0.0 for one in some]
            return _mean(values, [_name(one[0]) for one in some], DRAWS)

        void = len(whole) - len(sound)
        items = tuple(
            Item(_name(one[0]), _name(one[0]), value(reports[id(one)]) or 0.0, tags=_tags(one[0])) for one in whole
        )
        without = of(sound) if void else None
        return Figure(name, of(whole), len(whole), "episodes", void, without, items=items, noun="episodes")

    return (
        steps("EM", lambda one: one.exact_match),
        steps("TM", lambda one: one.type_match),
        episodes("SR", lambda told: told.success_rate),
        episodes("GP", lambda told: told.goal_progress),
        steps("format errors", unreadable, "lower"),
    )


def parts_of(
    title: str, scores: Sequence[StepScore], variant: Variant, label: Callable[[StepScore], str]
) -> tuple[Figure, ...]:
    """The figures of each label, as "EM level L1"; an episode whose steps have several counts under each."""
    return tuple(
        replace(one, name=f"{one.name} {title} {name or 'none'}")
        for name, part in sorted(_parts(scores, label).items())
        for one in figures(part, variant)
    )


def unreadable(one: StepScore) -> bool:
    """Whether there is a reply and it is unreadable."""
    return not one.readable and not one.step.void


def of_steps(scores: Sequence[StepScore], flag: Callable[[StepScore], bool], draws: int = DRAWS) -> Interval | None:
    """The share of steps with its interval; None without steps."""
    return _mean([float(flag(one)) for one in scores], [_name(one) for one in scores], draws)


def breakdown(title: str, scores: Sequence[StepScore], variant: Variant, label: Callable[[StepScore], str]) -> Table:
    """One row per label in the given order; an episode whose steps have several labels counts under each."""
    rows = []
    for name, part in sorted(_parts(scores, label).items()):
        told = report(part, variant)
        shares = [_percent(value) for value in (told.type_match, told.success_rate, told.goal_progress)]
        rows.append((name or "—", str(told.steps), str(told.episodes), _text(part), *shares, str(told.void)))
    return Table((title, "steps", "episodes", "EM %", "TM %", "SR %", "GP %", "void"), tuple(rows))


def by_primitive(scores: Sequence[StepScore]) -> Table:
    """One row per kind of step in the data, ordered by primitive number."""
    rows = []
    for action, part in sorted(_parts(scores, lambda one: one.step.action).items()):
        shares = [
            _percent(sum(one.type_match for one in part) / len(part)),
            _percent(sum(map(unreadable, part)) / len(part)),
        ]
        rows.append((action.name, str(len(part)), _text(part), *shares, str(sum(one.step.void for one in part))))
    return Table(("primitive", "steps", "EM %", "TM %", "format errors %", "void"), tuple(rows))


def _parts(scores: Sequence[StepScore], label: Callable[[StepScore], T]) -> dict[T, list[StepScore]]:
    parts: dict[T, list[StepScore]] = {}
    for one in scores:
        parts.setdefault(label(one), []).append(one)
    return parts


def _percent(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f}"


def _text(part: Sequence[StepScore]) -> str:
    interval = of_steps(part, lambda one: one.exact_match, _IN_TABLES)
    return "—" if interval is None else interval.text()


def _key(one: StepScore) -> tuple[str, str]:
    return one.step.subset, one.step.episode


def _tags(one: StepScore) -> tuple[tuple[str, str], ...]:
    step = one.step
    told = (("subset", step.subset), ("app", step.app), ("level", step.level), ("dimension", step.dimension))
    return tuple((name, value) for name, value in told if value)


def _name(one: StepScore) -> str:
    return "-".join(_key(one))


def _episodes(scores: Sequence[StepScore]) -> list[list[StepScore]]:
    return list(_parts(scores, _key).values())


def _mean(values: Sequence[float], clusters: Sequence[str], draws: int) -> Interval | None:
    if not values:
        return None
    resamples = max(_LEAST, min(RESAMPLES, draws // len(set(clusters))))
    return mean_of(values, clusters, "episodes", resamples=resamples)
