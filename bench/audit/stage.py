"""A task that is opened once and played many times, each time from its start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from omnipilot.bench.audit.effects import Effects, StateEffect, effects_between
from omnipilot.bench.audit.records import Verb
from omnipilot.bench.session import Acted, Opening, Session
from omnipilot.bench.tasks.graph import GraphEvaluator, JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task
from omnipilot.envs import Capability, Elements, Env, Modality, OmnipilotError, World
from omnipilot.envs.schema import codec
from omnipilot.memory import Move, WaitUntil


@dataclass(frozen=True, slots=True)
class PlayedDemonstration:
    """How the suite itself solves the task.

    Attributes:
        verbs: that it plays. effects: what lasts of it. answers: what it tells. solved: whether its judges agree.
        reached: sub-goals reached after each verb. passed: effects on the way that later ones have taken the place of:
            which of several songs is played last is often as it happens to be.
    """

    verbs: tuple[Verb, ...]
    effects: Effects
    answers: tuple[str, ...]
    solved: bool
    reached: tuple[int, ...]
    passed: frozenset[StateEffect] = frozenset()


LOOK_AGAIN = 0.2
"""Seconds between two looks at what is waited for."""
_NEVER = Judge("never", lambda _: False)


class AuditStage:
    """A task of a suite, opened.

    Attributes:
        opening: as the session told it.
        judges: of the task, as they were written; those of `task` hold for nothing where one of these raises.
        raised: what they raised, by the name of the judge.

    Raises:
        ConfigError: the suite has no such task, or the task is broken. `ReachedAtStart`: a judge holds at its start.
    """

    def __init__(
        self, suite: Suite, task_id: str, instance: int = 0, change: Callable[[Task], Task] | None = None
    ) -> None:
        self.suite = suite if change is None else _Changed(suite, change)
        self.task_id, self.instance = task_id, instance
        self.judges: tuple[Judge, ...] = ()
        self.raised: dict[str, str] = {}
        self._base = Session(_Changed(self.suite, self._catch), modalities=())
        self.opening: Opening = self._base.open(task_id, instance)
        self._ends = any(judge.when == "end" for judge in self.task.graph.nodes)

    def _catch(self, task: Task) -> Task:
        """The task with judges of which an error does not end the audit."""
        self.judges = task.graph.nodes
        nodes = tuple(replace(one, ask=_CaughtJudge(one, self.raised)) for one in self.judges)
        return replace(task, graph=JudgeGraph(nodes, task.graph.edges))

    @property
    def task(self) -> Task:
        """The task."""
        return self._base.course.task

    @property
    def world(self) -> World:
        """The world at the start; not to be changed."""
        return self._base.course.world

    @property
    def can_fork(self) -> bool:
        """Whether it can be played without being opened again."""
        return self._base.can_fork

    @property
    def has_state(self) -> bool:
        """Whether what was changed can be compared."""
        return Capability.STATE in self.world.capabilities

    def start(self) -> Session:
        """A session at the start."""
        if self.can_fork:
            return self._base.fork()
        self.opening = self._base.open(self.task_id, self.instance)
        return self._base

    def leave(self, session: Session) -> None:
        """Close a session of `start`."""
        if session is not self._base:
            session.close()

    def is_solved(self, session: Session) -> bool:
        """Whether a session is judged successful, now or if it ended now."""
        if session.ended:
            return session.ended == "success"
        return self._ends and session.score().success

    def effects(self, session: Session) -> Effects:
        """What lasts of all that was done in a session."""
        course = session.course
        now = course.world.state()
        return effects_between(course.world.lasting_part(course.start), course.world.lasting_part(now))

    def play(self, verbs: Iterable[Verb], whole: bool = False) -> Session:
        """Play verbs from the start, until the task is solved; the caller leaves the session.

        Args:
            whole: all of them must be carried out; a refused one ends it.
        """
        session = self.start()
        for verb in verbs:
            acted = session.act(verb)
            if session.ended or (whole and acted.result not in ("done", "control")):
                break
        return session

    def solves(self, verbs: Sequence[Verb]) -> bool:
        """Whether verbs from the start are judged successful."""
        session = self.play(verbs)
        try:
            return self.is_solved(session)
        finally:
            self.leave(session)

    @cached_property
    def demonstration(self) -> PlayedDemonstration | None:
        """The suite's own solution, played; None where it has none, or where the state cannot be compared."""
        if self.task.solution is None or not self.has_state:
            return None
        session = self.start()
        try:
            course = session.course
            # Judged beside the session, which would end where the judges are satisfied too early.
            judged, course.evaluator = course.evaluator, GraphEvaluator(JudgeGraph((_NEVER,)))
            moves = self.task.solution(course.world)
            done: list[Verb] = []
            reached: list[int] = []
            passed: set[StateEffect] = set()
            for move in moves:
                if isinstance(move, WaitUntil):
                    _wait_for(course.world, move)
                else:
                    session.act(move.intent, move.env)
                passed |= self.effects(session).keys()
                done.append(verb_of(move))
                judged.step(course.case)
                reached.append(judged.completed)
            judged.step(course.case, ended=True)
            effects = self.effects(session)
            last = {effect.place for effect in effects if not effect.place.endswith("]")}
            replaced = frozenset(one for one in passed if one.place in last and one not in effects)
            return PlayedDemonstration(tuple(done), effects, course.answers, judged.success, tuple(reached), replaced)
        finally:
            self.leave(session)

    def close(self) -> None:
        """Release the world."""
        self._base.close()


@dataclass(frozen=True, slots=True)
class _CaughtJudge:
    """A judge that is not satisfied where it raises."""

    judge: Judge
    raised: dict[str, str]

    def __call__(self, case: Case) -> Verdict | bool:
        try:
            return self.judge.ask(case)
        except OmnipilotError:
            raise
        except Exception as error:  # What strangers wrote may raise anything.
            self.raised.setdefault(self.judge.name, f"{type(error).__name__}: {error}"[:200])
            return False


class _Changed(Suite):
    """A suite whose tasks are changed before they are opened."""

    def __init__(self, suite: Suite, change: Callable[[Task], Task]) -> None:
        self._suite, self._change = suite, change
        self.modalities = suite.modalities

    @property
    def name(self) -> str:
        return self._suite.name

    @property
    def version(self) -> str:
        return self._suite.version

    def tasks(self) -> Any:
        return self._suite.tasks()

    def instantiate(self, task_id: str, instance: int) -> Task:
        return self._change(self._suite.instantiate(task_id, instance))

    def world(self, thinking: Any) -> World:
        return self._suite.world(thinking)


def _wait_for(world: World, awaited: WaitUntil) -> None:
    """Wait until what a demonstration waits for is so, or its patience is over."""
    until = world.now + awaited.patience
    while not awaited.holds() and world.now < until:
        world.wait(LOOK_AGAIN)


def verb_of(move: Move) -> Verb:
    """A move as a session takes it."""
    data = dict(codec.to_json(move.intent))
    return {"env": move.env, **data} if move.env else data


def elements_of(env: Env) -> Elements:
    """What is on a screen now; nothing where that cannot be told."""
    if Capability.UI_TREE in env.capabilities:
        return env.ui_tree()
    found = env.observe({Modality.ELEMENTS}, 0.0).elements
    return found if isinstance(found, Elements) else Elements(())


def looker(session: Session, seen: dict[str, Elements] | None = None) -> Callable[[str], Elements]:
    """Tells what is on each screen of a session; a screen is looked at once. "" is the first device.

    Args:
        seen: screens that were looked at before, and further ones from now on.
    """
    known: dict[str, Elements] = {} if seen is None else seen

    def look(name: str) -> Elements:
        if name not in known:
            envs = session.course.world.envs
            known[name] = elements_of(envs[name or next(iter(envs))])
        return known[name]

    return look


def did(acted: Acted) -> bool:
    """Whether a verb was carried out."""
    return acted.result in ("done", "control")


def describe_verb(verb: Mapping[str, Any]) -> str:
    """A verb in a few words."""
    rest = ", ".join(f"{key}={value!r}" for key, value in verb.items() if key not in ("kind", "env"))
    return f"{verb.get('env', '')}: {verb.get('kind')}({rest})".removeprefix(": ")
