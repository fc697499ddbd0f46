from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray

from omnipilot.bench.suites.workshop.kit.media import COLOURS, GREY, SQUARE, flashes, moving_square, speech, tones
from omnipilot.envs import AudioClip


def frames(film: bytes) -> list[NDArray[np.uint8]]:
    import av

    with av.open(io.BytesIO(film)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def left_side(picture: NDArray[np.uint8]) -> int:
    """Column at which the square begins."""
    light = picture[160, :, 0] > 150
    return int(np.flatnonzero(light & ~np.roll(light, 1))[0])


@pytest.mark.needs("omnipilot[video]")
def test_a_film_flashes_when_it_should_and_lasts_as_long_as_it_should() -> None:
    shown = frames(flashes([(GREY, 1.0), (COLOURS["red"], 0.4), (GREY, 0.5)], 3.0))
    assert len(shown) == 30
    red = [number for number, picture in enumerate(shown) if picture[5, 5, 0] > 150]
    assert red == [10, 11, 12, 13]


@pytest.mark.needs("omnipilot[video]")
def test_a_square_moves_left_only_between_two_moments() -> None:
    rate = 6
    places = [left_side(picture) for picture in frames(moving_square(2.0, 7.0, 9.0, rate))]
    ways = [(there - here + 240) % 480 - 240 for here, there in zip(places, places[1:], strict=False)]
    assert {number for number, way in enumerate(ways) if way < 0} == set(range(2 * rate, 7 * rate))
    assert places[8 * rate] == 8 * 48 % 480  # it is where it would be without having turned
    assert SQUARE < 240


def test_what_lasts_longer_than_it_may_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit into 1 s"):
        speech("en-a:the code is 4711", seconds=1.0)
    with pytest.raises(ValueError, match="do not fit into 1 s"):
        flashes([(GREY, 1.2)], 1.0)


def test_a_tone_sounds_between_its_silences() -> None:
    clip = AudioClip.from_wav(tones([(0.0, 0.5), (1000.0, 0.5)], 2.0)).array()
    loud = np.abs(clip.reshape(4, -1).astype(int)).max(axis=1)
    assert len(clip) == 32000
    assert list(loud > 1000) == [False, True, False, False]
