"""The kinds of devices that a world file may name: the engine's, those of plug-ins, and classes of one's own."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any

from omnipilot.envs.base import Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite.device_options import check_options, typed_options
from omnipilot.envs.composite.world import Device
from omnipilot.envs.contract.breaches import what_to_inherit
from omnipilot.envs.installed_plugins import (
    GROUP,
    broken_note,
    choose_declared,
    error_words,
    installed_plugins,
    load_declared,
)
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.types.errors import ConfigError

KINDS: Mapping[str, str] = {
    "desktop": "omnipilot.envs.desktop.world:DesktopWorld",
    "browser": "omnipilot.envs.web.world:BrowserWorld",
    "android": "omnipilot.envs.android.world:AndroidWorld",
    "pyautogui": "omnipilot.envs.desktop.pyautogui.world:PyAutoGuiWorld",
    "toy": "omnipilot.envs.toy.world:ToyPhone",
    "remote": "omnipilot.envs.remote.world:RemoteWorld",
    "osworld": "omnipilot.envs.remote.osworld.world:OSWorldWorld",
    "windows-agent-arena": "omnipilot.envs.remote.osworld.world:WindowsAgentArenaWorld",
}
"""The engine's own kinds, each as "module:class"; a module is imported when a device of its kind is checked or started.
Plug-ins add others, in their table `devices`."""
_METHODS = ("reset", "wait", "think", "close")


def device(
    kind: str,
    options: Mapping[str, Any],
    name: str = "",
    description: str = "",
    applications: Sequence[str] = (),
    thinking: Thinking | None = None,
) -> Device:
    """A device of a kind, not started yet.

    Args:
        options: keyword arguments of the class, as a file says them.
        name: of its environment; thinking: whether time passes while models think. Told to classes that take them.

    Raises:
        ConfigError: no such kind, or the kind takes no such option or lacks one; the message gives those that it takes.
    """
    factory = load(kind)
    check_options(kind, factory, options)
    given = typed_options(factory, options)
    takes = inspect.signature(factory).parameters
    told = {"name": name, "thinking": thinking}
    given |= {key: value for key, value in told.items() if value and key in takes}

    def make(clock: WallClock) -> World:
        world: World = factory(**given, clock=clock) if shares_a_clock(factory) else factory(**given)
        if lacking := [name for name in ("envs", "now", *_METHODS) if not hasattr(world, name)]:
            what = type(world).__name__
            raise ConfigError(f"{kind!r} makes no world but {what}, which lacks {', '.join(lacking)}; see check_env")
        if not isinstance(world, World):
            raise ConfigError(f"{kind!r} makes a {type(world).__name__}, {what_to_inherit(World)}")
        return world

    return Device(make, description, tuple(applications), own_clock=not shares_a_clock(factory))


def shares_a_clock(factory: Any) -> bool:
    """Whether a class takes the clock of the world that its device is part of; others have a time of their own."""
    return "clock" in inspect.signature(factory).parameters


def names() -> tuple[str, ...]:
    """Every kind that has a name: the engine's, those of plug-ins that ship with it, and others' by name."""
    declared = installed_plugins().declared("devices")
    ours = dict.fromkeys((*KINDS, *(one.name for one in declared if one.ours)))
    return (*ours, *sorted({one.name for one in declared} - set(ours)))


def load(kind: str) -> Any:
    """The class of a kind: the engine's, a plug-in's, or one's own as "module:class".

    Raises:
        ConfigError: no such kind, its module cannot be imported, or it makes no worlds.
    """
    if kind in KINDS:
        module, _, attribute = KINDS[kind].partition(":")
        return getattr(importlib.import_module(module), attribute)
    if one := choose_declared("the kind of device", kind, installed_plugins().declared("devices")):
        factory = load_declared("the kind of device", one)
    elif ":" not in kind:
        raise ConfigError(
            f"there is no kind of device {kind!r}; {nearest(kind, names())}, or write module:class{broken_note()}"
        )
    else:
        factory = _load_path(kind)
    _check_makes_worlds(kind, factory)
    return factory


def _load_path(kind: str) -> Any:
    try:
        return EntryPoint(kind, kind, GROUP).load()
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:
        # Importing foreign code can raise anything; whatever it was, that code is what the user has to mend.
        where = "; its folder has to be in PYTHONPATH" if isinstance(error, ModuleNotFoundError) else ""
        raise ConfigError(f"the kind of device {kind!r} cannot be loaded: {error_words(error)}{where}") from error


def _check_makes_worlds(kind: str, factory: Any) -> None:
    """Refuse what cannot be called to make a world, as far as that can be seen without calling it.

    Raises:
        ConfigError: it cannot.
    """
    lacking = [
        name
        for name in _METHODS
        if getattr(getattr(factory, name, None), "__isabstractmethod__", not callable(getattr(factory, name, None)))
    ]
    if not callable(factory) or (isinstance(factory, type) and lacking):
        what = f"it lacks {', '.join(lacking)}" if isinstance(factory, type) else "it is no class"
        raise ConfigError(f"{kind!r} is no kind of device: {what}; name a class that passes check_env")
    if isinstance(factory, type) and not issubclass(factory, World):
        raise ConfigError(f"{kind!r} is a {factory.__name__}, {what_to_inherit(World)}")
    try:
        inspect.signature(factory)
    except (TypeError, ValueError):
        raise ConfigError(f"{kind!r} is no kind of device: nobody can tell what it takes") from None
