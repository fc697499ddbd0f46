"""The grounder `zoom`: asks again on a crop around the first answer, where details are larger for a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from omnipilot.envs import Absent, Box, ConfigError, Element, Elements, Image, Modality, Observation, Point, Size
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding, knows_the_screen, reads
from omnipilot.memory.messages import Part
from omnipilot.memory.warm_up import warm_up

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels."""


class ZoomGrounder(Grounder):
    """Asks a grounder twice: about the whole screen, then about a crop around the answer.

    The second answer counts, in coordinates of the whole screen; if there is none on the crop, the first one counts.

    Args:
        of: the grounder to ask both times.
        crop: sides of the crop as a share of the screen's sides, between 0 and 1.
        least: minimum pixels per side of the crop, limited by the screen.
        enlarge: factor by which the crop is enlarged per side, for models that see small images badly.

    Raises:
        ConfigError: an option is out of range, or the grounder is gold or graded.
    """

    combines: ClassVar[str] = "one"
    main_option: ClassVar[str] = "of"

    def __init__(self, of: Grounder, crop: float = 0.4, least: int = 256, enlarge: int = 1) -> None:
        if not 0 < crop < 1 or least < 1 or not 1 <= enlarge <= 8:
            raise ConfigError(
                f"grounder 'zoom': crop must be between 0 and 1, least at least 1 and enlarge 1 to 8, not {crop:g}, "
                f"{least} and {enlarge}"
            )
        if knows_the_screen(of):
            raise ConfigError("grounder 'zoom' asks about parts of the screen; gold and graded ones point on all of it")
        self.of = of
        self.crop = crop
        self.least = least
        self.enlarge = enlarge

    def warm_up(self) -> None:
        """Warm up the inner grounder."""
        warm_up(self.of)

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities the inner grounder needs."""
        return frozenset(self.of.needs)

    @property
    def reads(self) -> frozenset[Modality]:
        """Modalities the inner grounder uses, and the screenshot."""
        return reads(self.of) | {Modality.SCREENSHOT}

    @property
    def annotates(self) -> bool:
        """Whether the inner grounder numbers marks."""
        return self.of.annotates

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        """The inner grounder's annotation of the whole screen."""
        return self.of.annotate(observation)

    def candidates(self, env: str) -> Sequence[Box] | None:
        """Those of the inner grounder."""
        return self.of.candidates(env)

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Ask, crop, ask again. An id is looked up once: it means the same at every size."""
        first = self.of.ground(observation, target)
        picture = observation.screenshot
        if isinstance(first, Abstention) or isinstance(target, Ref) or isinstance(picture, Absent):
            return first
        rect = around(first.point, picture.size, self.crop, self.least)
        if rect == (0, 0, picture.size.width, picture.size.height):
            return first
        second = self.of.ground(crop_observation(observation, picture, rect, self.enlarge), target)
        usage = first.usage + second.usage
        if isinstance(second, Abstention):
            return replace(first, usage=usage)
        box = None if second.box is None else _box_back(second.box, rect, picture.size)
        return replace(second, point=point_back(second.point, rect, picture.size), box=box, usage=usage)


def around(point: Point, size: Size, crop: float, least: int) -> Rect:
    """The crop around a point: `crop` of each side, at least `least` pixels, shifted to fit the screen."""
    x, y = point.to_pixels(size)
    wide = min(size.width, max(least, math.ceil(size.width * crop)))
    high = min(size.height, max(least, math.ceil(size.height * crop)))
    left = min(max(0, round(x - wide / 2)), size.width - wide)
    top = min(max(0, round(y - high / 2)), size.height - high)
    return left, top, left + wide, top + high


def point_back(point: Point, rect: Rect, size: Size) -> Point:
    """Convert a point on a crop to the screen of `size` it was cut from."""
    left, top, right, bottom = rect
    return Point.from_pixels(left + point.x * (right - left), top + point.y * (bottom - top), size)


def _box_back(box: Box, rect: Rect, size: Size) -> Box:
    low, high = point_back(Point(box.left, box.top), rect, size), point_back(Point(box.right, box.bottom), rect, size)
    return Box(low.x, low.y, high.x, high.y)


def crop_observation(observation: Observation, picture: Image, rect: Rect, enlarge: int) -> Observation:
    """The observation limited to a crop: its pixels, and the visible parts of its elements."""
    from PIL import Image as pil

    left, top, right, bottom = rect
    size = Size(right - left, bottom - top)
    image = Image.from_array(picture.array()[top:bottom, left:right], picture.env, picture.start)
    if enlarge > 1:
        large = (size.width * enlarge, size.height * enlarge)
        pixels = pil.frombytes("RGB", (size.width, size.height), image.rgb).resize(large, pil.Resampling.LANCZOS)
        image = Image.raw(Size(*large), pixels.tobytes(), picture.env, picture.start)
    elements = observation.elements
    if not isinstance(elements, Absent):
        parts = [part for one in elements if (part := _cut(one, rect, picture.size, size)) is not None]
        elements = Elements(tuple(parts), elements.truncated, elements.detail)
    return replace(observation, size=image.size, screenshot=image, elements=elements)


def _cut(element: Element, rect: Rect, screen: Size, size: Size) -> Element | None:
    left, top, right, bottom = element.box.to_pixels(screen)
    part = Box.clipped(left - rect[0], top - rect[1], right - rect[0], bottom - rect[1], size)
    return None if part is None else replace(element, box=part)
