"""What readers tell of sounds, as prompts of the small planner show it."""

from __future__ import annotations

import pytest

from omnipilot.planners.mini.hearing import add_heard, heard_lines, shown_lines


def test_times_and_voices_are_left_out() -> None:
    told = "3.4 s to 4.9 s, speech (voice en-a): the code is 4711\n5.0 s and goes on, chime: chime"
    assert heard_lines(told) == ["speech: the code is 4711", "chime: chime"]


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("digits: 7 …", "digits: 241", "digits: 7241"),
        ("speech: the code …", "speech: is 4711", "speech: the code is 4711"),
        ("speech: a …", "speech: b …", "speech: a b …"),
    ],
)
def test_what_goes_on_is_continued(first: str, second: str, whole: str) -> None:
    assert add_heard([first], [second]) == [whole]


@pytest.mark.parametrize(
    ("first", "second"),
    [("digits: 7", "digits: 241"), ("speech: the code …", "digits: 241"), ("digits: 7 …", "chime: chime")],
)
def test_what_is_over_or_of_another_kind_stands_alone(first: str, second: str) -> None:
    assert add_heard([first], [second]) == [first, second]


def test_what_was_heard_before_stays_as_it_is() -> None:
    before = ["digits: 7 …"]
    add_heard(before, ["digits: 1"])
    assert before == ["digits: 7 …"]


def test_a_note_that_sounds_again_is_counted() -> None:
    heard = ["melody: C6 C6 C6", "melody: C6", "chime: chime", "melody: C6 C6"]
    assert shown_lines(heard) == ["melody: one note, 4 times", "chime: chime", "melody: one note, 2 times"]
    assert shown_lines(["melody: C6 D6", "melody: lullaby"]) == ["melody: C6 D6", "melody: lullaby"]
    assert shown_lines(["melody: C6", "melody: D6 D6"]) == ["melody: one note, 1 times", "melody: one note, 2 times"]


def test_digits_said_in_groups_are_one_number() -> None:
    assert shown_lines(["speech: call back 01 497 3"]) == ["speech: call back 014973"]


@pytest.mark.parametrize(
    ("written", "taught"),
    [
        ("The code is 2, 8, 2, 7.", "the code is 2827"),
        ("The code is 1-8-72", "the code is 1872"),
        ("The room is A-3-1", "the room is A31"),
        ("Call back …", "call back …"),
        ("A31", "A31"),
        ("the time is 9:40", "the time is 9:40"),
    ],
)
def test_a_transcriber_s_spelling_is_that_which_the_planner_was_taught(written: str, taught: str) -> None:
    assert heard_lines(f"1.4 s to 3.8 s, speech: {written}") == [f"speech: {taught}"]
    assert heard_lines("2.0 s to 3.0 s, tone: A-3, 1") == ["tone: A-3, 1"]
