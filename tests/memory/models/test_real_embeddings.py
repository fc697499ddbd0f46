"""MiniLM with its real weights: what it finds, beside full text, and how it is loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from omnipilot.envs import Box, Element, Elements, Observation, Size
from omnipilot.memory import Role, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.examples import Example, ExampleIndex
from omnipilot.memory.models.embeddings import make_embeddings

pytestmark = [pytest.mark.slow, pytest.mark.real]
pytest.importorskip("sentence_transformers", reason="needs sentence-transformers (make real)")

CARD = ("This is an example sentence", "Each sentence is converted")
"""The sentences of the model's card."""
SHELF = (
    "the key box opens with 5937",
    "the review is in room B21",
    "Desk lamp, white costs 12.90",
    "your parcel arrives on Monday",
    "the bus to the harbour leaves at 14:10",
    "Sarah wants the minutes of the meeting",
    "the printer on the second floor is out of paper",
    "dinner with the neighbours at eight",
)
ASKED = (
    "which combination unlocks the small safe",
    "where does the assessment take place",
    "how much is the luminaire for a writing table",
    "when will what I ordered be delivered",
    "public transport to the port",
    "who asked for the protocol of what we discussed",
    "which device cannot print any longer",
    "when do I eat with the people next door",
)
"""Questions without a content word of the line that answers them, in the same order."""


@pytest.fixture(scope="module")
def minilm() -> str:
    """The option that names MiniLM."""
    import real_models

    return f"sentence-transformers/{real_models.folder('minilm')}"


def filled_memory(**options: str) -> EpisodicMemory:
    """A memory of all lines, one a turn, and of 200 others like them."""
    memory = EpisodicMemory(anchors=False, **options)  # type: ignore[arg-type]
    for turn in range(200):
        line = (
            SHELF[turn // 10]
            if turn % 10 == 0 and turn < 80
            else f"Inbox | {turn} unread | Compose | 09:{turn % 60:02}"
        )
        elements = Elements(tuple(Element("text", name, Box(0, 0, 1, 1)) for name in line.split(" | ")))
        seen = Observation("desktop", float(turn), Size(8, 8), elements=elements)
        memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
    return memory


def first_answers(memory: EpisodicMemory) -> list[str]:
    """The best answer to each question."""
    role = Role("asker")
    every = [memory.answer(question, role, ("desktop",), 1) for question in ASKED]
    return [found[0].text if found else "" for found in every]


def test_vectors_are_those_of_the_models_card(minilm: str) -> None:
    vectors, _ = make_embeddings(minilm).embed(CARD)
    assert vectors.shape == (2, 384) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.concatenate([make_embeddings(minilm).embed([one])[0] for one in CARD])
    assert np.allclose(vectors, alone, atol=1e-4), "padding counts for nothing"


def test_what_is_asked_in_other_words_is_found_by_meaning_and_not_by_full_text(minilm: str) -> None:
    right = list(SHELF)
    by_words = [got == line for got, line in zip(first_answers(filled_memory(use="text")), right, strict=True)]
    memory = filled_memory(use="text", embeddings=minilm)
    by_both = [got == line for got, line in zip(first_answers(memory), right, strict=True)]
    assert sum(by_words) <= 2
    assert sum(by_both) >= 6
    (exact,) = memory.answer("5937", Role("asker"), ("desktop",), 1)
    assert exact.text == SHELF[0], "a code is still found by its letters"


def test_examples_of_the_same_kind_are_nearest(minilm: str) -> None:
    said = {
        "alarm": "Set an alarm for 07:30",
        "mail": "Write a mail to Dana and send it",
        "wifi": "Forget the saved network Harbor-Guest",
    }
    examples = [Example(one, frozenset(), said[one], True, (), "r", f"{one}#0.0") for one in said]
    index = ExampleIndex(examples, make_embeddings(minilm))
    asked = {"alarm": "wake me early", "mail": "drop her a message by e-mail", "wifi": "do not use that wireless again"}
    for task, words in asked.items():
        assert index.find(words, 1)[0].why.split("; ")[-1].startswith(f"{task}#"), words


def test_the_identity_is_that_of_these_weights(minilm: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    told = {one: make_embeddings(one).identity()["weights"] for one in (minilm, f"sentence-transformers/{tmp_path}")}
    assert len(set(told.values())) == 2 and all(len(digest) == 64 for digest in told.values())
