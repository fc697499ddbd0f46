"""An environment of a device as the others see it: under the name of the device, and called on the device's thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from omnipilot.envs.base import ENV_CAPABILITIES, Env, Heard, Platform
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Elements, Modality, Observation

T = TypeVar("T")


class Calls(Protocol):
    """Runs a function on the device's thread and returns its result."""

    def __call__(self, function: Callable[[], T]) -> T: ...


class DeviceEnv(Env):
    """An environment under another name; it has the capabilities that `env` has.

    Args:
        name: the new name. call: runs a function on the device's thread.
        description, applications: what the planner is told of it.
    """

    name: str = ""
    description: str = ""
    applications: Sequence[str] = ()

    def __init__(self, env: Env, name: str, call: Calls, description: str, applications: Sequence[str]) -> None:
        self._env = env
        self._call = call
        self.name = name
        self.description = description
        self.applications = tuple(applications)
        self.capabilities = env.capabilities & ENV_CAPABILITIES

    @property
    def platform(self) -> Platform:
        """The kind of device."""
        return self._env.platform

    @property
    def size(self) -> Size:
        """Of the screen, in screenshot pixels."""
        return self._env.size

    @property
    def verbs(self) -> frozenset[str]:
        """Kinds of the supported verbs."""
        return frozenset(self._env.verbs)

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """The environment's custom verbs, by name."""
        return self._env.custom

    @property
    def installed(self) -> tuple[str, ...]:
        """The programs that are on it, where its environment says so."""
        try:
            return self._call(lambda: tuple(self._env.installed))
        except EnvLost:
            # The next observation says so.
            return ()

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """One settled observation."""
        return self._call(lambda: self.observe_here(modalities, since))

    def observe_here(self, modalities: Collection[Modality], since: float) -> Observation:
        """The same, by a caller who is on the device's thread."""
        return rename_env(self._env.observe(modalities, since), self.name)

    def act(self, action: Action) -> None:
        """Execute one action."""
        self._call(lambda: self._env.act(action))

    def close(self) -> None:
        """Release the environment."""
        self._call(self._env.close)

    def ui_tree(self) -> Elements:
        """All elements, without a cap."""
        return self._call(self._env.ui_tree)

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """What is audible from `start` to `end`."""
        return self._call(lambda: self._env.transcript(start, end))

    def written_texts(self) -> Elements:
        """The texts that are drawn and visible."""
        return self._call(self._env.written_texts)

    def read_file(self, path: str) -> bytes:
        """Content of a file."""
        return self._call(lambda: self._env.read_file(path))

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command."""
        return self._call(lambda: self._env.shell(command, timeout))


def rename_env(seen: Observation, name: str) -> Observation:
    """An observation, and all media in it, as of an environment of this name."""
    if seen.env == name:
        return seen
    put: dict[str, Any] = {"env": name}
    if isinstance(seen.screenshot, Image):
        put["screenshot"] = seen.screenshot.at(name, seen.screenshot.start)
    if isinstance(seen.audio, AudioClip):
        put["audio"] = AudioClip(seen.audio.pcm, name, seen.audio.start)
    if isinstance(seen.video, VideoClip):
        frames = [frame.at(name, frame.start) for frame in seen.video.frames]
        put["video"] = VideoClip(frames, seen.video.end, name)
    return replace(seen, **put)
