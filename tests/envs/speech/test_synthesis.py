"""Speech made of recorded words."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from omnipilot.envs.speech import VOICES, synthesize, timed_words, words
from omnipilot.envs.speech.synthesis import AFTER


def test_samples_are_those_of_every_other_machine() -> None:
    samples = synthesize("en-a:the code is 47AB").samples().astype("<i4").tobytes()
    assert hashlib.sha256(samples).hexdigest()[:16] == "20fd8d3b18ddbe5c"


@pytest.mark.parametrize("voice", VOICES)
def test_each_word_of_a_voice_is_heard(voice: str) -> None:
    for word in words(voice):
        said = synthesize(f"{voice}:{word}")
        assert said.words == (word,) and np.abs(said.samples()[:-AFTER]).max() > 1000


def test_words_are_where_they_are_said_to_be() -> None:
    text = "en-b:open 4"
    first, second = timed_words(text)
    assert (first.first, first.last, second.first, second.last) == (0, 4, 5, 6)
    said = synthesize(text)
    assert second.end == len(said.samples()) - AFTER == round(said.seconds * 16_000) - AFTER
    assert not said.samples()[first.end : second.begin].any()


@pytest.mark.parametrize(
    ("text", "told"), [("en-c:4", "unknown voice"), ("en-a:", "has no words"), ("en-a:opens", "it can say open")]
)
def test_what_cannot_be_said_is_refused_with_the_nearest(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        synthesize(text)
