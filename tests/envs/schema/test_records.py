"""Records go through plain values and come back equal; nothing else is ever made of a document."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs.schema.records import RecordCodec


@dataclass(frozen=True, slots=True)
class Leaf:
    """A record."""

    name: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Branch:
    """A record of records, with a field that is computed."""

    left: Any
    right: Any = None
    computed: int = field(default=0, init=False)


CODEC = RecordCodec([Leaf, Branch])
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.frozensets(plain, max_size=3)
        | st.builds(Leaf, st.text(max_size=3), st.lists(inner, max_size=2).map(tuple))
        | st.builds(Branch, inner, inner)
    ),
    max_leaves=12,
)


@given(values)
def test_what_is_written_is_read_back(value: Any) -> None:
    document = json.loads(json.dumps(CODEC.write(value)))
    assert CODEC.read(document) == value


def test_what_occurs_twice_is_written_once() -> None:
    leaf = Leaf("shared", tuple(range(50)))
    document = CODEC.write([leaf, Branch(leaf, leaf)])
    assert len(document["nodes"]) == 4
    first, second = CODEC.read(document)
    assert second.left is first and second.right is first


def test_a_stranger_cannot_be_written() -> None:
    with pytest.raises(TypeError, match=r"test_records\.Stranger cannot be sent"):
        CODEC.write({"inside": [Stranger()]})
    with pytest.raises(ValueError, match="same name"):
        RecordCodec([Leaf, type("Leaf", (), {})])


class Stranger:
    """No record."""


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {"nodes": 3},
        {"nodes": [], "root": [0]},
        {"nodes": [["l", [0]]], "root": [0]},
        {"nodes": [["l", [1]], ["l"]], "root": [0]},
        {"nodes": [["t"]], "root": [-1]},
        {"nodes": [["t"]], "root": [True]},
        {"nodes": [["t"]], "root": [0, 0]},
        {"nodes": [["t"]], "root": {}},
        {"nodes": [[]], "root": 1},
        {"nodes": [["os.system", "true"]], "root": [0]},
        {"nodes": [[":Stranger"]], "root": [0]},
        {"nodes": [[":Leaf", "x"]], "root": [0]},
        {"nodes": [[":Leaf", "x", 1, 2]], "root": [0]},
        {"nodes": [["d", 1]], "root": [0]},
        {"nodes": [["l"], ["d", [0], 1]], "root": [1]},
        {"nodes": [["l"], ["s", [0]]], "root": [1]},
        {"nodes": [["%FrozenTable", "a"]], "root": [0]},
    ],
)
def test_what_is_no_document_is_refused(document: Any) -> None:
    with pytest.raises(ValueError):
        CODEC.read(document)
