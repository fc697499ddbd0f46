"""Texts as commands of `input`, read back by a model of what Android's shell and `input text` make of them."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import ActionRejected
from omnipilot.envs.android.keys import LONGEST, key_code, typeable, typing_commands
from omnipilot.envs.types.keys import NAMED


def typed(text: str) -> str:
    """What arrives in a field: a blank for each `%s`, as `InputShellCommand.sendText` does it, and keys 66 and 61."""
    found = ""
    for command in typing_commands(text):
        tool, verb, argument = shlex.split(command)
        assert tool == "input"
        if verb == "keyevent":
            found += {"66": "\n", "61": "\t"}[argument]
            continue
        out: list[str] = []
        for char in argument:
            if char == "s" and out and out[-1] == "%":
                out[-1] = " "
            else:
                out.append(char)
        found += "".join(out)
    return found


@pytest.mark.parametrize(
    "text",
    [
        *("Hello", "two words", "  spaced  out  ", "100% sure", "%s", "a%sb %s%s %%s", "line\nbreak\ttab"),
        *("& | ; < > ( ) $ ` \" ' * ~ \\ # !", 'it\'s "quoted"', "-5", "word " * 40, "x" * 200, "\n\n", ""),
    ],
)
def test_what_is_typed_arrives(text: str) -> None:
    assert typed(text) == text


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=200))
def test_any_ascii_text_arrives(text: str) -> None:
    assert typed(text) == text


def test_long_texts_go_in_parts_cut_between_words() -> None:
    parts = [shlex.split(command)[2] for command in typing_commands("several words of a longer sentence " * 4)]
    assert len(parts) > 3
    assert all(len(part.replace("%s", " ")) <= LONGEST for part in parts)
    assert all(part.endswith("%s") for part in parts[:-1])


def test_what_a_us_keyboard_has_can_be_typed() -> None:
    assert typeable("Zoe & co.\n\t~")
    assert not typeable("Zoë")
    assert not typeable("a\x00")


def test_every_named_key_has_a_code_or_is_refused_with_a_way_out() -> None:
    for name in NAMED:
        if name.startswith("f") and name[1:].isdecimal() and int(name[1:]) > 12:
            with pytest.raises(ActionRejected, match="type it as text"):
                key_code(name)
        else:
            assert key_code(name) > 0
    assert (key_code("a"), key_code("z"), key_code("0"), key_code("9"), key_code("f1")) == (29, 54, 7, 16, 131)
