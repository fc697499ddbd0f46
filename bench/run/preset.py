"""Presets: the baselines of papers as settings of a run, one TOML file each, in the folder `presets`.

Each says what it departs from its paper in, how the paper's own tasks are run, and what waits for a later part of ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from omnipilot.agents.assembly.registry import unknown
from omnipilot.envs import ConfigError

ABOUT = ("about", "paper", "departures", "own", "later")
"""Keys that tell of a preset; all others are settings of a run."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name.

    Attributes:
        about: in a line. paper: its title. departures: in what the settings are not the paper's.
        own: how the paper's own tasks are run and scored.
        later: what of the paper is left out until there is a part for it.
        settings: as in a configuration file.
    """

    name: str
    about: str
    paper: str
    departures: tuple[str, ...]
    own: str
    later: tuple[str, ...]
    settings: Mapping[str, Any]


def names() -> tuple[str, ...]:
    """All presets, sorted."""
    files = (file.name for file in resources.files("omnipilot.bench.run").joinpath("presets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def text(name: str) -> str:
    """The file of a preset, with the sections of its paper that it cites.

    Raises:
        ConfigError: there is none of that name; the message gives the nearest.
    """
    if name not in names():
        raise ConfigError(unknown("preset", name, names()))
    return resources.files("omnipilot.bench.run").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")


def load(name: str) -> Preset:
    """The preset of that name.

    Raises:
        ConfigError: there is none; the message gives the nearest.
    """
    told = tomllib.loads(text(name))
    settings = {key: value for key, value in told.items() if key not in ABOUT}
    return Preset(
        name, told["about"], told["paper"], tuple(told["departures"]), told["own"], tuple(told["later"]), settings
    )


def listing() -> str:
    """Every preset with what it is, the parts that it names, what it departs in and what waits."""
    lines: list[str] = []
    for preset in map(load, names()):
        lines += [f"{preset.name.ljust(24)}  {preset.about}"]
        lines += [f"{'':24}    departs: {line}" for line in preset.departures]
        lines += [f"{'':24}    its own tasks: {preset.own}"]
        lines += [f"{'':24}    later: {line}" for line in preset.later]
    return "\n".join(lines)
