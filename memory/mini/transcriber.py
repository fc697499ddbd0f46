"""The small ears as a transcriber: English speech into words, in this process, without a model of anybody else's."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from omnipilot.envs import AudioClip
from omnipilot.memory.mini.model_folder import MINI_EARS, PER_FRAME, STRIDE, read_lexicon
from omnipilot.memory.mini.network import EarsNetwork
from omnipilot.memory.transcription.base import SpokenPiece, Transcriber, join_pieces

SHORTEST = 0.1
"""Seconds of the shortest clip that is listened to; nothing is said in shorter ones."""


class EarsTranscriber(Transcriber):
    """Transcribes with the small ears, which are loaded on first use and once per process.

    It writes as the embedded world's own transcripts do: digits and spelled letters as signs without spaces between
    ("the code is 47AB"), all else in small letters without punctuation, and times as "9:30".

    Args:
        folder: of the model; "" for the one that is shipped.

    Raises:
        ConfigError: a file of the model is missing or broken; the message names it.
    """

    times_words = True

    def __init__(self, folder: str = "") -> None:
        self.folder = MINI_EARS.folder(folder)
        MINI_EARS.check(self.folder)

    def identity(self) -> dict[str, str]:
        """The weights, by SHA-256."""
        return {"weights": MINI_EARS.digest(self.folder)}

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing."""
        return join_pieces(self.transcribe_words(clip))

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        """What is said in a clip, word by word with its times."""
        import numpy as np

        from omnipilot.memory.mini.decoding import ReadSign, read_scores
        from omnipilot.memory.mini.mel import FRAME, mel_features, mel_power
        from omnipilot.memory.perception.audio.reader import AUDIBLE_LOUDNESS

        samples = clip.array().astype(np.float32) / 32_768
        if clip.seconds < SHORTEST or float(np.sqrt(np.mean(samples**2))) < AUDIBLE_LOUDNESS:
            return ()
        network, lexicon = self._load()
        scores = network.scores(mel_features(mel_power(samples)))
        words: list[list[ReadSign]] = [[]]
        for one in read_scores(scores, lexicon, network.config.penalty):
            if one.sign == " ":
                words.append([])
            else:
                words[-1].append(one)
        step = FRAME * STRIDE / PER_FRAME
        pieces: list[SpokenPiece] = []
        for word in words:
            if text := "".join(one.sign for one in word):
                start, end = (clip.start + at * step for at in (word[0].output, word[-1].output + 1))
                pieces.append(
                    SpokenPiece(f" {text}" if pieces else text, round(start, 2), round(min(end, clip.end), 2))
                )
        return tuple(pieces)

    def close(self) -> None:
        """Nothing to close."""

    def _load(self) -> tuple[EarsNetwork, frozenset[str]]:
        return _loaded(self.folder, (self.folder / MINI_EARS.weights).stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _loaded(folder: Path, changed: int) -> tuple[EarsNetwork, frozenset[str]]:  # noqa: ARG001 read again when changed
    return EarsNetwork(folder), read_lexicon(folder)
