"""The sounds of the simulated world in words: what is audible in an interval, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from omnipilot.envs.base import Heard, SoundKind
from omnipilot.envs.sim.audio.scores import BEAT, DTMF_ON, DTMF_STEP
from omnipilot.envs.sim.audio.sound import SOUNDS, Sound, mix, pattern
from omnipilot.envs.speech.synthesis import timed_words
from omnipilot.envs.types.media import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Mapping[str, SoundKind] = MappingProxyType(
    {
        **dict.fromkeys(("alarm", "alarm_rising", "alarm_siren", "alarm_slow"), "alarm"),
        **dict.fromkeys(("ringtone", "ringtone_bells", "ringtone_marimba", "ringtone_pulse"), "ringtone"),
        **dict.fromkeys(("chime", "chime_door", "chime_three", "ding", "ding_low"), "chime"),
        **dict.fromkeys(("waltz", "march", "lullaby", "jig", "blues", "canon", "melody_a", "melody_b"), "melody"),
        **dict.fromkeys(("tone_low", "tone_high"), "tone"),
        **dict.fromkeys(("busy", "ringback", "error", "click", "buzz"), "effect"),
    }
)
"""The kind of each named sound."""
_WRITTEN: Mapping[str, SoundKind] = MappingProxyType({"tone": "tone", "noise": "noise"})


def transcribe(sounds: Sequence[Sound], start: float, end: float) -> tuple[Heard, ...]:
    """What is audible of `sounds` from `start` to `end`, in seconds on the world's clock, by start.

    Words, dialled digits, and the notes of a melody that has no name are transcribed if they end in the interval; each
    repetition is a sound of its own. Other sounds are one each, if the interval holds a sample of them that is not 0;
    `start` is then that of the whole sound. Sounds that drown each other out are all transcribed.

    Raises:
        ValueError: `end` is before `start`.
    """
    if end < start:
        raise ValueError(f"a transcript must end at or after its start, not {start}..{end}")
    found: list[Heard] = []
    for sound in sounds:
        if not sound.gain or sound.start >= end or sound.start + sound.seconds <= start:
            continue
        kind, _, told = sound.name.partition(":")
        if kind == "speech":
            voice, _, said = told.partition(":")
            words = [(said[word.first : word.last], word.begin, word.end) for word in timed_words(told)]
            gaps = [said[a.last : b.first] for a, b in zip(timed_words(told), timed_words(told)[1:], strict=False)]
            found += _pieces(sound, "speech", words, gaps, start, end, voice)
        elif kind == "dtmf":
            step, on = DTMF_STEP * SAMPLE_RATE // 1000, DTMF_ON * SAMPLE_RATE // 1000
            keys = [(key, index * step, index * step + on) for index, key in enumerate(told)]
            found += _pieces(sound, "digits", keys, [""] * (len(keys) - 1), start, end)
        elif kind == "melody":
            notes = _notes(told)
            found += _pieces(sound, "melody", notes, [" "] * (len(notes) - 1), start, end)
        else:
            found += _whole(sound, start, end)
    return tuple(sorted(found, key=lambda heard: (heard.start, heard.end)))


def _pieces(
    sound: Sound,
    kind: SoundKind,
    pieces: Sequence[tuple[str, int, int]],
    gaps: Sequence[str],
    start: float,
    end: float,
    voice: str = "",
) -> Iterator[Heard]:
    """What is heard of the pieces (text, first and last sample) of each repetition of a sound.

    Args:
        gaps: what is written between a piece and the next.
    """
    began = round(sound.start * SAMPLE_RATE)
    over = began + round(sound.seconds * SAMPLE_RATE)
    first, last = round(start * SAMPLE_RATE), round(end * SAMPLE_RATE)
    period = len(pattern(sound.name).samples())
    at = began - round(sound.skip * SAMPLE_RATE)
    while at < min(over, last):
        heard = [
            index
            for index, (_, begin, finish) in enumerate(pieces)
            # Wholly sounded, so neither skipped nor cut off; and it ends here.
            if at + begin >= began and at + finish <= over and first < at + finish <= last
        ]
        if heard:
            head, tail = heard[0], heard[-1]
            words = "".join(pieces[index][0] + (gaps[index] if index < tail else "") for index in range(head, tail + 1))
            begin, finish = at + pieces[head][1], at + pieces[tail][2]
            more = tail + 1 < len(pieces) and at + pieces[tail + 1][2] <= over
            yield Heard(kind, words, begin / SAMPLE_RATE, finish / SAMPLE_RATE, voice, more)
        at += period


def _notes(told: str) -> list[tuple[str, int, int]]:
    """The notes of a melody written as in `melody`, with the first and last sample of each; rests are none."""
    beat = int(told.rpartition(":")[0] or BEAT) * SAMPLE_RATE // 1000
    found: list[tuple[str, int, int]] = []
    for index, name in enumerate(told.rpartition(":")[2].split(",")):
        if name == "+" and found and found[-1][2] == index * beat:
            found[-1] = (*found[-1][:2], (index + 1) * beat)
        elif name not in "-+":
            found.append((name, index * beat, (index + 1) * beat))
    return found


def _whole(sound: Sound, start: float, end: float) -> Iterator[Heard]:
    """The sound, if it is audible in the interval."""
    begin, over = max(start, sound.start), sound.start + sound.seconds
    if any(mix([sound], "", begin, min(end, over)).pcm):
        head, _, told = sound.name.partition(":")
        words = {
            "tone": f"{told} Hz",
            "noise": " ".join(told.split(":")[:2]) + " dB",
        }.get(head, sound.name)
        kind = KINDS[sound.name] if sound.name in SOUNDS else _WRITTEN[head]
        yield Heard(kind, words, sound.start, min(end, over), continues=over > end)
