"""The plug-ins that are installed: read once a process from the entry points of packages, ours and others' alike."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from omnipilot.envs.plugin import TABLES, Plugin
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.foreign_exits import ends_the_program, exit_words

GROUP = "omnipilot.plugins"
"""The group of entry points; each names a `Plugin`."""
OURS = "omnipilot"
"""The distribution whose plug-ins ship with the engine."""
MOST_BROKEN = 2
"""Broken plug-ins that the message of an unknown name tells in full."""
ROOMS = ("agents", "bench", "envs", "grounders", "memory", "planners")
"""Packages of omnipilot into which no other distribution can put a module."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A plug-in, the package that declares it, and whether it ships with omnipilot.

    It does if its entry point is one of the distribution `omnipilot` itself, and leads into one of its own packages: a
    distribution that only bears the name cannot make its parts ours.
    """

    plugin: Plugin
    package: str
    ours: bool


@dataclass(frozen=True, slots=True)
class Broken:
    """An entry point that leads to no plug-in.

    Attributes:
        name, value: of the entry point. package: that declares it. why: what went wrong.
    """

    name: str
    value: str
    package: str
    why: str

    @property
    def message(self) -> str:
        """What went wrong, and the cure."""
        cure = "install omnipilot anew" if self.package == OURS else "update or uninstall that package"
        return (
            f"the plug-in {self.name!r} of the package {self.package} cannot be loaded (entry point {self.value!r}): "
            f"{self.why}; {cure}"
        )


@dataclass(frozen=True, slots=True)
class Declared:
    """A name that a plug-in declares.

    Attributes:
        name: of the part. target: "module:attribute". package: that declares it. ours: whether that is omnipilot.
        place: of its plug-in.
    """

    name: str
    target: str
    package: str
    ours: bool
    place: int = 0


@dataclass(frozen=True, slots=True)
class Plugins:
    """All installed plug-ins.

    Attributes:
        working: ours by their place, then those of others by name. broken: those that cannot be loaded.
    """

    working: tuple[Installed, ...]
    broken: tuple[Broken, ...]

    def declared(self, table: str) -> tuple[Declared, ...]:
        """The names of one table of all plug-ins, in order; a name may come more than once."""
        return tuple(
            Declared(name, getattr(entry, "target", entry), one.package, one.ours, one.plugin.place)
            for one in self.working
            for name, entry in getattr(one.plugin, table).items()
        )

    def default(self, what: str) -> str:
        """What a command takes where nothing is said ("suite", "planner", …), from our plug-ins; "" for nothing."""
        return next((one.plugin.defaults[what] for one in self.working if one.ours and what in one.plugin.defaults), "")

    def clashes(self) -> Iterator[str]:
        """Names that two plug-ins declare in the same table, each with what becomes of it."""
        for table in TABLES:
            packages: dict[str, list[Declared]] = {}
            for one in self.declared(table):
                packages.setdefault(one.name, []).append(one)
            for name, several in packages.items():
                others = sorted({one.package for one in several if not one.ours})
                if any(one.ours for one in several) and others:
                    yield f"{table}: {name!r} is omnipilot's; that of {', '.join(others)} is not used"
                elif len({one.target for one in several}) > 1:
                    yield f"{table}: {name!r} is declared by {' and '.join(others or [OURS])} twice; uninstall one"


@functools.cache
def installed_plugins() -> Plugins:
    """Read the records of all installed packages; one that is broken does not hide the others."""
    working: list[Installed] = []
    broken: list[Broken] = []
    names: dict[int, str] = {}  # of distributions, each read once
    for point in entry_points(group=GROUP):
        package = names.get(id(point.dist)) or names.setdefault(id(point.dist), _package(point))
        try:
            working.append(Installed(_plugin(point), package, _ships(point, package)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Importing foreign code can raise anything, SystemExit too.
            broken.append(Broken(point.name, point.value, package, error_words(error)))
    working.sort(key=lambda one: (not one.ours, one.plugin.place if one.ours else 0, one.plugin.name))
    return Plugins(tuple(working), tuple(sorted(broken, key=lambda one: (one.package, one.name))))


def load_declared(kind: str, one: Declared) -> Any:
    """Import what a plug-in declares.

    Raises:
        ConfigError: it cannot be imported; the message names the package, and the cure.
        MissingExtra: a part of ours needs an optional dependency that is not installed.
    """
    try:
        return EntryPoint(one.name, one.target, GROUP).load()
    except (ConfigError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if one.ours and isinstance(error, Exception):
            raise
        raise ConfigError(
            f"{kind} {one.name!r} cannot be loaded from the package {one.package} ({one.target!r}): "
            f"{error_words(error)}; update or uninstall that package"
        ) from error


def choose_declared(kind: str, name: str, declared: tuple[Declared, ...]) -> Declared | None:
    """The one plug-in's declaration of a name that counts: ours, or else the only one; None if there is none.

    Raises:
        ConfigError: packages declare different things under it.
    """
    several = [one for one in declared if one.name == name]
    own = [one for one in several if one.ours]
    if len({one.target for one in own or several}) > 1:
        packages = ", ".join(sorted({one.package for one in several}))
        raise ConfigError(f"{kind} {name!r} is declared by more than one package ({packages}); uninstall one")
    return next(iter(own or several), None)


def broken_note() -> str:
    """Which plug-ins cannot be loaded, for the message of an unknown name: one of theirs may be meant."""
    plugins = installed_plugins()
    told = "".join(f" ({one.message})" for one in plugins.broken[:MOST_BROKEN])
    if more := len(plugins.broken[MOST_BROKEN:]):
        told += f" ({more} more plug-ins cannot be loaded: see `omnipilot doctor`)"
    if any(one.ours for one in plugins.working) or any(one.package == OURS for one in plugins.broken):
        return told
    return f"{told} (omnipilot declares no benchmark of its own; if they should be there, install it anew)"


def error_words(error: BaseException) -> str:
    """An error of foreign code in words."""
    return exit_words(error) if ends_the_program(error) else f"{type(error).__name__}: {error}"


def _plugin(point: EntryPoint) -> Plugin:
    found = point.load()
    if not isinstance(found, Plugin):
        raise ConfigError(
            f"{point.value!r} is a {type(found).__name__}, not a Plugin; write PLUGIN = Plugin(name=…) there, with "
            "Plugin from omnipilot.envs"
        )
    return found


def _ships(point: EntryPoint, package: str) -> bool:
    first, _, rest = point.module.partition(".")
    return package == OURS and first == OURS and rest.partition(".")[0] in ROOMS


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "of unknown name"
