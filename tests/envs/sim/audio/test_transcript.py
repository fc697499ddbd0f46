"""What the simulated world sounds, in words: all of it, once, as far as it has been heard, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omnipilot.envs import Heard
from omnipilot.envs.sim.audio.sound import SOUNDS, Sound, mix
from omnipilot.envs.sim.audio.transcript import KINDS, transcribe
from omnipilot.memory.perception import read_sounds

CODE = "speech:en-a:the code is 47AB"
NAMES = (CODE, "speech:zh-b:验证码是 4711", "dtmf:12#0", "melody:120:C4,-,E4,+", "waltz", "alarm", "tone:880", "chime")
SOUNDING = st.builds(
    Sound,
    st.sampled_from(NAMES),
    st.integers(0, 80).map(lambda n: n / 16),
    st.integers(1, 80).map(lambda n: n / 8),
    st.sampled_from((0, 3, 100)),
    st.sampled_from((0.0, 0.7)),
)


def words(*sounds: Sound, start: float = 0.0, end: float = 60.0) -> list[str]:
    return [heard.words for heard in transcribe(sounds, start, end)]


def test_each_kind_of_sound_is_told_in_words_with_its_times() -> None:
    told = transcribe(
        [
            Sound(CODE, 1.0, 9.0),
            Sound("dtmf:12#", 4.0, 1.0),
            Sound("melody:100:C4,-,E4,+", 6.0, 0.4),
            Sound("tone:880", 7.0, 0.5),
            Sound("noise:pink:-30:7", 8.0, 0.5),
            Sound("alarm_siren", 8.0, 2.0),
        ],
        0.0,
        9.0,
    )
    assert [(heard.kind, heard.words, heard.voice) for heard in told if heard.start != 4.0 or heard.kind == "digits"][
        :2
    ] == [("speech", "the code is 47AB", "en-a"), ("digits", "12#", "")]
    named = {heard.kind: heard for heard in told}
    assert (named["melody"].words, named["tone"].words, named["noise"].words) == ("C4 E4", "880 Hz", "pink -30 dB")
    assert named["alarm"] == Heard("alarm", "alarm_siren", 8.0, 9.0, continues=True)
    assert (named["digits"].start, named["digits"].end) == (4.0, 4.52)
    # The speech is repeated as long as its sound lasts: each repetition is told.
    assert [heard.words for heard in told].count("the code is 47AB") == 2


def test_every_named_sound_has_a_kind() -> None:
    assert set(KINDS) == set(SOUNDS)
    assert all(transcribe([Sound(name, 0.0, 2.0)], 0.0, 2.0)[0].words == name for name in SOUNDS)


@pytest.mark.parametrize(
    "sound",
    [
        Sound(CODE, 1.0, 3.0, gain=0),
        Sound(CODE, 5.0, 3.0),
        Sound(CODE, 0.0, 1.0),
        Sound("alarm", 0.0, 1.0),
        Sound("alarm", 1.1, 0.0),
        # It is dialled again at 0.0 s, 0.6 s and 1.2 s, for 0.12 s each.
        Sound("dtmf:1", 0.0, 1.2),
        # The pause between the beeps of an alarm.
        Sound("alarm_slow", 0.1, 9.0),
    ],
)
def test_what_is_not_audible_then_is_not_told(sound: Sound) -> None:
    assert transcribe([sound], 1.0, 1.2) == ()
    assert not any(mix([sound], "", 1.0, 1.2).pcm)


def test_a_word_is_told_once_it_has_been_heard_and_not_again() -> None:
    sound = Sound(CODE, 1.0, 3.5)
    cuts = [0.0, 1.2, 1.5, 2.0, 2.4, 2.9, 3.3, 9.0]
    told = [transcribe([sound], *span) for span in zip(cuts, cuts[1:], strict=False)]
    assert "".join(one.words for part in told for one in part).replace(" ", "") == "thecodeis47AB"
    for (_, end), part in zip(zip(cuts, cuts[1:], strict=False), told, strict=True):
        assert all(one.end <= end for one in part)
    assert [one.continues for part in told for one in part][-1] is False and told[2][0].continues


def test_a_word_that_is_cut_off_is_never_told() -> None:
    whole = transcribe([Sound(CODE, 0.0, 3.0)], 0.0, 9.0)[0]
    assert words(Sound(CODE, 0.0, whole.end - 0.05)) == ["the code is 47A"]
    assert words(Sound(CODE, 0.0, 2.0, skip=0.05)) == ["47"]


@given(st.lists(SOUNDING, max_size=4), st.lists(st.integers(0, 160), min_size=2, max_size=6))
@settings(max_examples=60, deadline=None)
def test_what_is_told_is_audible_and_silence_has_no_event(sounds: list[Sound], ticks: list[int]) -> None:
    cuts = sorted(tick / 13 for tick in ticks)
    for start, end in zip(cuts, cuts[1:], strict=False):
        told = transcribe(sounds, start, end)
        assert all(any(mix(sounds, "", one.start, one.end).pcm) for one in told if len(sounds) == 1)
        assert all(one.start < end and one.end <= end + 1e-4 for one in told)
        if not any(any(mix([sound], "", start, end).pcm) for sound in sounds):
            assert told == ()
    pieces = [one for a, b in zip(cuts, cuts[1:], strict=False) for one in transcribe(sounds, a, b)]
    whole = transcribe(sounds, cuts[0], cuts[-1])
    for kind in ("speech", "digits"):
        one, other = (sorted("".join(heard.words for heard in told if heard.kind == kind)) for told in (pieces, whole))
        assert [sign for sign in one if sign != " "] == [sign for sign in other if sign != " "]


@pytest.mark.parametrize("name", [CODE, "speech:zh-a:验证码是 4711", "dtmf:90210", "waltz", "alarm", "tone:700"])
def test_the_reader_of_sounds_finds_there_what_the_transcript_names(name: str) -> None:
    sound = Sound(name, 1.0, 2.5)
    clip = mix([sound], "phone", 0.0, 5.0)
    told = transcribe([sound], 0.0, 5.0)
    read = [event for event in read_sounds(clip).events if event.kind != "silence"]
    kinds = {"waltz": {"melody"}, "alarm": {"alarm"}, "tone:700": {"tone"}}.get(name, {told[0].kind})
    for one in told:
        assert any(event.kind in kinds and event.start < one.end and event.end > one.start for event in read)
    if told[0].kind == "digits":
        assert "".join(event.detail for event in read if event.kind == "digits") == "".join(one.words for one in told)


def test_an_interval_that_ends_before_its_start_is_refused() -> None:
    with pytest.raises(ValueError, match="at or after its start"):
        transcribe([], 2.0, 1.0)
