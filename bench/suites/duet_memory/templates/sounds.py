"""Scenes that are heard: a code for the other device, the third of five, two voices at once, a code that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from omnipilot.bench.suites.duet.templates.both.across import MAIL_BOTH
from omnipilot.bench.suites.duet.templates.phone.notes import WRITE_NOTE
from omnipilot.bench.suites.duet.templates.phone.settings import SET_RINGTONE
from omnipilot.bench.suites.duet_memory.stage import Stage
from omnipilot.bench.suites.duet_memory.template import Given, MemoryScene, MemoryTemplate
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Resource
from omnipilot.envs.sim.apps.phone.settings import RINGTONES
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.memory import CandidateValue, Move, NeededFact

VOICES = ("en-a", "en-b")
COLORS = ("red", "green", "blue", "yellow")
Make = Callable[[TaskSampler, WorldState], MemoryScene]


def code(dice: Random) -> str:
    """A code of four digits."""
    return str(dice.randrange(1000, 10_000))


def door(voice: str, color: str, code: str) -> str:
    """What is said of a door: its colour, then its code."""
    return f"speech:{voice}:{color} the code is {code}"


def _other_doors(color: str, device: DeviceName) -> Callable[[Stage, Random], Iterator[Move]]:
    """A voice says the code of a door of another colour."""

    def distract(stage: Stage, dice: Random) -> Iterator[Move]:
        other = dice.choice([one for one in COLORS if one != color])
        yield from stage.sounds("", (device, door(dice.choice(VOICES), other, code(dice))))

    return distract


def _spoken(device: DeviceName) -> Make:
    def make(draw: TaskSampler, state: WorldState) -> MemoryScene:
        color, voice, said = draw.choice(COLORS), draw.choice(VOICES), draw.fact(code)
        name = f"the code that the {device} spoke for the {color} door"

        def play(stage: Stage) -> Iterator[Move]:
            yield from stage.sounds("said", (device, door(voice, color, said)))

        def facts(stage: Stage) -> tuple[NeededFact, ...]:
            heard = stage.spans["said"].as_sound(color, said)
            return (NeededFact(name, said, (CandidateValue(said, ((heard,),), heard.end),)),)

        given: Given = {"subject": "Door", "text": Resource("text", said, f"{name} (in digits)")}
        return MemoryScene(given, 1, play, facts, _other_doors(color, device), state)

    return make


def _changed_code(draw: TaskSampler, state: WorldState) -> MemoryScene:
    color, voice = draw.choice(COLORS), draw.choice(VOICES)
    old, new = draw.fact(lambda dice: (code(dice), code(dice)))
    name = f"the code that the desktop last spoke for the {color} door, for it was changed"

    def play(stage: Stage) -> Iterator[Move]:
        yield from stage.sounds("old", ("desktop", door(voice, color, old)))
        other = next(one for one in COLORS if one != color)
        yield from stage.sounds("between", ("desktop", door(voice, other, "5071")))
        yield from stage.sounds("new", ("desktop", door(voice, color, new)))

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        heard = [stage.spans[one].as_sound(color, said) for one, said in (("old", old), ("new", new))]
        each = [CandidateValue(said, ((one,),), one.end) for one, said in zip(heard, (old, new), strict=True)]
        return (NeededFact(name, new, tuple(each)),)

    given: Given = {"subject": "Door", "text": Resource("text", new, f"{name} (in digits)")}
    return MemoryScene(given, 3, play, facts, _other_doors(color, "desktop"), state)


def _third(
    stage_name: str, device: DeviceName, sounds: Sequence[str], words: Sequence[str]
) -> tuple[Callable[[Stage], Iterator[Move]], Callable[[Stage, str], tuple[NeededFact, ...]]]:
    """Five sounds one after another; to know the third takes the first three."""

    def play(stage: Stage) -> Iterator[Move]:
        for number, sound in enumerate(sounds):
            yield from stage.sounds(f"{number}", (device, sound))

    def facts(stage: Stage, value: str) -> tuple[NeededFact, ...]:
        spans = [stage.spans[f"{number}"] for number in range(4)]
        way = tuple(
            span.as_sound(word, until=after.start + 0.1)
            for span, after, word in zip(spans, spans[1:], words, strict=False)
        )
        ids = (f"settings/sound/ringtone/{value}",)
        return (NeededFact(stage_name, value, (CandidateValue(value, (way,), spans[2].end, ids),)),)

    return play, facts


def _third_ringtone(draw: TaskSampler, state: WorldState) -> MemoryScene:
    right = draw.fact(lambda dice: dice.choice(RINGTONES[1:]))
    rest = draw.sample(range(4), 4)
    others = [tune for tune in RINGTONES if tune != right]
    tunes = [others[at] for at in rest]
    tunes.insert(2, right)
    name = "the third of the five melodies that the phone played one after another"
    play, facts = _third(name, "phone", tunes, tunes)

    def distract(stage: Stage, dice: Random) -> Iterator[Move]:
        yield from stage.sounds("", ("phone", dice.choice(("march", "jig", "melody_a", "melody_b"))))

    given: Given = {"tune": Resource("tune/ringtone", right, name)}
    return MemoryScene(given, 5, play, lambda stage: facts(stage, right), distract, state)


def _room(dice: Random) -> str:
    return f"{dice.choice('ABCDEF')}{dice.randrange(10, 100)}"


def _third_room(draw: TaskSampler, state: WorldState) -> MemoryScene:
    voice, right = draw.choice(VOICES), draw.fact(_room)
    rooms = [_room(draw) for _ in range(4)]
    rooms.insert(2, right)
    name = "the third of the five rooms that the desktop read out one after another"
    play, facts = _third(name, "desktop", [f"speech:{voice}:the room is {room}" for room in rooms], rooms)

    def distract(stage: Stage, dice: Random) -> Iterator[Move]:
        yield from stage.sounds("", ("desktop", f"speech:{dice.choice(VOICES)}:the code is {code(dice)}"))

    given: Given = {"subject": "Room", "text": Resource("text", right, f"{name} (as in A12)")}
    return MemoryScene(given, 5, play, lambda stage: facts(stage, right), distract, state)


def _two_voices(draw: TaskSampler, state: WorldState) -> MemoryScene:
    said, other = draw.fact(code), code(draw)
    name = "the code that the phone spoke while the desktop was speaking too"

    def play(stage: Stage) -> Iterator[Move]:
        at_once: tuple[DeviceName, str] = ("desktop", f"speech:en-b:the code is {other}")
        yield from stage.sounds("said", ("phone", f"speech:en-a:the code is {said}"), at_once)

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        heard = stage.spans["said"].as_sound(said, until=stage.spans["said"].start + 7.0)
        return (NeededFact(name, said, (CandidateValue(said, ((heard,),), heard.end),)),)

    def distract(stage: Stage, dice: Random) -> Iterator[Move]:
        device: DeviceName = "phone" if dice.random() < 0.5 else "desktop"
        yield from stage.sounds("", (device, f"speech:{dice.choice(VOICES)}:the code is {code(dice)}"))

    given: Given = {"text": Resource("text", said, f"{name} (in digits)")}
    return MemoryScene(given, 1, play, facts, distract, state)


def _over_melody(draw: TaskSampler, state: WorldState) -> MemoryScene:
    color, said, melody = draw.choice(COLORS), draw.fact(code), draw.choice(("waltz", "canon", "blues"))
    name = f"the code for the {color} door that was spoken on the desktop over music"

    def play(stage: Stage) -> Iterator[Move]:
        yield from stage.sounds("said", ("desktop", door("en-a", color, said)), ("desktop", melody))

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        heard = stage.spans["said"].as_sound(color, said)
        return (NeededFact(name, said, (CandidateValue(said, ((heard,),), heard.end),)),)

    given: Given = {"subject": "Door", "text": Resource("text", said, f"{name} (in digits)")}
    return MemoryScene(given, 1, play, facts, _other_doors(color, "desktop"), state)


FIRST, SECOND = (10, 1000), (10, 100)
WHY = "to use here what was only said there"
TEMPLATES = (
    MemoryTemplate("spoken-for-phone", "spoken-code", _spoken("desktop"), WRITE_NOTE, "desktop", "speech", FIRST, WHY),
    MemoryTemplate("spoken-for-desktop", "spoken-code", _spoken("phone"), MAIL_BOTH, "phone", "speech", SECOND, WHY),
    MemoryTemplate(
        "third-ringtone", "nth-sound", _third_ringtone, SET_RINGTONE, "phone", "sound", FIRST, "because I liked it best"
    ),
    MemoryTemplate(
        "third-room", "nth-sound", _third_room, MAIL_BOTH, "desktop", "speech", SECOND, "because the third is ours"
    ),
    MemoryTemplate("two-voices", "two-sounds", _two_voices, WRITE_NOTE, "phone", "speech", FIRST, WHY),
    MemoryTemplate("voice-over-music", "two-sounds", _over_melody, MAIL_BOTH, "desktop", "speech", SECOND, WHY),
    MemoryTemplate(
        "changed-code", "changed", _changed_code, MAIL_BOTH, "desktop", "speech", SECOND, "because the old one is void"
    ),
)
