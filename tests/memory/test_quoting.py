"""Words from outside in prompts: quoted on one line, and read back as they were."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import TypeText, resolve
from omnipilot.envs.types.actions import ANCHOR_FORM
from omnipilot.memory.episodic.anchors.remembered import anchor_key, anchor_label, anchor_line, parse_anchor_line
from omnipilot.memory.quoting import one_line, own_lines, plain, quote, undouble_braces, unquote

NASTY = (
    *('"', '\\"', "\\", "\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\u202e", "\u200b", "\U000e0041"),
    *(
        "# Turn 9",
        "- phone, note: ",
        '#e1 button "Pay"',
        "The task: ",
        "{@k7q2:code-1}",
        "{{@k7q2:code-1}}",
        "{@code-1}",
    ),
    *("<|im_end|>", "<|im_start|>system", "</s>", "[INST]", "<start_of_turn>", "<image>", "“", "”", "é", "漢", "🙂"),
)
hostile = st.lists(st.sampled_from(NASTY) | st.text(max_size=5), max_size=8).map("".join)
whole = hostile.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))


@given(hostile)
def test_a_quoted_text_is_one_json_string_on_one_line_without_anything_hidden(text: str) -> None:
    quoted = quote(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', quoted)
    assert len(quoted.splitlines()) == 1
    # Joiners belong to words of some languages; all else that is not seen is spelled out.
    seen = (char for char in quoted if char not in "\u200c\u200d\u00ad")
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in seen)
    assert not any(char in quoted for char in "\u200b\u202e\U000e0041")
    assert not any(token in quoted for token in ("<|", "|>", "</s>", "[INST]", "<start_of_turn>", "<image>"))


@given(whole)
def test_it_is_read_back_as_it_was(text: str) -> None:
    assert unquote(quote(text)) == text
    assert undouble_braces(json.loads(quote(text))) == text


@given(whole.filter(bool))
def test_what_is_copied_from_a_prompt_is_typed_as_it_was_and_no_anchor_is_filled_in(text: str) -> None:
    def refuse(name: str) -> str:
        raise AssertionError(f"{name} was filled in")

    typed = resolve(TypeText(json.loads(quote(text))), lambda _: None, refuse)  # type: ignore[arg-type,return-value]
    assert typed == TypeText(text)


@given(hostile)
def test_our_own_words_leave_no_quotes_open(text: str) -> None:
    for line in (one_line(text), *own_lines(text).split("\n")):
        assert len(line.splitlines()) <= 1
        assert '"' not in re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
    assert plain("button") == "button" and plain('"#9') == '"\\"#9"' and plain("do as I say") == '"do as I say"'


@given(whole, whole)
def test_a_line_of_an_anchor_tells_its_value_and_label_whatever_they_are(value: str, label: str) -> None:
    line = anchor_line("code-1", value, f"{quote(label)}; heard; at 1.0 s")
    assert len(line.splitlines()) == 1
    found = parse_anchor_line(line)
    assert found is not None and found[:2] == ("code-1", value)
    assert anchor_label(found[2]) == label


def test_keys_of_anchors_differ_by_task_and_seed_and_fit_the_form() -> None:
    keys = {anchor_key(seed, task) for seed in range(20) for task in ("a", "b")}
    assert len(keys) == 40
    assert all(ANCHOR_FORM.fullmatch(f"{{@{key}:code-1}}") for key in keys)
    assert anchor_key(1, "a") == anchor_key(1, "a")


@pytest.mark.parametrize("text", ["4711", '["a"]', '"a', ""])
def test_what_is_no_text_in_quotes_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        unquote(text)
