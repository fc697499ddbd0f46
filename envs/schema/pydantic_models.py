"""Pydantic models of the JSON formats, generated from the metadata of the vocabulary's fields.

A bound is declared once, with the field, and checked here when JSON is read. Models constrain single fields;
constraints across fields are checked by the verbs themselves.
"""

from __future__ import annotations

import functools
import inspect
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Annotated, Any, Literal, TypeAlias

import pydantic
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Tag, ValidationError, WithJsonSchema

from omnipilot.envs.schema.docstrings import sections
from omnipilot.envs.schema.validation_messages import explain
from omnipilot.envs.types.actions import VERBS
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.fields import LONGEST_NAME, Ref
from omnipilot.envs.types.geometry import Box, Point
from omnipilot.envs.types.keys import NAMED, canonical, parse_combination

Places: TypeAlias = Literal["described", "grounded", "any"]
"""How a planner may name a place: by description or id; by coordinates; or either."""

_STRICT = ConfigDict(extra="forbid", strict=True)


class _Point(BaseModel):
    model_config = _STRICT
    x: float = pydantic.Field(ge=0, le=1, description="share of the width, from the left")
    y: float = pydantic.Field(ge=0, le=1, description="share of the height, from the top")


class _Ref(BaseModel):
    model_config = _STRICT
    id: str = pydantic.Field(min_length=1, max_length=LONGEST_NAME, description="of an element or a drawn mark")


class _Box(BaseModel):
    model_config = _STRICT
    left: float = pydantic.Field(ge=0, le=1)
    top: float = pydantic.Field(ge=0, le=1)
    right: float = pydantic.Field(ge=0, le=1)
    bottom: float = pydantic.Field(ge=0, le=1)


def _form_of_place(value: Any) -> str:
    if isinstance(value, str):
        return "description"
    return "id" if isinstance(value, Mapping) and "id" in value else "point"


def _whole(value: Any) -> Any:
    # JSON has a single number type: 2.0 is an integer to every schema.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _key(name: str) -> str:
    try:
        return canonical(name)
    except ValueError:
        parts = parse_combination(name)
        if len(parts) > 1:
            raise ValueError(f"{name!r} is several keys; write {json.dumps(parts)}") from None
        raise


def _box(wire: _Box) -> Box:
    (left, right), (top, bottom) = sorted((wire.left, wire.right)), sorted((wire.top, wire.bottom))
    return Box(left, top, right, bottom)


_POINT: Any = Annotated[_Point, AfterValidator(lambda wire: Point(wire.x, wire.y)), Tag("point")]
_ID: Any = Annotated[_Ref, AfterValidator(lambda wire: Ref(wire.id)), Tag("id")]
_WORDS: Any = Annotated[
    str,
    pydantic.Field(min_length=1, max_length=LONGEST_NAME, description="what is there, in words"),
    Tag("description"),
]
_PLACES: dict[Places, Any] = {
    "described": Annotated[_WORDS | _ID, pydantic.Discriminator(_form_of_place)],
    "grounded": _POINT,
    "any": Annotated[_POINT | _WORDS | _ID, pydantic.Discriminator(_form_of_place)],
}
_KEY: Any = Annotated[
    str,
    AfterValidator(_key),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": sorted(NAMED)},
                {"type": "string", "pattern": "^[!-~]$", "minLength": 1, "maxLength": 1},
            ]
        }
    ),
]

BOX: Any = Annotated[_Box, AfterValidator(_box)]
"""A box, in JSON."""


def _wire_type(bounds: Mapping[str, Any], places: Places) -> Any:
    """The pydantic type of a verb's field, from the bounds that the field declares."""
    if "low" in bounds:
        within = pydantic.Field(ge=bounds["low"], le=bounds["high"])
        return Annotated[int, within, BeforeValidator(_whole)] if bounds["whole"] else Annotated[float, within]
    if "longest" in bounds:
        return Annotated[str, pydantic.Field(min_length=bounds["shortest"], max_length=bounds["longest"])]
    if "options" in bounds:
        options = Literal.__getitem__(bounds["options"])
        told = [option for option in bounds["options"] if option not in bounds["untold"]]
        if len(told) == len(bounds["options"]):
            return options
        return Annotated[options, WithJsonSchema({"enum": told, "type": "string"})]
    if "flag" in bounds:
        return bool
    if "box" in bounds:
        return BOX
    if "json" in bounds:
        return dict[str, Any]
    each, fewest = _PLACES[places], 0
    if "each" in bounds:
        each = Literal.__getitem__(bounds["each"])
    elif "keys" in bounds:
        each, fewest = _KEY, 1
    elif bounds["most"] is None:
        return each
    return Annotated[list.__class_getitem__(each), pydantic.Field(min_length=fewest, max_length=bounds["most"])]


@functools.cache
def verb_model(kind: str, places: Places) -> type[BaseModel]:
    """The model of a built-in verb."""
    verb = VERBS[kind]
    docs = sections(verb.__doc__)[1]
    wire: dict[str, Any] = {"kind": (Literal.__getitem__(kind), ...)}
    for spec in fields(verb):
        annotation = _wire_type(spec.metadata, places)
        wire[spec.name] = (
            annotation | None if spec.metadata["optional"] else annotation,
            pydantic.Field(default=_default(spec), description=docs.get(spec.name)),
        )
    return pydantic.create_model(verb.__name__, __config__=_STRICT, **wire)


def _default(spec: Field[Any]) -> Any:
    if spec.default_factory is not MISSING:
        return spec.default_factory()
    if spec.default is MISSING:
        return ...
    return list(spec.default) if isinstance(spec.default, tuple) else spec.default


@functools.cache
def record_model(cls: type) -> type[BaseModel]:
    """The model of a plain dataclass of the vocabulary, such as `Element`."""
    hints = typing.get_type_hints(cls)
    wire: dict[str, Any] = {
        spec.name: (BOX if hints[spec.name] is Box else hints[spec.name], _default(spec)) for spec in fields(cls)
    }
    return pydantic.create_model(cls.__name__, __config__=ConfigDict(extra="forbid"), **wire)


@functools.cache
def arguments_model(verb: CustomVerb) -> type[BaseModel]:
    """The model of a custom verb's arguments, from its function's signature.

    Raises:
        ConfigError: a parameter has a type without a JSON equivalent.
    """
    hints = typing.get_type_hints(verb.call, include_extras=True)
    docs = sections(verb.description)[1]
    wire: dict[str, Any] = {}
    for number, (name, parameter) in enumerate(inspect.signature(verb.call).parameters.items()):
        if not _plain(hints[name]):
            raise ConfigError(
                f"custom verb {verb.name!r}: {name!r} is {hints[name]!r}; use str, int, float, bool, Literal, "
                "list[...] of them, a union of them, or Annotated with pydantic's Field for bounds"
            )
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        # Use an internal name with an alias: a parameter may be called `json` or `copy`.
        wire[f"p{number}"] = (hints[name], pydantic.Field(default=default, alias=name, description=docs.get(name)))
    return pydantic.create_model(verb.name, __config__=ConfigDict(extra="forbid"), **wire)


def _plain(annotation: Any) -> bool:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _plain(arguments[0])
    if origin in (typing.Union, types.UnionType, list):
        return all(_plain(argument) for argument in arguments)
    return origin is Literal or annotation in (str, int, float, bool, type(None))


def read(model: type[BaseModel], data: Any, subject: str) -> dict[str, Any]:
    """The fields in `data`, validated and converted by the model, under the names used in `data`.

    Raises:
        ValueError: `data` is invalid; the message says what is wrong with each field.
    """
    names = _names_of(model)
    try:
        wire = model.model_validate(data)
    except ValidationError as error:
        raise ValueError(explain(subject, error.errors(), [name for name in names if name != "kind"])) from None
    return {said: getattr(wire, name) for said, name in names.items() if name in wire.model_fields_set}


@functools.lru_cache(maxsize=256)
def _names_of(model: type[BaseModel]) -> Mapping[str, str]:
    """The fields of a model, by their names in data."""
    return {spec.alias or name: name for name, spec in model.model_fields.items()}


def annotation_from_schema(schema: Mapping[str, Any]) -> Any:
    """The type, with its bounds, of a parameter whose JSON schema is that of a `tool_schema`.

    Raises:
        ValueError: no type of a custom verb has this schema.
    """
    if "anyOf" in schema:
        branches = [annotation_from_schema(branch) for branch in _maps(schema["anyOf"])]
        return functools.reduce(lambda one, other: one | other, branches)
    if "enum" in schema:
        if not schema["enum"] or not all(isinstance(option, str | int | bool) for option in schema["enum"]):
            raise ValueError(f"no options: {schema['enum']!r:.80}")
        return Literal.__getitem__(tuple(schema["enum"]))
    kind = schema.get("type")
    if kind == "boolean":
        return bool
    if kind == "array":
        (items,) = _maps([schema.get("items")])
        made: Any = list.__class_getitem__(annotation_from_schema(items))
    elif kind in _TYPES:
        made = _TYPES[kind]
    else:
        raise ValueError(f"no custom verb takes a {kind!r:.80}")
    bounds = {ours: schema[theirs] for theirs, ours in _BOUNDS.items() if theirs in schema}
    try:
        return Annotated[made, pydantic.Field(**bounds)] if bounds else made
    except (TypeError, RuntimeError) as error:
        raise ValueError(str(error)) from None


def _maps(values: Any) -> list[Mapping[str, Any]]:
    if not isinstance(values, list) or not values or not all(isinstance(value, Mapping) for value in values):
        raise ValueError(f"{values!r:.80} are no schemas")
    return values


_TYPES: dict[Any, type] = {"string": str, "integer": int, "number": float}
_BOUNDS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
