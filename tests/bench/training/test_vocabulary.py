"""The vocabulary of a small planner."""

from __future__ import annotations

from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.planners.mini.references import NEWLINE


def test_frequent_words_are_whole_and_others_are_pieces() -> None:
    texts = ["open the library <r1> <r2>"] * 50 + ["the librarian sleeps"]
    known = learn_vocabulary(texts, 293)
    assert len(known) <= 293 and len(known.encode("library")) == 1
    assert len(known.encode("librarian")) > 1
    assert known.decode(known.encode("open the librarian <r7>")) == "open the librarian <r7>"


def test_what_a_reply_may_need_is_always_known() -> None:
    known = learn_vocabulary(["a b"], 400)
    for word in (NEWLINE, "<r0>", "<r159>", "SUM", "42"):
        assert known.decode(known.encode(word)) == word
