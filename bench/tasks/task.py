"""The contract of suites and tasks."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from omnipilot.agents import Limits
from omnipilot.bench.finding import Finding
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.bench.tasks.user_facts import UserFacts
from omnipilot.envs import ConfigError, Modality, Thinking, World
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Move, NeededFact

if TYPE_CHECKING:
    from omnipilot.bench.tasks.review import Review
    from omnipilot.memory.examples import Example


class TaskVoid(ConfigError):
    """This world cannot hold this task, such as one for an application that is not installed; others may be fine.

    Raised by `Task.setup`. The attempt is void, the world stays, and the run goes on with the next task. The message
    says what is missing.
    """


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
        setup: brings a world to the task's start and returns the instruction. It resets the world itself, and raises
            `TaskVoid` if this world cannot hold the task.
        graph: the judges; none may be satisfied at the start.
        solution: the moves of a demonstration, computed after `setup` and the prologue; None if the suite has none.
            Handed by the runner to planners that play solutions, and to no other part.
        limits: the task's own; None if it has none. The run's settings take precedence.
        tags: categories to group and select by, such as level, app, dimension; a plus sign separates several values.
        intent: why the user wants it.
        prologue: what was done before, which the agent may remember; None for nothing.
        facts: what must be known from then, asked for after the prologue has been played; None where nothing is said of
            it. Handed by the runner to the planner `from-memory`, and to no other part.
        user: what its user knows and tells only when asked; None for a task whose user is not there to be asked. Handed
            by the runner to the user of the run (`--user`), and to no other part.
        judged: whether its judges can say whether it was solved; False for an instruction that only a person can judge.
        low: its instruction with every step in words, where the one that `setup` returns says only what is to be
            achieved; "" where there is no other. Only an experiment tells it to an agent.
        rest: the moves that finish it from a state in which sub-goals are reached, given their names; None where there
            is only the demonstration from the start. Handed out as `solution` is.
        harms: judges of what must not come about, such as what an instruction that was planted in the world asks for;
            they count neither as sub-goals nor against success, and are recorded beside it. Each is asked after every
            step, and one that was ever reached has come about.
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
    user: UserFacts | None = None
    rest: Callable[[Any, Collection[str]], Sequence[Move]] | None = None
    low: str = ""
    harms: tuple[Judge, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A task as shown by `omnipilot list tasks`. `seeded` is false if instances do not differ or repeat."""

    id: str
    description: str
    envs: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    seeded: bool = True
    intent: str = ""


def values_of(tags: Mapping[str, str], name: str) -> tuple[str, ...]:
    """The values of a tag, split at plus signs; empty if the tag is missing."""
    return tuple(value for value in tags.get(name, "").split("+") if value)


class Suite(ABC):
    """A benchmark: tasks and the worlds they run in.

    A suite has `name`, `version`, `tasks`, `instantiate` and `world`. Everything else is optional: the bodies here are
    those of a suite that needs nothing of the machine, uses every record of its data, and holds out no task.

    Attributes:
        name, version: part of a run's identity.
        modalities: those that its worlds can have.
        bad: records of its data that it could not use.
        reviews: what people found about its tasks, by task; see `omnipilot.bench.tasks.review`.
        variations: ways in which it can vary its tasks (`--vary`), by name, with what each changes in a few words; none
            of a suite that cannot. One that lists any has the method `vary`.
        declares_split: whether it tells tasks for development from those of the test (`split_of`, `templates_of`). Only
            such a suite allows experience.
        embedded: whether its worlds are in this process and the same each time, and touch no device, program, file or
            host: what a stranger sent may be played in them.
    """

    modalities: frozenset[Modality] = ALL_MODALITIES
    bad: Sequence[object] = ()
    reviews: Mapping[str, Review] = MappingProxyType({})
    variations: Mapping[str, str] = MappingProxyType({})
    declares_split: ClassVar[bool] = False
    embedded: ClassVar[bool] = False

    if TYPE_CHECKING:
        # Not so when it runs: a suite may compute them, or have them as attributes.
        @property
        @abstractmethod
        def name(self) -> str: ...
        @property
        @abstractmethod
        def version(self) -> str: ...

    @abstractmethod
    def tasks(self) -> Sequence[TaskInfo]:
        """All tasks, in the suite's order."""

    @abstractmethod
    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task at one instance.

        Raises:
            ConfigError: no such task; the message names the closest match.
        """

    @abstractmethod
    def world(self, thinking: Thinking) -> World:
        """A world that can run any number of this suite's tasks in turn. The caller closes it.

        Raises:
            ConfigError: a requirement of the suite is missing; the message says how to get it.
        """

    def preload(self) -> None:
        """Import, read and make once what every world of this process needs. Workers are forked from a process that has
        done so: no thread begins, no program is started and no device is touched."""
        return

    def resources(self) -> Mapping[str, float]:
        """What one of its worlds needs of a cluster's machine, by the cluster's names: {"vm": 1}; "CPU" and "GPU" are
        processors. A worker holds them for as long as it lives, and plays one episode at a time."""
        return {}

    def vary(self, names: Sequence[str]) -> Suite:
        """The suite with its tasks varied: the same ids, instances and judges, on screens and in words that differ.

        Args:
            names: of its `variations`, sorted, each once, at least one.

        Raises:
            ConfigError: these cannot be combined.
        """
        raise ConfigError(f"suite {self.name!r} cannot vary its tasks by {', '.join(names)}; leave out --vary")

    def every(self) -> Sequence[TaskInfo]:
        """The tasks of all splits, those that it holds out too, in the suite's order; the tag `split` names each task's
        split."""
        return self.tasks()

    def split_of(self, task_id: str) -> str:  # noqa: ARG002
        """ "dev" or "test"; "" of a suite that declares no split.

        Raises:
            ConfigError: no such task.
        """
        return ""

    def templates_of(self, task_id: str) -> Collection[str]:  # noqa: ARG002
        """What a task is made from: tasks that share one of these are no independent tests of one another."""
        return ()

    def examples(self) -> Sequence[Example]:
        """Solved tasks of its training split, which an agent may be shown (`--examples`): none of them is a task of the
        test, and each names as its templates what it is made from and the screen that it is on.

        Raises:
            ConfigError: it has none to show, or forbids it; the message says why.
        """
        raise ConfigError(
            f"suite {self.name!r} has no training split whose solved tasks could be shown as examples; leave out "
            "--examples" + (", or give runs of its tasks for development with --experience" * self.declares_split)
        )

    def screen_of(self, task_id: str) -> str:  # noqa: ARG002
        """The screen that a task is on, by the name that its examples have it by; "" where every task has its own."""
        return ""

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:  # noqa: ARG002
        """What its worlds will find on this machine that can change a run's results, by name. Nothing is started.

        Args:
            shown: the modalities that are granted to the agent.

        Raises:
            MissingExtra, ConfigError: what they cannot do without is not installed.
        """
        return {}

    def programs(self) -> Mapping[str, str]:
        """The versions of the programs of this machine that its worlds run, such as a browser, by name, for the
        provenance of a run.

        Raises:
            MissingExtra, ConfigError: one is not installed.
        """
        return {}

    def lacking(self, tasks: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """A message for each thing that its world needs and does not find on this machine, with its cure; none where
        nothing is missing. Nothing is started.

        Args:
            tasks: ids of those that shall be played.
        """
        return ()

    def findings(self) -> Sequence[Finding]:
        """What its world has and lacks, for `omnipilot doctor --suite`; the world may be started for it.

        Raises:
            ConfigError, EnvLost: the world cannot be started.
        """
        return [Finding("missing", told, "", "see there") for told in self.lacking([one.id for one in self.tasks()])]


def seed_of(*parts: object) -> int:
    """A 63-bit seed from any printable parts; the same on every machine, different for different parts."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
