"""Speech by Debian's program `espeak-ng`, and what sounds behind it: noise, and the sounds of the embedded world."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import ConfigError
from omnipilot.envs.sim.audio.sound import SOUNDS, Sound, mix
from omnipilot.envs.types import SAMPLE_RATE

PROGRAM = "espeak-ng"
RATES, PITCHES = (110, 230), (15, 85)
"""Words a minute, and pitch as the program counts it (0..99), that are spoken in training."""
_SPOKEN_RATE, _HEADER = 22_050, 44
"""Samples a second that the program writes, and bytes before them."""
_SECONDS = 120
_BREAK, _PAUSE, _QUIET = 1500, 1.0, 0.003
"""Milliseconds of silence between texts, seconds of it at which they are cut, and what is silent, as a share of the
peak."""
COLOURS = ("white", "pink")


@dataclass(frozen=True, slots=True)
class SpeakingVoice:
    """A voice and how it speaks.

    Attributes:
        name: of the program, such as "en-gb+f3". rate: words a minute. pitch: 0..99.
    """

    name: str
    rate: int
    pitch: int


def check_program() -> None:
    """Check that the program is there.

    Raises:
        ConfigError: it is not; the message says how to install it.
    """
    if shutil.which(PROGRAM) is None:
        raise ConfigError(f"{PROGRAM} is not installed, which speaks for the training; apt-get install {PROGRAM}")


def speak(texts: Sequence[str], voice: SpeakingVoice) -> list[NDArray[np.float32]]:
    """What the program says to each of some texts, at 16 kHz, within -1..1, without the silence around it.

    It is started once: all are said with long pauses between, where they are cut.

    Raises:
        ConfigError: the program fails, or says nothing to a text.
    """
    from scipy.signal import resample_poly  # type: ignore[import-untyped]

    said = f'<break time="{_BREAK}ms"/>'.join(f"<s>{escape(text)}</s>" for text in texts)
    command = [PROGRAM, "-m", "-b", "1", "-v", voice.name, "-s", str(voice.rate), "-p", str(voice.pitch), "--stdout"]
    given = f"<speak>{said}</speak>".encode()
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=_SECONDS)
    spoken = np.frombuffer(done.stdout[_HEADER : len(done.stdout) // 2 * 2], "<i2").astype(np.float32) / 32768
    loud = np.flatnonzero(np.abs(spoken) > _QUIET * np.abs(spoken).max(initial=0))
    cuts = np.flatnonzero(np.diff(loud) > _PAUSE * _SPOKEN_RATE)
    if done.returncode or not len(loud):
        why = done.stderr.decode(errors="replace").strip()[:200] or "it said nothing"
        raise ConfigError(f"{PROGRAM} -v {voice.name} failed on {texts[0]!r}: {why}")
    if len(texts) == 1:
        cuts = cuts[:0]
    elif len(cuts) + 1 != len(texts):
        # Some voices swallow a pause.
        return [sound for text in texts for sound in speak([text], voice)]
    margin = _SPOKEN_RATE // 100
    firsts, lasts = loud[[0, *(cuts + 1)]], loud[[*cuts, -1]]
    return [
        np.asarray(resample_poly(spoken[max(0, first - margin) : last + margin], 320, 441), np.float32)
        for first, last in zip(firsts, lasts, strict=True)
    ]


def draw_voice(names: tuple[str, ...], random: Random) -> SpeakingVoice:
    """One of some voices, at a rate and a pitch within those of training."""
    return SpeakingVoice(random.choice(names), random.randint(*RATES), random.randint(*PITCHES))


def is_unheard_sound(name: str) -> bool:
    """Whether a sound of the embedded world is only measured with: every fourth, by a hash of its name."""
    return hashlib.sha256(name.encode()).digest()[0] % 4 == 0


def app_sounds(unheard: bool) -> tuple[str, ...]:
    """The sounds of the embedded world that are trained on, or those that are only measured with; of 0.1 s and more."""
    return tuple(name for name, one in SOUNDS.items() if one.seconds >= 0.1 and is_unheard_sound(name) == unheard)


def app_sound(name: str, seconds: float) -> NDArray[np.float32]:
    """A sound of the embedded world, again and again."""
    samples = mix([Sound(name, 0.0, seconds)], "", 0.0, seconds).array()
    return np.asarray(samples / 32768, np.float32)


def noise(colour: str, seconds: float, seed: int) -> NDArray[np.float32]:
    """Gaussian noise of root mean square 0.05, white, or pink: with a power that falls as 1 / frequency."""
    drawn = np.random.default_rng(seed).standard_normal(round(seconds * SAMPLE_RATE))
    if colour == "pink":
        spectrum = np.fft.rfft(drawn)
        spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
        spectrum[0] = 0
        drawn = np.fft.irfft(spectrum, len(drawn))
    return np.asarray(0.05 * drawn / np.sqrt(np.mean(drawn**2)), np.float32)


def add_background(speech: NDArray[np.float32], behind: NDArray[np.float32], snr: float) -> NDArray[np.float32]:
    """Speech with something behind it, whose power is so many decibels below the speech's; as long as the speech.

    Args:
        behind: at least as long.
    """
    behind = behind[: len(speech)]
    gain = np.sqrt(np.mean(speech**2) / max(1e-12, float(np.mean(behind**2)))) * 10 ** (-snr / 20)
    return np.asarray(speech + gain * behind, np.float32)
