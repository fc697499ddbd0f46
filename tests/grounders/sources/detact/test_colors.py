"""The eleven colours, each threshold from both sides."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

from omnipilot.grounders.sources.detact.colors import COLORS, color_indices, region_color


def named(hue: float, saturation: float, value: float) -> str:
    """The name of a colour given by hue in degrees, saturation and value."""
    rgb = np.array(colorsys.hsv_to_rgb(hue / 360, saturation, value)) * 255
    return COLORS[int(color_indices(rgb))]


@pytest.mark.parametrize(
    ("hsv", "name"),
    [
        ((0, 1, 0.19), "black"),
        ((0, 1, 0.21), "red"),
        ((200, 0.11, 0.91), "white"),
        ((200, 0.11, 0.89), "grey"),
        ((200, 0.13, 0.89), "blue"),
        ((14, 1, 0.7), "red"),
        ((16, 1, 0.66), "orange"),
        ((16, 1, 0.64), "brown"),
        ((39, 1, 0.66), "orange"),
        ((41, 1, 0.64), "yellow"),
        ((69, 1, 0.7), "yellow"),
        ((71, 1, 0.7), "green"),
        ((164, 1, 0.7), "green"),
        ((166, 1, 0.7), "blue"),
        ((254, 1, 0.7), "blue"),
        ((256, 1, 0.7), "violet"),
        ((289, 1, 0.7), "violet"),
        ((291, 1, 0.7), "pink"),
        ((344, 1, 0.7), "pink"),
        ((346, 1, 0.7), "red"),
        ((350, 0.54, 0.76), "pink"),
        ((350, 0.56, 0.76), "red"),
        ((350, 0.54, 0.74), "red"),
    ],
)
def test_a_threshold_divides_two_names(hsv: tuple[float, float, float], name: str) -> None:
    assert named(*hsv) == name


def test_mean_and_dominant_differ_on_a_button_with_much_text() -> None:
    pixels = np.zeros((10, 10, 3), np.uint8)
    pixels[:] = (20, 90, 220)
    pixels[:4] = 255
    assert region_color(pixels, "dominant") == ("blue", 0.6)
    assert region_color(pixels, "mean")[0] == "blue"
    pixels[:] = (250, 250, 250)
    pixels[:, :4] = (220, 20, 20)
    # The mean of 60 % white and 40 % red is a pale red.
    assert region_color(pixels, "mean") == ("pink", 0.0)
    assert region_color(pixels, "dominant") == ("white", 0.6)
