"""Samples on the disk: one file for each instance, with all development tasks in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench import read_json_lines
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.tasks.filter import select
from omnipilot.bench.training.demonstrations import Sample, check_instance, check_number, demonstrate
from omnipilot.bench.training.readers import GOLD, watches
from omnipilot.bench.training.remembered import demonstrate_memory
from omnipilot.envs import ConfigError
from omnipilot.envs.types import read_text
from omnipilot.memory.store import write_atomically

Made = TypeVar("Made")
MEMORY = "duet-memory"
SUITES = ("duet", MEMORY)
"""Hand-written suites that planners are trained on."""
POOL = "pool"
TRAINABLE = (*SUITES, POOL)
"""Suites that planners are trained on."""
READERS_FILE = "readers.txt"
RARE = 3
"""Tasks that hang on motion are demonstrated in every third instance where nothing tells the small planner of it."""
UNPERCEIVED = frozenset({"melody-to-playlist-and-mail", "picture-filed"})
"""Tasks for which it would have to know a melody, or see what is in a picture."""


def training_suite(name: str) -> Duet | DuetMemory:
    """The development tasks of a suite that planners are trained on.

    Raises:
        ConfigError: none is trained on such a suite.
    """
    if name not in SUITES:
        raise ConfigError(describe_unknown("suite to train on", name, TRAINABLE))
    return Duet("dev") if name == "duet" else DuetMemory("dev")


def sample_files(folder: Path, suite: str) -> Path:
    """The folder of a suite's samples: for duet the folder itself, for another suite one in it."""
    return folder if suite == "duet" else folder / suite


def write_readers(folder: Path, readers: str) -> None:
    """Note what tells of sounds in the samples of a folder; where nothing is noted, it is `GOLD`.

    Raises:
        ConfigError: the folder has samples that are told by something else.
    """
    path = folder / READERS_FILE
    before = read_text(path).strip() if path.exists() else GOLD if any(folder.glob("*.jsonl")) else readers
    if before != readers:
        raise ConfigError(f"{folder} holds demonstrations told by {before}; choose another --out, or another --samples")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, f"{readers}\n".encode())


def tasks_of(suite: Duet | DuetMemory, instance: int, motion: bool = False) -> list[str]:
    """The development tasks that are demonstrated in an instance.

    Args:
        motion: whether what moves is told, so that tasks which hang on it are as common as all others.
    """
    if isinstance(suite, DuetMemory):
        return [info.id for info in suite.tasks()]
    return [
        info.id
        for info in suite.tasks()
        if instance % RARE == 0 or not (("motion" in info.tags["hangs_on"] and not motion) or info.id in UNPERCEIVED)
    ]


def write_lines(path: Path, samples: Sequence[Any]) -> None:
    """Write dataclasses as a file of JSON lines, which is there as a whole or not at all."""
    lines = "".join(json.dumps(asdict(sample), ensure_ascii=False) + "\n" for sample in samples)
    write_atomically(path, lines.encode())


def read_lines(path: Path, make: Callable[..., Made], cure: str) -> Iterator[Made]:
    """What the lines of a file are made into.

    Args:
        make: makes it from the fields of a line. cure: the command that writes such files.

    Raises:
        ConfigError: the file cannot be read, or a line is broken; the message names it.
    """
    cure = f"write it anew with `{cure}`"
    if not path.exists():
        raise ConfigError(f"there is no file {path}; {cure}")
    return read_json_lines(path, lambda values: make(**values), make.__name__.lstrip("_"), cure, whole=True)


def read_stored_screens(
    paths: Sequence[Path], make: Callable[..., Made], suite: str, cure: str
) -> list[tuple[Path, Made]]:
    """The screens of some files, each with the path of its picture; a screen has an `instance` and a `picture`.

    Raises:
        ConfigError: a file is broken, or has a screen of an instance that is kept for measuring.
    """
    found: list[tuple[Path, Any]] = [(path, one) for path in paths for one in read_lines(path, make, cure)]
    for _, screen in found:
        check_number(screen.instance, suite)
    return [(path.parent / screen.picture, screen) for path, screen in found]


def write_samples(
    folder: Path,
    instances: Sequence[int],
    said: Callable[[int, int], object] = lambda *_: None,
    suite_name: str = "duet",
    readers: str = GOLD,
) -> None:
    """Demonstrate the development tasks of some instances, a file each; files that are there already are kept.

    Args:
        said: called with each instance and its number of samples.
        suite_name: one of `SUITES`. readers: what tells of sounds and of what moves in duet, by name.

    Raises:
        ConfigError: an instance is kept for measuring.
    """
    folder.mkdir(parents=True, exist_ok=True)
    suite = training_suite(suite_name)
    motion = suite_name == "duet" and watches(readers)
    for instance in instances:
        path = folder / f"{instance:05d}.jsonl"
        if path.exists():
            continue
        tasks = tasks_of(suite, instance, motion)
        samples = [sample for task in tasks for sample in _demonstrate(suite, task, instance, readers)]
        write_lines(path, samples)
        said(instance, len(samples))


def _demonstrate(suite: Duet | DuetMemory, task: str, instance: int, readers: str) -> list[Sample]:
    if isinstance(suite, DuetMemory):
        return demonstrate_memory(suite, task, instance)
    return demonstrate(suite, task, instance, readers=readers)


def select_tasks(conditions: Sequence[str], suites: Sequence[str] = ("duet",)) -> frozenset[str]:
    """The development tasks that meet conditions such as `branch=easy`, by id; none if there are no conditions.

    Args:
        suites: of which.

    Raises:
        ConfigError: a condition that no task can meet, or no task meets all of them.
    """
    known = [info for name in suites for info in training_suite(name).tasks()]
    if not conditions:
        return frozenset()
    found = frozenset(info.id for info in select(known, conditions))
    if not found:
        raise ConfigError(
            f"no development task has {' and '.join(conditions)}; see `omnipilot list tasks --suite {suites[0]}`"
        )
    return found


def read_samples(paths: Sequence[Path], tasks: Collection[str] = ()) -> list[Sample]:
    """The samples of some files.

    Args:
        tasks: only samples of these; empty for all.

    Raises:
        ConfigError: a file has a sample of the test split, or of an instance that is kept for measuring.
    """
    checked: set[tuple[str, str, int]] = set()
    found = []
    for path in paths:
        for sample in read_lines(path, Sample, "omnipilot train examples"):
            if (sample.suite, sample.task, sample.instance) not in checked:
                check_instance(training_suite(sample.suite), sample.task, sample.instance)
                checked.add((sample.suite, sample.task, sample.instance))
            if not tasks or sample.task in tasks:
                found.append(sample)
    return found


def as_messages(sample: Sample) -> dict[str, Any]:
    """A sample as a conversation of the kind that trainers of chat models read."""
    return {
        "messages": [{"role": "user", "content": sample.prompt}, {"role": "assistant", "content": sample.reply}],
        "task": sample.task,
        "instance": sample.instance,
        "template": sample.template,
    }
