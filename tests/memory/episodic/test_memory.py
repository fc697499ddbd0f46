"""The memory `episodic`."""

from __future__ import annotations

from functools import partial

import pytest
from made_streams import SPEECH
from transcription_server import TranscriptionServer, said

from omnipilot.envs import Absent, ConfigError, Modality, Observation, Size
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.memory import Recalled, Role, Turn, Usage, check_memory
from omnipilot.memory.episodic import EpisodicMemory


def test_it_keeps_the_contract_of_memories() -> None:
    check_memory(EpisodicMemory)


@pytest.mark.parametrize("signal", ["text", "recency", "device", "kind", "anchors"])
def test_it_keeps_the_contract_with_any_signal_alone(signal: str) -> None:
    check_memory(partial(EpisodicMemory, use=signal))


def test_it_keeps_the_contract_in_the_order_of_omnigui() -> None:
    check_memory(partial(EpisodicMemory, order="omnigui"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"use": "text,smell"}, "unknown signal 'smell' in use; choose from text, recency"),
        ({"use": ""}, "take the memory none"),
        ({"order": "size"}, "order must be time or omnigui"),
        ({"images": -1}, "images must be at least 0"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        EpisodicMemory(**options)  # type: ignore[arg-type]


def test_speech_is_put_into_words_where_a_transcriber_is_named() -> None:
    with TranscriptionServer(lambda _: said("the code is 4711")) as server:
        memory = EpisodicMemory(transcriber=f"openai-compatible/tiny,url={server.url}")
        sound = mix([Sound(SPEECH, 1.0, pattern(SPEECH).seconds)], "phone", 0.0, pattern(SPEECH).seconds + 3.0)
        absent = dict.fromkeys((name.value for name in Modality), Absent("unasked"))
        seen = Observation("phone", sound.end, Size(8, 8), **(absent | {"audio": sound}))  # type: ignore[arg-type]
        memory.watch(0, {"phone": seen})
    (event,) = [event for event in memory.timeline if event.kind == "transcript"]
    assert event.text == "the code is 4711" and event.modality is Modality.AUDIO and len(server.forms) == 1
    with pytest.raises(ConfigError, match="names no model"):
        EpisodicMemory(transcriber="whisper-1")


def ringing(turns: int, seconds: float = 2.0, begins: float = 3.0) -> tuple[EpisodicMemory, list[Observation]]:
    """A memory of a phone on which a tone has been sounding since a time, and the observations."""
    clip = mix([Sound("tone:440", begins, 100.0)], "phone", 0.0, turns * seconds)
    memory = EpisodicMemory()
    heard = []
    for turn in range(turns):
        start, end = turn * seconds, (turn + 1) * seconds
        absent = {name.value: Absent("ablated") for name in Modality} | {"audio": clip.slice(start, end)}
        heard.append(Observation("phone", end, Size(64, 40), **absent))  # type: ignore[arg-type]
        memory.watch(turn, {"phone": heard[-1]})
        if turn < turns - 1:
            memory.record(Turn(turn, {"phone": heard[-1]}, "", (), (), Usage()))
    return memory, heard


def told_sounds(memory: EpisodicMemory, *modalities: Modality) -> list[Recalled]:
    role = Role("planner", frozenset(modalities))
    found = memory.recall("What does the phone sound like?", memory.budget, role, ("phone",))
    return [one for one in found if one.source == "sound" and isinstance(one.part, str)]


def test_a_sound_that_still_goes_on_is_recalled_in_the_turn_of_its_beginning() -> None:
    memory, _ = ringing(4)
    (tone,) = told_sounds(memory, Modality.AUDIO)
    assert tone.part == "tone: 440 Hz (goes on)" and tone.turn == 1 and tone.time == pytest.approx(3.0, abs=0.1)
    assert not told_sounds(memory, Modality.ELEMENTS), "who hears nothing is told nothing of it"
    assert not [event for event in memory.timeline if event.kind == "sound"], "it is not over"


def test_a_sound_longer_than_is_held_is_recalled_from_its_beginning() -> None:
    memory, _ = ringing(16)
    (tone,) = told_sounds(memory, Modality.AUDIO)
    assert tone.time == pytest.approx(3.0, abs=0.1) and tone.turn == 1


def test_an_episodes_end_keeps_what_was_still_sounding() -> None:
    memory, heard = ringing(4)
    memory.record(Turn(3, {"phone": heard[-1]}, "", (), (), Usage()))
    memory.drain_events()
    memory.conclude()
    (sound,) = memory.drain_events()
    assert (sound.kind, sound.text, sound.turn) == ("sound", "tone: 440 Hz", 3)
    assert (sound.start, sound.end) == (pytest.approx(3.0, abs=0.1), pytest.approx(8.0, abs=0.1))
    (tone,) = told_sounds(memory, Modality.AUDIO)
    assert tone.part == "tone: 440 Hz"
    memory.conclude()
    assert not memory.drain_events()
