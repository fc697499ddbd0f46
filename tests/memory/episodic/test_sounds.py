"""Sounds over clips that follow one another: each is one event, wherever the clips were cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from omnipilot.envs import AudioClip
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.memory.episodic.sounds import LONGEST, SoundTracker, TrackedSound
from omnipilot.memory.perception import SoundEvent, read_sounds
from omnipilot.memory.transcription import SpokenPiece

SPEECH, DIGITS, TUNE, CHIME = "speech:en-a:the code is 4711", "dtmf:119*07#D", "melody:C4,E4,G4,C5", "ding"


def play(*names: str, at: float = 1.0, pause: float = 2.0) -> AudioClip:
    """The sounds one after another."""
    sounds = []
    for name in names:
        sounds.append(Sound(name, at, pattern(name).seconds))
        at += pattern(name).seconds + pause
    return mix(sounds, "phone", 0.0, at)


def track(clip: AudioClip, cuts: list[float], tracker: SoundTracker | None = None) -> list[TrackedSound]:
    """What is told of a clip that comes in pieces."""
    tracker = tracker or SoundTracker()
    found = []
    for start, end in pairwise([clip.start, *sorted(cuts), clip.end]):
        found += tracker.feed(clip.slice(start, end))
    return [*found, *tracker.finish()]


def told(clip: AudioClip) -> list[tuple[str, str]]:
    return [(one.kind, one.detail) for one in _whole(clip)]


def _whole(clip: AudioClip) -> list[SoundEvent]:
    return [one for one in read_sounds(clip).events if one.kind not in ("silence", "noise")]


@settings(max_examples=examples(0.3), deadline=None)
@given(
    names=st.lists(st.sampled_from((SPEECH, DIGITS, TUNE, CHIME)), min_size=1, max_size=3),
    cuts=st.lists(st.floats(0.0, 14.0), max_size=6),
)
def test_the_events_are_those_of_the_whole(names: list[str], cuts: list[float]) -> None:
    clip = play(*names)
    found = track(clip, [cut for cut in cuts if cut < clip.end])
    assert [(one.event.kind, one.event.detail) for one in found] == told(clip)
    for one, whole in zip(
        found, [e for e in read_sounds(clip).events if e.kind not in ("silence", "noise")], strict=True
    ):
        # A piece that ends in the beginning of a word hides that much of it.
        assert one.event.start == pytest.approx(whole.start, abs=0.2)
        assert one.event.end == pytest.approx(whole.end, abs=0.2)
        assert one.clip.start <= one.event.start + 0.01 and one.clip.end >= one.event.end - 0.01


def test_an_utterance_over_three_clips_is_put_into_words_once() -> None:
    heard: list[AudioClip] = []

    class Words:
        def __call__(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
            heard.append(clip)
            return SpokenPiece(" the code", 1.0, 1.6), SpokenPiece(" is 4711", 1.6, 2.9)

    clip = play(SPEECH)
    (found,) = track(clip, [1.5, 2.0, 2.4], SoundTracker(Words()))
    assert found.words == "the code is 4711" and len(heard) == 1 and heard[0] == found.clip


def test_a_sound_that_is_over_is_told_with_the_next_clip_and_one_that_goes_on_is_not() -> None:
    tracker, clip = SoundTracker(), play(SPEECH)
    end = 1.0 + pattern(SPEECH).seconds
    assert list(tracker.feed(clip.slice(0.0, 2.0))) == []
    assert [one.event.kind for one in tracker.feed(clip.slice(2.0, end + 1.5))] == ["speech"]
    assert list(tracker.finish()) == []


def test_a_clip_from_elsewhere_ends_what_was_held() -> None:
    tracker, clip = SoundTracker(), play(SPEECH)
    assert list(tracker.feed(clip.slice(0.0, 2.0))) == []
    later = AudioClip(bytes(32_000), "phone", 60.0)
    assert [one.event.kind for one in tracker.feed(later)] == ["speech"]


def test_a_sound_longer_than_what_is_kept_is_one_event() -> None:
    tracker = SoundTracker(lambda clip: (SpokenPiece(f"{clip.seconds:.0f}s", clip.start, clip.end),))
    ring = Sound("tone:440", 1.0, 3 * LONGEST)
    clip = mix([ring], "phone", 0.0, 3 * LONGEST + 3.0)
    found = []
    for start in range(0, int(clip.end), 2):
        found += tracker.feed(clip.slice(start, start + 2))
        assert tracker._tail is None or tracker._tail.seconds <= LONGEST + 3
    found += tracker.finish()
    assert [one.event.kind for one in found] == ["tone"]
    assert (found[0].event.start, found[0].event.end) == pytest.approx((1.0, 1.0 + 3 * LONGEST), abs=0.2)
