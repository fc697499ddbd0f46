"""The course of an episode: what was done so far, what its judges are told of it, and what they found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omnipilot.agents import Ending
from omnipilot.bench.journal.results import SUCCESS, UNJUDGED
from omnipilot.bench.judges.controls import control_of, read_controls
from omnipilot.bench.tasks.graph import Change, GraphEvaluator
from omnipilot.bench.tasks.judges import Case, ExecutedAction
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import Answer, Capability, Done, Elements, World
from omnipilot.memory import Step

LEFT = "the session went no further"
"""Detail of the end of an episode that the caller of a session left, without a verb that ends it."""


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """How an attempt ended, as in `omnipilot.bench.journal.events.EpisodeEnded`. `lost`: recreate the world."""

    reason: str
    status: str = ""
    detail: str = ""
    changes: tuple[Change, ...] = ()
    lost: bool = False
    harms: Mapping[str, bool] = field(default_factory=dict)


class Course:
    """Follows an episode from its start and calls its judges; episodes of a run and sessions have one each.

    Args:
        world: the real one, at the task's start; judges inspect it.
        idle: the most steps in a row without a new sub-goal; None for any number.

    Attributes:
        evaluator: the state of the task's graph. answers, actions: as in `Case`.
        status: of the agent's `Done`, "" without one.
        waited: steps since the last sub-goal was reached.
        harms: whether each harm of the task has come about (`Task.harms`), by its judge's name.
    """

    def __init__(self, world: World, task: Task, idle: int | None = None) -> None:
        self.world = world
        self.task = task
        self.start: Any = world.state() if Capability.STATE in world.capabilities else None
        self.answers: tuple[str, ...] = ()
        self.actions: tuple[ExecutedAction, ...] = ()
        self.status = ""
        self.evaluator = GraphEvaluator(task.graph)
        self.harms = {judge.name: False for judge in task.harms}
        self.idle = idle
        self.waited = 0
        self._start_time = world.now
        self._looks = any(judge.reads_controls for judge in task.graph.nodes)
        self._controls = self._look()

    @property
    def case(self) -> Case:
        """What judges may examine now."""
        return Case(self.world, self.start, self.answers, self.actions, since_time=self._start_time)

    def reached_at_start(self) -> list[str]:
        """Names of the nodes that are reached before anything was done; a task with one is broken."""
        # A graph of its own: what it finds must not count as an achievement of the first step.
        return [change.node for change in GraphEvaluator(self.task.graph).step(self.case) if change.completed]

    @property
    def is_idle(self) -> bool:
        """Whether more steps than allowed have passed without a new sub-goal."""
        return self.idle is not None and self.waited > self.idle

    def take(self, step: Step) -> tuple[Change, ...]:
        """Take in a step that was just made, and judge; one that is too many without a sub-goal is not judged."""
        self.waited += 1
        executed = step.executed
        if step.outcome.result == "control" and isinstance(executed, Answer):
            self.answers = (*self.answers, executed.text)
        elif step.outcome.result == "control" and isinstance(executed, Done):
            self.status = executed.status
        elif step.outcome.result == "done" and executed is not None:
            env = _env_of(step, self.world)
            control = control_of(executed, self._controls[env]) if self._looks else ""
            self.actions = (*self.actions, ExecutedAction(env, executed, control))
            self._controls = self._look()
        self._watch()
        if self.is_idle:
            return ()
        changes = self.evaluator.step(self.case)
        if any(change.completed for change in changes):
            self.waited = 0
        return changes

    def _watch(self) -> None:
        """Ask whether a harm has come about; what did is not asked again."""
        for judge in self.task.harms:
            if not self.harms[judge.name]:
                self.harms[judge.name] = judge(self.case).reached

    def _look(self) -> dict[str, Elements]:
        """What is on the screens before the next action, if a judge asks for it."""
        return {name: read_controls(env) for name, env in self.world.envs.items()} if self._looks else {}

    def succeed(self) -> AttemptEnd:
        """The end of an episode whose sub-goals are all reached."""
        return AttemptEnd(SUCCESS, self.status, "every sub-goal was reached", harms=dict(self.harms))

    def give_up(self) -> AttemptEnd:
        """The end of an episode that went on too long without a new sub-goal; nothing is judged, as in OmniBench."""
        told = f"{self.waited} steps without a new sub-goal"
        return AttemptEnd("idle", self.status, told, harms=dict(self.harms))

    def conclude(self, ending: Ending) -> AttemptEnd:
        """Judge once more, with the judges that wait for the end, and say how the episode ended."""
        status = ending.status or self.status
        self._watch()
        if not self.task.judged:
            said = f"the agent said {status}" if status else f"ended by: {ending.reason}"
            return AttemptEnd(UNJUDGED, status, f"{said}. {ending.detail}".rstrip(". "), harms=dict(self.harms))
        changes = self.evaluator.step(self.case, ended=True)
        reason = SUCCESS if self.evaluator.success else ending.reason
        return AttemptEnd(reason, status, ending.detail, changes, harms=dict(self.harms))

    def copy(self, world: World) -> Course:
        """The same course on another world that is in the same state, independent from then on."""
        other = object.__new__(Course)
        other.world, other.task, other.start = world, self.task, self.start
        other.answers, other.actions, other.status = self.answers, self.actions, self.status
        other.evaluator = self.evaluator.copy()
        other.idle, other.waited, other.harms = self.idle, self.waited, dict(self.harms)
        other._start_time, other._looks, other._controls = self._start_time, self._looks, self._controls
        return other


def _env_of(step: Step, world: World) -> str:
    """The environment that carried a step out; a move may leave it out if there is only one."""
    named = step.proposed.env if step.proposed is not None else ""
    return named or (step.seen.env if step.seen is not None else next(iter(world.envs)))
