"""Proofs of a task: its demonstration solves it, doing nothing does not, and each of its moves is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.events import EpisodeEnded, Event, StepTaken
from omnipilot.bench.journal.results import SUCCESS, VOID, Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Thinking, World
from omnipilot.memory import MediaStore, Move
from omnipilot.memory.trajectory import FAILED

LOOKS = frozenset({"ask_user", "wait", "scroll", "swipe", "move", "open_app", "noop"})
"""Verbs that change no data, so that one may be left out."""
PASSES, FAILS, NEEDED = "the demonstration passes", "doing nothing fails", "every move is needed"


@dataclass(frozen=True, slots=True)
class TaskProof:
    """What was tried of a task at one instance: `defects` says what is wrong; none where it is proved."""

    task: str
    instance: int
    claim: str
    defects: tuple[str, ...] = ()


def prove_task(suite: Suite, task_id: str, instance: int) -> Iterator[TaskProof]:
    """The proofs of one task, each as soon as it is known.

    Raises:
        ConfigError: there is no such task, or its world cannot be started.
    """
    task = suite.instantiate(task_id, instance)
    if not task.judged:
        yield TaskProof(task_id, instance, PASSES, ("nobody judges it: add a function that judges, or checks",))
        return
    if task.solution is None:
        yield TaskProof(task_id, instance, PASSES, ("it has no demonstration: add one with @NAME.oracle",))
    moves = [] if task.solution is None else _demonstration(suite, task)
    if task.solution is not None:
        ended, wrong = _played(suite, task_id, instance, moves)
        if ended.reason != SUCCESS:
            wrong = [f"it reaches {ended.completed} of {ended.total} judges ({ended.reason}) {ended.detail}", *wrong]
        yield TaskProof(task_id, instance, PASSES, tuple(wrong))
        if wrong:
            return
    ended, _ = _played(suite, task_id, instance, None)
    idle = {SUCCESS: ("an agent that does nothing solves it",), VOID: (f"it is void: {ended.detail}",)}
    yield TaskProof(task_id, instance, FAILS, idle.get(ended.reason, ()))
    if moves:
        yield TaskProof(task_id, instance, NEEDED, tuple(_needless(suite, task_id, instance, moves)))


def _demonstration(suite: Suite, task: Task) -> list[Move]:
    world = suite.world(Thinking())
    try:
        task.setup(world)
        assert task.solution is not None
        return list(task.solution(world))
    finally:
        world.close()


def _needless(suite: Suite, task_id: str, instance: int, moves: Sequence[Move]) -> Iterator[str]:
    """Moves, other than looks, without which the task is solved all the same."""
    for number, move in enumerate(moves):
        if move.intent.kind in LOOKS:
            continue
        ended, _ = _played(suite, task_id, instance, [*moves[:number], *moves[number + 1 :]])
        if ended.reason == SUCCESS:
            yield f"it is solved without move {number + 1}, {move.intent}"


def _played(suite: Suite, task_id: str, instance: int, moves: Sequence[Move] | None) -> tuple[EpisodeEnded, list[str]]:
    """How an episode of these moves ends, and which of them could not be carried out; None for doing nothing."""
    shown = _Rehearsed(suite, moves)
    planner = "noop" if moves is None else "oracle"
    spec = RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec(suite.name))
    events: list[Event] = []
    truth = EpisodeTruth()
    player = EpisodeRunner(spec, shown, build(spec.agent, truth), MediaStore(), events.append, truth)
    try:
        player.play(Slot(task_id, instance, 0), 1)
    finally:
        player.close()
    failed = [one for one in events if isinstance(one, StepTaken) and one.result in FAILED]
    (ended,) = [one for one in events if isinstance(one, EpisodeEnded)]
    return ended, [f"a move was {one.result}: {one.message}" for one in failed]


class _Rehearsed(Suite):
    """A suite whose demonstrations are these moves."""

    name: str = ""
    version: str = ""

    def __init__(self, suite: Suite, moves: Sequence[Move] | None) -> None:
        self.suite, self.moves = suite, moves
        self.name, self.version = suite.name, suite.version

    def tasks(self) -> Sequence[TaskInfo]:
        return self.suite.tasks()

    def instantiate(self, task_id: str, instance: int) -> Task:
        task = self.suite.instantiate(task_id, instance)
        return task if self.moves is None else replace(task, solution=self._solve)

    def world(self, thinking: Thinking) -> World:
        return self.suite.world(thinking)

    def _solve(self, world: Any) -> Sequence[Move]:  # noqa: ARG002
        return self.moves or ()
