"""Samples of a pool on the disk: a file for each instance, beside it what could not be demonstrated, and one record of
what all of them are made of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random

from omnipilot.bench.training.data import read_lines, write_lines
from omnipilot.bench.training.demonstrations import FIRST_INSTANCE, Sample, check_number
from omnipilot.bench.training.pool_tasks.allowed import PoolRecord
from omnipilot.bench.training.pool_tasks.demonstrations import demonstrate_pool
from omnipilot.bench.training.pool_tasks.lessons import PoolLessons
from omnipilot.bench.training.readers import GOLD
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory.store import write_atomically

RECORD = "allowed.json"
TASKS_AN_INSTANCE = 40
"""Tasks that are demonstrated in an instance: as many as duet has for development. The next one goes on with others,
and when all had their turn, they are demonstrated on other content."""


@dataclass(frozen=True, slots=True)
class InstanceCount:
    """What an instance came to.

    Attributes:
        tasks: that were tried. why: why tasks gave no samples, with their number. unshown: steps that are left out of
            the samples, by reason.
    """

    tasks: int
    steps: int
    why: dict[str, int]
    unshown: dict[str, int]


def write_record(folder: Path, record: PoolRecord) -> None:
    """Note what the samples of a folder are made of, and where the pool lies now.

    Raises:
        ConfigError: the folder has samples of something else.
    """
    path = folder / RECORD
    if path.exists() and (before := _record(path)) != record:
        if before.version != record.version:
            other = f"another pool: version {before.version}, and {record.pool} has version {record.version}"
        else:
            other = "other tasks of this pool, or with other --intents or --with-test-effects"
        raise ConfigError(f"{folder} holds demonstrations of {other}; choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(asdict(record), indent=1) + "\n").encode())


def write_pool_samples(folder: Path, instances: Sequence[int], readers: str = GOLD) -> None:
    """Demonstrate the tasks of some instances, a file each; files that are there already are kept.

    Args:
        folder: with a record, see `write_record`. readers: what tells of sounds and of what moves, by name.

    Raises:
        ConfigError: an instance is kept for measuring, or the folder has no record.
    """
    record = _record(folder / RECORD)
    lessons = _lessons(record.pool, record.intents)
    for instance in instances:
        check_number(instance, "the pool")
        path = folder / f"{instance:05d}.jsonl"
        if path.exists():
            continue
        samples: list[Sample] = []
        why, unshown = Counter[str](), Counter[str]()
        tasks = tasks_of_instance(record.tasks, instance)
        for task in tasks:
            found = demonstrate_pool(lessons, task, instance, readers=readers)
            samples += found.samples
            unshown.update(found.unshown)
            if found.why:
                why[found.why] += 1
        told = InstanceCount(len(tasks), len(samples), dict(why), dict(unshown))
        write_atomically(_told_path(path), json.dumps(asdict(told)).encode())
        write_lines(path, samples)


def tasks_of_instance(tasks: Sequence[str], instance: int) -> list[str]:
    """The tasks that are demonstrated in an instance, each task as often as any other over many of them."""
    ordered = sorted(tasks)
    Random(0).shuffle(ordered)
    first = (instance - FIRST_INSTANCE) * TASKS_AN_INSTANCE
    count = min(TASKS_AN_INSTANCE, len(ordered))
    return [ordered[(first + at) % len(ordered)] for at in range(count)]


def describe_samples(paths: Iterable[Path]) -> list[str]:
    """Lines that say how many tasks of some files were demonstrated, and why others and some steps were not."""
    tasks = steps = 0
    why, unshown = Counter[str](), Counter[str]()
    for path in paths:
        told = InstanceCount(**parse_json(read_text(_told_path(path))))
        tasks, steps = tasks + told.tasks, steps + told.steps
        why.update(told.why)
        unshown.update(told.unshown)
    shown = tasks - sum(why.values())
    return [
        f"pool: {steps} steps of {shown} instances of {tasks} that were tried",
        *(f"  {count} instances: {reason}" for reason, count in why.most_common()),
        *(f"  {count} steps left out: {reason}" for reason, count in unshown.most_common()),
    ]


def read_pool_samples(paths: Sequence[Path]) -> list[Sample]:
    """The samples of some files of a pool.

    Raises:
        ConfigError: a file has a sample of a task that is not among those that may be trained on, or of an instance
            that is kept for measuring; or there is no record beside it.
    """
    found = []
    for path in paths:
        allowed = frozenset(_record(path.parent / RECORD).tasks)
        for sample in read_lines(path, Sample, "omnipilot train planner --suite pool"):
            check_number(sample.instance, sample.task)
            if sample.suite != "pool" or sample.task not in allowed:
                raise ConfigError(f"{path}: {sample.task} is none of the pool's tasks that may be trained on")
            found.append(sample)
    return found


def _told_path(path: Path) -> Path:
    return path.with_suffix(".told.json")


@cache
def _lessons(pool: str, intents: bool) -> PoolLessons:
    return PoolLessons(Path(pool), intents)


def _record(path: Path) -> PoolRecord:
    try:
        told = parse_json(read_text(path))
        return PoolRecord(**{**told, "tasks": tuple(map(str, told["tasks"]))})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ConfigError(f"{path} is no record of a pool ({error!r}); choose another --out") from None
