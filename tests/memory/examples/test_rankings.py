"""Ways to rank examples: each against what it stands for."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.memory import Recalled
from omnipilot.memory.examples import Example, ExampleElement, ExampleIndex
from omnipilot.memory.examples.rankings import LetterRanking, WordRanking

TEXTS = ("Open the inbox", "Search emails from Dana", "Search for shoes", "Close the window")
CLICK = "pyautogui.click(12,40)"


def script(instruction: str, *lines: str, screen: str = "s", elements: tuple[ExampleElement, ...] = ()) -> Example:
    lines = lines or (CLICK,)
    return Example("t", frozenset({screen}), instruction, True, lines, "train", "7", True, elements, True)


def test_letters_find_other_forms_of_a_word() -> None:
    values = LetterRanking(TEXTS).values("email")
    assert values.argmax() == 1 and values[1] > 0.2
    assert math.isinf(values[3]), "nothing in common is not found"


def plain_cosine(texts: tuple[str, ...], asked: str) -> list[float]:
    """The same by the definition, one text after the other."""
    pieces = [Counter(one[at : at + n] for n in (3, 4, 5) for at in range(len(one) - n + 1)) for one in texts]
    rarity = {
        piece: math.log((1 + len(texts)) / (1 + sum(piece in held for held in pieces))) + 1
        for held in pieces
        for piece in held
    }

    def vector(held: Counter[str]) -> dict[str, float]:
        return {piece: (1 + math.log(count)) * rarity[piece] for piece, count in held.items() if piece in rarity}

    def length(vector: dict[str, float]) -> float:
        return math.sqrt(sum(value**2 for value in vector.values())) or 1.0

    question = vector(Counter(asked[at : at + n] for n in (3, 4, 5) for at in range(len(asked) - n + 1)))
    vectors = [vector(held) for held in pieces]
    return [
        sum(value * question.get(piece, 0.0) for piece, value in one.items()) / length(one) / length(question)
        for one in vectors
    ]


@given(st.lists(st.text("abc ", max_size=12), min_size=1, max_size=6), st.text("abc ", max_size=12))
def test_letters_are_the_cosine_of_tf_idf(texts: list[str], asked: str) -> None:
    lines = tuple(" ".join(text.split()) for text in texts)
    values = LetterRanking(texts).values(asked)
    expected = plain_cosine(lines, " ".join(asked.split()))
    assert np.allclose(np.where(np.isinf(values), 0, values), expected, atol=1e-5)


def test_words_rank_what_shares_rarer_words_first() -> None:
    values = WordRanking(TEXTS).values("search the emails")
    assert values.argmax() == 1
    assert np.isinf(WordRanking(TEXTS).values('"; drop *')).all()


def test_an_index_by_letters_gives_the_nearest_last_and_bars_screens() -> None:
    index = ExampleIndex([script(text, screen=f"screen {n}") for n, text in enumerate(TEXTS)], ways=("letters",))
    found = index.find("search my email", 2)
    assert [str(one.part).split("\n")[0] for one in found] == [
        'Example: "Search for shoes"',
        'Example: "Search emails from Dana"',
    ]
    assert found[-1].why.startswith("like the task in its letters (0.") and found[-1].why.endswith(
        "7 of the split train"
    )
    assert [one.instruction for one in index.nearest("search my email", 1, {"screen 1"})] == ["Search for shoes"]


def test_a_script_is_told_with_what_it_needs_of_its_screen() -> None:
    save = ExampleElement("text", 'Save "as"', 12, 40)
    assert script("Save it", elements=(save,)).describe(500) == (
        f'Example: "Save it"\nOn its screen:\ntext "Save \\"as\\"" at (12, 40)\nIts script:\n{CLICK}'
    )


@given(st.integers(0, 400))
def test_a_script_is_told_whole_or_not_at_all(characters: int) -> None:
    elements = tuple(ExampleElement("text", f"name {n}", n, n) for n in range(6))
    text = script("Save it", CLICK, CLICK, elements=elements).describe(characters)
    assert len(text) <= characters
    assert not text or text.endswith(f"Its script:\n{CLICK}\n{CLICK}")


def test_lines_of_a_script_cannot_pass_for_ours() -> None:
    text = script("Type", 'pyautogui.write("x"); then "open').describe(500)
    assert text.split("\n")[-1] == '"pyautogui.write(\\"x\\"); then \\"open"'


def test_the_digest_is_of_the_ways_and_elements_too() -> None:
    same, other = script("a"), script("a", elements=(ExampleElement("text", "b", 1, 2),))
    digests = {
        ExampleIndex([same], ways=("letters",)).digest,
        ExampleIndex([same], ways=("words",)).digest,
        ExampleIndex([other], ways=("letters",)).digest,
    }
    assert len(digests) == 3


def test_the_best_come_first_among_equals_by_their_order() -> None:
    twins = [script("Open it", screen=name) for name in ("a", "b")]
    found: tuple[Recalled, ...] = ExampleIndex(twins, ways=("letters",)).find("Open it", 2)
    assert len(found) == 1, "of equal instructions one"
