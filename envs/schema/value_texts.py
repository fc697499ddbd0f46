"""Values that a server wrote in another type than the schema asks for: "2" for 2, 12345 for "12345".

Parsers of tool calls that do not know the schema hand numbers, truth values and lists on as texts of JSON, and guess at
types the other way; the model can do nothing about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from omnipilot.envs.schema.json_text import parse_json


def with_types_of(values: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object whose values have the types of its schema, where each is JSON of that type; others stay as they are.

    Args:
        schema: of an object, without references.
    """
    properties = schema.get("properties", {})
    return {name: _typed(value, properties[name]) if name in properties else value for name, value in values.items()}


def _typed(value: Any, schema: Mapping[str, Any]) -> Any:
    allowed = _types(schema)
    if isinstance(value, str) and allowed and "string" not in allowed:
        try:
            read = parse_json(value)
        except ValueError:
            return value
        return _typed(read, schema) if _type(read) & allowed else value
    if isinstance(value, bool | int | float) and "string" in allowed and not _type(value) & allowed:
        return json.dumps(value)
    if isinstance(value, list) and "items" in schema:
        return [_typed(item, schema["items"]) for item in value]
    return value


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema allows; none where it does not say."""
    if "anyOf" in schema:
        return set().union(*(_types(branch) for branch in schema["anyOf"]))
    if "type" in schema:
        return {schema["type"]}
    return set().union(*(_type(value) for value in schema.get("enum", ())))


def _type(value: Any) -> set[str]:
    """The names that JSON Schema has for the type of a value."""
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int):
        return {"integer", "number"}
    if isinstance(value, float):
        return {"number", "integer"} if value.is_integer() else {"number"}
    if isinstance(value, list):
        return {"array"}
    return {"object"} if isinstance(value, Mapping) else {"string"} if isinstance(value, str) else {"null"}
