"""The folder of the small eyes' model: `config.json` and `model.safetensors`, checked when read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_file, read_text
from omnipilot.grounders.mini.eyes.form import EyesForm
from omnipilot.grounders.mini.eyes.network import EyesNetwork
from omnipilot.memory.models import read_safetensors, safetensors_shapes

CONFIG, WEIGHTS = "config.json", "model.safetensors"
SHIPPED = Path(__file__).parent / "weights"
CURE = "train eyes anew with `omnipilot train eyes`, or name another folder"
TABLES = ("kinds", "names", "values", "letters")
MOST = 20_000
"""Entries of a table that are believed."""


def check_eyes(folder: Path) -> None:
    """Check that a folder holds a model, as far as can be seen without reading its numbers.

    Raises:
        ConfigError: it does not; the message names the file, and what to do.
    """
    for name in (CONFIG, WEIGHTS):
        try:
            check_file(folder / name)
        except OSError as error:
            raise _damaged(folder / name, f"no eyes can be read here: {error.strerror}") from None
    _check_shapes(folder, read_form(folder), safetensors_shapes(folder / WEIGHTS))


def read_eyes(folder: Path) -> EyesNetwork:
    """The networks in a folder.

    Raises:
        ConfigError: as in `check_eyes`; or numbers in it are infinite or none.
    """
    check_eyes(folder)
    form, arrays = read_form(folder), read_safetensors(folder / WEIGHTS)
    _check_shapes(folder, form, {name: array.shape for name, array in arrays.items()})
    return EyesNetwork(form, arrays)


def read_form(folder: Path) -> EyesForm:
    """What the networks in a folder tell apart.

    Raises:
        ConfigError: the file is missing or broken.
    """
    path = folder / CONFIG
    try:
        told = parse_json(read_text(path, 10_000_000))
    except OSError as error:
        raise _damaged(path, str(error.strerror)) from None
    except ValueError as error:
        raise _damaged(path, f"it is no JSON ({error})") from None
    return EyesForm(*(_table(path, told, name) for name in TABLES))


def _table(path: Path, told: Any, name: str) -> tuple[str, ...]:
    table = told.get(name) if isinstance(told, dict) else None
    if not isinstance(table, list) or not 1 <= len(table) <= MOST or not all(isinstance(one, str) for one in table):
        raise _damaged(path, f"{name} is no list of 1 to {MOST:,} texts")
    if name == "letters" and (table[0] or not all(len(one) == 1 for one in table[1:])):
        raise _damaged(path, 'letters must be "", then single characters')
    return tuple(table)


def _check_shapes(folder: Path, form: EyesForm, found: Mapping[str, tuple[int, ...]]) -> None:
    """Compare the arrays of a file with those that the configuration asks for."""
    path, wanted = folder / WEIGHTS, form.shapes()
    for name, shape in wanted.items():
        if name not in found:
            raise _damaged(path, f"{name} of the networks in {CONFIG} is missing")
        if tuple(found[name]) != shape:
            raise _damaged(path, f"{name} has the shape {list(found[name])}, and {CONFIG} asks for {list(shape)}")


def _damaged(path: Path, why: str) -> ConfigError:
    return ConfigError(f"{path}: {why}; {CURE}")
