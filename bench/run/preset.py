"""Presets: baselines of papers as settings of a run, one TOML file each, in the folder `presets`.

Each says where it departs from its paper, how to run the paper's own tasks, and what is not supported yet.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources

from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError

ABOUT = ("about", "paper", "departures", "own", "commands", "later")
"""Keys that describe a preset; all others are settings of a run."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name.

    Attributes:
        about: in a line. paper: its title. departures: where the settings differ from the paper.
        own: what the paper's own tasks are. commands: that run and score them; DIR is a folder of data, FILE a world
            file, RUN the directory of the run.
        later: what of the paper is not supported yet.
    """

    name: str
    about: str
    paper: str
    departures: tuple[str, ...]
    own: str
    commands: tuple[str, ...]
    later: tuple[str, ...]
    settings: RunSettings


def names() -> tuple[str, ...]:
    """All presets, sorted."""
    files = (file.name for file in resources.files("omnipilot.bench.run").joinpath("presets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def text(name: str) -> str:
    """The text of a preset's file, with the sections of the paper that it cites.

    Raises:
        ConfigError: no such preset; the message names the nearest.
    """
    if name not in names():
        raise ConfigError(unknown("preset", name, names()))
    return resources.files("omnipilot.bench.run").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")


def load(name: str) -> Preset:
    """The preset of that name.

    Raises:
        ConfigError: no such preset; the message names the nearest.
    """
    told = tomllib.loads(text(name))
    settings = parse_settings({key: value for key, value in told.items() if key not in ABOUT}, f"preset {name}")
    departures, commands, later = (tuple(told[key]) for key in ("departures", "commands", "later"))
    return Preset(name, told["about"], told["paper"], departures, told["own"], commands, later, settings)


def listing() -> str:
    """Every preset with its description, its departures from the paper and what is not supported yet."""
    lines: list[str] = []
    for preset in map(load, names()):
        lines += [f"{preset.name.ljust(24)}  {preset.about}"]
        lines += [f"{'':24}    departs: {line}" for line in preset.departures]
        lines += [f"{'':24}    its own tasks: {preset.own}"]
        lines += [f"{'':24}        {command}" for command in preset.commands]
        lines += [f"{'':24}    later: {line}" for line in preset.later]
    return "\n".join(lines)
