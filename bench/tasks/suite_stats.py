"""The statistics of a suite's tasks, as papers print them of their data: apps, sub-goals, levels, words, scenarios.

CRAB's tables 3 to 5 (arXiv:2407.01511) count tasks by platform, judges and applications; OmniBench's table 1 and
appendix A.5 (arXiv:2506.08933) count subtasks, levels, words, scenarios and the share that needs a network.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from omnipilot.bench.tasks.complexity import Complexity, Grade, complexity_of
from omnipilot.bench.tasks.task import Suite, TaskInfo, values_of
from omnipilot.envs import ConfigError

SHOWN = 12
"""Most values of a tag that are listed by name."""
_WORD = re.compile(r"\{\w+\}|[^\W_]+(?:['’\-][^\W_]+)*")
_TAGS = ("split", "review", "level", "dimension", "capability", "scenario", "network", "app")


@dataclass(frozen=True, slots=True)
class FigureSpread:
    """A figure over tasks: mean, least and most."""

    mean: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> FigureSpread:
        """The spread of at least one value."""
        return cls(fmean(values), min(values), max(values))

    def words(self) -> str:
        """Such as "4.2 (1 to 11)"."""
        return f"{self.mean:.2f} ({self.least:g} to {self.most:g})"


@dataclass(frozen=True, slots=True)
class SuiteStats:
    """The statistics of some tasks.

    Attributes:
        tasks: how many. envs: tasks by the environments they need.
        apps: number of applications a task; None where no task names any. words: of descriptions.
        judges, edges, depth, width: of the graphs of sub-goals. total_judges: of all tasks together.
        grades: tasks by complexity and level. tags: tasks by the values of each tag that papers count, most first.
    """

    tasks: int
    envs: Mapping[str, int]
    apps: FigureSpread | None
    words: FigureSpread
    judges: FigureSpread
    edges: FigureSpread
    depth: FigureSpread
    width: FigureSpread
    total_judges: int
    grades: Mapping[str, Mapping[Grade, int]]
    tags: Mapping[str, Mapping[str, int]]


def stats_of(suite: Suite, infos: Sequence[TaskInfo]) -> SuiteStats:
    """The statistics of tasks of a suite, each at instance 0. Nothing is played, and no device is started.

    Args:
        infos: at least one, each of a split that the suite's options admit.

    Raises:
        ConfigError: there is no task, or one cannot be made.
    """
    if not infos:
        raise ConfigError("there is no task to count; check --where")
    figures = [_complexity(suite, info) for info in infos]
    apps = [len(set(values_of(info.tags, "app"))) for info in infos if info.tags.get("app")]
    return SuiteStats(
        len(infos),
        dict(Counter("+".join(sorted(info.envs)) for info in infos).most_common()),
        FigureSpread.of(apps) if apps else None,
        FigureSpread.of([count_words(info.description) for info in infos]),
        FigureSpread.of([one.instruction for one in figures]),
        FigureSpread.of([one.dependency for one in figures]),
        FigureSpread.of([one.hierarchy for one in figures]),
        FigureSpread.of([one.branch for one in figures]),
        sum(one.instruction for one in figures),
        _grades(infos, figures),
        {name: found for name in _TAGS if (found := _values(infos, name))},
    )


def count_words(text: str) -> int:
    """The words of a text; a {placeholder} is one."""
    return len(_WORD.findall(text))


def stats_lines(stats: SuiteStats) -> list[str]:
    """Statistics as lines for a terminal: a name and what there is of it."""
    rows = [
        ("tasks", str(stats.tasks)),
        ("devices", _shares(stats.envs, stats.tasks)),
        *([("apps a task", stats.apps.words())] if stats.apps else []),
        ("sub-goals a task", f"{stats.judges.words()}, {stats.total_judges} in all"),
        ("edges a task", stats.edges.words()),
        ("depth", stats.depth.words()),
        ("width", stats.width.words()),
        ("words a task", stats.words.words()),
        *((f"{name} complexity", _shares(found, stats.tasks)) for name, found in stats.grades.items()),
        *((name, _shares(found, stats.tasks)) for name, found in stats.tags.items()),
    ]
    width = max(len(name) for name, _ in rows)
    room = max(60, shutil.get_terminal_size((120, 24)).columns)
    lines = []
    for name, words in rows:
        lines += textwrap.wrap(
            words, room, initial_indent=f"{name.ljust(width)}  ", subsequent_indent=" " * (width + 2)
        )
    return lines


def _complexity(suite: Suite, info: TaskInfo) -> Complexity:
    return complexity_of(suite.instantiate(info.id, 0).graph, values_of(info.tags, "app") or ("",))


def _grades(infos: Sequence[TaskInfo], figures: Sequence[Complexity]) -> dict[str, dict[Grade, int]]:
    """By what a task says of itself, else by its graph; knowledge by the first alone, for apps are no categories."""
    found: dict[str, dict[Grade, int]] = {}
    for name in figures[0].grades():
        said = [info.tags.get(name, "") for info in infos]
        grades = [
            Grade(tag) if tag in set(Grade) else None if name == "knowledge" else figure.grades()[name]
            for tag, figure in zip(said, figures, strict=True)
        ]
        counts = Counter(grade for grade in grades if grade is not None)
        if counts:
            found[name] = {grade: counts[grade] for grade in Grade if counts[grade]}
    return found


def _values(infos: Sequence[TaskInfo], tag: str) -> dict[str, int]:
    return dict(Counter(value for info in infos for value in dict.fromkeys(values_of(info.tags, tag))).most_common())


def _shares(counts: Mapping[Grade, int] | Mapping[str, int], total: int) -> str:
    listed = list(counts.items())
    told = [f"{name} {count} ({100 * count / total:.1f} %)" for name, count in listed[:SHOWN]]
    return ", ".join(told) + (f", and {len(listed) - SHOWN} more" if len(listed) > SHOWN else "")
