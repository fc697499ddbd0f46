"""What a film shows beyond its two ends, and which of it is idle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from omnipilot.envs import Image, VideoClip
from omnipilot.memory.perception.video.movements import movements

Picture = NDArray[np.uint8]
ROWS, COLUMNS = 400, 640


def screen() -> Picture:
    """A page with some boxes on it."""
    picture = np.full((ROWS, COLUMNS, 3), 240, np.uint8)
    picture[40:360, 20:200] = (60, 90, 160)
    picture[80:120, 240:600] = 30
    return picture


def film(draw: Callable[[int, Picture], None], frames: int = 20, fps: float = 10.0) -> VideoClip:
    """A film of a page on which `draw` draws each frame."""
    shown = []
    for number in range(frames):
        picture = screen()
        draw(number, picture)
        shown.append(Image.from_array(picture, "pc", number / fps))
    return VideoClip(shown, frames / fps, "pc")


def page_that_opens(number: int, picture: Picture) -> None:
    if number >= 5:
        picture[:] = 200
        picture[100:300, 100:500] = 20


def bar_that_fills(number: int, picture: Picture) -> None:
    picture[380:390, 40 : 40 + 25 * number] = (0, 120, 0)


def text_typed(number: int, picture: Picture) -> None:
    for letter in range(number // 2):
        picture[200:216, 240 + 14 * letter : 250 + 14 * letter] = 0


def caret(number: int, picture: Picture) -> None:
    if number % 10 < 5:
        picture[200:216, 240:242] = 0


def clock(number: int, picture: Picture) -> None:
    dice = np.random.default_rng(number // 10)
    picture[4:16, 560:600] = np.where(dice.random((3, 10, 1)).repeat(4, 0).repeat(4, 1) > 0.5, 0, 240)


def spinner(number: int, picture: Picture) -> None:
    angle = 2 * np.pi * (number % 8) / 8
    row, column = 200 + round(16 * np.sin(angle)), 400 + round(16 * np.cos(angle))
    picture[row - 5 : row + 5, column - 5 : column + 5] = (40, 40, 200)


def ball(number: int, picture: Picture) -> None:
    picture[280:310, 220 + 18 * number : 250 + 18 * number] = (200, 30, 30)


def lamp(number: int, picture: Picture) -> None:
    if number % 6 < 3:
        picture[150:250, 350:450] = (250, 220, 0)


def counter(number: int, picture: Picture) -> None:
    dice = np.random.default_rng(number // 3)
    picture[180:260, 300:460] = np.where(dice.random((8, 16, 1)).repeat(10, 0).repeat(10, 1) > 0.5, 0, 240)


@pytest.mark.parametrize("told_by_its_ends", [page_that_opens, bar_that_fills, text_typed])
def test_what_the_two_ends_of_a_film_show_is_no_movement(told_by_its_ends: Callable[[int, Picture], None]) -> None:
    assert movements(film(told_by_its_ends)) == []


@pytest.mark.parametrize(
    ("drawn", "kind"),
    [(caret, "caret"), (clock, "clock"), (spinner, "spinner"), (ball, "motion"), (lamp, "motion"), (counter, "motion")],
)
def test_idle_motion_is_told_from_what_moves(drawn: Callable[[int, Picture], None], kind: str) -> None:
    frames = 41 if drawn is clock else 20
    assert {one.kind for one in movements(film(drawn, frames))} == {kind}


def test_a_spinner_is_one_although_the_page_replaces_it_before_it_has_turned_twice() -> None:
    def loading(number: int, picture: Picture) -> None:
        if 1 <= number <= 11:
            spinner(number, picture)

    assert {one.kind for one in movements(film(loading, 14))} == {"spinner"}


def test_pictures_of_noise_are_noise_also_where_few_of_them_differ_and_a_moving_camera_is_not() -> None:
    dice = np.random.default_rng(1)
    for rows, columns in ((916, 412), (800, 1280)):
        noise = [
            dice.integers(0, 256, (-(-rows // 16), -(-columns // 16), 3), dtype=np.uint8).repeat(16, 0).repeat(16, 1)
            for _ in range(2)
        ]
        shown = [
            Image.from_array(noise[number][:rows, :columns], "pc", at / 10) for at, number in enumerate((0, 1, 1, 0))
        ]
        assert {one.kind for one in movements(VideoClip(shown, 0.4, "pc"))} == {"noise"}
    view = np.cumsum(np.cumsum(dice.normal(size=(ROWS, 4 * COLUMNS)), axis=0), axis=1)
    view = (255 * (view - view.min()) / (view.max() - view.min())).astype(np.uint8)
    camera = [view[:, 40 * at : 40 * at + COLUMNS, None].repeat(3, 2) for at in range(20)]
    moved = movements(VideoClip([Image.from_array(one, "pc", at / 10) for at, one in enumerate(camera)], 2.0, "pc"))
    assert "motion" in {one.kind for one in moved}


def test_what_moves_is_placed_and_timed() -> None:
    (moved,) = movements(film(ball))
    assert moved.box.left < 0.4 < 0.8 < moved.box.right
    assert 0.6 < moved.box.top < moved.box.bottom < 0.85
    assert moved.start == pytest.approx(0.1) and moved.end == pytest.approx(1.9) and moved.times == 19
