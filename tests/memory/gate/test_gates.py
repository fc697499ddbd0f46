"""The gates without a model: what they let through, and the evidence that they give."""

from __future__ import annotations

import numpy as np
import pytest

from omnipilot.envs import AudioClip, ConfigError, Modality
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.gate import EnergyGate, EventsGate
from omnipilot.memory.gate.wording import speaks_of
from omnipilot.planners import Brief

LETTER = Brief("Write a letter to Ann.", {})
DICE = np.random.default_rng(3)


def sound(samples: np.ndarray, start: float = 0.0) -> AudioClip:
    return AudioClip.from_array((32767 * np.clip(samples, -1, 1)).astype(np.int16), "phone", start)


def noise(seconds: float, level: float) -> np.ndarray:
    return level * DICE.normal(size=round(seconds * SAMPLE_RATE))


def tone(seconds: float, level: float = 0.2, hertz: float = 880.0) -> np.ndarray:
    return level * np.sin(2 * np.pi * hertz * np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE)


def decided(gate, clip):
    (decision,), usage = gate.decide(0, [clip])
    assert usage.calls == 0
    return decision


def test_events_lets_sounds_through_and_withholds_noise_and_silence() -> None:
    gate = EventsGate()
    gate.begin(LETTER)
    silent = decided(gate, sound(np.zeros(SAMPLE_RATE)))
    assert not silent.sent and silent.why == "nothing but silence"
    hiss = decided(gate, sound(noise(2, 0.03), 1.0))
    assert (
        not hiss.sent
        and hiss.why == "nothing but noise -31 dB"
        and hiss.levels["mean dB"] == pytest.approx(-30.5, abs=1)
    )
    click = decided(gate, sound(0.5 * np.eye(1, 2000).ravel(), 2.9))
    assert not click.sent and click.why == "no sound is recognised"
    ring = decided(gate, sound(noise(2, 0.01) + tone(2), 3.0))
    assert ring.sent and ring.why == "tone" and any("880 Hz" in one for one in ring.found)


def test_events_sends_what_follows_an_event_closely_and_forgets_it_with_the_episode() -> None:
    gate = EventsGate(hangover=1.0)
    gate.begin(LETTER)
    assert decided(gate, sound(tone(1))).sent
    after = decided(gate, sound(np.zeros(SAMPLE_RATE // 2), 1.3))
    assert after.sent and after.why == "0.3 s after: tone"
    assert not decided(gate, sound(np.zeros(SAMPLE_RATE), 2.5)).sent
    assert decided(gate, sound(tone(1), 4.0)).sent
    gate.begin(LETTER)
    assert not decided(gate, sound(np.zeros(SAMPLE_RATE), 5.1)).sent


@pytest.mark.parametrize("unasked", [True, False])
def test_events_sends_everything_that_the_instruction_speaks_of(unasked: bool) -> None:
    gate = EventsGate(unasked=unasked)
    gate.begin(Brief("Listen to the message and write the code down.", {}))
    sent = decided(gate, sound(np.zeros(SAMPLE_RATE)))
    assert sent.sent and sent.why == 'the instruction says "Listen"'
    gate.begin(LETTER)
    assert decided(gate, sound(tone(1))).sent is unasked


@pytest.mark.parametrize(
    ("instruction", "audio", "video"),
    [
        ("Listen to the latest voicemail and type its code.", "Listen", ""),
        ("Wait until the alarm rings and press Dismiss.", "rings", ""),
        ("Play the film and watch in which order the doors open.", "", "film"),
        ("Start the lamp and count how often it blinks.", "", "blinks"),
        ("听语音留言并输入验证码", "听", ""),
        ("Move the file Spring list into the folder Reports.", "", ""),
        ("Look up the price and remove the mail.", "", ""),
    ],
)
def test_an_instruction_speaks_of_hearing_or_watching(instruction: str, audio: str, video: str) -> None:
    assert (speaks_of(instruction, Modality.AUDIO), speaks_of(instruction, Modality.VIDEO)) == (audio, video)


def test_energy_sends_what_is_louder_than_the_room_and_learns_a_louder_room() -> None:
    gate = EnergyGate()
    gate.begin(LETTER)
    assert not decided(gate, sound(np.zeros(5 * SAMPLE_RATE))).sent
    louder = decided(gate, sound(noise(1, 0.02), 5.0))
    assert louder.sent and louder.levels["room dB"] < louder.levels["peak dB"] - 6
    for start in range(6, 66, 5):
        steady = decided(gate, sound(noise(5, 0.02), float(start)))
    assert not steady.sent and steady.levels["room dB"] == pytest.approx(-34, abs=1)
    speech = decided(gate, sound(noise(2, 0.02) + tone(2), 66.0))
    assert speech.sent and "louder than the room" in speech.why


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: EventsGate(hangover=-1), "hangover must be 0 or more"),
        (lambda: EnergyGate(above=0), "above must be a positive number"),
        (lambda: EnergyGate(window=float("nan")), "window must be a positive number"),
    ],
)
def test_impossible_options_are_refused(make, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make()
