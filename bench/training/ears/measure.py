"""What `omnipilot train measure-ears` does: unheard texts by unheard voices, in noise, read by several models."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.tables import Table
from omnipilot.bench.training.ears.scoring import SIGN_KINDS, scored_units, word_errors
from omnipilot.bench.training.ears.speech import (
    SpeakingVoice,
    add_background,
    app_sound,
    app_sounds,
    check_program,
    draw_voice,
    noise,
    speak,
)
from omnipilot.bench.training.ears.texts import KINDS, SpokenText
from omnipilot.bench.training.ears.voices import UNHEARD_VOICES, WORLD_VOICES
from omnipilot.bench.training.progress import TellLine
from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.speech import VOICES, synthesize
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.transcription import Transcriber

SEED = 37
"""Of the voices, texts and noises that are measured with."""
NOISES = (
    ("none", "", 0.0),
    ("white 20 dB", "white", 20.0),
    ("white 10 dB", "white", 10.0),
    ("white 0 dB", "white", 0.0),
    ("pink 20 dB", "pink", 20.0),
    ("pink 10 dB", "pink", 10.0),
    ("pink 0 dB", "pink", 0.0),
    ("app 10 dB", "app", 10.0),
)
"""What sounds behind the speech: its name in tables, what it is, and by how many decibels it is softer."""
MEASURED_KINDS = ("digits", "letters", "codes", "times", "names", "commands", "words")
TAUGHT = "taught words"
"""The kind of words that were heard in training, in other voices."""
RECORDED = "recorded"
"""The kind of the embedded world's own speech, joined of its recordings."""
_WORLD_SPEECH = {"en-us": SpeakingVoice("en-us", 155, 42), "en-gb+f3": SpeakingVoice("en-gb+f3", 165, 55)}
"""How the embedded world's voices speak (`envs/speech/make_speech.py`)."""
_MARGIN = 0.2
_LEVEL = 0.08
"""Seconds of silence, or of what is behind, around speech, and its root mean square."""


@dataclass(frozen=True, slots=True)
class MeasureOrder:
    """What to measure.

    Attributes:
        models: folders of ears, or "mini-ears" for those that are shipped. texts: of each kind. voices: how many.
        whisper: folder of Whisper in CTranslate2's form; "" to measure without it.
    """

    models: tuple[str, ...]
    texts: int = 60
    voices: int = 24
    whisper: str = ""

    def __post_init__(self) -> None:
        if self.texts < 1 or not len(WORLD_VOICES) <= self.voices <= len(UNHEARD_VOICES):
            raise ConfigError(
                f"measure with at least 1 text, and with {len(WORLD_VOICES)} to {len(UNHEARD_VOICES)} voices"
            )


@dataclass(frozen=True, slots=True)
class HeardText:
    """What a model heard of one text.

    Attributes:
        units: signs or words that were said. errors: see `word_errors`. seconds: of sound. took: seconds of one core.
    """

    model: str
    kind: str
    noise: str
    voice: str
    said: str
    heard: str
    units: int
    errors: int
    seconds: float
    took: float

    @property
    def right(self) -> int:
        """Signs or words that were right; 0 where there are more errors than that."""
        return max(0, self.units - self.errors)


def measure_ears(order: MeasureOrder, said: TellLine) -> list[HeardText]:
    """What each model hears of each text at each noise.

    Raises:
        ConfigError: `espeak-ng` is not installed, or a model is broken. MissingExtra: Whisper's library is not.
    """
    check_program()
    models = dict(_transcribers(order))
    sounds = list(unheard_speech(order))
    for model in models.values():
        model.transcribe(clip_of(sounds[0][2], ""))
    found = []
    began = time.monotonic()
    for number, (text, voice, speech) in enumerate(sounds, 1):
        for name, kind, snr in NOISES:
            clip = clip_of(_with_noise(speech, kind, snr, number), "")
            found += [_read(model, label, clip, text, name, voice) for label, model in models.items()]
        if number % 50 == 0 or number == len(sounds):
            passed = time.monotonic() - began
            left = passed / number * (len(sounds) - number)
            said(f"{number} of {len(sounds)} texts, {passed / 60:.1f} min, {left / 60:.1f} min left")
    for model in models.values():
        model.close()
    return found


def _transcribers(order: MeasureOrder) -> Iterator[tuple[str, Transcriber]]:
    from omnipilot.memory.mini import EarsTranscriber

    for model in order.models:
        yield model, EarsTranscriber("" if model == "mini-ears" else model)
    if order.whisper:
        from omnipilot.memory.transcription import WhisperTranscriber

        yield "Whisper", WhisperTranscriber(order.whisper, device="cpu", language="en")


def unheard_speech(order: MeasureOrder) -> Iterator[tuple[SpokenText, str, NDArray[np.float32]]]:
    """Texts of every kind, each with the voice that says it, and its sound, at one loudness, with silence around."""
    random = Random(SEED)
    others = random.sample([name for name in UNHEARD_VOICES if name not in WORLD_VOICES], order.voices - 2)
    voices = [*_WORLD_SPEECH.values(), *(draw_voice((name,), random) for name in others)]
    texts: dict[int, list[SpokenText]] = {}
    for kind in MEASURED_KINDS:
        for number in range(order.texts):
            texts.setdefault(number % len(voices), []).append(KINDS[kind](random, True))
    for number in range(order.texts):
        texts.setdefault(number % len(voices), []).append(replace(KINDS["words"](random, False), kind=TAUGHT))
    for number, some in texts.items():
        voice = voices[number]
        for text, sound in zip(some, speak([one.spoken for one in some], voice), strict=True):
            yield text, voice.name, _levelled(sound)
    for number in range(order.texts):
        voice_name = VOICES[number % 2]
        text = _recorded_text(random)
        recorded = synthesize(f"{voice_name}:{text.spoken}").samples() / 32768
        yield text, f"{voice_name} (recorded)", _levelled(np.asarray(recorded, np.float32))


def _recorded_text(random: Random) -> SpokenText:
    """What the embedded world says in its tasks."""
    form = random.choice(("the code is {}", "the room is {}", "the time is {}", "call back {}", "please {} today"))
    words = ("send", "open", "close", "delete", "archive", "reply", "save", "stop", "snooze", "answer", "ignore")
    signs = KINDS["digits" if form.startswith(("the time", "call")) else "codes"](random, True).written
    said = form.format(random.choice(words) if form.startswith("please") else signs)
    return SpokenText(RECORDED, said, said)


def _levelled(sound: NDArray[np.float32]) -> NDArray[np.float32]:
    padded = np.pad(sound, round(_MARGIN * SAMPLE_RATE))
    return np.asarray(padded * (_LEVEL / np.sqrt(np.mean(sound**2))), np.float32)


def _with_noise(speech: NDArray[np.float32], kind: str, snr: float, seed: int) -> NDArray[np.float32]:
    if not kind:
        return speech
    seconds = len(speech) / SAMPLE_RATE + 0.01
    names = app_sounds(unheard=True)
    behind = app_sound(names[seed % len(names)], seconds) if kind == "app" else noise(kind, seconds, 1000 + seed)
    return add_background(speech, behind, snr)


def clip_of(samples: NDArray[np.float32], env: str) -> AudioClip:
    """A clip of samples within -1..1; what is louder is cut off."""
    return AudioClip((samples.clip(-1, 1) * 32767).astype("<i2").tobytes(), env, 0.0)


def _read(model: Transcriber, label: str, clip: AudioClip, text: SpokenText, noise_name: str, voice: str) -> HeardText:
    began = time.process_time()
    heard = model.transcribe(clip)
    took = time.process_time() - began
    wanted = scored_units(text.written, text.kind)
    errors = word_errors(scored_units(heard, text.kind), wanted)
    return HeardText(
        label, text.kind, noise_name, voice, text.written, heard, len(wanted), errors, clip.seconds, round(took, 4)
    )


def kinds_table(found: Sequence[HeardText]) -> Table:
    """Of each model and noise: the share of signs or words that were right, by kind, and the error rate in all."""
    kinds = [*MEASURED_KINDS, TAUGHT, RECORDED]
    rows = []
    for model in dict.fromkeys(one.model for one in found):
        for name, _, _ in NOISES:
            some = [one for one in found if one.model == model and one.noise == name]
            shares = [_share([one for one in some if one.kind == kind]) for kind in kinds]
            rows.append((model, name, *shares, _error_rate(some)))
    pace = [f"{model}: {milliseconds(found, model):.1f} ms" for model in dict.fromkeys(one.model for one in found)]
    notes = (
        f"signs ({', '.join(SIGN_KINDS)}) or words that were right, in percent; in […] 95 % confidence intervals over "
        "voices; error rate: those put in, left out or exchanged, of those said",
        f"time of one core a second of sound: {', '.join(pace)}",
    )
    return Table(("model", "behind it", *kinds, "error rate %"), tuple(rows), notes, 2)


def voices_table(found: Sequence[HeardText]) -> Table:
    """Of each voice and model: the error rate without noise, and at 10 and 20 dB."""
    models = list(dict.fromkeys(one.model for one in found))
    shown = ("none", "white 20 dB", "pink 10 dB")
    rows = [
        (
            voice,
            *(
                _error_rate([one for one in found if (one.voice, one.model, one.noise) == (voice, model, name)])
                for model in models
                for name in shown
            ),
        )
        for voice in sorted(dict.fromkeys(one.voice for one in found))
    ]
    columns = ("voice", *(f"{model}, {name}" for model in models for name in shown))
    return Table(columns, tuple(rows), ("error rate of all kinds together, in percent",))


def milliseconds(found: Sequence[HeardText], model: str) -> float:
    """Time of one core for a second of sound."""
    some = [one for one in found if one.model == model]
    return 1000 * sum(one.took for one in some) / sum(one.seconds for one in some)


def figures_of(order: MeasureOrder, found: Sequence[HeardText]) -> dict[str, Any]:
    """The counts behind the tables, for a file."""
    return {
        "seed": SEED,
        "texts": order.texts,
        "voices": order.voices,
        "milliseconds": {
            model: round(milliseconds(found, model), 2) for model in dict.fromkeys(one.model for one in found)
        },
        "columns": ["model", "behind", "kind or voice", "units", "right", "errors"],
        "by_kind": _counts(found, lambda one: one.kind),
        "by_voice": _counts(found, lambda one: one.voice),
    }


def _counts(found: Sequence[HeardText], group: Callable[[HeardText], str]) -> list[list[Any]]:
    counts: dict[tuple[str, str, str], list[int]] = {}
    for one in found:
        entry = counts.setdefault((one.model, one.noise, group(one)), [0, 0, 0])
        for at, more in enumerate((one.units, one.right, one.errors)):
            entry[at] += more
    return [[*key, *entry] for key, entry in counts.items()]


def _share(some: Sequence[HeardText]) -> str:
    share = ratio_of([one.right for one in some], [one.units for one in some], [one.voice for one in some], "voices")
    return share.text() if share else ""


def _error_rate(some: Sequence[HeardText]) -> str:
    units = sum(one.units for one in some)
    return f"{100 * sum(one.errors for one in some) / units:.1f}" if units else ""
