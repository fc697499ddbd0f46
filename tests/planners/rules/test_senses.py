"""What the planner `rules` tells of what it watched and heard."""

from __future__ import annotations

import numpy as np
import pytest

from omnipilot.envs import Absent, AudioClip, Box, Element, Image, Observation, Size, VideoClip
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.perception.video import watching as rules_watch
from omnipilot.memory.perception.video.watching import EventPlace, Seen, labels, place, waits, watch_clip
from omnipilot.planners.rules.matching.facts import find_fact, is_sensed
from omnipilot.planners.rules.matching.notes import Note, Tape, rank_notes, words
from omnipilot.planners.rules.matching.senses import beeps, hears, moves, quiet, still
from omnipilot.planners.rules.reading.sound_matching import BY_EAR, alike, named_by_ear, samples_of


def at(left):
    return Box(left, 0.4, left + 0.1, 0.6)


def film(blinks=(), rests=(), order=(), numbers=()):
    return Seen(0.0, tuple(blinks), tuple(rests), tuple(order), tuple(numbers))


def heard(said, *pitches, value=""):
    """A note of a sound: each pitch for a third of a second, a pause after it."""
    times = np.arange(round(0.33 * SAMPLE_RATE)) / SAMPLE_RATE
    parts = [np.concatenate([np.sin(2 * np.pi * hertz * times), np.zeros(4000)]) for hertz in pitches]
    samples = (np.concatenate([np.zeros(1600), *parts]) * 9000).astype(np.int16)
    return Note(said, sound=AudioClip.from_array(samples), value=value)


RESTED = [Note("watch where it rests", films={"Ball": film(rests=[(EventPlace("C", at(0.5)), 2.0, 4.0)])})]
TRAM = [(EventPlace("B", at(0.3)), 2.0, 4.0), (EventPlace("E", at(0.9)), 6.0, 9.0)]
LAMPS = [(EventPlace("A", at(0.1)), 1), (EventPlace("B", at(0.4)), 5), (EventPlace("C", at(0.7)), 1)]
ROW = [EventPlace("", at(0.7)), EventPlace("", at(0.1)), EventPlace("", at(0.4))]


@pytest.mark.parametrize(
    ("phrase", "notes", "told"),
    [
        ('zone where it rested (as in "Zone X")', RESTED, "Zone C"),
        ("letter of the stop where it waited", [Note("", films={"": film(rests=TRAM)})], "B"),
        ("number of blinks", [Note("", films={"Lamp": film(blinks=[(EventPlace("", at(0.1)), 4)])})], "4"),
        ('lamp that blinked and how often (as in "B3")', [Note("", films={"": film(blinks=LAMPS)})], "B4"),
        ('order in which they opened (as in "ABC")', [Note("", films={"": film(order=ROW)})], "CAB"),
        ('highest number in "Hall"', [Note("", films={"": film(numbers=(3, 17, 2))})], "17"),
        ("code that Ann says (in digits)", RESTED, None),
        ("price of the lamp", RESTED, None),
    ],
)
def test_a_phrase_is_answered_by_what_was_seen(phrase, notes, told):
    assert find_fact(phrase, notes) == told


def test_the_name_behind_a_letter_is_looked_up_in_what_was_read():
    notes = [Note("watch", films={"": film(rests=TRAM)})]
    assert find_fact("name of the stop where it waited", notes, ["A: Mill Lane\nB: North Gate"]) == "North Gate"


def test_of_several_notes_the_one_with_the_phrases_words_is_asked():
    notes = [heard('count the beeps. play the message from "Ann"', 900, 900), heard('play that of "Bo"', 900)]
    assert find_fact("number of beeps that Ann left", notes) == "2"
    assert find_fact("number of beeps that Bo left", notes) == "1"
    assert next(note.said for note in rank_notes("from Bo", notes)) == 'play that of "Bo"'
    assert words("The beeps of it") == {"beep"}


@pytest.mark.parametrize("phrase", ["number of beeps that Ann left", "digits that you heard", "code that Ann says"])
def test_what_only_senses_can_tell_is_known_as_such(phrase):
    assert is_sensed(phrase) and find_fact(phrase, []) is None
    assert not is_sensed("price of the lamp")


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_beeps_are_counted_also_where_they_follow_closely(count):
    assert beeps(heard("", *[1046] * count).sound) == count


def test_a_melody_is_told_by_ear():
    model = heard('listen. play the message from "Ann"', 440, 550, 660, 440)
    songs = [
        heard('play "One"', 700, 500, 900, 600, value="One"),
        heard('play "Two"', 440, 550, 660, 440, value="Two"),
    ]
    assert alike(model.sound, songs[1].sound) > 0.9 > 0.5 > alike(model.sound, songs[0].sound)
    assert named_by_ear("one of these songs with the melody that Ann left", [model, *songs]) == "Two"
    assert named_by_ear("the sound that Ann left", [model, songs[0]]) is None
    assert BY_EAR.match("the sound that Ann left") and not BY_EAR.match('the topic "Tea"')
    assert samples_of('"One" by Ann, "Two" by B & C for a while') == [("One", "Ann"), ("Two", "B & C")]


def picture(x=None, lit=False):
    shown = np.full((160, 320, 3), 230, np.uint8)
    shown[60:80, 20:40] = 20 if lit else 150
    if x is not None:
        shown[100:124, x : x + 24] = 20
    return shown


def clip(pictures):
    frames = [Image.from_array(one, "pc", tick / 10) for tick, one in enumerate(pictures)]
    return VideoClip(frames, len(frames) / 10, "pc")


def test_a_film_tells_blinks_and_rests(monkeypatch):
    monkeypatch.setattr(rules_watch, "texts", lambda frame: [])
    lamp = watch_clip(clip([picture(lit=tick % 6 in (2, 3)) for tick in range(24)]))
    assert [times for _, times in lamp.blinks] == [4] and lamp.rests == ()
    path = [*range(40, 100, 12), *[100] * 10, *range(100, 220, 12), *[220] * 12]
    rest = waits(watch_clip(clip([picture(x) for x in path])), going_on=True)
    assert rest is not None and rest[0].box.center.x == pytest.approx(112 / 320, abs=0.02)
    assert watch_clip(clip([picture()] * 5)).order == ()


def test_places_are_named_by_the_letters_that_stand_by_them(monkeypatch):
    found = [Element("text", letter, Box(x, 0.1, x + 0.05, 0.2)) for letter, x in (("B", 0.3), ("D", 0.7))]
    monkeypatch.setattr(rules_watch, "texts", lambda frame: found)
    names = labels(Image.from_array(picture()))
    assert [name.name for name in names] == ["A", "B", "C", "D", "E"]
    assert place(at(0.47), names).name == "C"
    assert place(at(0.47), []).name == ""


def test_a_tape_keeps_what_came_since_it_was_begun():
    from scripted import ScriptedWorld

    world = ScriptedWorld(rings=((0.0, 1.0),))
    env = world.envs["pc"]
    tape = Tape()
    env.clock.now = 1.0
    tape.add(env.observe({"audio", "video"}, 0.0), filming=False)
    assert tape.film is None and tape.sound.seconds == pytest.approx(1.0)
    tape.add(env.observe({"audio", "video"}, 0.0), filming=True)
    assert tape.film is not None and tape.began == 0.0


def test_what_a_gate_withheld_is_as_silence_and_stillness_and_what_was_not_granted_is_unknown():
    gated, ablated = (
        Observation("pc", 3.0, Size(10, 10), audio=Absent(reason), video=Absent(reason))
        for reason in ("gated", "ablated")
    )
    assert (hears(gated), moves(gated), quiet(gated), still(gated)) == (False, False, True, True)
    assert {hears(ablated), moves(ablated), quiet(ablated), still(ablated)} == {None}


def test_a_tape_keeps_the_time_of_what_a_gate_withheld():
    beep = AudioClip(b"\x00\x20" * SAMPLE_RATE, "pc", 0.0)
    tape = Tape()
    for start in (0.0, 3.0):
        clip = AudioClip(beep.pcm, "pc", start)
        tape.add(Observation("pc", start + 1, Size(10, 10), audio=clip), filming=False)
    assert tape.sound is not None and (tape.sound.start, tape.sound.end) == (0.0, 4.0)
    assert tape.sound.slice(1.0, 3.0).loudness() == 0 < tape.sound.slice(3.0, 4.0).loudness()
