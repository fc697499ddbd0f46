"""The formats in which a pool is exported, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.suites.pool.export.options import ExportOptions
from omnipilot.bench.suites.pool.export.source import ExportSource
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.envs import ConfigError

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


def _sft(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:
    from omnipilot.bench.suites.pool.export.training_data import export_sft

    return export_sft(source, out, options)


def _grounding(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:
    from omnipilot.bench.suites.pool.export.training_data import export_grounding

    return export_grounding(source, out, options)


def _pairs(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:
    from omnipilot.bench.suites.pool.export.training_data import export_pairs

    return export_pairs(source, out, options)


def _omnigui(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:  # noqa: ARG001
    from omnipilot.bench.suites.pool.export.omnigui import export_omnigui

    made = export_omnigui(source, out)
    return [
        f"{made.episodes} episodes with {made.steps} steps in {out}",
        *(f"left out: {count} {reason}" for reason, count in made.left_out.most_common()),
        *(f"bad: {bad}" for bad in made.bad),
    ]


def _crab(source: ExportSource, out: Path, options: ExportOptions) -> Sequence[str]:  # noqa: ARG001
    from omnipilot.bench.suites.pool.export.crab import export_crab

    made = export_crab(source, out)
    return [
        f"{made.tasks} tasks in {out}, all of them drafts",
        *(f"left out: {count} {reason}" for reason, count in made.left_out.most_common()),
        *(f"bad: {bad}" for bad in made.bad),
    ]


FORMATS: Mapping[str, Exporter] = {
    "omnibench": _omnibench,
    "crab": _crab,
    "omnigui": _omnigui,
    "sft": _sft,
    "grounding": _grounding,
    "pairs": _pairs,
}
"""Formats of `omnipilot synth export`, by name."""
