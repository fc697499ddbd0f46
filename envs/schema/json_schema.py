"""JSON schemas of the verbs for constrained decoding: references inlined, objects closed, values bounded."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeAlias

from omnipilot.envs.schema.docstrings import sections
from omnipilot.envs.schema.pydantic_models import Places, arguments_model, verb_model
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.envs.types.actions import VERBS
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.fields import LONGEST_TEXT

Json: TypeAlias = dict[str, Any]

FARTHEST = 1_000_000_000
"""Default bound of a custom verb's numbers."""
LONGEST_LIST = 100
"""Default maximum number of items of a custom verb's list."""

_KEPT = frozenset(
    "type enum anyOf items properties required additionalProperties description default minLength maxLength pattern "
    "minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split()
)
_FORMS: dict[str, tuple[Json, ...]] = {
    "swipe": ({"needs": ("direction",), "bans": ("end",)}, {"needs": ("start", "end"), "bans": ("direction",)}),
    "browser": (
        {"only": {"op": ("back", "forward", "reload", "new_tab")}, "bans": ("tab",)},
        {"only": {"op": ("close_tab",)}},
        {"only": {"op": ("focus_tab",)}, "needs": ("tab",)},
    ),
}
"""Verbs whose fields depend on each other: their valid forms, as listed in the schema."""


def tool_schema(verb: str | CustomVerb, places: Places = "any", flat: bool = False) -> Json:
    """A verb as a tool for models: `{"name", "description", "parameters"}`.

    Args:
        verb: a kind or a custom verb.
        places: how places may be named.
        flat: without a top-level `anyOf`, which some providers reject. Dependencies between fields (`swipe`, `browser`)
            are then only described, and `from_call` may reject what the schema allows.

    Raises:
        ConfigError: unknown kind, or a custom verb whose parameters cannot be constrained.
    """
    if isinstance(verb, CustomVerb):
        return {
            "name": verb.name,
            "description": sections(verb.description)[0],
            "parameters": _arguments_schema(verb),
        }
    branches = _branches(verb, places, flat)
    for branch in branches:
        del branch["properties"]["kind"]
        branch["required"].remove("kind")
    parameters = branches[0] if len(branches) == 1 else {"type": "object", "anyOf": branches}
    return {"name": verb, "description": sections(VERBS[verb].__doc__)[0], "parameters": parameters}


def schema(kinds: Collection[str], custom: Collection[CustomVerb] = (), places: Places = "any") -> Json:
    """The JSON schema of one action: a union discriminated by `kind`, which comes first. All it allows can be decoded.

    Args:
        kinds: kinds of the verbs to offer, in this order; "custom" by itself has no effect.
        custom: the environment's custom verbs.
        places: how places may be named.

    Raises:
        ConfigError: unknown kind, no verbs, or a custom verb that cannot be constrained.
    """
    branches: list[Json] = []
    for kind in kinds:
        if kind != "custom":
            description = {"description": sections(VERBS[kind].__doc__)[0]} if kind in VERBS else {}
            branches += [description | branch for branch in _branches(kind, places)]
    for verb in custom:
        head: Json = {"kind": {"type": "string", "enum": ["custom"]}, "name": {"type": "string", "enum": [verb.name]}}
        branches.append(
            {
                "description": sections(verb.description)[0],
                "type": "object",
                "properties": head | {"arguments": _arguments_schema(verb)},
                "required": [*head, "arguments"],
                "additionalProperties": False,
            }
        )
    if not branches:
        raise ConfigError("a schema needs at least one verb")
    return {"anyOf": branches}


def _branches(kind: str, places: Places, flat: bool = False) -> list[Json]:
    if kind not in VERBS or kind == "custom":
        raise ConfigError(f"unknown verb {kind!r}; {nearest(kind, VERBS)}")
    whole = tidy(verb_model(kind, places).model_json_schema())
    forms = () if flat else _FORMS.get(kind, ())
    return [restrict(whole, form) for form in forms] or [whole]


def _arguments_schema(verb: CustomVerb) -> Json:
    try:
        return with_bounds(tidy(arguments_model(verb).model_json_schema()))
    except ConfigError as error:
        raise ConfigError(f"custom verb {verb.name!r}: {error}") from None


def tidy(schema: Json) -> Json:
    """A pydantic schema with its references inlined, titles and nulls dropped.

    Raises:
        ConfigError: it uses a keyword that constrained decoding does not enforce, so that replies might not decode.
    """
    return _tidy(schema, schema.get("$defs", {}))


def _tidy(schema: Json, defs: Json) -> Json:
    out: Json = {}
    for word, value in schema.items():
        if word == "$ref":
            out |= _tidy(defs[value.rsplit("/", 1)[1]], defs)
        elif word in ("anyOf", "oneOf"):
            branches = [_tidy(branch, defs) for branch in value if branch.get("type") != "null"]
            out |= branches[0] if len(branches) == 1 else {"anyOf": branches}
        elif word == "const":
            out["enum"] = [value]
        elif word == "items":
            out["items"] = _tidy(value, defs)
        elif word == "properties":
            out["properties"] = {name: _tidy(item, defs) for name, item in value.items()}
        elif word == "default":
            # None means no value; it is never written.
            out |= {} if value is None else {"default": value}
        elif word in _KEPT:
            out[word] = value
        elif word not in ("$defs", "title", "discriminator"):
            raise ConfigError(f"{word!r} cannot be enforced by constrained decoding; declare simple bounds instead")
    if out.get("type") == "object":
        out.setdefault("properties", {})
        out.setdefault("required", [])
    return out


def with_bounds(schema: Json) -> Json:
    """A tidy schema with default bounds for unbounded strings, numbers and arrays."""
    out = dict(schema)
    kind = out.get("type")
    if kind == "string" and "enum" not in out:
        out.setdefault("maxLength", max(LONGEST_TEXT, out.get("minLength", 0)))
    elif kind in ("integer", "number") and "enum" not in out:
        low, high = (out.get(f"{end}imum", out.get(f"exclusive{end.title()}imum", 0)) for end in ("min", "max"))
        if "exclusiveMinimum" not in out:
            out.setdefault("minimum", min(0, high) - FARTHEST)
        if "exclusiveMaximum" not in out:
            out.setdefault("maximum", max(0, low) + FARTHEST)
    elif kind == "array":
        out.setdefault("maxItems", max(LONGEST_LIST, out.get("minItems", 0)))
        out["items"] = with_bounds(out["items"])
    if "properties" in out:
        out["properties"] = {name: with_bounds(item) for name, item in out["properties"].items()}
    if "anyOf" in out:
        out["anyOf"] = [with_bounds(branch) for branch in out["anyOf"]]
    return out


def restrict(schema: Json, form: Json) -> Json:
    """One form of an object schema: `needs` lists fields that become required, `bans` fields to remove, and `only`
    restricts fields to some of their options."""
    properties = {name: item for name, item in schema["properties"].items() if name not in form.get("bans", ())}
    for name, options in form.get("only", {}).items():
        properties[name] = {word: item for word, item in properties[name].items() if word != "default"}
        properties[name]["enum"] = list(options)
    needs = set(schema["required"]) | set(form.get("needs", ())) | set(form.get("only", ()))
    return {**schema, "properties": properties, "required": [name for name in properties if name in needs]}
