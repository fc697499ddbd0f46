"""Questions about a prompt, put behind its reply while training."""

from __future__ import annotations

from random import Random

from omnipilot.bench.training.lookups import LONGEST_SPAN, lookups, numbered_phrases

PROMPT = (
    "task phone call <r1> ana did open phone ; kept 4 7 ( code ) <r2> screen phone contacts h contacts <r3> "
    "ana silva <r4> ana silveira <r5> b add contact <r6>"
)


def test_what_stands_before_a_number_is_what_it_is_of() -> None:
    assert numbered_phrases(PROMPT.split())[:3] == [
        (["4", "7", "(", "code", ")"], "<r2>"),
        (["phone", "contacts", "h", "contacts"], "<r3>"),
        (["ana", "silva"], "<r4>"),
    ]


def test_every_question_has_one_answer() -> None:
    of = {number: " ".join(phrase) for phrase, number in numbered_phrases(PROMPT.split())}
    found = [one for seed in range(50) for one in lookups(PROMPT, Random(seed), 4)]
    assert len(found) > 100
    for words, number in found:
        span = " ".join(words)
        assert 0 < len(words) <= LONGEST_SPAN
        assert [other for other, phrase in of.items() if f" {span} " in f" {phrase} "] == [number]
        assert words != ["ana"]


def test_a_prompt_without_numbers_asks_nothing() -> None:
    assert lookups("task over did", Random(0), 4) == []
