"""The formats in which a pool is exported, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.export.source import ExportSource
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is exported, and how.

    Attributes:
        sample: so many tasks, drawn at random; 0 for all. orders: topological orders of each that are played.
        cap: most orders that a task of OmniBench lists.
        family: syntax of targets (sft) or answers (grounding); "" for the format's own choice.
        intent: tell the intent. history: earlier turns that a sample shows with their screens.
        levels: only tasks with a subtask of one of these; empty for all.
        test: share of the templates that are kept for the test, 0 to 1.
        runs: run directories, for pairs. cost: c in reward = solved - c * steps / limit, 0 to 1.
        licence: that the card states. seed: of drawn tasks, orders and splits.
    """

    sample: int = 0
    orders: int = 2
    cap: int = 100
    family: str = ""
    intent: bool = False
    history: int = 2
    levels: tuple[str, ...] = ()
    test: float = 0.2
    runs: tuple[Path, ...] = ()
    cost: float = 0.5
    licence: str = "apache-2.0"
    seed: int = 0


Exporter: TypeAlias = Callable[[ExportSource, Path, ExportOptions], Sequence[str]]


def export_pool(pool: Path, to: str, out: Path, options: ExportOptions) -> Sequence[str]:
    """Write a pool in a format; returns what was written, in lines.

    Raises:
        ConfigError: no such format, `out` holds files already, or the pool lacks what the format needs.
    """
    if to not in FORMATS:
        raise ConfigError(describe_unknown("format", to, FORMATS))
    if out.is_dir() and any(out.iterdir()):
        raise ConfigError(f"{out} holds files already; name a new folder with --out")
    folder = PoolFolder(pool)
    source = ExportSource.open(folder, options.sample, options.orders, options.seed, options.levels)
    return FORMATS[to](source, out, options)


def _omnibench(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:
    from omnipilot.bench.suites.pool.export.omnibench import export_omnibench

    made = export_omnibench(source, out, options.cap)
    return [
        f"{made.subtasks} subtasks, {made.tasks} tasks in {out}",
        f"{made.subtask_trajectories} trajectories of subtasks, {made.task_trajectories} of tasks",
        *(f"left out, since its demonstration does not solve it: {id}" for id in made.unsolved),
        *(f"bad: {bad}" for bad in made.bad),
    ]


FORMATS: Mapping[str, Exporter] = {"omnibench": _omnibench}
"""Formats of `omnipilot synth export`, by name."""
