"""What is spoken, who speaks it, and what of both is kept for measuring."""

from __future__ import annotations

import re
from random import Random

import pytest

from omnipilot.bench.training.ears.samples import PHRASES
from omnipilot.bench.training.ears.speech import app_sounds
from omnipilot.bench.training.ears.texts import (
    HOMOPHONES,
    KINDS,
    TAUGHT_NAMES,
    TAUGHT_WORDS,
    UNHEARD_WORDS,
    WORLD_NAMES,
    is_held_out,
    speak_signs,
)
from omnipilot.bench.training.ears.voices import (
    ACCENTS,
    TAUGHT_VOICES,
    UNHEARD_VOICES,
    VARIANTS,
    WORLD_VOICES,
    all_voices,
)
from omnipilot.envs.sim.words.people_and_texts import FIRST_NAMES, NAMES, NEAR_NAMES, OWNERS
from omnipilot.memory.mini import SIGNS, encode_text

MANY = 200


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unheard", [False, True])
def test_every_text_can_be_written_and_says_what_is_spoken(kind: str, unheard: bool) -> None:
    random = Random(1)
    for _ in range(MANY):
        made = KINDS[kind](random, unheard)
        assert made.kind == kind and made.written == made.written.strip()
        assert set(made.written) <= set(SIGNS) and len(encode_text(made.written)) == len(made.written) > 0
        if kind in ("digits", "letters", "codes"):
            assert made.spoken.replace(",", "").replace(" ", "") == made.written
            assert is_held_out(made.written) == unheard


def test_words_that_are_measured_with_are_in_no_text_that_is_trained_on() -> None:
    random = Random(2)
    taught = {
        word
        for kind in ("words", "commands")
        for _ in range(MANY)
        for word in KINDS[kind](random, False).written.split()
    }
    unheard = {word for _ in range(MANY) for word in KINDS["words"](random, True).written.split()} - {
        "please",
        "answer",
    }
    assert not taught & set(UNHEARD_WORDS) and unheard <= set(UNHEARD_WORDS)
    assert not set(TAUGHT_WORDS) & set(UNHEARD_WORDS) and not any(map(is_held_out, set(TAUGHT_WORDS) - HOMOPHONES))
    assert not any(map(is_held_out, PHRASES))
    assert 0.08 < len(UNHEARD_WORDS) / (len(TAUGHT_WORDS) + len(UNHEARD_WORDS)) < 0.17


def test_names_of_the_worlds_people_are_never_trained_on() -> None:
    people = {*OWNERS, *NAMES, *FIRST_NAMES, *(name for pair in NEAR_NAMES for name in pair)}
    parts = {part.lower() for person in people for part in person.split()}
    assert parts <= WORLD_NAMES and not parts & {*TAUGHT_NAMES, *TAUGHT_WORDS}
    assert all(name.islower() for name in TAUGHT_NAMES) and len(TAUGHT_NAMES) > 200


def test_the_letter_a_is_never_spoken_as_the_article() -> None:
    for seed in range(20):
        said = speak_signs("KA3A", Random(seed))
        assert "A," in said and said.endswith("A") and "A 3" not in said


def test_voices_of_the_world_whole_variants_and_an_accent_are_only_measured_with() -> None:
    assert set(TAUGHT_VOICES) | set(UNHEARD_VOICES) == set(all_voices()) and not set(TAUGHT_VOICES) & set(
        UNHEARD_VOICES
    )
    assert set(WORLD_VOICES) <= set(UNHEARD_VOICES)
    taught = {voice.partition("+")[2] for voice in TAUGHT_VOICES}
    assert "f3" not in taught and 5 < len(set(VARIANTS) - taught) < 20
    assert len({voice.partition("+")[0] for voice in TAUGHT_VOICES}) == len(ACCENTS) - 1


def test_some_sounds_of_apps_are_only_measured_with() -> None:
    assert 3 <= len(app_sounds(unheard=True)) < len(app_sounds(unheard=False))
    assert not set(app_sounds(unheard=True)) & set(app_sounds(unheard=False))


def test_no_word_that_is_measured_with_is_taught_as_a_name() -> None:
    assert not set(TAUGHT_NAMES) & set(UNHEARD_WORDS)


def test_no_sequence_of_signs_that_is_measured_with_is_in_a_command_that_is_trained_on() -> None:
    random = Random(3)
    commands = [KINDS["commands"](random, False).written for _ in range(40 * MANY)]
    signs = [word for one in commands for word in one.split() if len(word) > 1 and re.fullmatch(r"[A-Z0-9]+", word)]
    spelled = [word for word in signs if not re.fullmatch(r"[1-9]\d", word)]  # numbers of two digits are said as one
    assert len(spelled) > MANY and not any(map(is_held_out, spelled))
