"""Schemas: they leave a constrained decoder no way to a malformed action."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field
from strategies import instances, verbs

from omnipilot.envs import ConfigError, CustomVerb, custom_verb
from omnipilot.envs.schema import codec
from omnipilot.envs.schema.codec import schema, tool_schema
from omnipilot.envs.schema.docstrings import sections
from omnipilot.envs.schema.pydantic_models import Places
from omnipilot.envs.types import VERBS

BUILT_IN = [kind for kind in VERBS if kind != "custom"]
PLACES: list[Places] = ["described", "grounded", "any"]


def brew(
    leaf: Literal["green", "black"],
    minutes: float,
    cups: Annotated[int, Field(gt=0, le=12)] = 1,
    names: list[str] | None = None,
    json: bool = False,
    note: str | int = "",
    far: Annotated[float, Field(gt=5e9)] = 6e9,
) -> None:
    """Brew tea,
    and pour it.

    Args:
        leaf: which kind,
            dried.
        minutes: how long.
        cups (int): how many.

    Returns:
        Nothing at all.
    """


BREW = custom_verb(brew)


@functools.cache
def offered(kind: str, places: Places) -> tuple[st.SearchStrategy[Any], st.SearchStrategy[Any]]:
    """What a decoder may write that is held to the schema of one verb, as an object and as a call."""
    return instances(schema([kind], places=places)), instances(tool_schema(kind, places)["parameters"])


@functools.cache
def whole_schema(places: Places) -> dict[str, Any]:
    return schema(BUILT_IN, places=places)


def parts(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every schema within a schema."""
    yield value
    inner = [
        *value.get("properties", {}).values(),
        *value.get("anyOf", ()),
        *([value["items"]] if "items" in value else []),
    ]
    for part in inner:
        yield from parts(part)


def valid(value: Any, under: dict[str, Any]) -> bool:
    """Whether a JSON value is valid under a schema, by the standard, for the keywords that occur here."""
    if "anyOf" in under and not any(valid(value, branch) for branch in under["anyOf"]):
        return False
    if "enum" in under and not any(value == option and type(value) is type(option) for option in under["enum"]):
        return False
    number = isinstance(value, int | float) and not isinstance(value, bool)
    kinds = {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "number": number,
        "integer": number and value == int(value),
    }
    if "type" in under and not kinds[under["type"]]:
        return False
    if isinstance(value, dict) and "properties" in under:
        known = under["properties"]
        return (
            set(under["required"]) <= set(value) <= set(known)
            and not under["additionalProperties"]
            and all(valid(item, known[name]) for name, item in value.items())
        )
    if isinstance(value, list):
        return under.get("minItems", 0) <= len(value) <= under["maxItems"] and all(
            valid(item, under["items"]) for item in value
        )
    if isinstance(value, str) and "maxLength" in under:
        matched = "pattern" not in under or re.search(under["pattern"], value) is not None
        return matched and under.get("minLength", 0) <= len(value) <= under["maxLength"]
    return not number or "minimum" not in under or under["minimum"] <= value <= under["maximum"]


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("kind", BUILT_IN)
@settings(suppress_health_check=[HealthCheck.data_too_large, HealthCheck.large_base_example])
@given(data=st.data())
def test_whatever_the_schema_of_a_verb_allows_decodes(kind: str, places: Places, data: st.DataObject) -> None:
    union, tool = offered(kind, places)
    written = data.draw(union)
    assert codec.from_json(json.loads(json.dumps(written)), places=places).kind == kind
    called = data.draw(tool)
    assert codec.from_call(kind, json.loads(json.dumps(called)), places=places).kind == kind


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.data_too_large, HealthCheck.large_base_example])
@given(data=st.data())
def test_whatever_the_schema_of_a_custom_verb_allows_decodes(data: st.DataObject) -> None:
    custom = {"brew": BREW}
    written = data.draw(instances(schema([], [BREW])))
    assert codec.from_json(json.loads(json.dumps(written)), custom).kind == "custom"
    called = data.draw(instances(tool_schema(BREW)["parameters"]))
    action = codec.from_call("brew", json.loads(json.dumps(called)), custom)
    BREW.bind(action.arguments)  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", BUILT_IN)
@given(data=st.data())
def test_the_schema_allows_every_intent_that_it_is_meant_to(kind: str, data: st.DataObject) -> None:
    places = data.draw(st.sampled_from(PLACES))
    written = codec.to_json(data.draw(verbs(kind, places)))
    if kind == "browser" and written["op"] in ("back", "forward", "reload", "new_tab"):
        written.pop("tab", None)
    if kind == "click" and written.get("button") in ("back", "forward"):
        # Valid, and deliberately told to no model.
        assert not valid(written, whole_schema(places))
        return
    assert valid(written, whole_schema(places))
    kind_said = written.pop("kind")
    assert valid(written, tool_schema(kind_said, places)["parameters"])
    assert valid(written, tool_schema(kind_said, places, flat=True)["parameters"])


@pytest.mark.parametrize("places", PLACES)
def test_everything_in_a_schema_is_closed_and_bounded(places: Places) -> None:
    whole = schema(VERBS, [BREW], places)
    flat = [tool_schema(verb, places)["parameters"] for verb in [*BUILT_IN, BREW]]
    for part in (part for root in (whole, *flat) for part in parts(root)):
        kind = part.get("type")
        if kind == "object" and "anyOf" not in part:
            assert part["additionalProperties"] is False and set(part["required"]) <= set(part["properties"])
        elif kind == "string" and "enum" not in part:
            assert part["maxLength"] <= 10_000
        elif kind == "array":
            assert part["maxItems"] <= 100
        elif kind in ("number", "integer"):
            assert {"minimum", "exclusiveMinimum"} & set(part) and {"maximum", "exclusiveMaximum"} & set(part)
        assert kind in ("object", "string", "array", "number", "integer", "boolean") or "anyOf" in part
    assert "$ref" not in json.dumps(whole) and "$defs" not in json.dumps(whole)


@pytest.mark.parametrize("places", PLACES)
def test_a_union_is_told_apart_by_the_kind_which_comes_first(places: Places) -> None:
    branches = schema(VERBS, [BREW], places)["anyOf"]
    for branch in branches:
        assert next(iter(branch["properties"])) == branch["required"][0] == "kind"
        assert len(branch["properties"]["kind"]["enum"]) == 1
        assert branch["description"]
    assert {branch["properties"]["kind"]["enum"][0] for branch in branches} == set(VERBS)


def test_places_are_offered_as_asked() -> None:
    def keys(places: Places) -> set[str]:
        at = tool_schema("move", places)["parameters"]["properties"]["at"]
        return {name for part in parts(at) for name in [part.get("type", ""), *part.get("properties", ())]} - {""}

    assert keys("grounded") == {"object", "number", "x", "y"}
    assert keys("described") == {"string", "object", "id"}
    assert keys("any") == {"string", "object", "id", "number", "x", "y"}


def test_fields_that_depend_on_each_other_are_branches() -> None:
    swipe = tool_schema("swipe", "described")["parameters"]
    assert [branch["required"] for branch in swipe["anyOf"]] == [["direction"], ["start", "end"]]
    assert not valid({"direction": "up", "end": "a"}, swipe) and not valid({"start": "a"}, swipe)
    browser = tool_schema("browser")["parameters"]
    assert not valid({"op": "focus_tab"}, browser) and not valid({"op": "back", "tab": 1}, browser)
    assert valid({"op": "focus_tab", "tab": 1}, browser) and valid({"op": "close_tab"}, browser)
    assert "anyOf" not in tool_schema("swipe", flat=True)["parameters"]


def test_descriptions_come_from_docstrings() -> None:
    click = tool_schema("click", "described")
    assert click["description"].startswith("Press and release a button at a place")
    assert "triple" in click["parameters"]["properties"]["count"]["description"]
    tool = tool_schema(BREW)
    assert tool["description"] == "Brew tea, and pour it."
    told = {name: item.get("description") for name, item in tool["parameters"]["properties"].items()}
    assert told["leaf"] == "which kind, dried." and told["cups"] == "how many." and told["note"] is None
    assert tool["parameters"]["required"] == ["leaf", "minutes"]


def test_sections_of_a_docstring() -> None:
    text, entries = sections(
        "One.\n\nTwo: three.\n\nArgs:\n    a, b: both,\n        of them: yes\n    c: last\n\nRaises:\n    X: no\n"
    )
    assert text == "One. Two: three."
    assert entries == {"a": "both, of them: yes", "b": "both, of them: yes", "c": "last"}
    assert sections(None) == ("", {})


@pytest.mark.parametrize(
    "annotation",
    [
        dict[str, int],
        Any,
        bytes,
        tuple[int, int],
        set[int],
        complex,
        Annotated[int, Field(multiple_of=3)],
        "list[object]",
    ],
)
def test_a_type_that_decoders_cannot_be_held_to_is_refused(annotation: Any) -> None:
    def verb(x) -> None:  # type: ignore[no-untyped-def]
        """Do."""

    verb.__annotations__["x"] = annotation
    with pytest.raises(ConfigError, match="verb"):
        tool_schema(CustomVerb("verb", "Do.", verb))


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean click"):
        schema(["clik"])
    with pytest.raises(ConfigError, match="at least one"):
        schema(["custom"])
    with pytest.raises(ConfigError, match="custom"):
        tool_schema("custom")
