"""Where lines of text are found, and what the reader is shown of them."""

from __future__ import annotations

import numpy as np
import pytest

from omnipilot.envs import Size
from omnipilot.envs.sim.render.surface import Canvas
from omnipilot.envs.sim.render.text import SIZES, line_height, measure
from omnipilot.grounders.mini.eyes.lines import WINDOW, brightness, find_lines, ink_of

WHITE, BLACK, GREY = (255, 255, 255), (20, 20, 20), (200, 200, 200)


def canvas() -> Canvas:
    return Canvas(Size(400, 200), WHITE)


@pytest.mark.parametrize("size", SIZES[:-1])
@pytest.mark.parametrize("text", ["Gate code 6676", "log-monday", "Jill, +44 20."])
def test_a_line_is_found_whole(text: str, size: int) -> None:
    drawn = canvas()
    drawn.text(20, 40, text, BLACK, size)
    found = find_lines(brightness(drawn.pixels))
    assert len(found) == 1
    left, top, right, bottom = found[0]
    assert abs(left - 20) <= 4 and abs(right - 20 - measure(text, size)) <= 4
    assert 38 <= top < bottom <= 42 + line_height(size)


def test_lines_apart_are_two_and_a_border_is_none() -> None:
    drawn = canvas()
    drawn.rect(10, 10, 300, 120, WHITE, 0, GREY)
    drawn.text(16, 20, "name", BLACK)
    drawn.text(16, 40, "below", BLACK)
    drawn.text(200, 20, "beside", BLACK)
    assert len(find_lines(brightness(drawn.pixels))) == 3


def test_an_empty_screen_has_no_lines() -> None:
    assert find_lines(brightness(canvas().pixels)) == []
    assert find_lines(np.zeros((1, 1), np.float32)) == []


def test_ink_is_what_differs_from_the_background() -> None:
    light, dark = canvas(), Canvas(Size(400, 200), BLACK)
    light.text(20, 40, "code", BLACK)
    dark.text(20, 40, "code", WHITE)
    inks = []
    for drawn in (light, dark):
        bright = brightness(drawn.pixels)
        inks.append(ink_of(bright, find_lines(bright)[0])[0])
    assert inks[0].shape[0] == WINDOW and inks[0].max() == 1
    assert np.abs(inks[0] - inks[1]).max() < 0.05


def test_large_letters_are_shown_at_half_their_size() -> None:
    drawn = canvas()
    drawn.text(20, 40, "Big", BLACK, 40)
    bright = brightness(drawn.pixels)
    ink, _, scale = ink_of(bright, find_lines(bright)[0])
    assert scale == 2 and ink.shape[0] == WINDOW
