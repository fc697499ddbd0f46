"""What a model types arrives as it wrote it, in every family that types, whatever stands in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from native_reading import intents
from typed_answers import AWKWARD, WRITTEN

from omnipilot.envs import TypeText
from omnipilot.planners.native.families.table import families

HANDED = {"claude": ("action", "text"), "openai": ("type", "text"), "gemini-3.5": ("action", "text")}
XML_ONLY = "</parameter>"


def plain(family: str, text: str) -> bool:
    """Whether the family's syntax can say this text at all: `TYPE […]` has no escapes."""
    return family != "os-atlas-pro" or not ("]" in text or "[" in text or text != text.strip())


@pytest.mark.parametrize("family", WRITTEN)
@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_text_arrives_whole(family: str, text: str) -> None:
    if not plain(family, text):
        pytest.skip("cannot be written in this syntax")
    for write in WRITTEN[family]:
        (typed,) = intents(family, write(text))
        assert isinstance(typed, TypeText)
        assert typed.text == text, write(text)


PIECES = st.sampled_from([*AWKWARD, "```", "'", '"', "\\", "(", ")", "<", "|>", "<t", ",", " ", "\n", "[", "{", "é"])


@given(st.sampled_from(sorted(WRITTEN)), st.lists(PIECES | st.text("ab'\"\\()<>", max_size=3), max_size=5), st.data())
@example("ui-tars", ["'", ",", " ", "a", "="], None)
def test_any_text_between_quotes_arrives_byte_for_byte(
    family: str, pieces: list[str], data: st.DataObject | None
) -> None:
    text = "a" + "".join(pieces) + "b"
    if not plain(family, text) or XML_ONLY in text:
        return
    writers = WRITTEN[family]
    write = writers[0] if data is None else data.draw(st.sampled_from(writers))
    (typed,) = intents(family, write(text))
    assert isinstance(typed, TypeText)
    assert typed.text == text


def test_what_the_server_hands_over_arrives_whole() -> None:
    for family, (verb, argument) in HANDED.items():
        for text in AWKWARD:
            (typed,) = intents(family, (("computer", json.dumps({verb: "type", argument: text})),))
            assert isinstance(typed, TypeText)
            assert typed.text == text


def test_every_family_that_types_is_here() -> None:
    assert {family.name for family in families()} <= {*WRITTEN, *HANDED, "gemini"}
