"""A world shown to an agent with substituted audio and video; everything else is unchanged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from omnipilot.envs.base import Ends, Env, Passage, Platform, Recorded, World
from omnipilot.envs.recorded.substitute_media import StandIn
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, VideoClip
from omnipilot.envs.types.observation import Modality, Observation


def stood_in(world: World, stand_in: StandIn, modalities: Collection[Modality]) -> World:
    """Wrap a world for an agent's loop, replacing the clips of `modalities`; absent modalities stay absent.

    It keeps the capabilities `Ends` and `Recorded` of `world`, but not those for judges.
    """
    bases: tuple[type, ...] = (_World,)
    bases += (_Ending,) * isinstance(world, Ends) + (_Going,) * isinstance(world, Recorded)
    made = type("StoodInWorld", bases, {})
    return cast(World, made(world, stand_in, modalities))


class _World:
    def __init__(self, world: World, stand_in: StandIn, modalities: Collection[Modality]) -> None:
        self._world: Any = world
        self._replaced = stand_in, frozenset(modalities)

    @property
    def envs(self) -> Mapping[str, Env]:
        return {name: _Env(env, *self._replaced) for name, env in self._world.envs.items()}

    @property
    def now(self) -> float:
        return float(self._world.now)

    def reset(self, instance: int) -> None:
        self._world.reset(instance)

    def wait(self, seconds: float) -> None:
        self._world.wait(seconds)

    def think(self, measured: float) -> None:
        self._world.think(measured)

    def close(self) -> None:
        self._world.close()


class _Ending:
    _world: Any

    def ended(self) -> str:
        return str(self._world.ended())


class _Going:
    _world: Any

    @property
    def most(self) -> int | None:
        return cast(Recorded, self._world).most

    def take(self, actions: Sequence[Action], problem: str) -> Passage:
        return cast(Recorded, self._world).take(actions, problem)


class _Env:
    """An environment with substituted clips."""

    def __init__(self, env: Env, stand_in: StandIn, modalities: frozenset[Modality]) -> None:
        self._env = env
        self._stand_in = stand_in
        self._replaced = modalities

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
        seen = self._env.observe(modalities, since)
        put: dict[str, Any] = {}
        if Modality.AUDIO in self._replaced and isinstance(seen.audio, AudioClip):
            put["audio"] = _alike(self._stand_in.sound(self.name, seen.audio), seen.audio)
        if Modality.VIDEO in self._replaced and isinstance(seen.video, VideoClip):
            put["video"] = _alike(self._stand_in.film(self.name, seen.video), seen.video)
        return replace(seen, **put) if put else seen

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
