"""Whisper base, with its real weights: what it understands of the embedded world, and that it invents nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import real_models
from readers_speech import PROMPT, count_errors, speech_scenes

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.teams import READERS
from omnipilot.envs import Absent, AudioClip, Modality, Observation, Size
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.memory.transcription import Transcriber, make_transcriber

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.needs("omnipilot[speech]"), pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def weights() -> Path:
    return real_models.folder("whisper-base")


@pytest.fixture(scope="module")
def english(weights: Path) -> Transcriber:
    return make_transcriber(f"whisper/{weights},language=en")


def test_it_understands_most_of_the_english_voices(english: Transcriber) -> None:
    """The floor is below what docs/readers.md tells of other scenes, which are four times as many."""
    count = count_errors(speech_scenes("en", 8), None, english)
    assert count.error_rate <= 0.35 and count.words > 30


def test_a_prompt_that_shows_how_digits_are_written_brings_whole_codes(weights: Path) -> None:
    transcriber = make_transcriber(f"whisper/{weights},language=en,prompt={PROMPT}")
    codes = [scene for scene in speech_scenes("en", 16) if scene.code]
    count = count_errors(codes, None, transcriber)
    assert count.codes == 8 and count.whole >= 5


@pytest.mark.parametrize("seconds", [0.0, 0.05, 5.0])
def test_silence_says_nothing(english: Transcriber, seconds: float) -> None:
    assert english.transcribe(AudioClip(bytes(2 * round(16_000 * seconds)), "phone")) == ""


@pytest.mark.parametrize("name", ["noise:white:-20:1", "noise:pink:-20:1", "alarm", "waltz", "dtmf:4711"])
def test_what_is_no_speech_says_nothing(english: Transcriber, weights: Path, name: str) -> None:
    clip = mix([Sound(name, 0.5, 4.0, 70)], "phone", 0.0, 5.0)
    assert english.transcribe(clip) == ""


def test_without_the_search_for_speech_it_invents_words(weights: Path) -> None:
    """Why `vad` is true unless something else is said."""
    clip = mix([Sound("alarm", 0.5, 5.0, 70)], "phone", 0.0, 6.0)
    assert make_transcriber(f"whisper/{weights},language=en,vad=false").transcribe(clip) != ""


def test_words_in_a_long_clip_have_their_times(english: Transcriber) -> None:
    said = "speech:en-a:call back tomorrow"
    seconds = pattern(said).seconds
    clip = mix([Sound(said, at, seconds, 70) for at in (2.0, 50.0)], "phone", 0.0, 70.0)
    later = AudioClip(clip.pcm, "phone", 100.0)
    pieces = english.transcribe_words(later)
    starts = [one.start - 100 for one in pieces if "tomorrow" in one.text.casefold()]
    assert len(starts) == 2 and 2.0 < starts[0] < 2.5 + seconds and 50.0 < starts[1] < 50.5 + seconds


def test_the_planner_is_told_what_is_said(weights: Path) -> None:
    """As a reader of an agent, over the edges of three observations, under a little noise."""
    reader = READERS.make(PartSpec("whisper", {"model": str(weights), "language": "en"}))
    said = "speech:en-a:the code is 1872"
    seconds = pattern(said).seconds
    clip = mix([Sound(said, 1.0, seconds, 70)], "phone", 0.0, 8.0)
    noise = np.random.default_rng(1).normal(0, 60, len(clip.array()))
    clip = AudioClip.from_array((clip.array() + noise).clip(-32768, 32767).astype(np.int16), "phone")
    absent = {name.value: Absent("ablated") for name in Modality}
    told, since = [], 0.0
    for edge in (2.2, 1.0 + seconds + 1.0, 8.0):
        seen = Observation("phone", edge, Size(8, 8), **(absent | {"audio": clip.slice(since, edge)}))  # type: ignore[arg-type]
        told += [line for _, words in reader.read(seen, since) for line in words.split("\n")]
        since = edge
    assert len(told) == 2 and told[0].endswith(" is …"), told
    assert "1872" in "".join(
        letter for letter in " ".join(line.partition(", speech")[2] for line in told) if letter.isdigit()
    )
