"""Sweeps: from settings with lists of values to cells, one for each combination."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.experiments.cells import Cell, cell_folder
from omnipilot.bench.run.config import layer_settings, set_options, spec_from, with_preset
from omnipilot.bench.run.labels import AXES, label_of, varying
from omnipilot.bench.run.mistakes import Mistakes, SeveralMistakes
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.settings import RunSettings, varied_by
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import ConfigError, MissingExtra

MANIFEST = "sweep.json"
AGAINST = "against"
OF_MODELS = ("planner_url", "cassette", "replay")
"""Settings that a run refuses if no part calls a model; a sweep may have cells of both kinds."""


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What a sweep is asked to run.

    Attributes:
        settings: shared by all cells, as for `omnipilot run`. lists: the values of each setting that is varied, in
            order.
        against: names the reference cell; "" for the first.
    """

    settings: RunSettings
    lists: Mapping[str, Sequence[Any]]
    against: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Cells of one suite, for one table.

    Attributes:
        axes: the settings in which the cells differ. reference: index of the cell that the others are compared with.
        combinations: number of combinations asked for; combinations that are the same run share a cell.
    """

    cells: tuple[Cell, ...]
    axes: tuple[str, ...]
    reference: int
    combinations: int

    def write(self, folder: Path) -> None:
        """Write the manifest: which cells in a folder belong to this sweep."""
        write_manifest(folder, MANIFEST, self.cells, axes=self.axes, against=self.cells[self.reference].label)


def write_manifest(folder: Path, name: str, cells: Sequence[Cell], **more: Any) -> None:
    """Write which cells of a folder belong to a table, with the size of their runs.

    Args:
        name: of the file. more: what else it says, by key.
    """
    spec = cells[0].spec
    manifest = {
        "suite": spec.suite.name,
        "tasks": spec.tasks or "all",
        "instances": spec.instances,
        "trials": spec.trials,
        **more,
        "cells": [{"label": cell.label, "folder": cell.folder.name} for cell in cells],
    }
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f"{name}.new"
    new.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
    new.replace(folder / name)


def sweep_request(
    file: Mapping[str, Any],
    lists: Mapping[str, Sequence[Any]],
    flags: RunSettings,
    against: str = "",
    source: str = "",
    command: str = "sweep",
) -> SweepRequest:
    """What a file and flags ask for. Flags override the file, and the file overrides its preset.

    Args:
        file: settings of a run, and a table named like the command with a list for each setting that is varied.
        lists: of flags, by setting. flags: the settings that all cells share.
        source: the file's path, for messages.
        command: one that varies settings (`omnipilot.bench.settings.varied_by`). Only `sweep` has a reference cell.

    Raises:
        ConfigError: a setting is wrong, cannot be varied, or has no list of values.
    """
    where = f"{source}: " if source else ""
    table, axes = file.get(command, {}), varied_by(command)
    own = (AGAINST,) if command == "sweep" else ()
    if not isinstance(table, Mapping):
        raise ConfigError(f'{where}{command} must be a table of lists: [{command}], then planner = ["random", "noop"]')
    for name, values in table.items():
        if name in own and isinstance(values, str):
            continue
        if name not in axes:
            raise ConfigError(where + describe_unknown(f"setting that a {command} can vary", name, (*axes, *own)))
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{where}{name} in [{command}] must be a list of values, not {values!r}")
    base = parse_settings({key: value for key, value in file.items() if key != command}, source)
    chosen = {**{name: values for name, values in table.items() if name != AGAINST}, **lists}
    varied = {name: chosen[name] for name in axes if name in chosen}
    settings = layer_settings(with_preset(base, flags.preset), flags)
    return SweepRequest(settings, varied, against or table.get(AGAINST, ""))


def specs_of(found: SweepRequest, options: Sequence[str] = ()) -> list[RunSpec]:
    """The run of every combination, the last list changing fastest.

    Settings of model calls (server, cassette) go only to combinations that call a model.

    Raises:
        ConfigError: a combination is impossible (the message says which), or none of them calls a model though a
            setting of model calls is given.
    """
    specs = []
    mistakes = Mistakes()
    unused = {name for name in OF_MODELS if name in found.settings.given}
    lists = _parsed_lists(found)
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        try:
            own = {name: one.value for name, one in chosen.items()}
            settings = set_options(replace(found.settings, **own), options)
            useful = _of_models(settings)
            unused -= useful
            specs.append(spec_from(replace(settings, **dict.fromkeys(set(OF_MODELS) - useful))))
        except MissingExtra as error:
            mistakes.add(error)
        except ConfigError as error:
            mistakes.add(*_with_words(error, ", ".join(f"{name} {one.words}" for name, one in chosen.items())))
    mistakes.refuse()
    if unused:
        # It names the setting that no combination can use, and the cure.
        spec_from(settings)
    return specs


@dataclass(frozen=True, slots=True)
class _Choice:
    """A value of a setting that is varied: in words for messages, and as the cells' settings hold it."""

    words: str
    value: Any


def _parsed_lists(found: SweepRequest) -> dict[str, list[_Choice]]:
    """The values of each setting that is varied, over those that all cells share.

    Raises:
        ConfigError: some values are not what the setting takes; all of them are told at once.
    """
    mistakes = Mistakes()
    lists: dict[str, list[_Choice]] = {}
    for name, values in found.lists.items():
        lists[name] = []
        for value in values:
            words = _value_words(value)
            try:
                settings = layer_settings(found.settings, parse_settings({name: value}))
            except MissingExtra as error:
                mistakes.add(error)
            except ConfigError as error:
                mistakes.add(*_with_words(error, f"{name} {words}"))
            else:
                lists[name].append(_Choice(words, getattr(settings, name)))
    mistakes.refuse()
    return lists


def _with_words(error: ConfigError, words: str) -> list[ConfigError]:
    """An error, or each of several, with the words of the combination that it is about."""
    each = error.errors if isinstance(error, SeveralMistakes) else (error,)
    return [ConfigError(f"{words}: {one}" if words else str(one)) for one in each]


def sweep_of(specs: Sequence[RunSpec], folder: Path, against: str = "") -> Sweep:
    """The cells of these runs, each in its directory of the folder.

    Args:
        against: the words of one cell, or enough of them to single it out, separated by commas.

    Raises:
        ConfigError: `against` matches no cell, or more than one.
    """
    once = list({spec.identity: spec for spec in specs}.values())
    axes = varying(once) or ("planner",)
    cells = tuple(Cell(label_of(spec, axes), spec, cell_folder(folder, spec)) for spec in once)
    return Sweep(cells, axes, _reference(cells, axes, against), len(specs))


def _of_models(settings: RunSettings) -> set[str]:
    """Those of `OF_MODELS` that a run with these settings can use."""
    spec = spec_from(replace(settings, **dict.fromkeys(OF_MODELS)))
    agent = spec.agent
    asks = [part is not None and part.calls_model for part in (agent.planner, agent.tool_agent)]
    others = [
        part is not None and part.calls_model
        for part in (agent.critic, agent.progress, agent.perception, agent.gate, spec.user)
    ]
    return {*(["planner_url"] if asks[0] else []), *(["cassette", "replay"] if any(asks + others) else [])}


def _reference(cells: Sequence[Cell], axes: Sequence[str], against: str) -> int:
    if not against:
        return 0
    labels = [cell.label for cell in cells]
    if against in labels:
        return labels.index(against)
    wanted = _words(against)
    meant = [
        number
        for number, cell in enumerate(cells)
        if wanted <= set().union(*(_words(AXES[axis](cell.spec)) for axis in axes))
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        listed = "; ".join(labels[number] for number in meant)
        raise ConfigError(f"--against {against!r} matches more than one cell: {listed}; add words, with commas")
    raise ConfigError(describe_unknown("cell", against, labels))


def _words(text: str) -> set[str]:
    return {word.strip() for word in text.split(",")}


def _value_words(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name", value.get("model", dict(value))))
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
