"""What the agent of a run sees and hears of a world: the true sound and video, or substitutes for them.

Substitutes are silence, noise, or the sound and video of another task of the suite.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from random import Random

from omnipilot.bench.journal.results import Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo, seed_of, values_of
from omnipilot.envs import (
    ActionRejected,
    AudioClip,
    Capability,
    ConfigError,
    EnvLost,
    Modality,
    NotFound,
    Observation,
    Point,
    Thinking,
    VideoClip,
    Wait,
    World,
    resolve,
)
from omnipilot.envs.recorded import Noise, Silence
from omnipilot.envs.recorded.substitute_media import fitted_film, fitted_sound
from omnipilot.envs.recorded.substitute_world import stood_in
from omnipilot.envs.types import CONTROL_VERBS, Described
from omnipilot.grounders import ElementsGrounder, Grounding
from omnipilot.memory import Move

CRITICAL = "AV-critical"
"""The level, by a task's tag, of tasks that cannot be done without what is heard or seen move."""
TICK = 0.01
"""The shortest wait, in seconds: a clock need not show one that is shorter than it can tell apart."""


class OtherMedia:
    """Sound and video of a second world, in which another task's demonstration is played.

    Its clock advances with the true world's; if the demonstration ends early, the next task begins. Implements
    `StandIn`; the second world is created when the first clip is requested.

    Args:
        suite: supplies the tasks. task: the one to exclude. instance: also used for the other tasks.
        seed: determines which other tasks are played, and in what order.
    """

    def __init__(self, suite: Suite, task: str, instance: int, seed: int) -> None:
        self._suite = suite
        self._instance = instance
        self._names = others(suite.tasks(), task, seed)
        self._next = 0
        self._world: World | None = None
        self._playing: _Playing | None = None
        self._began = 0.0

    @property
    def playing(self) -> str:
        """The task being played; "" before the first clip."""
        return self._playing.task.id if self._playing else ""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        """The sound heard there during the clip's time span; see `fitted_sound`.

        Raises:
            ConfigError: no other task has any sound. EnvLost: the second world is gone.
        """
        seen, start = self._look(env, Modality.AUDIO, clip.start, clip.end)
        assert isinstance(seen.audio, AudioClip)
        return fitted_sound(seen.audio, start, env, clip)

    def film(self, env: str, clip: VideoClip) -> VideoClip:
        """The video seen there during the clip's time span; see `fitted_film`.

        Raises:
            ConfigError: no other task has any video. EnvLost: the second world is gone.
        """
        seen, start = self._look(env, Modality.VIDEO, clip.start, clip.end)
        assert isinstance(seen.video, VideoClip)
        return fitted_film(seen.video, start, env, clip)

    def close(self) -> None:
        """Release the second world. May be called twice."""
        world, self._world, self._playing = self._world, None, None
        if world is not None:
            world.close()

    def _look(self, env: str, modality: Modality, start: float, end: float) -> tuple[Observation, float]:
        """An observation with the clip for a span of the true clock, and where the span begins on the other clock."""
        playing = self._playing
        if playing is None or playing.past(start - self._began):
            playing = self._begin(start)
        for _ in self._names:
            playing.reach(end - self._began)
            if playing.past(start - self._began):
                playing = self._begin(start)
                playing.reach(end - self._began)
            since = playing.zero + max(0.0, start - self._began)
            envs = playing.world.envs
            seen = envs[env if env in envs else next(iter(envs))].observe({modality}, since)
            if seen.has(modality):
                return seen, since
            playing = self._begin(start)
        raise ConfigError(
            f"no other task of suite {self._suite.name!r} has {modality.value} to replace it; choose silence or noise"
        )

    def _begin(self, at: float) -> _Playing:
        if self._world is None:
            self._world = self._suite.world(Thinking())
        task = self._suite.instantiate(self._names[self._next % len(self._names)], self._instance)
        self._next += 1
        self._began = at
        self._playing = _Playing(self._world, task)
        return self._playing


def others(infos: Sequence[TaskInfo], task: str, seed: int) -> list[str]:
    """The tasks whose media can replace this task's: best match first, random order among equals.

    A task qualifies if its media matter (tag `level`), it plays in all of the task's environments, and it shares no
    sub-task template with it, so that it shows other things.

    Raises:
        ConfigError: there is no other task.
    """
    own = next(info for info in infos if info.id == task)
    left = [info for info in infos if info.id != task]
    if not left:
        raise ConfigError(
            f"{task!r} is the only task of its suite, so no other task's media can replace its own; "
            "choose silence or noise"
        )
    Random(seed).shuffle(left)

    def unfit(info: TaskInfo) -> int:
        parts, owns = (set(values_of(one.tags, "template")) for one in (info, own))
        critical = info.tags.get("level") == CRITICAL
        return (not critical) + (not set(own.envs) <= set(info.envs)) + bool(parts & owns)

    return [info.id for info in sorted(left, key=unfit)]


def _moves(task: Task, world: World) -> Iterator[Move]:
    """The moves of a task's prologue, and then of its demonstration."""
    if task.prologue is not None:
        yield from task.prologue.play(world)
    if task.solution is not None:
        yield from task.solution(world)


class _Playing:
    """One task's demonstration, played up to the time on a clock."""

    def __init__(self, world: World, task: Task) -> None:
        task.setup(world)
        self.world = world
        self.task = task
        self.over = False
        self.zero = 0.0 if Capability.RECORDED in world.capabilities else world.now
        self._moves = _moves(task, world)
        self._eyes = ElementsGrounder()
        self._waiting = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return self.world.now - self.zero

    def past(self, elapsed: float) -> bool:
        """Whether it ended before this many seconds had passed."""
        return self.over and self.elapsed <= elapsed

    def reach(self, elapsed: float) -> None:
        """Continue until at least this many seconds have passed."""
        while not self.over and self.elapsed < elapsed:
            self._go_on(elapsed - self.elapsed)
        if self.elapsed < elapsed and Capability.RECORDED not in self.world.capabilities:
            self.world.wait(max(elapsed - self.elapsed, TICK))

    def _go_on(self, most: float) -> None:
        """Perform the next move of the demonstration; a wait is cut to this many seconds."""
        if Capability.RECORDED in self.world.capabilities:
            self.world.take((), "played for its sound and video")
            self.over = bool(self.world.ended())
            return
        if self._waiting > 0:
            seconds = min(self._waiting, max(most, TICK))
            self._waiting -= seconds
            self.world.wait(seconds)
            return
        move = next(self._moves, None)
        if move is None:
            self.over = True
        elif isinstance(move.intent, Wait):
            self._waiting = move.intent.seconds
        elif move.intent.kind not in CONTROL_VERBS:
            self._act(move)

    def _act(self, move: Move) -> None:
        env = self.world.envs[move.env or next(iter(self.world.envs))]

        def locate(place: Described) -> Point:
            found = self._eyes.ground(env.observe({Modality.ELEMENTS}, self.world.now), place)
            if not isinstance(found, Grounding):
                raise NotFound(found.detail)
            return found.point

        try:
            env.act(resolve(move.intent, locate))
        except (NotFound, ActionRejected):
            # It is no part of any number whether this task is solved: its sound and video are wanted, and go on.
            return


@contextlib.contextmanager
def substitute_media(
    world: World, spec: RunSpec, suite: Suite, slot: Slot, modalities: Collection[Modality]
) -> Iterator[World]:
    """The world for the agent's loop and the record in one episode; judges read the real world.

    Args:
        modalities: those granted to the agent; clips it does not receive are not replaced.
    """
    if not spec.stand_in:
        yield world
        return
    seed = seed_of(suite.name, slot.task, slot.instance, slot.trial, spec.stand_in)
    if spec.stand_in != "other":
        yield stood_in(world, Noise(seed) if spec.stand_in == "noise" else Silence(), modalities)
        return
    other = OtherMedia(suite, slot.task, slot.instance, seed)
    try:
        yield stood_in(world, other, modalities)
    finally:
        # A second device that is gone cannot be released, and has been reported.
        with contextlib.suppress(EnvLost):
            other.close()
