"""What moved in a film, in words: facts that a planner can use, and nothing of what does not matter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from omnipilot.agents.wrappers.readers import PerceptionReader
from omnipilot.envs import Box, Element, Image, Observation, Size, VideoClip
from omnipilot.memory.perception import motion_lines
from omnipilot.memory.perception.video import words

Square = tuple[int, int, int, int]
NAMES = [Element("text", letter, Box(x, 0.1, x + 0.05, 0.2)) for letter, x in (("A", 0.1), ("B", 0.4), ("C", 0.7))]


def clip(pictures: Sequence[np.ndarray], begin: float = 20.0) -> VideoClip:
    frames = [Image.from_array(picture, "pc", begin + tick / 10) for tick, picture in enumerate(pictures)]
    return VideoClip(frames, begin + len(frames) / 10, "pc")


def scene(*squares: Square) -> np.ndarray:
    picture = np.full((200, 320, 3), 230, np.uint8)
    for x, y, side, shade in squares:
        picture[y : y + side, x : x + side] = shade
    return picture


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three letters stand in a row, wherever one looks."""
    monkeypatch.setattr(words, "labels", lambda frame: NAMES)
    monkeypatch.setattr(words, "texts", lambda frame: [])


def lamps(*lit: range) -> VideoClip:
    """Lamps in a row, each lit at ticks."""
    return clip(
        [
            scene(*((x, 80, 24, 20 if t in on else 150) for x, on in zip((40, 140, 240), lit, strict=True)))
            for t in range(40)
        ]
    )


def test_blinks_are_told_by_place_and_in_their_order(named: None) -> None:
    often = [tick for tick in range(10, 34) if tick % 6 < 3]
    lines = motion_lines(lamps(range(6, 9), often, range(2, 5)))  # type: ignore[arg-type]
    assert sorted(lines[:3]) == ['blinked: "A" once', 'blinked: "B" 4 times', 'blinked: "C" once']
    assert lines[3:] == ['changed in this order: "CAB"']


def test_a_rest_is_told_with_its_place_its_length_and_when(named: None) -> None:
    path = [*range(20, 140, 12), *[140] * 20, *range(140, 260, 12), *[260] * 10]
    lines = motion_lines(clip([scene((x, 80, 24, 20)) for x in path]))
    assert lines == ['stopped: "B" for 2 s, 1 s in', 'stopped: "C" from 4 s in']


def test_places_without_letters_have_no_names() -> None:
    lit = [tick for tick in range(40) if tick % 8 in (3, 4)]
    assert motion_lines(lamps(lit, (), ()), ocr=False) == ["blinked: 5 times"]  # type: ignore[arg-type]


def test_the_highest_number_at_which_something_stood_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [*range(30), *[30] * 8, *range(29, 0, -4)]
    film = clip([scene((100, 80, 24, 5 * number), (10, 180, 12 + 2 * at, 200)) for at, number in enumerate(shown)])

    def read(picture: Image) -> list[Element]:
        return [Element("text", str(round(picture.array().min() / 5)), Box(0, 0, 1, 1))]

    monkeypatch.setattr(words, "labels", lambda frame: [])
    monkeypatch.setattr(words, "texts", read)
    assert motion_lines(film)[-1] == 'number: up to "30"'


@pytest.mark.parametrize(
    "pictures",
    [
        [scene()] * 10,
        [scene()] * 5 + [scene((0, 0, 100, 20))] * 5,
        [scene((40, 40, 2, 20 if tick % 10 < 5 else 230)) for tick in range(60)],
        [scene((20, 180, 10 + tick // 2, 20)) for tick in range(40)],
    ],
    ids=["still", "a page opens", "a caret", "a bar that fills"],
)
def test_what_does_not_matter_is_not_told(pictures: list[np.ndarray]) -> None:
    assert motion_lines(clip(pictures), ocr=False) == []


def test_the_reader_tells_it_of_the_film_that_it_is_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "labels", lambda frame: [])
    reader = PerceptionReader("motion", ocr=object())  # type: ignore[arg-type]
    film = lamps([2, 3, 10, 11, 18, 19], (), ())  # type: ignore[arg-type]
    seen = Observation("pc", film.end, Size(320, 200), video=film)
    assert list(reader.read(seen, film.start)) == [("motion", "blinked: 3 times")]
    assert list(reader.read(seen.only(()), film.start)) == []
    assert {one.value for one in reader.reads} == {"video"}
