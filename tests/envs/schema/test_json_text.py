"""JSON of others: any defect is one kind of error, and nothing that is read can stop what walks through it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs.schema.json_text import DEEPEST, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_what_python_writes_is_read_as_text_and_as_bytes(value: object, encoding: str):
    text = json.dumps(value)
    assert parse_json(text) == parse_json(text.encode(encoding)) == value
    plain = json.dumps(value, ensure_ascii=False)
    assert parse_json(plain) == parse_json(plain.encode(encoding)) == value


@pytest.mark.parametrize("depth", [DEEPEST + 1, 3_000, 1_000_000])
@pytest.mark.parametrize("ends", [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_deep_nesting_is_refused(depth: int, ends: tuple[str, str]):
    text = ends[0] * depth + "1" + ends[1] * depth
    for one in (text, text.encode()):
        with pytest.raises(ValueError, match="nested"):
            parse_json(one)


def test_as_deep_as_allowed_is_read():
    assert parse_json("[" * DEEPEST + "]" * DEEPEST) == parse_json(b"[" * DEEPEST + b"]" * DEEPEST)
    many = [[number] for number in range(10 * DEEPEST)]
    assert parse_json(json.dumps(many)) == many


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud83d"', "\ufffd"),
        (r'"\udc00\ud83d!"', "\ufffd\ufffd!"),
        (r'"\\ud83d"', r"\ud83d"),
        (b'"\xed\xa0\x80"', None),
        ('"\ud800"', "\ufffd"),
    ],
)
def test_half_a_character_is_replaced(text: str | bytes, read: str | None):
    found = parse_json(text)
    found.encode("utf-8")
    assert read is None or found == read


@pytest.mark.parametrize("text", ["", "[1", "1" * 5_000, b"\xff\xfe\xfa", "[1]]", "nul"])
def test_any_other_defect_is_a_value_error(text: str | bytes):
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


def test_halves_are_kept_where_that_is_asked_for():
    assert parse_json(rb'"\ud83d"', keep_halves=True) == "\ud83d"
