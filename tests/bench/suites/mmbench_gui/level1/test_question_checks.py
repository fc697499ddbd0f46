"""Questions checked without a model: each planted fault is found, and what we make by rule has none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.suites.mmbench_gui.level1.data import ScreenQuestion
from omnipilot.bench.suites.mmbench_gui.level1.question_checks import check_questions


def asked(number: int, answer: str = "A", texts: tuple[str, ...] = ("one", "two", "six", "ten")) -> ScreenQuestion:
    options = tuple(zip("ABCDEF", texts, strict=False))
    id, words = f"{number}-easy", f"What is number {number}?"
    return ScreenQuestion(id, number, number, "os_web", "Maps", "easy", Path("x.png"), (4, 3), words, options, answer)


def balanced(count: int = 40) -> list[ScreenQuestion]:
    return [asked(number, "ABCD"[number % 4]) for number in range(count)]


def test_balanced_questions_have_no_fault() -> None:
    found = check_questions(balanced())
    assert (found.wrong, found.faults, found.chance) == ({}, (), 0.25)
    assert found.letters["A"] == (10, 10.0)
    assert found.blind["the longest option"].estimate == 0.25


def test_what_is_wrong_with_single_questions_is_found() -> None:
    double = replace(asked(1), options=(("A", "One"), ("B", "one"), ("C", "two")))
    named = replace(asked(2), question="What does Maps show?")
    itself = replace(asked(3), question="one")
    wrong = check_questions([*balanced(), double, named, itself]).wrong
    assert "two options are 'one'" in wrong["1-easy"]
    assert "names the application 'Maps'" in wrong["2-easy"] and "is the right option" in wrong["3-easy"]


def test_one_letter_that_is_always_right_is_a_fault() -> None:
    found = check_questions([asked(number) for number in range(40)])
    assert "A is right 40 times, where 10.0 are expected" in found.faults


def test_right_answers_that_are_the_longest_are_a_fault_that_a_blind_guesser_shows() -> None:
    texts = ("a long and careful answer", "no", "or", "if")
    made = [replace(one, options=_with(one.answer, texts)) for one in balanced()]
    faults = " ".join(check_questions(made).faults)
    assert "longest option in 100.0 %" in faults and "who takes the longest option gets 100.0" in faults


def test_options_that_echo_the_question_are_a_fault() -> None:
    made = [replace(one, options=_with(one.answer, ("what number", "no", "or", "if"))) for one in balanced()]
    assert any("most like the question" in fault for fault in check_questions(made).faults)


def _with(answer: str, texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Options whose first text stands at the letter of the answer."""
    rest = iter(texts[1:])
    return tuple((letter, texts[0] if letter == answer else next(rest)) for letter in "ABCD")


def test_nothing_to_check_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no question"):
        check_questions([])


def test_what_is_made_by_rule_passes(tmp_path: Path) -> None:
    told = omnipilot("questions", "make", str(tmp_path / "made"), "--contents", "2")
    assert told.returncode == 0, told.stderr
    assert "84 questions; 0 with a mistake" in told.stdout and "fault" not in told.stdout
    again = omnipilot("questions", "check", str(tmp_path / "made"))
    assert again.stdout.splitlines() == told.stdout.splitlines()[:-1]
