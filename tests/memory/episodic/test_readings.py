"""From observations and turns to events: once each, whole, and with what they were read from."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from omnipilot.envs import (
    Absent,
    AudioClip,
    Box,
    Click,
    Context,
    Elements,
    Image,
    Modality,
    Observation,
    OpenApp,
    Point,
    Press,
    Size,
    VideoClip,
)
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.envs.types.observation import Element
from omnipilot.memory import Move, Step, Turn, Usage
from omnipilot.memory.episodic.details import TranscriptDetail, WriteDetail
from omnipilot.memory.episodic.events import TimelineEvent
from omnipilot.memory.episodic.readings import LONGEST_CLIP, Readings
from omnipilot.memory.perception import read_sounds
from omnipilot.memory.store import MediaStore
from omnipilot.memory.trajectory import Outcome, Pointed
from omnipilot.memory.transcription import SpokenPiece, Transcriber

SIZE = Size(64, 40)
NO = Absent("ablated")


def seen(time: float, **more: object) -> Observation:
    """An observation of the phone with nothing but what is given."""
    values: dict[str, object] = {name.value: NO for name in Modality}
    return Observation("phone", time, **({"size": SIZE} | values | more))  # type: ignore[arg-type]


def picture(shade: int, size: Size = SIZE) -> Image:
    return Image.from_array(np.full((size.height, size.width, 3), shade, np.uint8), "phone")


def test_an_utterance_over_three_turns_is_one_sound_and_one_transcript_of_the_turn_of_its_end() -> None:
    name = "speech:en-a:the code is 4711"
    clip = mix([Sound(name, 1.0, pattern(name).seconds)], "phone", 0.0, pattern(name).seconds + 4.0)
    (whole,) = read_sounds(clip).of("speech")
    end = whole.end
    asked = []

    class Words(Transcriber):
        def transcribe(self, clip: AudioClip) -> str:
            raise AssertionError("it is asked for words and their times")

        def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
            asked.append(clip)
            return SpokenPiece(" the code is", 1.0, 1.6), SpokenPiece(" 4711", 1.6, 2.8)

        def close(self) -> None: ...

    readings = Readings(MediaStore(), Words())
    edges = [0.0, 1.5, 2.2, end - 0.4, end + 1.0, end + 2.0]
    events = []
    for turn, (start, stop) in enumerate(pairwise(edges)):
        events += readings.of_observation(seen(stop, audio=clip.slice(start, stop)), turn)
    (sound,) = [event for event in events if event.kind == "sound"]
    (words,) = [event for event in events if event.kind == "transcript"]
    assert sound.start == pytest.approx(1.0, abs=0.1) and sound.end == pytest.approx(end, abs=0.15)
    assert words.text == "the code is 4711" and words.turn == sound.turn and sound.turn == 3
    assert words.detail == TranscriptDetail((" the code is", " 4711"), (1.0, 1.6), (1.6, 2.8))
    assert TimelineEvent.from_json(words.to_json()) == words
    assert sound.media is not None
    kept = readings.store.get(sound.media)
    assert kept.start <= sound.start and kept.end >= sound.end - 0.01 and len(asked) == 1


def test_a_sound_still_going_on_at_the_end_is_told_at_the_end() -> None:
    clip = mix([Sound("tone:440", 1.0, 5.0)], "phone", 0.0, 3.0)
    readings = Readings(MediaStore())
    assert [event.kind for event in readings.of_observation(seen(3.0, audio=clip), 0)] == ["audio"]
    assert [event.kind for event in readings.finish()] == ["sound"] and not list(readings.finish())


class CountingOcr:
    """Reads one text from every picture, and counts."""

    def __init__(self) -> None:
        self.read_ = 0

    def read(self, image: Image) -> object:
        self.read_ += 1

        class Reading:
            elements = Elements((Element("text", "total $514", Box(0, 0, 1, 1), source="ocr"),))

        return Reading()


def test_the_text_of_a_screenshot_is_read_once_where_no_elements_are_given() -> None:
    ocr = CountingOcr()
    readings = Readings(MediaStore(), ocr=ocr)  # type: ignore[arg-type]
    first, again = (list(readings.of_observation(seen(t, screenshot=picture(9)), 0)) for t in (0.0, 1.0))
    assert [(event.kind, event.modality) for event in first] == [
        ("screen", Modality.SCREENSHOT),
        ("text", Modality.SCREENSHOT),
    ]
    assert first[1].text == "total $514" and first[1].media == first[0].media
    assert again == [] and ocr.read_ == 1
    tree = Elements((Element("text", "from the tree", Box(0, 0, 1, 1)),))
    (_, text) = readings.of_observation(seen(2.0, screenshot=picture(7), elements=tree), 0)
    assert (text.text, text.modality, ocr.read_) == ("from the tree", Modality.ELEMENTS, 1)


def test_unchanged_observations_add_nothing() -> None:
    readings = Readings(MediaStore())
    tree = Elements((Element("button", "Save", Box(0, 0, 1, 1)),))
    still = VideoClip([picture(5).at("phone", 0.0), picture(5).at("phone", 0.1)], 0.2, "phone")
    silence = AudioClip(bytes(3_200), "phone", 0.0)
    one = seen(0.0, screenshot=picture(5), elements=tree, context=Context("Mail", "Inbox"), video=still, audio=silence)
    assert [event.kind for event in readings.of_observation(one, 0)] == ["context", "screen", "text"]
    assert list(readings.of_observation(replace(one, time=1.0), 1)) == []


def field(value: str, name: str = "To") -> Elements:
    button = Element("button", "Save draft", Box(0.5, 0.5, 1.0, 1.0))
    text = Element("textbox", name, Box(0.0, 0.0, 0.5, 0.5), id="to", value=value)
    return Elements((text, button))


def step(verb: object, result: str = "done", **more: object) -> Step:
    return Step(0, 3, Move("phone", verb), verb, Outcome(result), start=1.0, end=2.0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verb", "pointed", "text"),
    [
        (Press(("Ctrl", "c")), (), "copy"),
        (Press(("meta", "v")), (), "paste"),
        (OpenApp("Mail"), (), "navigate to Mail"),
        (Click(Point(0.7, 0.7)), (), "save: Save draft"),
        (Click(Point(0.1, 0.1)), (Pointed("Copy link", Point(0.1, 0.1)),), "copy: Copy link"),
        (Click(Point(0.1, 0.1)), (), None),
        (Press(("c",)), (), None),
    ],
)
def test_write_backs_are_told_from_what_was_executed(
    verb: object, pointed: tuple[Pointed, ...], text: str | None
) -> None:
    readings = Readings(MediaStore())
    done = step(verb, pointed=pointed, seen=seen(0.0, elements=field("")))
    turn = Turn(3, {}, "", (), (done,), Usage())
    found = [event.text for event in readings.of_turn(turn) if event.kind == "write"]
    assert found == ([text] if text else [])
    refused = replace(done, executed=None, outcome=Outcome("rejected"))  # type: ignore[arg-type]
    assert [e for e in readings.of_turn(replace(turn, steps=(refused,))) if e.kind == "write"] == []


def test_what_a_field_holds_after_an_action_is_a_write_that_only_elements_show() -> None:
    readings = Readings(MediaStore())
    list(readings.of_observation(seen(0.0, elements=field("")), 2))
    assert not [e for e in readings.of_observation(seen(0.5, elements=field("by itself")), 2) if e.kind == "write"]
    list(readings.of_turn(Turn(3, {}, "", (), (step(Press(("ctrl", "v"))),), Usage())))
    (write,) = [e for e in readings.of_observation(seen(2.0, elements=field("7394")), 4) if e.kind == "write"]
    assert (write.text, write.modality) == ("To holds 7394", Modality.ELEMENTS)
    assert write.detail == WriteDetail("set", field="To", value="7394")


def test_what_passed_for_longer_between_two_looks_is_read_as_a_stream() -> None:
    size = Size(160, 96)

    def film(seconds: int) -> VideoClip:
        """Something slides from second 20 to 22; then a page opens and stays."""
        frames = []
        for tick in range(10 * seconds):
            picture = np.full((96, 160, 3), 90 if tick > 300 else 235, np.uint8)
            if 200 <= tick < 220:
                picture[30:60, 6 * (tick - 200) : 6 * (tick - 200) + 24] = (200, 30, 30)
            frames.append(Image.from_array(picture, "phone", tick / 10))
        return VideoClip(frames, float(seconds), "phone")

    name = "speech:en-a:the code is 4711"
    sound = mix([Sound(name, 29.0, pattern(name).seconds)], "phone", 0.0, 70.0)
    store = MediaStore()
    reader = Readings(store)
    events = list(reader.of_observation(seen(70.0, size=size, video=film(70), audio=sound), 0))
    events += reader.finish()
    clips = [event for event in events if event.kind == "video"]
    assert clips and max(event.end - event.start for event in clips) < 10.0
    assert any(event.kind == "motion" and event.text == "moved" and 19.9 <= event.start < 20.3 for event in events)
    keys = [event.start for event in events if event.kind == "screen"]
    assert keys[0] == 0.0 and any(30.0 < key < 31.0 for key in keys)
    pieces = [event for event in events if event.kind == "audio" and event.media is not None]
    assert max(event.end - event.start for event in pieces) <= LONGEST_CLIP
    (spoken,) = [event for event in events if event.kind == "sound"]
    assert spoken.text == "speech" and spoken.start < LONGEST_CLIP < spoken.end, "it goes on over the edge of a piece"
    # A shorter film is one clip.
    taken = Readings(store).of_observation(seen(25.0, video=film(25)), 0)
    (short,) = [event for event in taken if event.kind == "video"]
    assert (short.start, short.end) == (0.0, 25.0)
