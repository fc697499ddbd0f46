"""JSON schemas in the form that servers accept: OpenAI's strict mode and vLLM's grammars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_ONE = re.compile(r"\^\[[^\]]+\]\$")
"""A pattern of exactly one character."""


def is_strict(schema: Any) -> bool:
    """Whether every object in it forbids additional properties and requires all its own, as strict mode demands.

    A schema that is not would be refused with `strict`; without it the server keeps it as well as it can.
    """
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if schema.get("type") == "object" or isinstance(properties, Mapping):
            named = set(properties) if isinstance(properties, Mapping) else set()
            if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != named:
                return False
        return all(is_strict(inner) for inner in schema.values())
    if isinstance(schema, list | tuple):
        return all(is_strict(inner) for inner in schema)
    return True


def without_repeated_bounds(schema: Any) -> Any:
    """A schema without the length bounds that a one-character pattern already implies.

    xgrammar, behind vLLM, refuses a pattern and a length together (its issue 966), and with them the whole request.
    """
    if isinstance(schema, Mapping):
        kept = {key: without_repeated_bounds(value) for key, value in schema.items()}
        if isinstance(pattern := schema.get("pattern"), str) and _ONE.fullmatch(pattern):
            kept = {key: value for key, value in kept.items() if key not in ("minLength", "maxLength")}
        return kept
    return [without_repeated_bounds(inner) for inner in schema] if isinstance(schema, list | tuple) else schema
