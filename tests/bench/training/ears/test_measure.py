"""What the ears are measured with: how it is counted, and who speaks it."""

from __future__ import annotations

import pytest

from omnipilot.bench.training.ears.measure import (
    NOISES,
    HeardText,
    MeasureOrder,
    clip_of,
    figures_of,
    kinds_table,
    unheard_speech,
    voices_table,
)
from omnipilot.bench.training.ears.voices import UNHEARD_VOICES
from omnipilot.envs import ConfigError

ORDER = MeasureOrder(("mini-ears",), 2, 2)


def heard(voice: str, units: int, errors: int, noise: str = "none") -> HeardText:
    return HeardText("mini-ears", "digits", noise, voice, "47", "47", units, errors, 2.0, 0.01)


def test_shares_and_error_rates_are_those_of_all_texts_together() -> None:
    found = [heard("en-us", 4, 1), heard("en-gb+f3", 6, 0), heard("en-us", 2, 5)]
    row = kinds_table(found).rows[0]
    assert row[:2] == ("mini-ears", "none") and row[2].startswith("75.0") and row[-1] == "50.0"
    assert len(kinds_table(found).rows) == len(NOISES)
    assert voices_table(found).rows == (("en-gb+f3", "0.0", "", ""), ("en-us", "100.0", "", ""))
    figures = figures_of(ORDER, found)
    assert figures["by_kind"] == [["mini-ears", "none", "digits", 12, 9, 6]]
    assert figures["milliseconds"] == {"mini-ears": 5.0}


@pytest.mark.needs("espeak-ng")
def test_only_unheard_voices_speak_and_the_worlds_recordings_are_among_them() -> None:
    voices = {voice for _, voice, _ in unheard_speech(ORDER)}
    assert voices == {"en-us", "en-gb+f3", "en-a (recorded)", "en-b (recorded)"}
    some = [(text, sound) for text, _, sound in unheard_speech(ORDER)]
    assert len(some) == 2 * 9 and all(0.5 < clip_of(sound, "").seconds < 10 for _, sound in some)
    assert [text for text, _ in some] == [text for text, _, _ in unheard_speech(ORDER)]


@pytest.mark.parametrize(("texts", "voices"), [(0, 10), (5, 1), (5, len(UNHEARD_VOICES) + 1)])
def test_an_order_that_measures_nothing_is_refused(texts: int, voices: int) -> None:
    with pytest.raises(ConfigError, match="voices"):
        MeasureOrder(("mini-ears",), texts, voices)
