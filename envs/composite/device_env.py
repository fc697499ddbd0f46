"""An environment of a device as the others see it: under the name of the device, and called on the device's thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from omnipilot.envs.base import Env, Files, Heard, ListsPrograms, Platform, Shell, Transcript, UiTree, WrittenTexts
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


def device_env(env: Env, name: str, call: Calls, description: str, applications: Sequence[str]) -> DeviceEnv:
    """Wrap an environment; it keeps those capabilities for judges that `env` has.

    Args:
        name: the new name. call: runs a function on the device's thread.
        description, applications: what the planner is told of it; see `Introduced`.
    """
    bases: list[type] = [mixin for protocol, mixin in _CAPABILITIES if isinstance(env, protocol)]
    made = type("DeviceEnv", (*bases, DeviceEnv), {})
    return cast(DeviceEnv, made(env, name, call, description, tuple(applications)))


class DeviceEnv:
    """See `device_env`."""

    def __init__(self, env: Env, name: str, call: Calls, description: str, applications: tuple[str, ...]) -> None:
        self._env: Any = env
        self._call = call
        self.name = name
        self.description = description
        self.applications = applications

    @property
    def platform(self) -> Platform:
        """The kind of device."""
        return cast(Platform, self._env.platform)

    @property
    def size(self) -> Size:
        """Of the screen, in screenshot pixels."""
        return cast(Size, self._env.size)

    @property
    def verbs(self) -> frozenset[str]:
        """Kinds of the supported verbs."""
        return frozenset(self._env.verbs)

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """The environment's custom verbs, by name."""
        return cast(Mapping[str, CustomVerb], self._env.custom)

    @property
    def installed(self) -> tuple[str, ...]:
        """The programs that are on it, where its environment says so."""
        if not isinstance(self._env, ListsPrograms):
            return ()
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
        return renamed(self._env.observe(modalities, since), self.name)

    def act(self, action: Action) -> None:
        """Execute one action."""
        self._call(lambda: self._env.act(action))

    def close(self) -> None:
        """Release the environment."""
        self._call(lambda: self._env.close())


class _WithTree(DeviceEnv):
    def ui_tree(self) -> Elements:
        return self._call(lambda: cast(UiTree, self._env).ui_tree())


class _WithTranscript(DeviceEnv):
    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        return self._call(lambda: cast(Transcript, self._env).transcript(start, end))


class _WithTexts(DeviceEnv):
    def written_texts(self) -> Elements:
        return self._call(lambda: cast(WrittenTexts, self._env).written_texts())


class _WithFiles(DeviceEnv):
    def read_file(self, path: str) -> bytes:
        return self._call(lambda: cast(Files, self._env).read_file(path))


class _WithShell(DeviceEnv):
    def shell(self, command: str, timeout: float) -> str:
        return self._call(lambda: cast(Shell, self._env).shell(command, timeout))


_CAPABILITIES: tuple[tuple[Any, type[DeviceEnv]], ...] = (
    (UiTree, _WithTree),
    (Transcript, _WithTranscript),
    (WrittenTexts, _WithTexts),
    (Files, _WithFiles),
    (Shell, _WithShell),
)


def renamed(seen: Observation, name: str) -> Observation:
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
