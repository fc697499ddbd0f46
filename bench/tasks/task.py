"""The contract of suites and tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from omnipilot.agents import Limits
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.envs import Thinking, World
from omnipilot.memory import Move


@dataclass(frozen=True, slots=True)
class Task:
    """One task with its content fixed: a template at one `instance`.

    Attributes:
        id: of the task in its suite; the same for all instances.
        instance: seed of the content.
        setup: brings a world to the task's start and returns the instruction. It resets the world itself.
        graph: the judges; at the start none of them may be reached.
        solution: the moves of a demonstration, made once `setup` has run; None where the suite has none. Only the
            runner asks, and only for the planner `oracle`.
        limits: the task's own, where it has some, None for none of its own; what the run gives comes first.
        tags: categories to group and select by, such as level, app, dimension; a value with a plus is several.
        intent: why the user wants it.
    """

    id: str
    instance: int
    setup: Callable[[Any], str]
    graph: JudgeGraph
    solution: Callable[[Any], Sequence[Move]] | None = None
    limits: Limits | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    intent: str = ""


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """What `omnipilot list tasks` shows of a task. `seeded` is false where instances do not differ or do not repeat."""

    id: str
    description: str
    envs: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    seeded: bool = True
    intent: str = ""


@runtime_checkable
class ReportsBadRecords(Protocol):
    """A suite over data that keeps the records it could not read or use (`bad`). A suite that does not say has none."""

    @property
    def bad(self) -> Sequence[object]: ...


def values_of(tags: Mapping[str, str], name: str) -> tuple[str, ...]:
    """The values of a tag, separated by a plus; empty if the tag is missing."""
    return tuple(value for value in tags.get(name, "").split("+") if value)


class Suite(Protocol):
    """A benchmark: tasks and the worlds they run in.

    Attributes:
        name, version: part of a run's identity.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...

    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks, in the suite's order."""
        ...

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task at one instance.

        Raises:
            ConfigError: no such task; the message names the nearest.
        """
        ...

    def world(self, thinking: Thinking) -> World:
        """A world for any number of this suite's tasks, one after the other. The caller closes it.

        Raises:
            ConfigError: something that the suite needs is missing here, with the cure.
        """
        ...


@runtime_checkable
class Splits(Protocol):
    """A suite that holds some of its tasks back and can list all of them."""

    def every(self) -> Sequence[TaskInfo]:
        """The tasks of all splits, in the suite's order; each says in its tag `split` to which it belongs."""
        ...


def seed_of(*parts: object) -> int:
    """A 63-bit seed from any printable parts; equal on every machine, and unlike for unlike parts."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
