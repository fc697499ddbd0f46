"""Speech that the ears are trained on: spoken once to files, and mixed anew with noise whenever it is used.

A file holds what one voice said at one rate and pitch: sentences; and digits, letters and words by themselves, which
are joined with pauses as the embedded world joins its recordings. Kept is the power by band, so that noise is added
there: the power of a sum is on average the sum of the powers.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.training.demonstrations import check_number
from omnipilot.bench.training.ears.speech import (
    COLOURS,
    app_sound,
    app_sounds,
    draw_voice,
    noise,
    speak,
)
from omnipilot.bench.training.ears.texts import KINDS, TAUGHT_WORDS, is_held_out
from omnipilot.bench.training.ears.voices import TAUGHT_VOICES
from omnipilot.envs import ConfigError
from omnipilot.envs.speech import words as recorded_words
from omnipilot.memory.mini import mel_features, mel_power

SHARES = {"words": 10, "commands": 8, "names": 4, "codes": 3, "times": 3, "digits": 1, "letters": 1, "numbers": 2}
"""How many sentences of each kind a file holds."""
SIGNS = string.digits + string.ascii_uppercase
PHRASES = tuple(word for word in recorded_words("en-a") if len(word) > 1 and not is_held_out(word))
"""What the embedded world says besides signs, as far as it is trained on."""
SPLICED = 24
"""Utterances that are joined of the parts of a file."""
SUFFIX = ".npz"
_QUIET = 1e-9
"""Power of a band in a pause."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said, in one piece or in several that are joined.

    Attributes:
        parts: logarithms of the power by band, each of shape (frames, 40).
        pauses: frames of silence before each part, and after the last.
        text: what the ears should write.
    """

    parts: tuple[NDArray[np.float16], ...]
    pauses: tuple[int, ...]
    text: str

    @property
    def frames(self) -> int:
        """How many frames it has."""
        return sum(map(len, self.parts)) + sum(self.pauses)

    def power(self) -> NDArray[np.float32]:
        """Power by frame and band."""
        found = np.full((self.frames, self.parts[0].shape[1]), _QUIET, np.float32)
        at = self.pauses[0]
        for part, pause in zip(self.parts, self.pauses[1:], strict=True):
            found[at : at + len(part)] += np.exp(part.astype(np.float32))
            at += len(part) + pause
        return found


def write_speech(folder: Path, instances: Sequence[int]) -> None:
    """Write what is said in some instances, a file each; files that are there are kept.

    Raises:
        ConfigError: `espeak-ng` fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for instance in instances:
        check_number(instance, "ears")
        path = folder / f"{instance:05d}{SUFFIX}"
        if not path.exists():
            _write_instance(path, instance)


def _write_instance(path: Path, instance: int) -> None:
    random = Random(f"ears {instance}")
    voice = draw_voice(TAUGHT_VOICES, random)
    said = [(sign, sign) for sign in SIGNS]
    alone = random.sample(PHRASES, 8) + random.sample(TAUGHT_WORDS, 4)
    said += [(word, word) for word in alone]
    for kind, count in SHARES.items():
        made = [KINDS[kind](random, False) for _ in range(count)]
        said += [(one.spoken, one.written) for one in made]
    sounds = speak([spoken for spoken, _ in said], voice)
    levels = [np.log(mel_power(sound) + 1e-12).astype(np.float16) for sound in sounds]
    edges = np.cumsum([0, *map(len, levels)])
    made_here = path.with_name(f"{path.stem}.new{SUFFIX}")
    np.savez(
        made_here,
        levels=np.concatenate(levels),
        edges=edges,
        texts=np.array([written for _, written in said]),
        alone=np.array(len(SIGNS) + len(alone)),
    )
    made_here.rename(path)


def read_speech(paths: Sequence[Path]) -> list[Utterance]:
    """The utterances of some files: the sentences, and others that are joined of single words and signs.

    Raises:
        ConfigError: a file is broken.
    """
    found = []
    for path in paths:
        try:
            with np.load(path) as kept:
                levels, edges, texts, alone = kept["levels"], kept["edges"], kept["texts"], int(kept["alone"])
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(f"{path} cannot be read ({error}); remove it, and it is made again") from None
        parts = [levels[first:last] for first, last in pairwise(edges)]
        random = Random(path.stem)
        for part, text in zip(parts[alone:], texts[alone:], strict=True):
            found.append(Utterance((part,), (random.randint(0, 25), random.randint(0, 25)), str(text)))
        found += [_splice(parts[:alone], [str(text) for text in texts[:alone]], random) for _ in range(SPLICED)]
    return found


def _splice(parts: Sequence[NDArray[np.float16]], texts: Sequence[str], random: Random) -> Utterance:
    """A phrase, a sequence of signs, or one after the other."""
    form = random.choice(("phrase", "signs", "both", "both", "phrases"))
    signs: list[int] = []
    while not signs or is_held_out("".join(texts[at] for at in signs)):
        among = random.choice((10, len(SIGNS), len(SIGNS)))
        signs = [random.randrange(among) for _ in range(random.randint(2, 6))]
    phrases = [random.randrange(len(SIGNS), len(parts)) for _ in range(3 if form == "phrases" else 1)]
    chosen = {"phrase": phrases, "phrases": phrases, "signs": signs, "both": phrases + signs}[form]
    between, within = random.randint(5, 25), random.randint(3, 20)
    text, pauses = texts[chosen[0]], [random.randint(0, 25)]
    for before, at in pairwise(chosen):
        together = before < len(SIGNS) and at < len(SIGNS)
        text += texts[at] if together else f" {texts[at]}"
        pauses.append(within if together else between)
    return Utterance(tuple(parts[at] for at in chosen), (*pauses, random.randint(0, 25)), text)


class Backgrounds:
    """What sounds behind the speech that is trained on, as power by band; drawn anew for each use.

    Args:
        seed: of all draws.
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._random = seed, np.random.default_rng(seed)
        self._noises = [mel_power(noise(colour, 20.0, seed)) for colour in COLOURS]
        self._sounds = [mel_power(app_sound(name, 8.0)) for name in app_sounds(unheard=False)]

    def fork(self) -> Backgrounds:
        """The same with the first draws, for measuring: draws from one do not change those from the other."""
        other = copy(self)
        other._random = np.random.default_rng(self._seed)
        return other

    def heard(self, utterance: Utterance) -> NDArray[np.float32]:
        """Features of an utterance: a third as it is, others with noise at -2 to 25 dB, a quarter with a sound too."""
        random, power = self._random, utterance.power()
        spoken = float(power.mean())
        draw = random.random()
        if draw > 0.33:
            power = power + self._behind(self._noises, len(power), spoken)
        if draw > 0.75:
            power = power + self._behind(self._sounds, len(power), spoken)
        # Loudspeakers and rooms favour some frequencies.
        tilt = random.uniform(-1, 1) * np.linspace(-1, 1, power.shape[1], dtype=np.float32)
        features = mel_features(power * np.exp(tilt))
        return hide_bands(features, random)

    def silence(self, frames: int) -> NDArray[np.float32]:
        """Features of noise or a sound alone."""
        known = self._noises if self._random.random() < 0.4 else self._sounds
        return mel_features(self._behind(known, frames, 1e-4) + np.float32(_QUIET))

    def _behind(self, known: Sequence[NDArray[np.float32]], frames: int, spoken: float) -> NDArray[np.float32]:
        power = known[int(self._random.integers(len(known)))]
        begin = int(self._random.integers(len(power)))
        cut = np.take(power, np.arange(begin, begin + frames), axis=0, mode="wrap")
        snr = self._random.uniform(-2, 25)
        return np.asarray(cut * (spoken / max(1e-12, float(cut.mean())) * 10 ** (-snr / 10)), np.float32)


def hide_bands(features: NDArray[np.float32], random: np.random.Generator) -> NDArray[np.float32]:
    """Features of which a stretch of bands, and one of time, are blank in every second utterance.

    Source: SpecAugment (Park et al. 2019).
    """
    if random.random() < 0.5:
        features = features.copy()
        low, first = int(random.integers(features.shape[1] - 6)), int(random.integers(len(features)))
        features[:, low : low + int(random.integers(1, 7))] = -1.0
        features[first : first + int(random.integers(1, 8))] = -1.0
    return features
