"""The memory `episodic`."""

from __future__ import annotations

from functools import partial

import pytest
from made_streams import SPEECH
from transcription_server import TranscriptionServer, said

from omnipilot.envs import Absent, ConfigError, Modality, Observation, Size
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.memory import check_memory
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
