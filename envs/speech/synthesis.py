"""Speech concatenated from the recorded words beside this module, in integer arithmetic."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs.types.media import SAMPLE_RATE

VOICES = ("en-a", "en-b", "zh-a", "zh-b")
"""Two English and two Chinese voices."""
BETWEEN_WORDS, BETWEEN_SIGNS, AFTER = 1440, 960, 6400
"""Samples of silence between words, between the digits and letters of a code, and at the end."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sequence of words by one voice, followed by a pause of 0.4 s."""

    voice: str
    words: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """Length of one repetition, including the pause."""
        index = _index()[self.voice]
        gaps = sum(_gap(a, b) for a, b in zip(self.words, self.words[1:], strict=False))
        return (sum(index[word][1] for word in self.words) + gaps + AFTER) / SAMPLE_RATE

    def samples(self) -> NDArray[np.int32]:
        """One repetition."""
        parts = [_word(self.voice, self.words[0])]
        for before, word in zip(self.words, self.words[1:], strict=False):
            parts += [np.zeros(_gap(before, word), np.int32), _word(self.voice, word)]
        return np.concatenate([*parts, np.zeros(AFTER, np.int32)])


def words(voice: str) -> tuple[str, ...]:
    """What a voice can say: the digits, the capital letters (spelled), and words or phrases."""
    return tuple(_index()[voice])


def synthesize(text: str) -> Spoken:
    """The speech for "en-a:the code is 47AB" or "zh-b:验证码是 4711": a voice, then its words; capitals are spelled.

    Raises:
        ValueError: unknown voice, no words, or a word the voice lacks; the message names the nearest.
    """
    voice, _, _ = text.partition(":")
    return Spoken(voice, tuple(match[1] for match in _split(text)))


@dataclass(frozen=True, slots=True)
class TimedWord:
    """A word of a speech: the text from `first` to `last` of what is said, from sample `begin` to `end`."""

    first: int
    last: int
    begin: int
    end: int


def timed_words(text: str) -> tuple[TimedWord, ...]:
    """When each word of a speech sounds, in samples from its start; `text` is as in `synthesize`.

    Raises:
        ValueError: as in `synthesize`.
    """
    voice, _, _ = text.partition(":")
    found: list[TimedWord] = []
    before, at = "", 0
    for match in _split(text):
        at += _gap(before, match[1]) if before else 0
        samples = _index()[voice][match[1]][1]
        found.append(TimedWord(match.start(1), match.end(1), at, at + samples))
        before, at = match[1], at + samples
    return tuple(found)


def _split(text: str) -> list[re.Match[str]]:
    """The words of "voice:words", as matches in what is said."""
    voice, _, said = text.partition(":")
    if voice not in VOICES:
        raise ValueError(f"unknown voice {voice!r}; choose from {', '.join(VOICES)}, as in speech:en-a:4711")
    found, at = [], 0
    while at < len(said):
        match = _known(voice).match(said, at)
        if match is None:
            word = said[at:].split()[0]
            near = ", ".join(get_close_matches(word, words(voice))) or ", ".join(w for w in words(voice) if len(w) > 1)
            raise ValueError(f"{voice} cannot say {word!r}; it can say {near}, digits and spelled capitals")
        found.append(match)
        at = match.end()
    if not found:
        raise ValueError(f"speech:{text} has no words; write for example speech:{voice}:4711")
    return found


def _gap(before: str, after: str) -> int:
    return BETWEEN_SIGNS if len(before) == len(after) == 1 and (before + after).isascii() else BETWEEN_WORDS


@lru_cache(maxsize=4)
def _known(voice: str) -> re.Pattern[str]:
    longest = sorted(words(voice), key=len, reverse=True)
    return re.compile(rf"\s*({'|'.join(map(re.escape, longest))})(?![a-z])\s*")


@lru_cache(maxsize=1)
def _index() -> dict[str, dict[str, tuple[int, int]]]:
    """Start and number of samples of each word of each voice."""
    text = (resources.files("omnipilot.envs.speech") / "words.json").read_text(encoding="utf-8")
    return {voice: {word: (at, count) for word, (at, count) in of.items()} for voice, of in json.loads(text).items()}


@lru_cache(maxsize=4)
def _recording(voice: str) -> NDArray[np.int32]:
    import soundfile

    file = (resources.files("omnipilot.envs.speech") / f"{voice}.flac").read_bytes()
    samples, _ = soundfile.read(io.BytesIO(file), dtype="int16")
    return np.asarray(samples, np.int32)


def _word(voice: str, word: str) -> NDArray[np.int32]:
    at, count = _index()[voice][word]
    return _recording(voice)[at : at + count]
