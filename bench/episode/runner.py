"""Plays episodes one after another: sets up each task, runs the agent, calls the judges and records everything."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any, cast

from omnipilot.agents import Agent, Ending, PartSpec, episode
from omnipilot.agents.assembly.build import solution_player
from omnipilot.agents.loop import conclude
from omnipilot.agents.teacher_forcing import teacher_forced_episode
from omnipilot.bench.episode.course import AttemptEnd, Course
from omnipilot.bench.episode.guarding import make_guard
from omnipilot.bench.episode.hints import with_hint
from omnipilot.bench.episode.introduction import introduce
from omnipilot.bench.episode.origin import RecordedOrigin
from omnipilot.bench.episode.pointing import TruthfulJudge
from omnipilot.bench.episode.prologue import BrokenPrologue, play_prologue
from omnipilot.bench.episode.raisable_meter import RaisableMeter
from omnipilot.bench.episode.substitute import substitute_media
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.control import RunCommand
from omnipilot.bench.journal.episode_start import limits_of, started_event
from omnipilot.bench.journal.events import EpisodeStarted, Event
from omnipilot.bench.journal.experience import load_experience
from omnipilot.bench.journal.recorder import EpisodeRecorder, change_to_json
from omnipilot.bench.journal.results import SUCCESS, VOID, Slot
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.journal.void_reasons import UNPLAYABLE
from omnipilot.bench.registry import SPEECH
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.speech import Synthesizer
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.bench.speech.spoken import SpokenInstruction, announcement, device_for, speaking
from omnipilot.bench.tasks.nearest import load_examples
from omnipilot.bench.tasks.task import Suite, Task, TaskVoid, seed_of
from omnipilot.bench.users.choice import make_user
from omnipilot.envs import AudioClip, Capability, ConfigError, EnvLost, World
from omnipilot.envs.contract.breaches import what_to_inherit
from omnipilot.envs.logs import logger_of
from omnipilot.memory import MediaStore, ModelUnavailable, Step
from omnipilot.memory.models.exchange import in_episode, listening
from omnipilot.planners import Brief

_LOG = logger_of("episode")

LOST_IN_A_ROW = 3
"""Tasks that may lose their world while they are set up, one after the other, before the run is given up."""


class EpisodeRunner:
    """Plays the episodes of one run with one agent, in one world that is created on first use.

    Args:
        emit: receives each event in order, after its media are stored.
        truth: what the agent was built with, if any of its parts takes the truth; follows the episodes.
        messages: whether what models are sent and answer is kept.
    """

    def __init__(
        self,
        spec: RunSpec,
        suite: Suite,
        agent: Agent,
        store: MediaStore,
        emit: Callable[[Event], None],
        truth: EpisodeTruth | None = None,
        messages: bool = True,
    ) -> None:
        self.spec = spec
        self._messages = messages
        self.suite = suite
        self.agent: Agent = agent
        self.store = store
        self._emit = emit
        self._truth = truth or EpisodeTruth()
        self._world: World | None = None
        self._lost = 0
        given = spec.experience
        self._experience = load_experience(given, suite, spec.suite.name) if given is not None else None
        self._examples = load_examples(spec.examples, suite) if spec.examples is not None else None
        self._relived = 0.0
        self._synthesizer: Synthesizer | None = None
        self._spoken: dict[str, AudioClip] = {}
        self._user = make_user(spec.user)
        self._guard = make_guard(spec.guard)
        self._asked: queue.SimpleQueue[RunCommand] = queue.SimpleQueue()
        self._origin = RecordedOrigin.of(spec.forked) if spec.forked is not None else None
        if self._origin is not None:
            self.agent = self._origin.lead(agent)

    def play(self, slot: Slot, attempt: int) -> None:
        """Play one attempt at an episode, from `EpisodeStarted` to `EpisodeEnded`.

        A lost device or model voids the attempt; no exception is raised.

        Raises:
            ConfigError: the run is impossible, such as a planner that plays solutions, on a task without one.
            EnvLost: several worlds in a row are lost while a task is set up.
        """
        _LOG.info("%s, attempt %d: set up", slot.key, attempt)
        task = self.suite.instantiate(slot.task, slot.instance)
        self.store.forget()
        try:
            world = self._open()
            instruction = task.setup(world)
        except TaskVoid as error:
            self._lost = 0
            self._end_before(task, slot, attempt, f"{UNPLAYABLE}: {error}")
            return
        except EnvLost as error:
            self._drop()
            self._lost += 1
            if self._lost >= LOST_IN_A_ROW:
                raise EnvLost(f"{self._lost} worlds in a row were lost during the set-up of a task: {error}") from error
            self._end_before(task, slot, attempt, f"lost while the task was set up: {error}")
            return
        self._lost = 0
        started = self._started(task, slot, attempt, instruction)
        self._emit(started)
        tally = Tally(started)
        check = self._origin.check(world, started) if self._origin is not None else None

        def emit(event: Event) -> None:
            tally.take(event)
            self._emit(event)
            if check is not None:
                check.take(event)

        judge = TruthfulJudge(self._truth)
        granted = self.spec.agent.modalities
        policy = self.spec.guard.digest if self.spec.guard is not None else ""
        recorder = EpisodeRecorder(
            slot.key, attempt, self.store, emit, granted=granted, judge=judge, messages=self._messages, policy=policy
        )
        self._truth.begin(world, task, self._seed(slot))
        self._relived = 0.0
        meter = RaisableMeter(limits_of(task, self.spec), slot.key, attempt, self._asked, emit)
        began = time.perf_counter()
        with substitute_media(world, self.spec, self.suite, slot, self.agent.modalities) as view:
            try:
                with listening(recorder.calls), in_episode(slot.key):
                    verdict = self._act(world, view, task, slot, instruction, recorder, meter)
                    conclude(self.agent, recorder)
            except EnvLost as error:
                verdict = AttemptEnd(VOID, detail=f"device lost: {error}", lost=True)
            except ModelUnavailable as error:
                verdict = AttemptEnd(VOID, detail=f"model unavailable: {error}")
            wall = time.perf_counter() - began - self._relived
            _LOG.info("%s, attempt %d: %s after %.1f s %s", slot.key, attempt, verdict.reason, wall, verdict.detail)
            observations, now = ({}, None) if verdict.lost else self._last_look(view, recorder)
        self._truth.end()
        self.store.settle(verdict.reason == SUCCESS)
        self.store.sync()
        self._emit(
            tally.ended(
                verdict.reason,
                verdict.status,
                verdict.detail,
                [change_to_json(change) for change in verdict.changes],
                observations,
                now,
                wall,
                self._relived,
                verdict.harms,
            )
        )
        self._refuse_late()
        if verdict.lost or now is None:
            self._drop()

    def raise_limit(self, command: RunCommand) -> None:
        """Raise a limit of the episode that is being played, the next time limits are looked at.

        May be called from any thread; a `PersonActed` tells what came of it.
        """
        self._asked.put(command)

    def abandon(self) -> None:
        """Leave an episode that an exception ended, with its world."""
        self._truth.end()
        self._refuse_late()
        self._drop()

    def close(self) -> None:
        """Release the world, and whoever approves moves. May be called twice."""
        self._drop()
        if self._guard is not None:
            self._guard.close()

    def _open(self) -> World:
        if self._world is None:
            world = self.suite.world(self.spec.thinking)
            if not isinstance(world, World):
                raise ConfigError(f"suite {self.suite.name!r} makes a {type(world).__name__}, {what_to_inherit(World)}")
            self._world = world
        return self._world

    def _drop(self) -> None:
        world, self._world = self._world, None
        if world is not None:
            # A device that is gone cannot be released, and has been reported.
            with contextlib.suppress(EnvLost):
                world.close()

    def _end_before(self, task: Task, slot: Slot, attempt: int, why: str) -> None:
        """Record an attempt that is void before it began."""
        started = self._started(task, slot, attempt, "")
        self._emit(started)
        self._emit(Tally(started).ended(VOID, detail=why))

    def _started(self, task: Task, slot: Slot, attempt: int, instruction: str) -> EpisodeStarted:
        return started_event(task, slot, attempt, instruction, limits_of(task, self.spec))

    def _refuse_late(self) -> None:
        """Answer what was asked of an episode that is over."""
        while not self._asked.empty():
            self._emit(self._asked.get().acted(refused="the episode had ended, or has no such limit"))

    def _act(
        self,
        world: World,
        view: World,
        task: Task,
        slot: Slot,
        instruction: str,
        recorder: EpisodeRecorder,
        meter: RaisableMeter,
    ) -> AttemptEnd:
        """Run the agent in its view of the world; the judges inspect the real one."""
        brief = self._brief(world, task, slot, instruction)
        past: Mapping[str, float] | None = None
        if task.prologue is not None:
            self.agent.begin(brief)
            try:
                relived = play_prologue(task.prologue, world, view, self.agent, recorder, self._truth)
            except BrokenPrologue as error:
                return AttemptEnd(VOID, detail=f"the task is broken: {error}")
            past, self._relived = relived.since, relived.seconds
        # Only now: the instruction is spoken at the episode's start, and not in its past.
        view = self._speaking(view, instruction)
        limits = limits_of(task, self.spec)
        course = Course(world, task, limits.idle)
        self._truth.follow(course)
        if early := course.reached_at_start():
            return AttemptEnd(VOID, detail=f"the task is broken: {', '.join(early)} reached before anything was done")
        if Capability.RECORDED in view.capabilities:
            steps = teacher_forced_episode(view, self.agent, brief, limits, recorder)
        else:
            ask = self._asked_user(task, slot, instruction)
            meter.began = time.perf_counter()
            steps = episode(view, self.agent, brief, limits, self.spec.retries, ask, recorder, past, meter, self._guard)
        with contextlib.closing(steps):
            while True:
                step, seconds = _timed(steps, recorder)
                if isinstance(step, Ending):
                    break
                began = time.perf_counter()
                changes = course.take(step)
                seconds["judge"] = time.perf_counter() - began
                recorder.step(step, changes, course.evaluator.completed, seconds)
                if course.evaluator.success and not self.spec.go_on:
                    return course.succeed()
                if course.is_idle and not course.evaluator.success:
                    return course.give_up()
        return course.conclude(step)

    def _brief(self, world: World, task: Task, slot: Slot, instruction: str) -> Brief:
        if task.solution is None and (player := solution_player(self.spec.agent)):
            raise ConfigError(
                f"planner {player!r} plays a task's solution, but {task.id!r} of suite {self.suite.name!r} has none; "
                "leave the task out with --tasks, or choose another planner"
            )
        if self.spec.intent and not task.intent:
            raise ConfigError(
                f"{task.id!r} of suite {self.suite.name!r} states no intent; leave the task out with "
                "--tasks, or run with --no-intent"
            )
        form = InstructionForm.parse(self.spec.instruction)
        told = instruction if form.written else announcement(device_for(world))
        return Brief(
            with_hint(told, self.spec.forked.hint if self.spec.forked else "", task, world),
            {name: introduce(env) for name, env in world.envs.items()},
            self._seed(slot),
            intent=task.intent if self.spec.intent else "",
            script=Capability.RECORDED in world.capabilities and world.most is None,
            examples=tuple(
                one
                for source in (self._experience, self._examples)
                if source is not None
                for one in source.examples_for(task.id, instruction)
            ),
        )

    def _asked_user(self, task: Task, slot: Slot, instruction: str) -> Callable[[str], str] | None:
        """Who answers the questions of an episode; None where they are refused."""
        if self._user is None or (task.user is None and self._user.needs_facts):
            return None
        self._user.begin_task(instruction, task.user, self._seed(slot))
        return self._user.answer

    def _speaking(self, world: World, instruction: str) -> World:
        """The world as the agent hears it: with the instruction spoken, if the run wants that."""
        form = InstructionForm.parse(self.spec.instruction)
        if not form.spoken:
            return world
        if self._synthesizer is None:
            part = self.spec.speech or PartSpec("recordings")
            self._synthesizer = cast(Synthesizer, SPEECH.make(part))
        if instruction not in self._spoken:
            self._spoken[instruction] = self._synthesizer.speak(instruction)
        return speaking(world, SpokenInstruction(self._spoken[instruction], device_for(world), form.level))

    def _seed(self, slot: Slot) -> int:
        return seed_of(self.suite.name, slot.task, slot.instance, slot.trial)

    def _last_look(self, world: World, recorder: EpisodeRecorder) -> tuple[Mapping[str, Any], float | None]:
        """The final observation of each environment and the world's time; no time if the world was just lost."""
        found: dict[str, Any] = {}
        try:
            since = {name: recorder.latest.get(name, world.now) for name in world.envs}
            for name, seen in world.observe_together(recorder.modalities, since).items():
                found[name] = recorder.kept(seen)
            return found, world.now
        except EnvLost:
            # The episode is over and judged; only the report's last picture is missing. The next gets a new world.
            return found, None


def _timed(steps: Generator[Step, None, Ending], recorder: EpisodeRecorder) -> tuple[Step | Ending, dict[str, float]]:
    """The next step, or the ending, and the seconds that the environments spent on it."""
    apart = recorder.deciding + recorder.recording
    began = time.perf_counter()
    step: Step | Ending
    try:
        step = next(steps)
    except StopIteration as stop:
        step = stop.value
    # Looking and acting, and the grounding of the later moves of a turn; the first move's belongs to the decision.
    spent = time.perf_counter() - began - (recorder.deciding + recorder.recording - apart)
    return step, {"env": max(0.0, spent)}
