"""The questions with which embeddings are measured: other words are other words, and every task has some."""

from __future__ import annotations

import pytest
from embeddings_recall import OTHER, OWN, SPOKEN, VALUE, Question, questions_of
from said_otherwise import COLORS, PRODUCTS, TASKS

from omnipilot.bench.suites.duet import Duet
from omnipilot.memory.episodic.ranking import content_words, variants


def forms(text: str) -> set[str]:
    """The words of a text that say something, with their singulars and plurals."""
    return {form for word in content_words(text) for form in variants(word)}


@pytest.mark.parametrize(
    ("template", "name"),
    [
        *((SPOKEN[0], f"the code that the phone spoke for the {color} door") for color in COLORS),
        *(("price-seen", f'the price that "{product}" had on its page') for product in PRODUCTS),
        ("code-beside-noise", "the code that opens the key box"),
        ("changed-room", "the room of the review"),
    ],
)
def test_a_question_in_other_words_shares_none_with_that_in_its_own(template: str, name: str) -> None:
    own, other, value = questions_of(template, name, "5937")
    assert [one.sort for one in (own, other, value)] == [OWN, OTHER, VALUE]
    assert not forms(own.words) & forms(other.words)
    assert own.is_answered("red the code is 5937") and not own.is_answered("red the code is 25937")
    assert not value.is_answered("5937"), "what it is of has to be told too"


def test_a_price_is_found_behind_its_sign_and_not_within_another() -> None:
    price = Question(OWN, "", ("12.90",))
    assert price.is_answered("Kettle | €12.90 | 20 in stock") and not price.is_answered("€112.90")


def test_every_task_for_development_is_said_otherwise() -> None:
    tasks = {one.id for one in Duet("dev").tasks()}
    assert set(TASKS) == tasks
