"""How well the reader of sounds hears: recall and false alarms by kind and level of noise, on generated sound.

    python tests/perf/readers_sounds.py [scenes of each kind, 60]

Each scene is one sound of the embedded world, or two at once, with 0.5 s before and after it, under white or pink
noise. The level is that of the sound, while it sounds, over the noise. The reader is told nothing of the scene.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import get_args

import typer

from omnipilot.bench.tables import Table
from omnipilot.envs import AudioClip
from omnipilot.envs.sim.audio.noise import LOUDEST, QUIETEST, Colour
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern, recordings
from omnipilot.envs.speech.synthesis import VOICES, words
from omnipilot.memory.perception import FingerprintIndex, SoundEvent, read_sounds
from omnipilot.memory.perception.audio.reader import Kind, SoundReading

LEVELS: tuple[int | None, ...] = (None, 20, 10, 0, -5)
"""Decibels of the sound over the noise; None is no noise at all."""
_AROUND = 0.5
_NOTES = ("C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5", "D5", "E5", "F5", "G5", "A5")
_ALARMS, _CHIMES = (
    ("alarm", "alarm_rising", "alarm_siren", "alarm_slow"),
    (*("chime", "chime_door", "chime_three", "ding", "ding_low"),),
)
_MELODIES = ("ringtone", "ringtone_bells", "ringtone_marimba", "ringtone_pulse", "melody_a", "melody_b")


@dataclass(frozen=True, slots=True)
class Part:
    """One sound of a scene: what the world calls it, what it is, and what must be told of it.

    `loud` is the share of its length that is not yet dying away; half of that must be heard.
    """

    name: str
    kind: Kind
    seconds: float
    told: Callable[[SoundEvent], bool]
    loud: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """What sounds, and the noise's colour and seed. Parts begin together."""

    parts: tuple[Part, ...]
    colour: Colour
    seed: int

    @property
    def seconds(self) -> float:
        """Length of the clip."""
        return max(part.seconds for part in self.parts) + 2 * _AROUND

    def clip(self, level: int | None) -> AudioClip:
        """The scene `level` decibels over its noise."""
        sounds = [Sound(part.name, _AROUND, part.seconds, 70) for part in self.parts]
        if level is not None:
            noise = min(LOUDEST, max(QUIETEST, loudness(mix(sounds, "phone", 0.0, self.seconds)) - level))
            sounds.append(Sound(f"noise:{self.colour}:{noise}:{self.seed}", 0.0, self.seconds))
        return mix(sounds, "phone", 0.0, self.seconds)


@dataclass(slots=True)
class Count:
    """How many parts there were and were heard, and the false events with the seconds listened to."""

    parts: int = 0
    heard: int = 0
    told: int = 0
    false: int = 0
    seconds: float = 0.0

    @property
    def recall(self) -> float:
        """Share of the sounds of this kind that were heard as such."""
        return self.heard / self.parts

    @property
    def right(self) -> float:
        """Share of them of which the detail was right too: every digit, the pitch."""
        return self.told / self.parts

    @property
    def false_a_minute(self) -> float:
        """Events of this kind where nothing of the kind sounded, a minute."""
        return 60 * self.false / self.seconds


def loudness(clip: AudioClip) -> int:
    """Decibels of full scale of a clip, over the blocks in which something sounds."""
    import numpy as np

    samples = clip.array().astype(np.float64)
    power = (samples[: len(samples) // 160 * 160].reshape(-1, 160) ** 2).mean(axis=1)
    return round(10 * float(np.log10(power[power > 1e-4 * power.max()].mean() / 32768**2)))


def _anything(_: SoundEvent) -> bool:
    return True


def _speech(draw: Random) -> Part:
    voice = draw.choice(VOICES)
    said = [draw.choice([word for word in words(voice) if len(word) > 1])]
    said += ["".join(draw.choices("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ", k=draw.randint(2, 5)))]
    name = f"speech:{voice}:{' '.join(said)}"
    return Part(name, "speech", pattern(name).seconds - 0.4, _anything)


def _tone(draw: Random) -> Part:
    hertz = round(200 * 15 ** draw.random())

    def told(event: SoundEvent) -> bool:
        return abs(float(event.detail.split()[0]) / hertz - 1) < 0.02

    return Part(f"tone:{hertz}", "tone", draw.uniform(0.4, 2.0), told)


def _digits(draw: Random) -> Part:
    keys = "".join(draw.choices("0123456789*#", k=draw.randint(3, 8)))
    return Part(f"dtmf:{keys}", "digits", pattern(f"dtmf:{keys}").seconds - 0.4, lambda event: event.detail == keys)


def _melody(draw: Random) -> Part:
    if draw.random() < 0.4:
        name = draw.choice(_MELODIES)
    else:
        notes = [draw.choice(_NOTES) for _ in range(2)] + draw.sample(_NOTES, 4)
        name = f"melody:{draw.choice((150, 200, 250, 300))}:{','.join(notes)}"
    return Part(name, "melody", pattern(name).seconds, _anything)


def _alarm(draw: Random) -> Part:
    beep = f"{draw.choice(('A5', 'C6', 'E6', 'F#6', 'A6', 'D7'))},-"
    written = f"melody:{draw.choice((90, 120, 150))}:{','.join([beep] * 8)}"
    return Part(draw.choice((*_ALARMS, written, written)), "alarm", 3.0, _anything)


def _chime(draw: Random) -> Part:
    written = f"melody:{draw.choice((700, 900, 1100))}:{draw.choice(_NOTES[4:])}"
    name = draw.choice((*_CHIMES, written, written))
    return Part(name, "chime", pattern(name).seconds, _anything, 0.4)


_DRAWN: dict[Kind, Callable[[Random], Part]] = {
    "speech": _speech, "tone": _tone, "digits": _digits, "melody": _melody, "alarm": _alarm, "chime": _chime,
}  # fmt: skip


_COUNTED: tuple[Kind, ...] = (*_DRAWN, "named")
_DETAIL = {"tone": "pitch within 2 %", "digits": "every digit"}


def scenes(count: int, seed: int = 0) -> dict[str, list[Scene]]:
    """`count` scenes of each kind, and as many of two kinds at once; the same for the same seed."""
    draw = Random(f"sounds {seed}")
    found: dict[str, list[Scene]] = {kind: [] for kind in [*_DRAWN, "two at once"]}
    for number in range(count):
        colour = get_args(Colour)[number % 2]
        for kind, drawn in _DRAWN.items():
            found[kind].append(Scene((drawn(draw),), colour, number))
        pair = draw.sample(list(_DRAWN.values()), 2)
        found["two at once"].append(Scene((pair[0](draw), pair[1](draw)), colour, number))
    return found


def counted(
    scenes: list[Scene], level: int | None, book: FingerprintIndex | None = None
) -> tuple[dict[Kind, Count], float]:
    """What was heard of scenes, by kind, and the seconds of computing for one of sound."""
    counts: dict[Kind, Count] = {kind: Count() for kind in _COUNTED}
    cost = length = 0.0
    for scene in scenes:
        clip = scene.clip(level)
        reading = read_sounds(clip, book)
        cost, length = cost + reading.seconds, length + clip.seconds
        _count(counts, scene, reading, clip.seconds, book)
    return counts, cost / length


def _count(
    counts: dict[Kind, Count], scene: Scene, reading: SoundReading, seconds: float, book: FingerprintIndex | None
) -> None:
    for kind in _DRAWN:
        mine = [part for part in scene.parts if part.kind == kind]
        events = reading.of(kind)
        if not mine:
            counts[kind].false += len(events)
            counts[kind].seconds += seconds
        for part in mine:
            heard = [event for event in events if _overlap(event, part) >= 0.5 * part.loud * part.seconds]
            counts[kind].parts += 1
            counts[kind].heard += bool(heard) or _pieces(events, part) >= 0.5 * part.loud * part.seconds
            counts[kind].told += any(part.told(event) for event in events)
    known = [part.name for part in scene.parts if book is not None and part.name in book.names]
    named = {event.detail for event in reading.of("named")}
    counts["named"].parts += len(known)
    counts["named"].heard += sum(name in named for name in known)
    counts["named"].told += sum(name in named for name in known)
    counts["named"].false += len([event for event in reading.of("named") if event.detail not in known])
    counts["named"].seconds += seconds


def _overlap(event: SoundEvent, part: Part) -> float:
    return min(event.end, _AROUND + part.seconds) - max(event.start, _AROUND)


def _pieces(events: tuple[SoundEvent, ...], part: Part) -> float:
    return sum(max(0.0, _overlap(event, part)) for event in events)


def tables(count: int) -> Iterator[Table]:
    """Recall, and false alarms, with `count` scenes of each kind."""
    book = FingerprintIndex({name: clip for name, clip in recordings().items() if not name.startswith("tone_")})
    drawn = scenes(count, seed=1)
    single = [scene for kind in _DRAWN for scene in drawn[kind]]
    alone = [counted(single, level, book) for level in LEVELS]
    both = [counted(drawn["two at once"], level, book) for level in LEVELS]
    recall: list[tuple[str, ...]] = []
    false: list[tuple[str, ...]] = []
    for measured, what in ((alone, ""), (both, ", two at once")):
        for kind in _COUNTED:
            of = [counts[kind] for counts, _ in measured]
            recall.append((kind + what, str(of[0].parts), *(f"{100 * count.recall:.0f}" for count in of)))
            if kind in ("tone", "digits"):
                recall.append((f"{kind}{what}, {_DETAIL[kind]}", "", *(f"{100 * count.right:.0f}" for count in of)))
            false.append((kind + what, f"{of[0].seconds / 60:.1f}", *(f"{count.false_a_minute:.1f}" for count in of)))
    levels = ["no noise" if level is None else f"{level} dB" for level in LEVELS]
    cost = ", ".join(f"{1000 * cost:.0f} ({name})" for (_, cost), name in zip(alone, levels, strict=True))
    yield Table(("recall, %", "sounds", *levels), tuple(recall), (f"computing for 1 s of sound, in ms: {cost}",))
    yield Table(("false alarms a minute", "minutes", *levels), tuple(false))


def main() -> None:
    """Print the tables."""
    for table in tables(int(sys.argv[1]) if len(sys.argv) > 1 else 60):
        typer.echo(table.text() + "\n")


if __name__ == "__main__":
    main()
