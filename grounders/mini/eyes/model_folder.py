"""The folder of the small eyes' model: `config.json` and `model.safetensors`, checked when read."""

from __future__ import annotations

from pathlib import Path

from omnipilot.grounders.mini.eyes.form import EyesForm
from omnipilot.memory.models import ModelKind, ModelValues

TABLES = ("kinds", "names", "values", "letters")
MOST = 20_000
"""Entries of a table that are believed."""


def _form_of(told: ModelValues) -> EyesForm:
    return EyesForm(*(_table(told, name) for name in TABLES))


def _table(told: ModelValues, name: str) -> tuple[str, ...]:
    table = told.values.get(name)
    if not isinstance(table, list) or not 1 <= len(table) <= MOST or not all(isinstance(one, str) for one in table):
        raise told.error(f"{name} is no list of 1 to {MOST:,} texts")
    if name == "letters" and (table[0] or not all(len(one) == 1 for one in table[1:])):
        raise told.error('letters must be "", then single characters')
    return tuple(table)


MINI_EYES = ModelKind("mini-eyes", "omnipilot train eyes", Path(__file__).parent / "weights", _form_of)
