"""What a kind of figure is, and where kinds are registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from omnipilot.agents import Registry
from omnipilot.bench.report.figures.records import FigureSpec
from omnipilot.bench.report.paper.values import ValueSettings
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """What a figure is asked to show.

    Attributes:
        runs: as for `omnipilot.bench.report.paper.sources.find_sources`.
        column: the figure of the benchmark that is shown; "" for the kind's own choice. by: tags of tasks.
        turns: budgets of turns. task: id of a task; instance, trial: of its episode, None for any.
        steps: numbers of steps, from 1; empty for the kind's own choice.
        settings: how numbers are computed.
    """

    runs: tuple[str, ...]
    column: str = ""
    by: tuple[str, ...] = ()
    turns: str = ""
    task: str = ""
    instance: int | None = None
    trial: int | None = None
    steps: tuple[int, ...] = ()
    settings: ValueSettings = field(default_factory=ValueSettings)


@dataclass(frozen=True, slots=True)
class RunFigure:
    """A figure of runs.

    Attributes:
        spec: what is drawn. data: the same numbers as CSV, unrounded. caption: what a reader must know, in sentences
            without a full stop.
    """

    spec: FigureSpec
    data: str
    caption: tuple[str, ...] = ()


Make: TypeAlias = Callable[[FigureRequest], RunFigure]
COMMON = ("runs", "settings")
"""What every kind takes."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure.

    Attributes:
        make: makes it. takes: which attributes of a `FigureRequest` it looks at, besides runs and settings.
    """

    make: Make
    takes: tuple[str, ...] = ()


def figure_kind(*takes: str) -> Callable[[Make], FigureKind]:
    """Makes a function from a `FigureRequest` to a `RunFigure` a kind of figure.

    Args:
        takes: as in `FigureKind`.

    Raises:
        ConfigError: a request has no such attribute.
    """
    known = [one.name for one in fields(FigureRequest) if one.name not in COMMON]
    if strange := set(takes) - set(known):
        raise ConfigError(f"a figure cannot take {', '.join(sorted(strange))}; it can take {', '.join(known)}")
    return lambda make: FigureKind(make, takes)


_OWN = "omnipilot.bench.report.figure_kinds"
FIGURES = Registry(
    "kind of figure",
    {
        "levels": f"{_OWN}.by_tag:levels",
        "radar": f"{_OWN}.by_tag:radar",
        "eqa": f"{_OWN}.eqa:eqa",
        "difficulty": f"{_OWN}.difficulty:difficulty",
        "termination": f"{_OWN}.termination:termination",
        "graph": f"{_OWN}.task_graph:graph",
        "strip": f"{_OWN}.strip:strip",
    },
    "figures",
    offers=FigureKind,
)


def make_figure(name: str, request: FigureRequest) -> RunFigure:
    """A figure of a kind.

    Args:
        name: of the kind, or "module:attribute".

    Raises:
        ConfigError: an unknown kind, with the nearest known ones; something is asked for that the kind does not take;
            or what the kind raises.
    """
    kind: Any = FIGURES.load(name)
    if not isinstance(kind, FigureKind):
        raise ConfigError(f"{name} is no kind of figure; make it one with the decorator figure_kind")
    plain = FigureRequest(())
    given = [one.name for one in fields(plain) if getattr(request, one.name) != getattr(plain, one.name)]
    if strange := [one for one in given if one not in (*COMMON, *kind.takes)]:
        takes = ", ".join(f"--{one}" for one in kind.takes) or "none of these"
        raise ConfigError(f"figure {name!r} takes no {', '.join(f'--{one}' for one in strange)}; it takes {takes}")
    return kind.make(request)
