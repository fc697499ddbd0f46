"""Demonstrations of a pool's tasks for the small planner, and what of them could not be demonstrated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT
from omnipilot.bench.suites.pool.subtasks.items import describe_item, find_item
from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
from omnipilot.bench.synthesis.compose import Composition, Resource
from omnipilot.bench.tasks.task import Task
from omnipilot.bench.training.demonstrations import Demonstration, Sample, check_number
from omnipilot.bench.training.pool_tasks.lessons import NotTold, PoolLesson, PoolLessons
from omnipilot.bench.training.readers import GOLD
from omnipilot.envs import ActionRejected, NotFound
from omnipilot.envs.sim.state.account import Account
from omnipilot.planners.mini.references import values_in
from omnipilot.planners.mini.session import MiniPrompt

SLIPS = 0.05
MOST_SPELT = 6
"""Words of a value that are spelt out when it is kept, where no number of the prompt stands for them."""
BROKEN = (NotFound, ActionRejected, StopIteration, *NO_CONTENT)
"""How a demonstration ends where the world is not as it expects it."""
_KINDS = (
    (re.compile(r"to be kept$"), "a value to be kept is not shown"),
    (re.compile(r"^Ref\(.*is not shown$"), "an element is not shown"),
    (re.compile(r"is not shown$"), "a text to be typed is not shown"),
    (re.compile(r"cannot be said$"), "a move has no reply"),
    (re.compile(r"fails$"), "a move fails"),
)


@dataclass(frozen=True, slots=True)
class PoolSamples:
    """What came of one instance.

    Attributes:
        why: why there are no samples; "" if there are. unshown: steps that are left out of the samples, by reason.
        details: the same steps, in the demonstration's words.
    """

    samples: tuple[Sample, ...] = ()
    why: str = ""
    unshown: Mapping[str, int] = field(default_factory=dict)
    details: tuple[str, ...] = ()


def demonstrate_pool(
    lessons: PoolLessons, task: str, instance: int, slips: float = SLIPS, readers: str = GOLD
) -> PoolSamples:
    """The samples of one instance of a pool's task.

    Args:
        slips: probability of a slip before each move. readers: what tells of sounds and of what moves, by name.

    Raises:
        ConfigError: the instance is kept for measuring, or the pool has no such task.
    """
    check_number(instance, task)
    try:
        lesson = lessons.lesson(task, instance)
    except NotTold as error:
        return PoolSamples(why=str(error))
    try:
        demonstration = PoolDemonstration(lesson, slips, readers)
        samples = demonstration.play()
    except BROKEN as error:
        return PoolSamples(why="the demonstration breaks off", details=(f"{type(error).__name__}: {error}",))
    unshown, details = Counter(map(kind_of, demonstration.unshown)), tuple(demonstration.unshown)
    if not samples:
        missing = (f"not reached: {name}" for name in demonstration.trial.missing)
        return PoolSamples((), "the demonstration does not solve it", unshown, (*details, *missing))
    return PoolSamples(tuple(samples), "", unshown, details)


def kind_of(unshown: str) -> str:
    """Why a step could not be demonstrated, without what it is about."""
    text = unshown.partition(": ")[2] or unshown
    return next((kind for pattern, kind in _KINDS if pattern.search(text)), "otherwise")


class PoolDemonstration(Demonstration):
    """One instance of a pool's task, demonstrated in the order of its lesson."""

    def __init__(self, lesson: PoolLesson, slips: float, readers: str = GOLD) -> None:
        self.lesson = lesson
        super().__init__(_OneLesson(lesson), lesson.graph.id, lesson.instance, slips, readers)
        self.session.intent = lesson.intent

    def _course(self) -> list[tuple[int, int]]:
        return list(zip(self.lesson.order, self.lesson.counts, strict=True))

    def _value_of(self, output: Resource) -> str:
        """The name of an item, as screens show it, where the value is its id or key; else the value."""
        return name_of_item(output, (self.world.state().account, self.composed.state.account))

    def _may_be_spelt(self, words: Sequence[str], prompt: MiniPrompt) -> bool:
        """Words that the prompt shows are copied, if they are few."""
        shown = {word for part in prompt.words for word in (part, part.lower())}
        few = len(words) <= MOST_SPELT and all(word.lower() in shown for word in words)
        return few or super()._may_be_spelt(words, prompt)


def name_of_item(output: Resource, accounts: Sequence[Account]) -> str:
    """What screens call the item that a resource stands for; the resource's value where it stands for none.

    Args:
        accounts: where the item is looked for, the likeliest first.
    """
    types = predefined_types()
    type = output.type.removesuffix("/existing")
    kinds = [entry for entry in types.kinds.values() if entry.type and entry.type == type]
    for account in accounts:
        for entry in kinds:
            item = find_item(account, entry, output.value)
            if item is not None:
                said = describe_item(account, item, entry)
                return next(iter(values_in(said)), output.value)
    return output.value


@dataclass(frozen=True, slots=True)
class _OneLesson:
    """A suite of one instance."""

    lesson: PoolLesson
    name: str = "pool"

    def split_of(self, task_id: str) -> str:  # noqa: ARG002
        return "dev"

    def instantiate(self, task_id: str, instance: int) -> Task:  # noqa: ARG002
        return self.lesson.task()

    def composed(self, task_id: str, instance: int) -> Composition:  # noqa: ARG002
        return self.lesson.composed
