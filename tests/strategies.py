"""Hypothesis strategies for the vocabulary, generated from the bounds that the verbs' fields declare."""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import Any, Literal

from hypothesis import settings
from hypothesis import strategies as st

from omnipilot.envs.actions import VERBS, Intent
from omnipilot.envs.geometry import Box, Point, Size
from omnipilot.envs.keys import NAMED
from omnipilot.envs.observation import Context, Element
from omnipilot.envs.verb import LONGEST_NAME, Ref

Kind = Literal["grounded", "described", "any"]

shares = st.floats(0, 1)
points = st.builds(Point, shares, shares)
boxes = st.tuples(shares, shares, shares, shares).map(
    lambda c: Box(min(c[0], c[2]), min(c[1], c[3]), max(c[0], c[2]), max(c[1], c[3]))
)
sizes = st.builds(Size, st.integers(1, 7680), st.integers(1, 4320)) | st.sampled_from(
    [Size(1, 1), Size(1, 4320), Size(7680, 1), Size(7680, 4320), Size(412, 916), Size(1280, 800)]
)
# Whole characters: half a surrogate pair is no text.
characters = st.characters(exclude_categories=["Cs"])
names = st.text(characters, min_size=1, max_size=LONGEST_NAME)
refs = st.builds(Ref, names)
key_names = st.sampled_from(sorted(NAMED)) | st.sampled_from([chr(code) for code in range(33, 127)])
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(characters, max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(characters, max_size=8), inner, max_size=3),
    max_leaves=6,
)
PLACES: dict[Kind, st.SearchStrategy[Any]] = {
    "grounded": points,
    "described": names | refs,
    "any": points | names | refs,
}


def values(bounds: Any, places: Kind) -> st.SearchStrategy[Any]:
    """Whatever a field with these bounds may hold."""
    out: st.SearchStrategy[Any]
    if "low" in bounds:
        low, high = bounds["low"], bounds["high"]
        out = (
            st.integers(low, high)
            if bounds["whole"]
            else st.floats(low, high) | st.integers(-int(-low // 1), int(high))
        )
    elif "longest" in bounds:
        out = st.text(characters, min_size=bounds["shortest"], max_size=min(bounds["longest"], 200))
        out |= st.sampled_from("aé字😀").map(lambda character: character * bounds["longest"])
    elif "options" in bounds:
        out = st.sampled_from(bounds["options"])
    elif "flag" in bounds:
        out = st.booleans()
    elif "box" in bounds:
        out = boxes
    elif "json" in bounds:
        out = st.dictionaries(st.text(characters, max_size=8), json_values, max_size=3)
    elif "place" in bounds and bounds["most"] is None:
        out = PLACES[places]
    else:
        one = (
            PLACES[places] if "place" in bounds else key_names if "keys" in bounds else st.sampled_from(bounds["each"])
        )
        fewest = 1 if "keys" in bounds else 0
        out = st.lists(one, min_size=fewest, max_size=min(bounds["most"], 8)).map(tuple)
    return st.none() | out if bounds["optional"] else out


@functools.cache
def verbs(kind: str, places: Kind = "any") -> st.SearchStrategy[Intent]:
    """Every well-formed instance of one verb, and no other."""
    cls = VERBS[kind]
    given = st.fixed_dictionaries({spec.name: values(spec.metadata, places) for spec in fields(cls)})

    def well_formed(held: dict[str, Any]) -> dict[str, Any]:
        # Drawing freely and throwing the malformed away would leave almost none of these two.
        if kind == "swipe" and (held["direction"] is None) == (held["end"] is None):
            held["direction"], held["end"] = ("up", None) if held["end"] is None else (None, held["end"])
        if kind == "swipe" and held["end"] is not None and held["start"] is None:
            held["start"] = held["end"]
        if kind == "browser" and held["op"] == "focus_tab" and held["tab"] is None:
            held["tab"] = 0
        return held

    return given.map(well_formed).map(lambda held: cls(**held))  # type: ignore[arg-type,return-value]


def intents(places: Kind = "any") -> st.SearchStrategy[Intent]:
    """Every well-formed intent whose places are named in one of these ways."""
    return st.one_of([verbs(kind, places) for kind in sorted(VERBS)])


elements = st.builds(
    Element,
    role=st.sampled_from(["button", "link", "textbox", "image"]),
    name=st.text(characters, max_size=40),
    box=boxes,
    states=st.frozensets(st.sampled_from(["focused", "disabled", "checked", "offscreen"])),
    id=st.none() | names,
    source=st.sampled_from(["tree", "ocr", "detector"]),
    value=st.text(characters, max_size=40),
)
contexts = st.builds(
    Context,
    app=st.text(characters, max_size=20),
    title=st.text(characters, max_size=20),
    url=st.text(characters, max_size=20),
    tabs=st.lists(st.text(characters, max_size=20), max_size=4).map(tuple),
    tab=st.none() | st.integers(0, 9),
)


def instances(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Every JSON value that is valid under a schema, for the part of JSON schema that the codec writes.

    Strings draw on all of what JSON text can spell, halves of surrogate pairs included; whole numbers are also
    spelled as 2.0, which every schema takes for an integer.
    """
    known = {
        "type",
        "enum",
        "anyOf",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "description",
        "default",
    }
    known |= {"minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    known |= {"minItems", "maxItems"}
    assert not set(schema) - known, schema
    if "anyOf" in schema:
        return st.one_of([instances(branch) for branch in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema["type"]
    if kind == "object":
        properties = {name: instances(item) for name, item in schema["properties"].items()}
        required = {name: item for name, item in properties.items() if name in schema["required"]}
        optional = {name: item for name, item in properties.items() if name not in schema["required"]}
        return st.fixed_dictionaries(required, optional=optional)
    if kind == "array":
        fewest = schema.get("minItems", 0)
        some = st.lists(instances(schema["items"]), min_size=fewest, max_size=min(schema["maxItems"], fewest + 6))
        full = instances(schema["items"]).map(lambda item: [item] * schema["maxItems"])
        return some if schema["items"].get("maxLength", 0) > 1000 else some | full
    if kind == "string":
        fewest, most = schema.get("minLength", 0), schema["maxLength"]
        if "pattern" in schema:
            return st.from_regex(schema["pattern"], fullmatch=True).filter(lambda text: fewest <= len(text) <= most)
        some_text = st.text(st.characters(), min_size=fewest, max_size=min(most, fewest + 50))
        return some_text | st.sampled_from("a\n\ud800").map(lambda character: character * most)
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum"))
        high = schema.get("maximum", schema.get("exclusiveMaximum"))
        ends = {"exclude_min": "exclusiveMinimum" in schema, "exclude_max": "exclusiveMaximum" in schema}
        if kind == "number":
            return st.floats(low, high, **ends)
        whole = st.integers(int(low) + ends["exclude_min"], int(high) - ends["exclude_max"])
        return whole | whole.map(float)
    assert kind in ("boolean", "null"), schema
    return st.booleans() if kind == "boolean" else st.none()


def examples(share: float) -> int:
    """How many examples a property gets that needs more, or can afford fewer, than the profile's number."""
    return max(1, round(share * settings().max_examples))
