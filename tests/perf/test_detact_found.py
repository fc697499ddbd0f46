"""What counts as a region of a colour where DetACT is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from detact_found import regions
from readers_ocr import Screen

from omnipilot.envs import Box, Element, Image, Observation


def test_a_region_can_be_seen_on_each_side_and_is_named_by_what_is_seen() -> None:
    pixels = np.full((100, 200, 3), 250, np.uint8)
    pixels[20:60, 20:80] = (20, 90, 220)
    pixels[20:60, 90:150] = (20, 90, 220)
    pixels[60:80, 90:150] = (20, 90, 220)
    pixels[0:10] = (210, 30, 40)
    pixels[20:36, 20:80] = 250
    image = Image.from_array(pixels)

    def shape(left: int, top: int, right: int, bottom: int) -> Element:
        return Element("color", "blue", Box.from_pixels(left, top, right, bottom, image.size))

    shapes = (shape(20, 20, 80, 60), shape(20, 36, 80, 60), shape(90, 20, 150, 60), shape(0, 0, 200, 10))
    screen = Screen("made", Observation("screen", 0.0, image.size, screenshot=image), (), (), shapes)
    assert regions(screen) == [shapes[1], replace(shapes[3], name="red")]
