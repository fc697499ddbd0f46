"""Actions as JSON objects: the schema for constrained decoding, and its description for models without it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from omnipilot.envs.types import VERBS
from omnipilot.planners.base import Verbs
from omnipilot.planners.chat.stated import EXPECT, expectation_schema
from omnipilot.planners.chat.toolset import DEVICE, MOST_PLACES
from omnipilot.planners.tools import CONTROL_WORDS, CONTROLS, NOT_OFFERED, REMEMBER, Places, in_words

Json: TypeAlias = dict[str, Any]


def reply_schema(
    envs: Mapping[str, Verbs],
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    most: int = 8,
    longest: int = 2_000,
    remembers: bool = False,
    expect: int = 0,
) -> Json:
    """The JSON schema of a reply, `{"thought", "actions"}`; every value it allows is a valid decision.

    Args:
        most: maximum number of actions in one reply.
        longest: maximum characters of a thought or any other text, so that generation ends in time.
        remembers: notes for the memory are allowed too.
        expect: maximum number of expectations stated beside the actions, in the optional `expect`.
    """
    forms = [_shortened(form, longest) for form in action_schemas(envs, places, controls, remembers)]
    stated = {"type": "array", "maxItems": expect, "items": expectation_schema(envs)} if expect else None
    return {
        "type": "object",
        "properties": {
            "thought": {"type": "string", "maxLength": longest},
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": most,
                "items": {"anyOf": forms},
            },
            **({EXPECT: stated} if stated is not None else {}),
        },
        "required": ["thought", "actions"],
        "additionalProperties": False,
    }


def action_schemas(
    envs: Mapping[str, Verbs],
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    remembers: bool = False,
) -> list[Json]:
    """A schema for each form of an action; `kind` comes first, then `device` if there are several."""
    from omnipilot.envs.schema import schema

    found: list[Json] = []
    for kind in VERBS:
        able = [name for name, verbs in envs.items() if kind in verbs.kinds and kind not in NOT_OFFERED]
        if able:
            found += [_with_envs(branch, able, len(envs)) for branch in schema([kind], (), places)["anyOf"]]
    for name, verbs in envs.items():
        for verb in verbs.custom.values():
            found += [_with_envs(branch, [name], len(envs)) for branch in schema([], [verb], places)["anyOf"]]
    for kind in CONTROLS:
        if kind in controls:
            (branch,) = schema([kind], (), places)["anyOf"]
            found.append({**branch, "description": CONTROL_WORDS[kind]})
    if remembers:
        kind_of = {"kind": {"type": "string", "enum": [REMEMBER.name]}}
        required = ["kind", *REMEMBER.parameters["required"]]
        properties = {**kind_of, **REMEMBER.parameters["properties"]}
        found.append({**REMEMBER.parameters, "properties": properties, "required": required})
        found[-1]["description"] = REMEMBER.description
    return found


def actions_in_words(
    envs: Mapping[str, Verbs],
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    remembers: bool = False,
) -> str:
    """Every form of an action, one per line."""
    place = {
        "described": 'a text or {"id": "…"}',
        "grounded": '{"x": 0.0 to 1.0, "y": 0.0 to 1.0}, shares of the screen\'s width and height',
        "any": 'a text, {"id": "…"} or {"x": 0.0 to 1.0, "y": 0.0 to 1.0}',
    }[places]
    lines = ["## The actions", "", f"A place is {place}.", ""]
    for branch in action_schemas(envs, places, controls, remembers):
        properties = branch["properties"]
        told = [_field(name, item, name in branch["required"]) for name, item in properties.items()]
        lines.append("- {" + ", ".join(told) + "}: " + branch.get("description", ""))
    return "\n".join(lines)


def _shortened(schema: Json, longest: int) -> Json:
    """The schema with a maximum length for every text and every path."""
    out = dict(schema)
    if "maxLength" in out:
        out["maxLength"] = max(min(out["maxLength"], longest), out.get("minLength", 0))
    if "properties" in out:
        out["properties"] = {name: _shortened(item, longest) for name, item in out["properties"].items()}
        if (path := out["properties"].get("path")) and "maxItems" in path:
            out["properties"]["path"] = {**path, "maxItems": min(path["maxItems"], MOST_PLACES)}
    if "items" in out:
        out["items"] = _shortened(out["items"], longest)
    if "anyOf" in out:
        out["anyOf"] = [_shortened(branch, longest) for branch in out["anyOf"]]
    return out


def _with_envs(branch: Json, able: list[str], envs: int) -> Json:
    """The schema of an action with the environments that support it, if there are several to choose from."""
    if envs == 1:
        return branch
    head, *rest = branch["properties"].items()
    properties = dict([head, (DEVICE, {"type": "string", "enum": able}), *rest])
    required = [name for name in properties if name in branch["required"] or name == DEVICE]
    return {**branch, "properties": properties, "required": required}


def _field(name: str, item: Json, required: bool) -> str:
    if item.get("enum") and name in ("kind", DEVICE, "name") and required:
        return f'"{name}": ' + "|".join(f'"{option}"' for option in item["enum"])
    return f'"{name}"{"" if required else "?"}: {in_words(item)}'
