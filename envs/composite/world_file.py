"""Reading a world file, `world.toml`: its devices, their options, and how they are introduced to the planner.

[devices.laptop]
kind = "desktop"
programs = ["mousepad", "galculator"]
description = "the user's laptop"

[devices.page]
kind = "browser"
url = "http://127.0.0.1:8000/"

[devices.phone]
kind = "phone"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs.base import Thinking
from omnipilot.envs.composite.device_options import is_path, misfit, option_mistakes, takes
from omnipilot.envs.composite.kinds import device, load, names, shares_a_clock
from omnipilot.envs.composite.world import CompositeWorld
from omnipilot.envs.schema.read_toml import read_toml
from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.observation import Modality

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_WORDS: Mapping[str, Any] = {"description": str, "applications": list[str]}
"""What the planner is told of a device."""
SHOWN = 20
"""Mistakes that a message lists, at most."""


def read_world(path: Path) -> dict[str, Any]:
    """The devices of a world file as plain values, checked: {"devices": {NAME: {"kind": …, …}}}.

    Its `[[tasks]]`, if it has any, are left to who carries out tasks (`omnipilot.bench.free`). Options that name files
    or folders, such as a desktop's `home`, are relative to the folder of the world file.

    Raises:
        ConfigError: the file cannot be read, is not TOML, or describes no world; the message says everything that is
            wrong, and where.
    """
    table = {key: value for key, value in read_toml(path).items() if key != "tasks"}
    for options in _described(table).values():
        factory = _factory(options)
        for option, value in options.items():
            if factory is not None and value and isinstance(value, str) and is_path(factory, option):
                options[option] = str(path.resolve().parent / Path(value).expanduser())
    _refuse(world_mistakes(table), str(path))
    return table


def check_world(table: Any) -> None:
    """Check a world's table: names, kinds, and the options of each kind.

    Raises:
        ConfigError: what is wrong, all of it, and what to write instead.
    """
    _refuse(world_mistakes(table), "")


def world_mistakes(table: Any) -> Iterator[str]:
    """What is wrong with a world's table, each with the place where it stands and what is expected there."""
    written = f"a world is written as [devices.NAME] with kind = one of {_kinds()}"
    if not isinstance(table, Mapping):
        yield f"{written}, not {short(table)}"
        return
    for key in table:
        if key != "devices":
            yield f"{key}: a world has nothing but devices, and a file of one [[tasks]]; {written}"
    devices = table.get("devices")
    if not isinstance(devices, Mapping):
        yield f"devices: {written}" + ("" if devices is None else f", not {short(devices)}")
        return
    if not devices:
        yield f"devices: a world needs at least one device; {written}"
    for name, options in devices.items():
        if not _NAME.fullmatch(name):
            yield f"devices.{name}: a device's name begins with a letter and has 40 letters, digits, - and _ at most"
        if not isinstance(options, Mapping):
            yield f"devices.{name} must be a table with a kind, not {short(options)}"
        else:
            yield from (f"devices.{name}.{told}" for told in _mistakes(options))
    for name, options in _described(table).items() if len(devices) > 1 else ():
        if (factory := _factory(options)) is None or shares_a_clock(factory):
            continue
        yield (
            f"devices.{name}.kind: {options['kind']!r} has a clock of its own, so it cannot stand beside other "
            "devices: let it be the only one, or choose a kind whose class takes the argument clock"
        )


def _described(table: Any) -> dict[str, Any]:
    """The devices of a table that are tables themselves."""
    devices = table.get("devices") if isinstance(table, Mapping) else None
    return (
        {name: one for name, one in devices.items() if isinstance(one, Mapping)} if isinstance(devices, Mapping) else {}
    )


def _mistakes(options: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a device, each with the key."""
    for key, hint in _WORDS.items():
        if key in options and (told := misfit(hint, options[key])):
            yield f"{key} must be {told}"
    kind = options.get("kind")
    if not isinstance(kind, str):
        yield f"kind must be one of {_kinds()}, or module:class" + ("" if kind is None else f", not {short(kind)}")
        return
    try:
        factory = load(kind)
    except ConfigError as error:
        yield f"kind: {error}"
        return
    yield from option_mistakes(kind, factory, _own(options))


def _own(options: Mapping[str, Any]) -> dict[str, Any]:
    """What a device's class is given."""
    return {key: value for key, value in options.items() if key not in ("kind", *_WORDS)}


def _factory(options: Mapping[str, Any]) -> Any:
    """The class of a device's kind; None if there is none, which is told where the kind is checked."""
    try:
        return load(options["kind"])
    except (ConfigError, KeyError, TypeError):
        return None


def _refuse(mistakes: Iterator[str], source: str) -> None:
    """Raise for mistakes: one on its own line, several below one another."""
    found = list(mistakes)
    if not found:
        return
    where = f"{source}: " if source else ""
    if len(found) == 1:
        raise ConfigError(where + found[0])
    more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    told = "\n  ".join([*found[:SHOWN], *more])
    raise ConfigError(f"{source or 'the world'} has {len(found)} mistakes:\n  {told}")


def with_options(table: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A world's table with options: KEY for every device whose kind takes it, or a table of options by device name.

    Raises:
        ConfigError: no device takes the option.
    """
    devices = {name: dict(values) for name, values in table["devices"].items()}
    for key, value in options.items():
        if key in devices and isinstance(value, Mapping):
            devices[key] |= value
            continue
        if key in devices:
            raise ConfigError(f"{key!r} is a device of this world: set one of its options, as in world.{key}.KEY=VALUE")
        able = [name for name, values in devices.items() if key in takes(load(values["kind"]))]
        if not able:
            known = sorted({option for values in devices.values() for option in takes(load(values["kind"]))})
            raise ConfigError(f"no device of this world takes the option {key!r}; {nearest(key, known)}")
        for name in able:
            devices[name][key] = value
    changed = {**table, "devices": devices}
    check_world(changed)
    return changed


def world_conditions(table: Mapping[str, Any], shown: frozenset[Modality]) -> dict[str, str]:
    """What the devices of a world will find on this machine that can change a run's results: "laptop.isolation", …

    Args:
        shown: the modalities that are asked of them.

    Raises:
        MissingExtra, ConfigError: what a device cannot do without is not installed.
    """
    found: dict[str, str] = {}
    for name, values in table["devices"].items():
        factory = load(values["kind"])
        if conditions := getattr(factory, "conditions", None):
            # A kind of device may be a function, which says nothing.
            found |= {f"{name}.{what}": told for what, told in conditions(values, shown).items()}
    return found


def open_world(table: Mapping[str, Any], thinking: Thinking | None = None) -> CompositeWorld:
    """Start the devices of a world's table, as `read_world` gives it. The caller closes the world.

    Args:
        thinking: whether time passes while models think; it matters to a device with a simulated clock.

    Raises:
        ConfigError: the table is no world's, or a device cannot be started; the message names it.
        EnvLost: a device cannot be reached.
    """
    check_world(table)
    made = {}
    for name, values in table["devices"].items():
        told = values.get("description", ""), values.get("applications", ())
        made[name] = device(values["kind"], _own(values), name, *told, thinking)
    return CompositeWorld(made)


def _kinds() -> str:
    return ", ".join(f'"{kind}"' for kind in names())
