"""Sweeps: from settings with lists to cells, one for each combination."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.registry import unknown
from omnipilot.bench.experiments.grid import Cell, cell_name
from omnipilot.bench.run import preset as presets
from omnipilot.bench.run.config import layer_settings, merge_settings, spec_from
from omnipilot.bench.run.labels import AXES, label_of, varying
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError, MissingExtra

MANIFEST = "sweep.json"
AGAINST = "against"
OF_MODELS = ("planner_url", "cassette", "replay")
"""Settings that a run refuses where no part asks a model; a sweep has cells of both kinds."""


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What was asked for, before it is taken apart.

    Attributes:
        settings: what all cells share, as for `omnipilot run`. lists: what they differ in, by setting, in order.
        against: what names the cell that the others are compared with; "" for the first.
    """

    settings: Mapping[str, Any]
    lists: Mapping[str, Sequence[Any]]
    against: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Cells of one suite that will stand in one table.

    Attributes:
        axes: the settings in which the cells differ. reference: number of the cell that the others are compared with.
        combinations: how many were asked for; those that come to the same run are one cell.
    """

    cells: tuple[Cell, ...]
    axes: tuple[str, ...]
    reference: int
    combinations: int

    def write(self, folder: Path) -> None:
        """Write down which cells of a folder belong to this sweep."""
        spec = self.cells[0].spec
        told = {
            "suite": spec.suite.name,
            "tasks": spec.tasks or "all",
            "instances": spec.instances,
            "trials": spec.trials,
            "axes": self.axes,
            AGAINST: self.cells[self.reference].label,
            "cells": [{"label": cell.label, "folder": cell.folder.name} for cell in self.cells],
        }
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f"{MANIFEST}.new"
        new.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
        new.replace(folder / MANIFEST)


def sweep_request(
    file: Mapping[str, Any],
    lists: Mapping[str, Sequence[Any]],
    flags: Mapping[str, Any],
    against: str = "",
) -> SweepRequest:
    """What a file and flags ask for; flags come first.

    Args:
        file: settings of a run, and a table `sweep` with a list for each setting that is varied.
        lists: of flags, by setting, those that were given. flags: the others.

    Raises:
        ConfigError: the table is none, or has a setting that cannot be varied, or no list.
    """
    table = file.get("sweep", {})
    if not isinstance(table, Mapping):
        raise ConfigError('sweep is a table of lists: [sweep], and below it planner = ["rules", "noop"]')
    for name, values in table.items():
        if name == AGAINST and isinstance(values, str):
            continue
        if name not in AXES:
            raise ConfigError(unknown("setting that a sweep varies", name, (*AXES, AGAINST)))
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{name} in [sweep] is a list of what to try, not {values!r}")
    base = {key: value for key, value in file.items() if key != "sweep"}
    preset = flags.get("preset") or base.get("preset")
    if preset:
        base = layer_settings(presets.load(preset).settings, base)
    told = {**{name: values for name, values in table.items() if name != AGAINST}, **lists}
    varied = {name: told[name] for name in AXES if name in told}
    return SweepRequest(merge_settings(base, flags), varied, against or table.get(AGAINST, ""))


def specs_of(found: SweepRequest, options: Sequence[str] = ()) -> list[RunSpec]:
    """The run of every combination, the last list's values changing fastest.

    What is of models only (a server, a cassette) is left to the combinations that ask one.

    Raises:
        ConfigError: a combination cannot be; the message says which. Or none asks a model, and it is said how.
    """
    specs = []
    unused = set(OF_MODELS) & set(found.settings)
    for values in product(*found.lists.values()):
        chosen = dict(zip(found.lists, values, strict=True))
        try:
            settings = merge_settings(layer_settings(found.settings, chosen), {}, options)
            kept = _of_models(settings)
            unused -= kept
            specs.append(spec_from({key: settings[key] for key in settings if key in kept or key not in OF_MODELS}))
        except MissingExtra:
            raise
        except ConfigError as error:
            said = ", ".join(f"{name} {_said(value)}" for name, value in chosen.items())
            raise ConfigError(f"{said}: {error}" if said else str(error)) from None
    if unused:
        spec_from(settings)
    return specs


def sweep_of(specs: Sequence[RunSpec], folder: Path, against: str = "") -> Sweep:
    """The cells of these runs, each in its directory of the folder.

    Args:
        against: the words of one cell, or as many of them as tell it from the others, separated by commas.

    Raises:
        ConfigError: no cell, or more than one, is meant by `against`.
    """
    once = list({spec.identity: spec for spec in specs}.values())
    axes = varying(once) or ("planner",)
    cells = tuple(Cell(label_of(spec, axes), spec, folder / cell_name(spec)) for spec in once)
    return Sweep(cells, axes, _reference(cells, against), len(specs))


def _of_models(settings: Mapping[str, Any]) -> set[str]:
    """Which of `OF_MODELS` these settings have a use for."""
    agent = spec_from({key: value for key, value in settings.items() if key not in OF_MODELS}).agent
    asks = [part is not None and "model" in part.options for part in (agent.planner, agent.tool_agent)]
    others = [part is not None and "model" in part.options for part in (agent.critic, agent.progress)]
    return {*(["planner_url"] if asks[0] else []), *(["cassette", "replay"] if any(asks + others) else [])}


def _reference(cells: Sequence[Cell], against: str) -> int:
    if not against:
        return 0
    labels = [cell.label for cell in cells]
    if against in labels:
        return labels.index(against)
    wanted = _words(against)
    meant = [number for number, cell in enumerate(cells) if wanted <= set().union(*map(_words, _told(cell.spec)))]
    if len(meant) == 1:
        return meant[0]
    if meant:
        listed = "; ".join(labels[number] for number in meant)
        raise ConfigError(f"--against {against!r} means more than one cell: {listed}; name more of it, with commas")
    raise ConfigError(unknown("cell", against, labels))


def _told(spec: RunSpec) -> list[str]:
    return [words(spec) for words in AXES.values()]


def _words(text: str) -> set[str]:
    return {word.strip() for word in text.split(",")}


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name", value.get("model", dict(value))))
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
