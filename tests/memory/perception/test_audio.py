"""The reader of sounds: what it hears in plain clips, under noise, and which sounds it knows again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers_sounds import Scene, counted, scenes
from strategies import examples

from omnipilot.envs import AudioClip
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern, recordings
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.perception import FingerprintIndex, SoundEvent, read_sounds
from omnipilot.memory.perception.audio.reader import heard_digits

KINDS = ("speech", "tone", "digits", "melody", "alarm", "chime")


def heard(*sounds: Sound, seconds: float = 4.0) -> list[SoundEvent]:
    """What is heard, silence and noise apart, of sounds on a clock that stands at 100 s."""
    clip = mix(sounds, "phone", 100.0, 100.0 + seconds)
    return [event for event in read_sounds(clip).events if event.kind not in ("silence", "noise")]


def kinds(*sounds: Sound, seconds: float = 4.0) -> list[str]:
    return [event.kind for event in heard(*sounds, seconds=seconds)]


def play(name: str, start: float = 100.5, seconds: float | None = None) -> Sound:
    return Sound(name, start, seconds or pattern(name).seconds)


@pytest.mark.parametrize(
    ("name", "seconds", "kind"),
    [
        ("tone:440", 1.0, "tone"),
        ("tone_low", 2.0, "tone"),
        ("dtmf:119*07#D", None, "digits"),
        ("melody:C4,E4,G4,C5", None, "melody"),
        ("ringtone", 3.0, "melody"),
        ("canon", 3.0, "melody"),
        ("alarm", 2.5, "alarm"),
        ("alarm_siren", 2.5, "alarm"),
        ("ding", None, "chime"),
        ("chime_three", None, "chime"),
        ("speech:en-a:the code is 4711", None, "speech"),
        ("speech:en-b:stop", None, "speech"),
        ("speech:zh-a:验证码是 4711", None, "speech"),
        ("speech:zh-b:请打开", None, "speech"),
    ],
)
def test_a_plain_sound_is_one_event_of_its_kind_and_time(name: str, seconds: float | None, kind: str):
    sound = play(name, seconds=seconds)
    (event,) = heard(sound, seconds=5.0)
    assert event.kind == kind and 0 < event.confidence <= 1
    assert event.start == pytest.approx(100.5, abs=0.1)
    clip = mix([sound], "phone", 100.0, 105.0).array()
    end = 100 + float(np.flatnonzero(np.abs(clip) > 0.03 * np.abs(clip).max())[-1]) / SAMPLE_RATE
    assert event.end == pytest.approx(end, abs=0.5)


def test_the_details_are_told():
    assert heard(play("tone:440", seconds=1.0))[0].detail == "440 Hz"
    assert heard(play("dtmf:119*07#D"))[0].detail == "119*07#D"
    assert heard(play("melody:C4,E4,G4,C5"))[0].detail == "261 Hz, 330 Hz, 392 Hz, 523 Hz"


@settings(max_examples=examples(0.4))
@given(st.text("0123456789*#ABCD", min_size=1, max_size=9))
def test_every_number_is_read(keys: str):
    clip = mix([Sound(f"dtmf:{keys}", 0.2, 60.0)], "phone", 0.0, 0.2 + 0.2 * len(keys))
    assert heard_digits(clip) == keys


def test_silence_and_noise_have_their_times():
    clip = mix([Sound("noise:white:-30", 11.0, 2.0)], "phone", 10.0, 14.0)
    reading = read_sounds(clip)
    assert [(e.kind, round(e.start, 1), round(e.end, 1)) for e in reading.events] == [
        ("silence", 10.0, 11.0),
        ("noise", 11.0, 13.0),
        ("silence", 13.0, 14.0),
    ]
    assert reading.of("noise")[0].detail in ("-30 dB", "-31 dB", "-29 dB")
    assert reading.seconds > 0


def test_a_silent_an_empty_and_a_short_clip():
    silent = read_sounds(mix([], "phone", 3.0, 3.1)).events
    assert [(event.kind, event.start, round(event.end, 3)) for event in silent] == [("silence", 3.0, 3.1)]
    assert read_sounds(AudioClip(b"")).events == ()
    for count in (1, 100, 1000):
        assert read_sounds(AudioClip.from_array(np.full(count, 9000, np.int16))).of(*KINDS) == ()


@pytest.mark.parametrize("noise", ["noise:white:-12", "noise:pink:-12", "noise:white:-45:3", "noise:pink:-35:9"])
def test_noise_is_nothing_else(noise: str):
    assert heard(Sound(noise, 99.0, 30.0), seconds=8.0) == []


def test_two_sounds_at_once_are_two_events():
    assert sorted(kinds(play("speech:en-a:the code is 47"), play("alarm", seconds=3.0))) == ["alarm", "speech"]
    assert sorted(kinds(play("tone:440", seconds=3.0), play("dtmf:4711"))) == ["digits", "tone"]


def test_reading_is_deterministic_and_moves_with_the_clock():
    clip = mix([Sound("melody_a", 1.0, 3.0), Sound("noise:pink:-30", 0.0, 9.0)], "phone", 0.0, 4.0)
    assert read_sounds(clip).events == read_sounds(clip).events
    later = read_sounds(AudioClip(clip.pcm, "phone", 50.0)).events
    assert [(e.kind, round(e.start - 50, 6), e.detail) for e in later] == [
        (e.kind, round(e.start, 6), e.detail) for e in read_sounds(clip).events
    ]


@pytest.fixture(scope="module")
def book() -> FingerprintIndex:
    return FingerprintIndex({name: clip for name, clip in recordings().items() if not name.startswith("tone")})


def test_every_sound_of_the_world_is_known_again_in_noise(book: FingerprintIndex):
    missed = []
    for number, name in enumerate(book.names):
        sounds = [play(name, 0.5), Sound(f"noise:white:-24:{number}", 0.0, 60.0)]
        found = book.recognise(mix(sounds, "phone", 0.0, 1.0 + pattern(name).seconds))
        if [match.name for match in found] != [name] or abs(found[0].start - 0.5) > 0.06:
            missed.append((name, found))
    assert len(missed) <= 1, missed


def test_a_repeated_sound_is_named_each_time_and_in_a_reading(book: FingerprintIndex):
    clip = mix([play("ding", 1.0), play("ding", 3.0), play("chime_door", 5.0)], "phone", 0.0, 8.0)
    named = read_sounds(clip, book).of("named")
    assert [(event.detail, round(event.start)) for event in named] == [("ding", 1), ("ding", 3), ("chime_door", 5)]


def test_a_clip_that_somebody_enrols_is_known_again_and_others_are_not():
    book = FingerprintIndex()
    book.enrol("kettle", mix([play("melody:140:A5,C6,E5,-,E5", 0.0)], "", 0.0, 0.7))
    noise = Sound("noise:pink:-30", 0.0, 60.0)
    (match,) = book.recognise(mix([play("melody:140:A5,C6,E5,-,E5", 2.0), noise], "phone", 0.0, 4.0))
    assert match.name == "kettle" and match.start == pytest.approx(2.0, abs=0.05) and match.score > 0.8
    for other in ("melody:140:A5,D6,E5,-,F5", "melody:300:A5,C6,E5,-,E5", "ringtone", "speech:en-a:please"):
        assert book.recognise(mix([play(other, 2.0), noise], "phone", 0.0, 4.0)) == []
    with pytest.raises(ValueError, match="enrol a longer"):
        book.enrol("nothing", mix([], "", 0.0, 1.0))


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[Scene]]:
    return scenes(6, seed=2)


@pytest.mark.parametrize(("level", "least", "each"), [(20, 0.97, 0.8), (10, 0.97, 0.8), (0, 0.95, 0.8), (-5, 0.9, 0.6)])
def test_detection_holds_under_noise(drawn: dict[str, list[Scene]], level: int, least: float, each: float):
    counts, cost = counted([scene for kind in KINDS for scene in drawn[kind]], level)
    recall = {kind: counts[kind].recall for kind in KINDS}
    assert np.mean(list(recall.values())) >= least and min(recall.values()) >= each, recall
    assert counts["digits"].right >= 0.8 and counts["tone"].right >= 0.8
    false = {kind: counts[kind].false_a_minute for kind in KINDS}
    assert sum(false.values()) <= (3 if level >= 10 else 5), false
    assert cost < 0.5


def test_two_at_once_under_noise(drawn: dict[str, list[Scene]]):
    counts, _ = counted(drawn["two at once"], 20)
    assert sum(counts[kind].heard for kind in KINDS) >= 0.75 * sum(counts[kind].parts for kind in KINDS)


SPOKEN = (
    "speech:en-a:the code is 4711",
    "speech:en-b:call back UE8",
    "speech:zh-a:验证码是 4711",
    "speech:zh-b:左边 KC",
)


@pytest.mark.parametrize("spoken", SPOKEN)
@pytest.mark.parametrize("ring", ["ringtone", "ringtone_bells", "ringtone_marimba", "alarm"])
def test_a_device_that_rings_while_somebody_speaks_is_two_events(spoken: str, ring: str):
    found = kinds(play(spoken), play(ring, 100.8, 3.0), seconds=5.0)
    assert "speech" in found and {"melody", "alarm", "chime"} & set(found)


def test_digits_dialled_while_somebody_speaks_or_music_plays_are_read():
    numbers = ("061247", "8*#61", "3654870", "179029", "4455", "90210")
    under = [*SPOKEN, "melody:200:C4,E4,G4,C5,E4,G4"]
    right = [
        heard_digits(mix([play(over), play(f"dtmf:{number}", 100.7)], "phone", 100.0, 105.0)) == number
        for over in under
        for number in numbers
    ]
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.parametrize("colour", ["white", "pink"])
def test_speech_in_noise_is_speech_and_noise(colour: str):
    noise = Sound(f"noise:{colour}:-35:1", 100.0, 5.0)
    clip = mix([noise, play(SPOKEN[0])], "phone", 100.0, 105.0)
    assert {event.kind for event in read_sounds(clip).events} == {"noise", "speech"}
