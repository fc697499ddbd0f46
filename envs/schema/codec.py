"""Converting the vocabulary to and from JSON.

An action is an object whose `kind` comes first; omitted fields have their defaults; unknown keys are errors. A place is
`{"x": 0.5, "y": 0.25}` (fractions of the screen's sides), a description, or `{"id": "..."}` of an element or mark. A
box is `{"left", "top", "right", "bottom"}`; its corners may be swapped, because no schema can say which is smaller. A
lone surrogate, which is not a character, becomes U+FFFD for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeAlias, cast

from omnipilot.envs.schema import pydantic_models as wire
from omnipilot.envs.schema.json_schema import schema as schema
from omnipilot.envs.schema.json_schema import tidy
from omnipilot.envs.schema.json_schema import tool_schema as tool_schema
from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.envs.schema.value_texts import with_types_of
from omnipilot.envs.types.actions import VERBS, Action, Intent
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import MalformedAction
from omnipilot.envs.types.fields import Place, Ref
from omnipilot.envs.types.geometry import Box, Point
from omnipilot.envs.types.observation import Context, Element

Json: TypeAlias = dict[str, Any]

DEEPEST = 32
"""Maximum nesting depth of JSON."""


def to_json(intent: Intent) -> Json:
    """An action or intent as JSON values: `kind` first, then every field without its default value."""
    out: Json = {"kind": intent.kind}
    for spec in fields(intent):
        value = getattr(intent, spec.name)
        default = spec.default_factory() if spec.default_factory is not MISSING else spec.default
        if value != default:
            out[spec.name] = _value_to_json(value)
    return out


def _value_to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_value_to_json(item) for item in value]
    if isinstance(value, Point | Ref):
        return place_to_json(value)
    return box_to_json(value) if isinstance(value, Box) else value


def from_json(data: Any, custom: Mapping[str, CustomVerb] | None = None, places: wire.Places = "any") -> Intent:
    """An intent from JSON values.

    Args:
        data: the result of `json.loads`.
        custom: the environment's custom verbs, by name; calls are checked against their signatures. None: custom verbs
            are not checked (a journal is read without the environment).
        places: how places may be named.

    Raises:
        MalformedAction: not an action; the message says what is wrong with each field, and what would be right.
    """
    if not isinstance(data, Mapping):
        raise MalformedAction(f'an action is a JSON object such as {{"kind": "noop"}}, not {short(data)}')
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in VERBS:
        said = f"unknown kind {short(kind)}" if "kind" in data else "'kind' is missing"
        raise MalformedAction(f"{said}; {nearest(kind if isinstance(kind, str) else '', VERBS)}")
    try:
        data = _mended(data)
        values = _read(wire.verb_model(kind, places), data, kind)
        if kind == "custom" and custom is not None:
            values["arguments"] = _checked(values["name"], values.get("arguments", {}), custom)
        del values["kind"]
        return cast(Intent, VERBS[kind](**{name: _frozen(value) for name, value in values.items()}))
    except ValueError as error:
        raise MalformedAction(str(error)) from None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def action_from_json(data: Any, custom: Mapping[str, CustomVerb] | None = None) -> Action:
    """A grounded action from JSON values: its places are points.

    Raises:
        MalformedAction: not an action, or its places are descriptions.
    """
    return cast(Action, from_json(data, custom, "grounded"))


def from_call(
    name: str, arguments: Any, custom: Mapping[str, CustomVerb] | None = None, places: wire.Places = "any"
) -> Intent:
    """An intent from a model's function call for a `tool_schema`; `name` is a kind or a custom verb.

    Raises:
        MalformedAction: as `from_json`.
    """
    if custom and name in custom:
        return from_json({"kind": "custom", "name": name, "arguments": arguments}, custom, places)
    known = [*(kind for kind in VERBS if kind != "custom"), *(custom or ())]
    if name not in known:
        raise MalformedAction(f"unknown action {short(name)}; {nearest(name, known)}")
    if not isinstance(arguments, Mapping) or arguments.get("kind", name) != name:
        raise MalformedAction(f"the arguments of {name} are a JSON object without 'kind', not {short(arguments)}")
    return from_json({**arguments, "kind": name}, custom, places)


def place_to_json(place: Place) -> Any:
    """A place as JSON values."""
    if isinstance(place, str):
        return place
    return {"id": place.id} if isinstance(place, Ref) else {"x": place.x, "y": place.y}


def box_to_json(box: Box) -> Json:
    """A box as JSON values."""
    return {"left": box.left, "top": box.top, "right": box.right, "bottom": box.bottom}


def element_to_json(element: Element) -> Json:
    """An element of a screen as JSON values, without defaults."""
    out: Json = {"role": element.role, "name": element.name, "box": box_to_json(element.box)}
    for spec in fields(element)[3:]:
        value = getattr(element, spec.name)
        if value != spec.default:
            out[spec.name] = sorted(value) if isinstance(value, frozenset) else value
    return out


def element_from_json(data: Any) -> Element:
    """An element from JSON values.

    Raises:
        ValueError: it is invalid; the message says why.
    """
    return Element(**wire.read(wire.record_model(Element), _mended(data), "element"))


def context_to_json(context: Context) -> Json:
    """An environment's context as JSON values, without defaults."""
    out = {spec.name: getattr(context, spec.name) for spec in fields(context)}
    out["tabs"] = list(context.tabs)
    # A clipboard that is known to be empty is told.
    return {name: value for name, value in out.items() if value or value == 0 or (name == "clipboard" and value == "")}


def context_from_json(data: Any) -> Context:
    """An environment's context from JSON values.

    Raises:
        ValueError: it is invalid; the message says why.
    """
    return Context(**wire.read(wire.record_model(Context), _mended(data), "context"))


def _mended(value: Any, depth: int = 0) -> Any:
    """The value with every lone surrogate replaced: schemas allow them, but text cannot contain them.

    Raises:
        ValueError: it is nested more than 32 deep.
    """
    if depth > DEEPEST:
        raise ValueError(f"nested more than {DEEPEST} deep")
    if isinstance(value, str):
        return value if value.isprintable() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {_mended(name): _mended(item, depth + 1) for name, item in value.items()}
    return [_mended(item, depth + 1) for item in value] if isinstance(value, list) else value


def _checked(name: str, arguments: Json, custom: Mapping[str, CustomVerb]) -> Json:
    """The arguments of a custom call, checked against its signature; defaults are left to the function."""
    if name not in custom:
        raise MalformedAction(f"unknown custom verb {short(name)}; {nearest(name, custom)}")
    return _read(wire.arguments_model(custom[name]), arguments, name)


def _read(model: Any, data: Any, name: str) -> Json:
    """The fields of a JSON object; of one that has the wrong types, those that were meant.

    Raises:
        ValueError: it is invalid; the message says why.
    """
    try:
        return wire.read(model, data, name)
    except ValueError as error:
        typed = with_types_of(data, tidy(model.model_json_schema())) if isinstance(data, Mapping) else data
        if typed == data:
            raise
        try:
            return wire.read(model, typed, name)
        except ValueError:
            raise error from None
