"""How right a reading is, however it is written."""

from __future__ import annotations

from random import Random

import pytest

from omnipilot.bench.training.ears.scoring import scored_units, word_errors


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("codes", "47AB", "4, 7, A, B."),
        ("codes", "K3", "K-3"),
        ("digits", "472", "Four seven two."),
        ("commands", "the code is 47ab", "The code is 4 7 A B."),
        ("commands", "call back 555", "Call back, 5-5-5!"),
        ("times", "9:30", "9.30 a.m."),
        ("times", "9:30", "9 30"),
        ("times", "9:00", "nine o'clock"),
        ("times", "9:00", "9."),
        ("commands", "call ana at 9:00", "Call Ana at 9 o'clock."),
        ("names", "ana silva", "Ana Silva."),
        ("words", "it's here", "It’s here"),
    ],
)
def test_another_way_to_write_the_same_is_no_error(kind: str, one: str, other: str) -> None:
    assert scored_units(one, kind) == scored_units(other, kind) != ()


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [("codes", "47AB", "47AD"), ("times", "9:30", "9:13"), ("names", "ana silva", "anna silva"), ("digits", "44", "4")],
)
def test_something_else_is_one(kind: str, one: str, other: str) -> None:
    assert word_errors(scored_units(other, kind), scored_units(one, kind)) == 1


def test_signs_are_counted_where_they_were_spelled_and_words_elsewhere() -> None:
    assert scored_units("47AB", "codes") == ("4", "7", "a", "b")
    assert scored_units("the code is 47AB", "commands") == ("the", "code", "is", "47ab")


def test_errors_are_those_of_the_definition() -> None:
    def slow(heard: str, said: str) -> int:
        if not heard or not said:
            return len(heard) + len(said)
        return min(
            slow(heard[1:], said) + 1, slow(heard, said[1:]) + 1, slow(heard[1:], said[1:]) + (heard[0] != said[0])
        )

    random = Random(0)
    for _ in range(60):
        heard, said = ("".join(random.choices("abc", k=random.randint(0, 5))) for _ in range(2))
        assert word_errors(tuple(heard), tuple(said)) == slow(heard, said)
