"""Request parameters that a model accepts; those that litellm would drop silently are reported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.memory.models.litellm.library import library

_TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
_FORMAT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object", "properties": {}}}}
_FIRST = ("reasoning_effort", "thinking", "tools", "tool_choice")
"""Tried first, because others depend on them."""


def accepted_parameters(model: str, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The parameters that reach the model, and the names of the others.

    A parameter is left out where litellm refuses it for this model, or takes it and changes nothing.

    Args:
        model: "provider/name".
        wanted: litellm's arguments: parameters, `tools`, `tool_choice`, `response_format`.

    Raises:
        ConfigError: it takes no tools, and some are wanted.
        MissingExtra: litellm is not installed.
    """
    stand_in = {"tools": [_TOOL], "response_format": _FORMAT}
    tried = {name: stand_in.get(name, value) for name, value in wanted.items() if name != "extra_body"}
    if isinstance(tried.get("tool_choice"), Mapping):
        tried["tool_choice"] = {"type": "function", "function": {"name": "f"}}
    dropped = _dropped(model, json.dumps(tried, sort_keys=True))
    if "response_format" in wanted and "response_format" not in dropped and not _keeps_schemas(model):
        dropped += ("response_format",)
    if "tools" in dropped:
        raise ConfigError(f"{model} takes no tools; use the planner 'json' with it, or another model")
    return {name: value for name, value in wanted.items() if name not in dropped}, dropped


@lru_cache(maxsize=256)
def _dropped(model: str, wanted: str) -> tuple[str, ...]:
    parameters = json.loads(wanted)
    names = sorted(parameters, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    kept: dict[str, Any] = {}
    dropped = []
    before = _mapped(model, kept)
    for name in names:
        after = _mapped(model, {**kept, name: parameters[name]})
        if after is None or after == before:
            dropped.append(name)
        else:
            kept[name], before = parameters[name], after
    return tuple(dropped)


def _keeps_schemas(model: str) -> bool:
    """Whether a model supports JSON schemas; assumed for models that litellm does not list."""
    litellm = library()
    name, provider, _, _ = litellm.get_llm_provider(model)
    listed = model in litellm.model_cost or name in litellm.model_cost
    return not listed or bool(litellm.supports_response_schema(model=name, custom_llm_provider=provider))


def _mapped(model: str, parameters: Mapping[str, Any]) -> str | None:
    """Parameters as litellm converts them for the provider; None if it rejects them."""
    litellm = library()
    name, provider, _, _ = litellm.get_llm_provider(model)
    try:
        # Some providers change the tools that they are given.
        copied = json.loads(json.dumps(parameters))
        mapped = litellm.utils.get_optional_params(
            model=name, custom_llm_provider=provider, drop_params=False, **copied
        )
    except (litellm.UnsupportedParamsError, litellm.utils.UnsupportedParamsError):
        return None
    return json.dumps(mapped, sort_keys=True, default=str)
