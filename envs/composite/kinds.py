"""The kinds of devices that a world file may name: ours, those of installed packages, and classes of one's own."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from omnipilot.envs.base import Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.composite.device_options import check_options, typed_options
from omnipilot.envs.composite.world import Device
from omnipilot.envs.contract.breaches import what_to_inherit
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.types.errors import ConfigError

KINDS: Mapping[str, str] = {
    "desktop": "omnipilot.envs.desktop.world:DesktopWorld",
    "browser": "omnipilot.envs.web.world:BrowserWorld",
    "android": "omnipilot.envs.android.world:AndroidWorld",
    "phone": "omnipilot.envs.sim.live:LivePhone",
    "phone-over-adb": "omnipilot.envs.android.embedded:EmbeddedPhone",
    "sim": "omnipilot.envs.sim.world:SimWorld",
    "remote": "omnipilot.envs.remote.world:RemoteWorld",
    "osworld": "omnipilot.envs.remote.osworld.world:OSWorldWorld",
    "windows-agent-arena": "omnipilot.envs.remote.osworld.world:WindowsAgentArenaWorld",
}
"""Our own kinds, each as "module:class"; a module is imported when a device of its kind is checked or started."""
GROUP = "omnipilot.envs"
"""The entry points by which packages add kinds."""
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
    """Every kind that has a name, ours first; nothing is imported."""
    return (*KINDS, *sorted({point.name for point in entry_points(group=GROUP)} - set(KINDS)))


def load(kind: str) -> Any:
    """The class of a kind: of ours, of an installed package's entry point, or of one's own as "module:class".

    Raises:
        ConfigError: no such kind, its module cannot be imported, or it makes no worlds.
    """
    points = [] if kind in KINDS else [point for point in entry_points(group=GROUP) if point.name == kind]
    if kind not in KINDS and not points and ":" not in kind:
        raise ConfigError(f"there is no kind of device {kind!r}; {nearest(kind, names())}, or write module:class")
    if len({point.value for point in points}) > 1:
        packages = ", ".join(sorted({point.dist.name for point in points if point.dist is not None}))
        raise ConfigError(f"{kind!r} is declared by more than one package ({packages}); uninstall one")
    path = KINDS.get(kind) or (points[0].value if points else kind)
    if path in KINDS.values():
        module, _, attribute = path.partition(":")
        return getattr(importlib.import_module(module), attribute)
    try:
        factory = EntryPoint(kind, path, GROUP).load()
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:
        # Importing foreign code can raise anything; whatever it was, that code is what the user has to mend.
        from_package = f", which {points[0].dist.name} declares," if points and points[0].dist is not None else ""
        where = "; its folder has to be in PYTHONPATH" if isinstance(error, ModuleNotFoundError) else ""
        raise ConfigError(
            f"the kind of device {kind!r}{from_package} cannot be loaded: {type(error).__name__}: {error}{where}"
        ) from error
    _check_makes_worlds(kind, factory)
    return factory


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
