"""What a user tells by rule: what is asked for, one thing a question, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.tasks import UNKNOWN, UserFact, UserFacts
from omnipilot.bench.tasks.user_facts import MOST_WORDS, ONE_AT_A_TIME, TOO_LONG

USER = UserFacts(
    (
        UserFact(("time", "when", "get up"), "At 06:12."),
        UserFact(("code", "pin"), "It is 4711."),
        UserFact(("colour",), UNKNOWN),
    )
)
ANSWERS = {fact.answer for fact in USER.facts}
WORDS = ["time", "when", "code", "pin", "colour", "get", "up", "the", "everything", "4711", "I", "user's"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("At what time?", "At 06:12."),
        ("WHEN?", "At 06:12."),
        ("Do you get up early?", "At 06:12."),
        ("Which of the codes is it?", "It is 4711."),
        ("What’s your pin’s value?", "It is 4711."),
        ("Is the code 1234?", "It is 4711."),
        ("What is your favourite colour?", UNKNOWN),
        ("What should I know?", UNKNOWN),
        ("Tell me everything.", UNKNOWN),
        ("Do you get on with them?", UNKNOWN),
        ("Where does the encoder stand, sometimes?", UNKNOWN),
        ("", UNKNOWN),
        ("At what time, and what is the code?", ONE_AT_A_TIME),
        ("The code, and its colour?", ONE_AT_A_TIME),
        ("time when code pin colour", ONE_AT_A_TIME),
        ("code " * (MOST_WORDS + 1), TOO_LONG),
    ],
)
def test_a_question_gets_what_it_asks_for_and_nothing_more(question: str, answer: str) -> None:
    assert USER.answer(question) == answer


@given(st.lists(st.sampled_from(WORDS), max_size=MOST_WORDS + 5).map(" ".join) | st.text())
def test_no_question_gets_two_facts_and_each_is_asked_for_by_a_topic_of_its_own(question: str) -> None:
    said = USER.answer(question)
    assert said in ANSWERS | {UNKNOWN, ONE_AT_A_TIME, TOO_LONG}
    if said in ANSWERS - {UNKNOWN}:
        (fact,) = USER.facts_about(question)
        assert fact.answer == said
    assert USER.answer(question) == said


def test_the_best_question_without_a_topic_finds_nothing_out() -> None:
    """A list of all topics in one question, the same for every task, is a question about several things."""
    everything = " ".join(topic for fact in USER.facts for topic in fact.topics)
    assert USER.answer(everything) == ONE_AT_A_TIME
