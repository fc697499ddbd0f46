"""Numbers in prompts: what a reply spells with them is read back exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Box, Element
from omnipilot.planners.mini.references import MOST_REFERENCES, References, numbered_words, plain_words

BOX = Box(0.1, 0.1, 0.2, 0.2)


def test_values_are_numbered_where_they_stand() -> None:
    references = References()
    words = list(numbered_words('write "Log of today" at 11:10, and mail ana@linden.example', references))
    assert words[:3] == ["write", "<r0>", "log"]
    assert [one.text for one in references.all] == ["Log of today", "11:10", "ana@linden.example"]


def test_a_text_is_spelt_by_what_is_numbered() -> None:
    references = References(first=MOST_REFERENCES - 1)
    references.add("Server/log-friday")
    references.add("8156")
    words = references.spell('echo "8156" >> /Server/log-friday')
    assert words == ["echo", "_", '"', "<r0>", '"', "_", ">", ">", "_", "/", f"<r{MOST_REFERENCES - 1}>"]
    assert references.read(words) == 'echo "8156" >> /Server/log-friday'


def test_no_part_of_a_word_is_taken_for_a_value() -> None:
    references = References()
    references.add("12")
    assert references.spell("312") == ["3", "1", "2"]


def test_an_element_stands_for_its_whole_text() -> None:
    references = References()
    references.add("Linden Square 27", "phone", Element("text", "Linden Square 27", BOX, id="a"))
    assert references.spell("Linden Square 27") == ["<r0>"]
    assert references.of_element("a") == "<r0>" and references.of_element("b") == ""


def test_numbers_run_out_rather_than_repeat() -> None:
    references = References(first=7)
    words = [references.add(str(number)) for number in range(MOST_REFERENCES + 3)]
    assert len({word for word in words if word}) == MOST_REFERENCES and words[-3:] == ["", "", ""]
    assert references.by_word("<r6>") is not None and references.by_word("save") is None


TEXTS = st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), min_size=1, max_size=30)


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers(0, MOST_REFERENCES - 1))
def test_what_is_spelt_is_read_back(text: str, values: list[str], first: int) -> None:
    references = References(first)
    for value in values:
        references.add(value)
    if "_" not in text and not any(word in text for word in ("<r", "<nl>")):
        assert references.read(references.spell(text)) == text


def test_words_are_small_and_digits_stand_alone() -> None:
    assert plain_words("Invoice 40, Café") == ["invoice", "4", "0", ",", "café"]
