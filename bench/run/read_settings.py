"""Where settings come in from outside (TOML files, presets, tables of a sweep): their names and types are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench import settings as declarations
from omnipilot.bench.settings import LimitSettings, RunSettings
from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.settings import refuse_secrets

LIMITS = "limits"
"""The setting that is a table of settings."""
KINDS = {
    "Part": "a name, or a table with a name and options",
    "Names": "a list of names, or one text with commas",
    "LimitSettings": f"a table of {', '.join(spec.name for spec in fields(LimitSettings))}",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
}
"""What to write for a setting, by its type."""


def parse_settings(values: Mapping[str, Any], source: str = "") -> RunSettings:
    """Settings of a run from plain values.

    Values are checked and kept as they are: a limit of 1 and one of 1.0 are two runs, as they always were.

    Args:
        source: where they were written, for messages, such as the path of a file; "" to leave it out.

    Raises:
        ConfigError: an unknown setting, with the nearest known one, a value of the wrong type, or a secret.
    """
    # Before any message repeats a value.
    refuse_secrets(values)
    where = f"{source}: " if source else ""
    try:
        _model(declarations.RunSettings).model_validate(dict(values))
    except ValidationError as error:
        raise ConfigError(where + _explain(error.errors(include_url=False)[0])) from None
    table = values.get(LIMITS)
    try:
        limits = None if table is None else LimitSettings(**table)
        return declarations.RunSettings(**{**values, LIMITS: limits})
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


@cache
def _model(record: type[Any]) -> type[BaseModel]:
    """A pydantic model with the fields and types of a record, and no others."""
    hints = get_type_hints(record)
    shapes: dict[str, Any] = {}
    for spec in fields(record):
        hint: Any = _model(LimitSettings) | None if spec.name == LIMITS else hints[spec.name]
        shapes[spec.name] = (hint, None)
    how = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)
    return create_model(record.__name__, __config__=how, **shapes)


def _explain(mistake: Mapping[str, Any]) -> str:
    """What is wrong with a setting, and what to write instead."""
    what, record, (name, *inner) = "setting", declarations.RunSettings, mistake["loc"]
    table: type[Any] = record
    if name == LIMITS and inner:
        what, table, name = "limit", LimitSettings, inner[0]
    if mistake["type"] == "extra_forbidden":
        return describe_unknown(what, name, [spec.name for spec in fields(table)])
    (kind,) = [str(spec.type).partition(" | ")[0] for spec in fields(table) if spec.name == name]
    return f"{what} {name} must be {KINDS[kind]}, not {mistake['input']!r}"
