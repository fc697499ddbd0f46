"""Custom verbs of another machine: their schemas travel, their functions stay there."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

from omnipilot.envs.schema.pydantic_models import annotation_from_schema
from omnipilot.envs.types.actions import VERBS
from omnipilot.envs.types.custom import CustomVerb


def remote_verb(
    name: str, description: str, parameters: Mapping[str, Any], act: Callable[[Mapping[str, Any]], Any]
) -> CustomVerb:
    """A verb whose function sends the call to where it is carried out.

    Args:
        parameters: its JSON schema, as in a `tool_schema`.
        act: carries out a call with these arguments.

    Raises:
        ValueError: the name is that of a built-in verb, or the schema is none of a custom verb.
    """
    properties, required = parameters.get("properties", {}), parameters.get("required", [])
    if name in VERBS or not isinstance(properties, Mapping) or not isinstance(required, list):
        raise ValueError(f"{name!r:.60} is no custom verb")
    found = []
    for key, schema in properties.items():
        if not str(key).isidentifier() or not isinstance(schema, Mapping):
            raise ValueError(f"{key!r:.60} is no parameter")
        default = inspect.Parameter.empty if key in required else schema.get("default")
        kind = annotation_from_schema(schema)
        if default is None:
            kind = kind | None
        found.append(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind))

    def call(**arguments: Any) -> Any:
        return act(arguments)

    made: Any = call
    made.__name__, made.__doc__ = name, description
    made.__annotations__ = {one.name: one.annotation for one in found}
    made.__signature__ = inspect.Signature(found)
    return CustomVerb(name, description, cast(Callable[..., Any], made))
