"""Words to tokens and back."""

from __future__ import annotations

from omnipilot.planners.mini.vocabulary import ACT, END, PAD, UNKNOWN, Vocabulary

WORDS = Vocabulary([PAD, UNKNOWN, END, ACT, "a", "##a", "lib", "library", "##rary", "##s", "<r1>", "s"])


def test_the_longest_piece_is_taken_first() -> None:
    assert [WORDS.tokens[at] for at in WORDS.encode("librarys <r1> s")] == ["library", "##s", "<r1>", "s"]


def test_a_word_with_an_unknown_letter_is_unknown_as_a_whole() -> None:
    assert [WORDS.tokens[at] for at in WORDS.encode("libz a")] == [UNKNOWN, "a"]


def test_pieces_are_joined_again() -> None:
    assert WORDS.decode(WORDS.encode("librarys <r1> s")) == "librarys <r1> s"
    assert WORDS.prompt("a")[-1] == WORDS.act
