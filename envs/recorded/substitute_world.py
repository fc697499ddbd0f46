"""A world shown to an agent otherwise than it is: with substituted audio and video, or whatever else is changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from omnipilot.envs.base import Capability, Env, Passage, Platform, World
from omnipilot.envs.recorded.substitute_media import StandIn
from omnipilot.envs.types.actions import Action, Answer, AskUser, Done
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, VideoClip
from omnipilot.envs.types.observation import Modality, Observation


def stood_in(world: World, stand_in: StandIn, modalities: Collection[Modality]) -> World:
    """Wrap a world for an agent's loop, replacing the clips of `modalities`; absent modalities stay absent.

    It keeps the capabilities of `world` that a loop uses (ending, recorded, captured together), not those for judges.
    """
    replaced = frozenset(modalities)

    def change(seen: Observation) -> Observation:
        put: dict[str, Any] = {}
        if Modality.AUDIO in replaced and isinstance(seen.audio, AudioClip):
            put["audio"] = _alike(stand_in.sound(seen.env, seen.audio), seen.audio)
        if Modality.VIDEO in replaced and isinstance(seen.video, VideoClip):
            put["video"] = _alike(stand_in.film(seen.env, seen.video), seen.video)
        return replace(seen, **put) if put else seen

    return with_changed_view(world, change)


def with_changed_view(world: World, change: Callable[[Observation], Observation]) -> World:
    """Wrap a world for an agent's loop, changing each observation.

    It keeps the capabilities of `world` that a loop uses (ending, recorded, captured together), not those for judges.
    """
    return ChangedWorld(world, change)


KEPT = frozenset({Capability.ENDS, Capability.HEARS, Capability.RECORDED, Capability.TOGETHER})
"""The capabilities that an agent's loop uses."""


class ChangedWorld(World):
    """See `with_changed_view`."""

    def __init__(self, world: World, change: Callable[[Observation], Observation]) -> None:
        self._world = world
        self._change = change
        self.capabilities = world.capabilities & KEPT

    @property
    def envs(self) -> Mapping[str, Env]:
        return {name: _ChangedEnv(env, self._change) for name, env in self._world.envs.items()}

    @property
    def now(self) -> float:
        return self._world.now

    def reset(self, instance: int) -> None:
        self._world.reset(instance)

    def wait(self, seconds: float) -> None:
        self._world.wait(seconds)

    def think(self, measured: float) -> None:
        self._world.think(measured)

    def close(self) -> None:
        self._world.close()

    def ended(self) -> str:
        return self._world.ended()

    def hear(self, said: Answer | AskUser | Done) -> None:
        self._world.hear(said)

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        together = self._world.observe_together(modalities, since)
        return {name: self._change(seen) for name, seen in together.items()}

    @property
    def most(self) -> int | None:
        return self._world.most

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        return self._world.take(actions, problem)


class _ChangedEnv(Env):
    """An environment of which each observation is changed."""

    def __init__(self, env: Env, change: Callable[[Observation], Observation]) -> None:
        self._env = env
        self._change = change

    @property
    def name(self) -> str:
        return self._env.name

    @property
    def platform(self) -> Platform:
        return self._env.platform

    @property
    def size(self) -> Size:
        return self._env.size

    @property
    def verbs(self) -> frozenset[str]:
        return self._env.verbs

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        return self._env.custom

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        return self._change(self._env.observe(modalities, since))

    def act(self, action: Action) -> None:
        self._env.act(action)

    def close(self) -> None:
        self._env.close()


Clip = TypeVar("Clip", AudioClip, VideoClip)


def _alike(put: Clip, true: Clip) -> Clip:
    """The substitute clip, checked for its shape.

    Raises:
        ValueError: its shape differs, so that it would not be a valid control.
    """
    if _shape(put) != _shape(true):
        raise ValueError(f"{put} cannot replace {true}: times, length, size and frames must be equal")
    return put


def _shape(clip: AudioClip | VideoClip) -> tuple[Any, ...]:
    if isinstance(clip, AudioClip):
        return clip.start, len(clip.pcm)
    return clip.size, clip.end, *(frame.start for frame in clip.frames)
