"""The contract of suites and tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from omnipilot.agents import Limits
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.envs import Modality, Thinking, World
from omnipilot.memory import Move
from omnipilot.memory.truth import NeededFact


@dataclass(frozen=True, slots=True)
class Prologue:
    """What was done before an episode: the suite plays it, the agent's memory takes it in, and nothing else does.

    No model is called for it, no limit counts it, and no judge sees it: the episode starts where it ends.

    Attributes:
        turns: number of its moves, one a turn.
        play: its moves, from the world as `setup` left it. Each is asked for when the one before has been executed, so
            that it may depend on what the world is then, and let things happen in it: a voice speaks, a price changes.
    """

    turns: int
    play: Callable[[Any], Iterator[Move]]


@dataclass(frozen=True, slots=True)
class Task:
    """One task with fixed content: a template at one `instance`.

    Attributes:
        id: of the task within its suite; the same for all instances.
        instance: seed of the content.
        setup: brings a world to the task's start and returns the instruction. It resets the world itself.
        graph: the judges; none may be satisfied at the start.
        solution: the moves of a demonstration, computed after `setup` and the prologue; None if the suite has none.
            Handed by the runner to planners that play solutions, and to no other part.
        limits: the task's own; None if it has none. The run's settings take precedence.
        tags: categories to group and select by, such as level, app, dimension; a plus sign separates several values.
        intent: why the user wants it.
        prologue: what was done before, which the agent may remember; None for nothing.
        facts: what must be known from then, asked for after the prologue has been played; None where nothing is said of
            it. Handed by the runner to the planner `from-memory`, and to no other part.
        judged: whether its judges can say whether it was solved; False for an instruction that only a person can judge.
    """

    id: str
    instance: int
    setup: Callable[[Any], str]
    graph: JudgeGraph
    solution: Callable[[Any], Sequence[Move]] | None = None
    limits: Limits | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    intent: str = ""
    prologue: Prologue | None = None
    facts: Callable[[], Sequence[NeededFact]] | None = None
    judged: bool = True


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A task as shown by `omnipilot list tasks`. `seeded` is false if instances do not differ or repeat."""

    id: str
    description: str
    envs: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    seeded: bool = True
    intent: str = ""


@runtime_checkable
class ReportsBadRecords(Protocol):
    """A suite over data that keeps the records it could not use (`bad`). Other suites have none."""

    @property
    def bad(self) -> Sequence[object]: ...


@runtime_checkable
class StatesModalities(Protocol):
    """A suite whose worlds have only some modalities. Those of other suites may have all."""

    @property
    def modalities(self) -> frozenset[Modality]: ...


@runtime_checkable
class StatesConditions(Protocol):
    """A suite whose worlds work otherwise, or not at all, where something is not installed on this machine."""

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:
        """What its worlds will find here that can change a run's results, by name. Nothing is started.

        Args:
            shown: the modalities that are granted to the agent.

        Raises:
            MissingExtra, ConfigError: what they cannot do without is not installed.
        """
        ...


@runtime_checkable
class RunsPrograms(Protocol):
    """A suite whose worlds run a program of this machine that others have in another version, such as a browser."""

    def programs(self) -> Mapping[str, str]:
        """The versions of these programs, by name, for the provenance of a run.

        Raises:
            MissingExtra, ConfigError: one is not installed.
        """
        ...


@runtime_checkable
class DeclaresSplit(Protocol):
    """A suite that tells tasks for development from those of the test. Only such a suite allows experience."""

    def split_of(self, task_id: str) -> str:
        """ "dev" or "test".

        Raises:
            ConfigError: no such task.
        """
        ...

    def templates_of(self, task_id: str) -> Collection[str]:
        """What a task is made from: tasks that share one of these are no independent tests of one another."""
        ...


def values_of(tags: Mapping[str, str], name: str) -> tuple[str, ...]:
    """The values of a tag, split at plus signs; empty if the tag is missing."""
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
            ConfigError: no such task; the message names the closest match.
        """
        ...

    def world(self, thinking: Thinking) -> World:
        """A world that can run any number of this suite's tasks in turn. The caller closes it.

        Raises:
            ConfigError: a requirement of the suite is missing; the message says how to get it.
        """
        ...


@runtime_checkable
class KnowsMachine(Protocol):
    """A suite that can say, before a world is made, what its world needs and does not find on this machine."""

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:
        """A message for each thing that is missing, with its cure; none where nothing is. Nothing is started.

        Args:
            tasks: ids of those that shall be played.
        """
        ...


@runtime_checkable
class Splits(Protocol):
    """A suite that holds out some of its tasks and can list all of them."""

    def every(self) -> Sequence[TaskInfo]:
        """The tasks of all splits, in the suite's order; the tag `split` names each task's split."""
        ...


def seed_of(*parts: object) -> int:
    """A 63-bit seed from any printable parts; the same on every machine, different for different parts."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
