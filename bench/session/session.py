"""A session: one task at a time, looked at and acted on step by step, judged as the episodes of a run are."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from omnipilot.agents import Agent, Choice, Ending, Limits, PartSpec, Situation, parse_part
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.agents.execute import Guarding, execute
from omnipilot.agents.ground import ground
from omnipilot.agents.guard import Guard
from omnipilot.agents.limits import Meter
from omnipilot.bench.episode.course import LEFT, AttemptEnd, Course
from omnipilot.bench.episode.guarding import guard_spec, make_guard
from omnipilot.bench.episode.introduction import introduce
from omnipilot.bench.episode.prologue import BrokenPrologue, play_prologue
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.recorder import EpisodeRecorder
from omnipilot.bench.journal.results import VOID, Slot
from omnipilot.bench.registry import APPROVERS, load_suite
from omnipilot.bench.session.answers import Acted, Opening, Result, Score
from omnipilot.bench.session.record import SessionRecord, last_look
from omnipilot.bench.session.verbs import read_verb
from omnipilot.bench.spec import GuardSpec
from omnipilot.bench.tasks.graph import Change
from omnipilot.bench.tasks.task import Suite, Task, seed_of
from omnipilot.envs import (
    Action,
    Capability,
    ConfigError,
    EnvLost,
    Intent,
    Modality,
    Observation,
    Thinking,
    World,
)
from omnipilot.envs.types import MalformedAction
from omnipilot.grounders import Grounder
from omnipilot.grounders.base import reads
from omnipilot.memory import Move, Outcome, Role, Step, Turn
from omnipilot.planners import Brief, Decision

SHOWN = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS})
"""What a session observes unless it is told otherwise: a picture of each screen and its elements."""
_TIMED = frozenset({Modality.AUDIO, Modality.VIDEO})
_DEFAULTS = Limits()


@dataclass(frozen=True, slots=True)
class SessionMark:
    """A moment of a session, for `Session.restore`; valid as long as its task is open."""

    task: Task
    snapshot: object
    course: Course
    since: Mapping[str, float]
    meter: Meter
    end: AttemptEnd | None
    guard: Guard | None


class Session:
    """A task of a suite, played by whoever calls: `open` it, `observe`, `act`, and ask for the `score`.

    It is judged after every act, as the episodes of runs are, and moves are carried out by the same code. One task is
    open at a time; the next `open` starts over. Not for several threads at once.

    Args:
        suite: by its name, as a part with its options, or the suite itself, which several sessions may share.
        options: of a suite that is given by its name.
        modalities: what `observe` captures unless it is told otherwise.
        grounder: finds places that are described in words or by the ids of elements: by name, or the grounder itself.
        limits: of a task; None for the task's own, otherwise the default ones. An invalid verb ends nothing.
        thinking: whether a simulated world goes on between an observation and the next act.
        ask: answers questions to the user; None for the task's own facts, told when asked for; a task without such
            facts refuses questions then.
        policy: what the caller may do, as `--policy` of a run: a preset or a file, or "none"; None for `ask` on real
            devices, and none elsewhere. A move that it does not let pass is rejected.
        approver: who is asked, as `--approver`; None for the person at the terminal, if there is one.
        record: a run directory in which everything is recorded, see `SessionRecord`; None for no record.

    Raises:
        ConfigError: there is no such suite, grounder, policy or approver, or the record's folder holds something else.
    """

    def __init__(
        self,
        suite: str | PartSpec | Suite,
        *,
        options: Mapping[str, Any] | None = None,
        modalities: Collection[Modality | str] = SHOWN,
        grounder: str | PartSpec | Grounder = "elements",
        limits: Limits | None = None,
        thinking: Thinking | str | None = None,
        ask: Callable[[str], str] | None = None,
        policy: str | GuardSpec | None = None,
        approver: str | PartSpec | None = None,
        record: Path | str | None = None,
    ) -> None:
        part = PartSpec(suite) if isinstance(suite, str) else suite if isinstance(suite, PartSpec) else None
        if options:
            if part is None:
                raise ConfigError("options are for a suite that is given by its name; make the suite with them")
            part = part.with_options(options)
        self.suite: Suite = suite if isinstance(suite, Suite) else load_suite(cast(PartSpec, part))
        self.modalities = frozenset(map(Modality, modalities))
        written = None if isinstance(grounder, Grounder) else parse_part(grounder, GROUNDERS)
        self._grounder: Grounder = (
            grounder if isinstance(grounder, Grounder) else GROUNDERS.make(cast(PartSpec, written))
        )
        self._limits = limits
        self._thinking = Thinking.parse(thinking) if isinstance(thinking, str) else thinking or Thinking()
        self._ask = ask
        self._truth = EpisodeTruth()
        self._world: World | None = None
        self._course: Course | None = None
        self._meter = Meter(_DEFAULTS)
        self._since: dict[str, float] = {}
        self._recorded_since: dict[str, float] = {}
        self._end: AttemptEnd | None = None
        self._shown_at = 0.0
        self._record: SessionRecord | None = None
        self._recorder: EpisodeRecorder | None = None
        self._looked = False
        ruled = policy if isinstance(policy, GuardSpec) else None
        if ruled is None:
            asked = None if approver is None else parse_part(approver, APPROVERS)
            ruled = guard_spec(cast("str | None", policy), asked, None, part or PartSpec(self.suite.name))
        self._guard, self._own_guard = make_guard(ruled), True
        if record is not None:
            if part is None:
                raise ConfigError("a recorded session takes its suite by name, so that the record can say which it is")
            named = written or PartSpec(type(grounder).__name__)
            self._record = SessionRecord(
                Path(record), self.suite, part, named, self.modalities, limits, self._thinking, ruled
            )

    def open(self, task: str, instance: int = 0, trial: int | None = None) -> Opening:
        """Open a task, from its start; whatever was open before is over.

        Args:
            trial: the number of the repetition, for a record; None for the next that the record does not have.

        Raises:
            ConfigError: there is no such task, with the nearest one; or its set-up is broken.
            EnvLost: a device is gone.
        """
        self._leave()
        made = self.suite.instantiate(task, instance)
        if trial is None:
            trial = self._record.next_trial(task, instance) if self._record is not None else 0
        slot = Slot(task, instance, trial)
        world = self._fresh_world()
        if Capability.RECORDED in world.capabilities:
            raise ConfigError(f"suite {self.suite.name!r} plays recordings, on which nothing can be done; use `run`")
        try:
            instruction = made.setup(world)
            limits = self._limits or made.limits or _DEFAULTS
            seed = seed_of(self.suite.name, task, instance, trial)
            self._truth = EpisodeTruth()
            self._truth.begin(world, made, seed)
            if self._record is not None:
                self._recorder = self._record.begin(made, slot, instruction, limits, self._truth)
            self._since = dict.fromkeys(world.envs, world.now)
            past = self._play_past(made, world)
            course = Course(world, made, limits.idle)
            if early := course.reached_at_start():
                self._stop(AttemptEnd(VOID, detail=f"the task is broken: {', '.join(early)} reached at its start"))
                raise ConfigError(f"task {task!r} is broken: {', '.join(early)} reached before anything was done")
        except EnvLost as error:
            self._lose(error)
            raise
        self._recorded_since = dict(self._since)
        self._course, self._end, self._meter, self._looked = course, None, Meter(limits), False
        if self._guard is not None:
            self._guard.begin(instruction)
        self._shown_at = time.perf_counter()
        envs = {name: introduce(env) for name, env in world.envs.items()}
        asks = (self._ask or _answers_of(made)) is not None
        return Opening(task, instance, trial, instruction, made.intent, envs, limits, past, asks)

    def observe(self, modalities: Collection[Modality | str] | None = None) -> dict[str, Observation]:
        """What every environment shows now, by its name; looking changes nothing.

        Sound and film are those since the last look that asked for sound or film, or since the start.

        Args:
            modalities: what to capture; None for those of the session.

        Raises:
            ConfigError: no task is open. EnvLost: a device is gone.
        """
        world = self._open_course().world
        asked = self.modalities if modalities is None else frozenset(map(Modality, modalities))
        captured = self._capture(world, asked)
        if asked & _TIMED:
            self._since = {name: seen.time for name, seen in captured.items()}
        self._shown_at = time.perf_counter()
        return {name: seen.only(asked, "unasked") for name, seen in captured.items()}

    def act(self, verb: Intent | Mapping[str, Any] | str, env: str = "") -> Acted:
        """Carry out one verb, and judge. A bad one is told in the answer, and changes nothing.

        Args:
            verb: JSON as `omnipilot.envs.schema.codec` reads it, with one key more, `env`: `{"env": "phone", "kind":
                "click", "at": "Save"}`; or such JSON as a text; or a typed one, such as `Click("Save")`.
            env: the environment, where the verb does not say; may be left out where there is only one.

        Raises:
            ConfigError: no task is open. EnvLost: a device is gone. ModelUnavailable: the grounder's model is.
        """
        course, meter = self._open_course(), self._meter
        if self._end is not None:
            return self._answer("rejected", f"the episode is over ({self._end.reason}); open a task")
        world = course.world
        try:
            began = time.perf_counter()
            if self._recorder is not None and not self._looked:
                self._capture(world, frozenset())
            elapsed = began - self._shown_at
            world.think(elapsed)
            try:
                move, problem = read_verb(verb, env, world.envs), None
            except MalformedAction as error:
                move, problem = None, Outcome("malformed", str(error))
            if self._recorder is not None:
                moves = () if move is None else (move,)
                self._recorder.decided(meter.turns, Choice(Decision(moves), iter(())), elapsed)
            began = time.perf_counter()
            with meter.at_work():
                step = self._carry_out(world, move, problem)
            spent = time.perf_counter() - began
            ending = meter.step(step, sys.maxsize)
            began = time.perf_counter()
            changes = course.take(step)
            judged = time.perf_counter() - began
            meter.turns += 1
            if self._recorder is not None:
                self._recorder.step(step, changes, course.evaluator.completed, {"env": spent, "judge": judged})
                self._recorded_since = dict(self._recorder.latest)
            self._looked = False
            changes += self._judge_end(course, ending or meter.exhausted(new_turn=True) or _world_ending(world))
        except EnvLost as error:
            self._lose(error)
            raise
        self._shown_at = time.perf_counter()
        outcome = step.outcome
        return self._answer(cast(Result, outcome.result), outcome.message, step.executed, changes)

    def score(self) -> Score:
        """How far the task has been solved, as if it ended now; asking changes nothing.

        Raises:
            ConfigError: no task is open.
        """
        course = self._open_course()
        judged = course.copy(course.world)
        if self._end is None:
            judged.conclude(Ending("done"))
        found = judged.evaluator
        return Score(found.success, found.completed, found.total, found.states(), course.task.judged)

    @property
    def course(self) -> Course:
        """The open task as its judges are told of it; only for whoever judges or audits.

        Raises:
            ConfigError: no task is open.
        """
        return self._open_course()

    @property
    def ended(self) -> str:
        """Why the episode is over, as in `Acted`; "" while it goes on."""
        return "" if self._end is None else self._end.reason

    @property
    def can_fork(self) -> bool:
        """Whether `fork` works: the world of the open task lives in this process, and can be doubled."""
        return self._course is not None and Capability.FORKS in self._course.world.capabilities

    def fork(self) -> Session:
        """Another session at the same moment of the same task; neither notices what is done in the other.

        It records nothing. The caller closes it.

        Raises:
            ConfigError: no task is open, or the world cannot be doubled, as no device can.
        """
        course = self._open_course()
        if not self.can_fork:
            raise ConfigError(
                f"the world of suite {self.suite.name!r} cannot be forked; open the task in another session, and play "
                "the same verbs again"
            )
        other = object.__new__(Session)
        other.__dict__.update(self.__dict__)
        other._world = course.world.fork()
        other._course = course.copy(other._world)
        other._meter, other._since = replace(self._meter), dict(self._since)
        other._record = other._recorder = None
        other._guard, other._own_guard = None if self._guard is None else self._guard.fork(), False
        return other

    def mark(self) -> SessionMark:
        """This moment, to come back to by `restore`.

        Raises:
            ConfigError: no task is open, the world has no snapshots, or the session is recorded.
        """
        course = self._open_course()
        self._check_restorable(course.world)
        return SessionMark(
            course.task,
            course.world.snapshot(),
            course.copy(course.world),
            dict(self._since),
            replace(self._meter),
            self._end,
            None if self._guard is None else self._guard.fork(),
        )

    def restore(self, mark: SessionMark) -> None:
        """Go back to a moment of this session; a mark may be restored any number of times.

        Raises:
            ConfigError: another task has been opened since.
        """
        course = self._open_course()
        if mark.task is not course.task:
            raise ConfigError("the mark belongs to a task that is no longer open; make one after `open`")
        self._check_restorable(course.world)
        course.world.restore(mark.snapshot)
        self._course = mark.course.copy(course.world)
        self._since, self._meter, self._end = dict(mark.since), replace(mark.meter), mark.end
        self._guard = None if mark.guard is None else mark.guard.fork()
        self._shown_at = time.perf_counter()

    @property
    def truth(self) -> EpisodeTruth:
        """What is true of the open task, for a reader or another part that is told the truth; each call makes another.

        Raises:
            ConfigError: no task is open.
        """
        course = self._open_course()
        truth = EpisodeTruth()
        truth.begin(course.world, course.task, 0)
        truth.follow(course)
        return truth

    def close(self) -> None:
        """End what is open and release the world and the record. May be called twice."""
        self._leave()
        self._release()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # What broke off did not end: the record says so.
            self._course = None
            self._release()
        else:
            self.close()

    def _carry_out(self, world: World, move: Move | None, problem: Outcome | None) -> Step:
        """Ground and execute a move as the loop does, on a look that is taken for it if it names places."""
        index, turn = self._meter.steps, self._meter.turns
        if move is None:
            return Step(index, turn, None, None, problem or Outcome("malformed"), start=world.now, end=world.now)
        role = Role("grounder", reads(self._grounder))

        def look(name: str) -> Observation:
            if self._recorder is None:
                return world.envs[name].observe(role.modalities, self._since[name])
            kept = role.modalities | self._recorder.modalities | self.modalities
            seen = world.envs[name].observe(kept, self._recorder.latest[name])
            self._recorder.looked(turn, seen, True)
            return seen.only(role.modalities)

        situation = Situation(turn, cast(Mapping[str, Observation], dict.fromkeys(world.envs)), look)
        proposal = ground(move, situation, self._grounder, role, fresh=True)
        if self._recorder is not None:
            self._recorder.grounded(proposal)
        guarding = None
        if self._guard is not None:
            guarding = Guarding(self._guard)
            if self._recorder is not None:
                guarding = Guarding(self._guard, partial(self._recorder.guarded, turn, index, move))
        ask = self._ask or _answers_of(self._open_course().task)
        return execute(world, proposal, index, turn, ask, guarding)

    def _capture(self, world: World, asked: frozenset[Modality]) -> Mapping[str, Observation]:
        """Capture for the caller, and for the record, in which each turn has its look, as in a run."""
        recorder = None if self._end is not None else self._recorder
        try:
            if recorder is None:
                return world.observe_together(asked, self._since)
            kept = recorder.modalities | self.modalities
            looks = world.observe_together(kept, self._recorded_since)
            for seen in looks.values():
                recorder.looked(self._meter.turns, seen, False)
            self._looked = True
            if asked <= kept and (not asked & _TIMED or self._since == self._recorded_since):
                return looks
            return world.observe_together(asked, self._since)
        except EnvLost as error:
            self._lose(error)
            raise

    def _judge_end(self, course: Course, ending: Ending | None) -> tuple[Any, ...]:
        """End the episode if it is over; the changes that its last judges found."""
        if course.evaluator.success:
            self._stop(course.succeed())
        elif course.is_idle:
            self._stop(course.give_up())
        elif ending is not None:
            end = course.conclude(ending)
            self._stop(end)
            return end.changes
        return ()

    def _stop(self, end: AttemptEnd) -> None:
        self._end = end
        recorder, record = self._recorder, self._record
        if recorder is None or record is None or self._world is None:
            return
        observations: Mapping[str, Any] = {}
        now: float | None = None
        # Where the device was just lost, only the report's last picture is missing.
        with contextlib.suppress(EnvLost):
            if not end.lost:
                observations, now = last_look(self._world, recorder), self._world.now
        record.end(end, observations, now, time.perf_counter() - self._meter.began)
        self._recorder = None

    def _answer(
        self, result: Result, message: str, action: Action | None = None, changes: tuple[Change, ...] = ()
    ) -> Acted:
        completion = 0.0 if self._course is None else self._course.evaluator.completion
        return Acted(result, message, action, changes, completion, self.ended)

    def _open_course(self) -> Course:
        if self._course is None:
            raise ConfigError("no task is open; call open(task) first")
        return self._course

    def _fresh_world(self) -> World:
        if self._world is None:
            self._world = self.suite.world(self._thinking)
        return self._world

    def _play_past(self, task: Task, world: World) -> tuple[Turn, ...]:
        if task.prologue is None:
            return ()
        keeper = _PastKeeper(self.modalities)
        try:
            relived = play_prologue(task.prologue, world, world, keeper, self._recorder or _Unrecorded(), self._truth)
        except BrokenPrologue as error:
            self._stop(AttemptEnd(VOID, detail=f"the task is broken: {error}"))
            raise ConfigError(f"task {task.id!r} is broken: {error}") from error
        self._since = dict(relived.since)
        return tuple(keeper.turns)

    def _check_restorable(self, world: World) -> None:
        if self._record is not None:
            raise ConfigError("a recorded session goes on in one line; fork it, and the fork may go back")
        if Capability.SNAPSHOTS not in world.capabilities:
            raise ConfigError(
                f"the world of suite {self.suite.name!r} has no snapshots; open the task again, and play the same verbs"
            )

    def _leave(self) -> None:
        """End an episode that is left by its caller, as one who says that nothing more is to be done."""
        if self._course is not None and self._end is None and self._world is not None:
            try:
                self._stop(self._course.conclude(Ending("done", detail=LEFT)))
            except EnvLost as error:
                self._lose(error)
        self._course, self._recorder = None, None

    def _lose(self, error: EnvLost) -> None:
        """Void the episode and drop the world: the next task gets a new one."""
        self._stop(AttemptEnd(VOID, detail=f"device lost: {error}", lost=True))
        world, self._world = self._world, None
        if world is not None:
            with contextlib.suppress(EnvLost):
                world.close()

    def _release(self) -> None:
        world, self._world = self._world, None
        if world is not None:
            with contextlib.suppress(EnvLost):
                world.close()
        record, self._record = self._record, None
        if record is not None:
            record.close()
        guard, self._guard = self._guard, None
        if guard is not None and self._own_guard:
            guard.close()


class _PastKeeper(Agent):
    """Keeps what was played before a task, and decides nothing."""

    def __init__(self, modalities: frozenset[Modality]) -> None:
        self._modalities = modalities
        self.turns: list[Turn] = []

    @property
    def modalities(self) -> frozenset[Modality]:
        """Those of the session."""
        return self._modalities

    def begin(self, brief: Brief) -> None:
        """Nothing is told to it."""

    def decide(self, situation: Situation) -> Choice:  # noqa: ARG002
        """Never asked."""
        raise AssertionError("nothing is decided before a task")

    def learn(self, turn: Turn) -> None:
        """Keep the turn."""
        self.turns.append(turn)


class _Unrecorded:
    """Records nothing of what was done before a task."""

    modalities: frozenset[Modality] = frozenset()

    def past(self, turn: Turn, observations: Mapping[str, Observation]) -> None:
        """Nothing."""

    def remembered(self, turn: int, events: Any) -> None:
        """Nothing."""


def _answers_of(task: Task) -> Callable[[str], str] | None:
    """Who answers questions in a task: its facts, as the user `rules` tells them; None where it has none."""
    return None if task.user is None else task.user.answer


def _world_ending(world: World) -> Ending | None:
    reason = world.ended()
    return Ending("world", detail=reason) if reason else None
