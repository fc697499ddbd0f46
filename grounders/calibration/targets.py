"""The probe's image: five unmistakable targets at known positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from omnipilot.envs import Image, Point, Size

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Shape: TypeAlias = Literal["square", "circle", "triangle", "diamond", "plus"]
Colour: TypeAlias = tuple[int, int, int]

PAPER: Colour = (244, 244, 246)
REACH = 0.05
"""Distance from the centre of a target to its edges, as a share of the shorter side."""


@dataclass(frozen=True, slots=True)
class ProbeTarget:
    """One target. `description` is given to the grounder; no other target matches it in shape or colour."""

    description: str
    shape: Shape
    colour: Colour
    at: Point


EDGE = 0.08
TARGETS = (
    ProbeTarget("the red square", "square", (214, 32, 38), Point(EDGE, EDGE)),
    ProbeTarget("the blue circle", "circle", (24, 90, 219), Point(1 - EDGE, EDGE)),
    ProbeTarget("the green triangle", "triangle", (16, 140, 60), Point(EDGE, 1 - EDGE)),
    ProbeTarget("the orange diamond", "diamond", (240, 130, 0), Point(1 - EDGE, 1 - EDGE)),
    ProbeTarget("the black plus sign", "plus", (20, 20, 20), Point(0.5, 0.5)),
)
"""Four targets at 8 % from the corners, and one in the centre."""
SIZES = (Size(1600, 1000), Size(3840, 2160))
"""Two aspect ratios and pixel counts: an answer that is right by luck on one is wrong on the other."""


def canvas(size: Size) -> Image:
    """The targets on a screen of `size`."""
    from PIL import Image as pil
    from PIL import ImageDraw

    picture = pil.new("RGB", (size.width, size.height), PAPER)
    pen = ImageDraw.Draw(picture)
    reach = max(3.0, REACH * min(size.width, size.height))
    for target in TARGETS:
        _draw(pen, target, *target.at.to_pixels(size), reach)
    return Image.raw(size, picture.tobytes(), "calibration")


def _draw(pen: ImageDraw, target: ProbeTarget, x: float, y: float, reach: float) -> None:
    whole = (x - reach, y - reach, x + reach, y + reach)
    if target.shape == "square":
        pen.rectangle(whole, target.colour)
    elif target.shape == "circle":
        pen.ellipse(whole, target.colour)
    elif target.shape == "triangle":
        # Its position is between the centre of its outline and its centre of mass: a model may mean either.
        top, bottom = y - reach * 7 / 6, y + reach * 5 / 6
        pen.polygon([(x, top), (x + reach, bottom), (x - reach, bottom)], target.colour)
    elif target.shape == "diamond":
        pen.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], target.colour)
    else:
        third = reach / 3
        pen.rectangle((x - reach, y - third, x + reach, y + third), target.colour)
        pen.rectangle((x - third, y - reach, x + third, y + reach), target.colour)
