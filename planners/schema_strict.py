"""Whether a JSON schema is one that OpenAI's strict mode takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_strict(schema: Any) -> bool:
    """Whether every object in it forbids further properties and requires all it has, as strict mode demands.

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
