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

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from omnipilot.envs.composite.kinds import KINDS, DependsOnMachine, check_options, device, is_path, load, takes
from omnipilot.envs.composite.world import CompositeWorld
from omnipilot.envs.schema.validation_messages import explain, nearest
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.observation import Modality

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
_WORDS = {"description": "a text", "applications": "a list of texts"}


class _Device(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    kind: str
    description: str = ""
    applications: list[str] = []


class _World(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    devices: dict[Name, _Device]


def read_world(path: Path) -> dict[str, Any]:
    """The devices of a world file as plain values, checked: {"devices": {NAME: {"kind": …, …}}}.

    Options that name files or folders, such as a desktop's `home`, are relative to the folder of the world file.

    Raises:
        ConfigError: the file cannot be read, is not TOML, or describes no world; the message says where.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None
    try:
        check_world(table)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None
    for options in table["devices"].values():
        factory = load(options["kind"])
        for name, value in options.items():
            if value and isinstance(value, str) and is_path(factory, name):
                options[name] = str(path.resolve().parent / Path(value).expanduser())
    return table


def check_world(table: Mapping[str, Any]) -> None:
    """Check a world's table: names, kinds, and the options of each kind as far as its class is installed.

    Raises:
        ConfigError: what is wrong, and what to write instead.
    """
    try:
        world = _World.model_validate(dict(table))
    except ValidationError as error:
        told = explain("world", error.errors(include_url=False), ["devices", "kind", "description", "applications"])
        raise ConfigError(f"{told}. A world is written as [devices.NAME] with kind = one of {_kinds()}") from None
    if not world.devices:
        raise ConfigError(f"a world needs at least one device: [devices.NAME] with kind = one of {_kinds()}")
    for name, described in world.devices.items():
        try:
            check_options(described.kind, load(described.kind), described.model_extra or {})
        except ConfigError as error:
            raise ConfigError(f"devices.{name}: {error}") from None


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
        if isinstance(factory, DependsOnMachine):
            found |= {f"{name}.{what}": told for what, told in factory.conditions(values, shown).items()}
    return found


def open_world(table: Mapping[str, Any]) -> CompositeWorld:
    """Start the devices of a world's table, as `read_world` gives it. The caller closes the world.

    Raises:
        ConfigError: the table is no world's, or a device cannot be started; the message names it.
        EnvLost: a device cannot be reached.
    """
    check_world(table)
    made = {}
    for name, values in table["devices"].items():
        known = {key: values[key] for key in values if key not in ("kind", *_WORDS)}
        words = values.get("description", ""), tuple(values.get("applications", ()))
        made[name] = device(values["kind"], known, name, *words)
    return CompositeWorld(made)


def _kinds() -> str:
    return ", ".join(f'"{kind}"' for kind in KINDS)
