"""Presets: settings of a run under a name, one TOML file each, in the folder that a plug-in names.

Most are baselines of papers: each says where it departs from its paper, and how to run the paper's own tasks.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from omnipilot.agents.assembly.part_names import split_object
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import installed_plugins

ABOUT = ("about", "paper", "departures", "own", "commands")
"""Keys that describe a preset; all others are settings of a run."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name.

    Attributes:
        about: in a line. paper: its title; "" for a baseline of no paper. departures: where the settings differ from
            the paper. own: what the paper's own tasks are. commands: that run and score them; DIR is a folder of data,
            FILE a world file, RUN the directory of the run.
    """

    name: str
    about: str
    paper: str
    departures: tuple[str, ...]
    own: str
    commands: tuple[str, ...]
    settings: RunSettings


def names() -> tuple[str, ...]:
    """All presets, sorted."""
    return tuple(sorted(_files()))


def text(name: str) -> str:
    """The text of a preset's file, with the sections of the paper that it cites.

    Raises:
        ConfigError: no such preset; the message names the nearest.
    """
    files = _files()
    if name not in files:
        raise ConfigError(describe_unknown("preset", name, sorted(files)))
    return files[name].read_text(encoding="utf-8")


def _files() -> dict[str, Traversable]:
    """The file of each preset by name; a name of ours is ours. A folder that is not there has no presets."""
    found: dict[str, Traversable] = {}
    for one in installed_plugins().working:
        if not one.plugin.presets:
            continue
        package, folder = split_object(one.plugin.presets)
        try:
            files = list(resources.files(package).joinpath(folder).iterdir())
        except (ImportError, OSError):
            continue
        for file in files:
            if file.name.endswith(".toml"):
                found.setdefault(file.name.removesuffix(".toml"), file)
    return found


def load(name: str) -> Preset:
    """The preset of that name.

    Raises:
        ConfigError: no such preset; the message names the nearest.
    """
    told = tomllib.loads(text(name))
    settings = parse_settings({key: value for key, value in told.items() if key not in ABOUT}, f"preset {name}")
    departures, commands = tuple(told.get("departures", ())), tuple(told["commands"])
    return Preset(name, told["about"], told.get("paper", ""), departures, told["own"], commands, settings)


def listing() -> str:
    """Every preset with its description and its departures from the paper."""
    lines: list[str] = []
    for preset in map(load, names()):
        lines += [f"{preset.name.ljust(24)}  {preset.about}"]
        lines += [f"{'':24}    departs: {line}" for line in preset.departures]
        lines += [f"{'':24}    its own tasks: {preset.own}"]
        lines += [f"{'':24}        {command}" for command in preset.commands]
    return "\n".join(lines)
