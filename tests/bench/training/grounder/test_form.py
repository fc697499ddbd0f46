"""The folder of the small grounder."""

from __future__ import annotations

import json
from pathlib import Path

from omnipilot.bench.training.grounder.form import (
    FIRST_NUMBER,
    FIXED,
    IMAGE,
    NUMBERS,
    SPECIAL,
    split_words,
    write_form,
)
from omnipilot.bench.training.vocabulary import learn_vocabulary
from omnipilot.planners.mini.model_folder import read_vocabulary

TEXT = 'the "Ana Silva" item, in black on white, at the top of the screen'


def test_the_folder_names_the_same_tokens_everywhere(tmp_path: Path) -> None:
    known = learn_vocabulary([split_words(TEXT)] * 9, 500, FIXED)
    write_form(tmp_path, known, (3136, 448 * 280))
    assert read_vocabulary(tmp_path).tokens == known.tokens
    config = json.loads((tmp_path / "config.json").read_text())
    assert known.tokens[config["image_token_id"]] == IMAGE
    assert config["text_config"]["vocab_size"] == len(known)
    added = json.loads((tmp_path / "tokenizer.json").read_text())["added_tokens"]
    assert [token["content"] for token in added] == list(SPECIAL)
    assert all(known.tokens[token["id"]] == token["content"] for token in added)


def test_numbers_are_tokens_in_their_order() -> None:
    known = learn_vocabulary(["a b"], 500, FIXED)
    assert NUMBERS[0] == "0" and NUMBERS[-1] == "1000"
    assert known.encode(" ".join(NUMBERS)) == list(range(FIRST_NUMBER, FIRST_NUMBER + len(NUMBERS)))


def test_words_and_punctuation_are_apart_and_small() -> None:
    assert split_words(TEXT).split()[:7] == ["the", '"', "ana", "silva", '"', "item", ","]
