"""The kinds of devices that a world file may name."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from omnipilot.envs.base import World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite.world import Device
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Modality

KINDS: Mapping[str, str] = {
    "desktop": "omnipilot.envs.desktop.world:DesktopWorld",
    "browser": "omnipilot.envs.web.world:BrowserWorld",
    "android": "omnipilot.envs.android.world:AndroidWorld",
    "phone": "omnipilot.envs.sim.live:LivePhone",
    "phone-over-adb": "omnipilot.envs.android.embedded:EmbeddedPhone",
    "remote": "omnipilot.envs.remote.world:RemoteWorld",
    "osworld": "omnipilot.envs.remote.osworld.world:OSWorldWorld",
    "windows-agent-arena": "omnipilot.envs.remote.osworld.world:WindowsAgentArenaWorld",
}
"""Each kind as "module:class"; a module is imported when a device of its kind is started."""
OURS = frozenset({"self", "name", "clock", "thinking"})
"""Arguments that are no options: the composite gives them."""


def device(
    kind: str,
    options: Mapping[str, Any],
    name: str = "",
    description: str = "",
    applications: tuple[str, ...] = (),
) -> Device:
    """A device of a kind, or of a class of your own as "module:class".

    Args:
        options: keyword arguments of the class. name: of its environment, told to classes that take one.

    Raises:
        ConfigError: no such kind, or the kind takes no such option or lacks one; the message gives those that it takes.
    """
    factory = load(kind)
    check_options(kind, factory, options)
    options = typed_options(kind, factory, options)

    named = {"name": name} if name and "name" in inspect.signature(factory).parameters else {}

    def make(clock: WallClock) -> World:
        world: World = factory(**options, **named, clock=clock)
        return world

    return Device(make, description, applications)


def load(kind: str) -> Any:
    """The class of a kind.

    Raises:
        ConfigError: no such kind, or its module cannot be imported.
    """
    if kind not in KINDS and ":" not in kind:
        raise ConfigError(f"there is no kind of device {kind!r}; {nearest(kind, list(KINDS))}")
    module, _, name = KINDS.get(kind, kind).partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"the kind of device {kind!r} cannot be loaded: {error}") from error


@runtime_checkable
class DependsOnMachine(Protocol):
    """A class of devices that work otherwise, or less well, where something is not installed on this machine."""

    def conditions(self, options: Mapping[str, Any], shown: frozenset[Modality]) -> Mapping[str, str]:
        """What a device with these options will find here, by name; a static method, and nothing is started.

        Args:
            shown: the modalities that are asked of it.

        Returns:
            What can change the results of a run, and so belongs to its identity.

        Raises:
            MissingExtra, ConfigError: what it cannot do without is not installed.
        """
        ...


def takes(factory: Any) -> tuple[str, ...]:
    """The options of a kind, in the order of its arguments."""
    return tuple(name for name in inspect.signature(factory).parameters if name not in OURS)


def check_options(kind: str, factory: Any, options: Mapping[str, Any]) -> None:
    """Refuse options that a kind does not take, and the lack of one that it needs.

    Raises:
        ConfigError: there is one.
    """
    typed_options(kind, factory, options)
    parameters = inspect.signature(factory).parameters
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return
    for name in options:
        if name not in takes(factory):
            raise ConfigError(f"a device of kind {kind!r} takes no {name!r}; {nearest(name, list(takes(factory)))}")
    for name in takes(factory):
        if parameters[name].default is inspect.Parameter.empty and name not in options:
            raise ConfigError(f"a device of kind {kind!r} needs {name!r}")


def typed_options(kind: str, factory: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the class wants them: sizes, which files and flags write as "1280x800", and paths.

    Raises:
        ConfigError: a size is none.
    """
    made = dict(options)
    for name, value in options.items():
        if not isinstance(value, str):
            continue
        if _takes_a(factory, name, "Size"):
            size = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", value)
            if size is None:
                raise ConfigError(f'{name} of a device of kind {kind!r} is written as "1280x800", not {value!r}')
            made[name] = Size(int(size[1]), int(size[2]))
        elif is_path(factory, name) and not _takes_a(factory, name, "str"):
            made[name] = Path(value)
    return made


def is_path(factory: Any, option: str) -> bool:
    """Whether an option of a class names a file or folder of this machine."""
    return _takes_a(factory, option, "Path") or option.endswith(("_file", "_dir"))


def _takes_a(factory: Any, option: str, type_name: str) -> bool:
    """Whether an option is annotated with a type, among others; nothing is imported to find out."""
    parameter = inspect.signature(factory).parameters.get(option)
    return parameter is not None and re.search(rf"\b{type_name}\b", str(parameter.annotation)) is not None
