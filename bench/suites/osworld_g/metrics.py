"""OSWorld-G: boxes, polygons and refusals, by the five abilities in its classification file.

Provisional: written after a port of the official scorer, which could not be opened. The prediction's centre decides; if
all its numbers are in 0..1 they are shares of the screenshot's sides, so that nobody can point at its first pixel in
pixels. A refusal is right when both coordinates are negative, as parsers of replies put -1 for "wait".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.screenspot.metrics import SpotCell, from_corner

BoxType: TypeAlias = Literal["bbox", "polygon", "refusal"]
ABILITIES = (
    *("text_matching", "element_recognition", "layout_understanding"),
    *("fine_grained_manipulation", "refusal"),
)
REFUSED = (-1.0, -1.0)
"""The prediction of a model that says that there is no such target."""


@dataclass(frozen=True, slots=True)
class JudgedTarget:
    """A target and its prediction.

    Attributes:
        coordinates: of a bbox left, top, width, height; of a polygon x and y of its corners in turn; in pixels.
        size: of the screenshot in pixels.
        prediction: a point of two numbers or a box of four, in pixels or in 0..1; None where unreadable.
        abilities: tags of the classification file; an item may bear several.
    """

    box_type: BoxType
    coordinates: tuple[float, ...]
    size: tuple[int, int]
    prediction: tuple[float, ...] | None
    abilities: tuple[str, ...] = ()
    void: bool = False


@dataclass(frozen=True, slots=True)
class AbilityReport:
    """Counts for all items (564 in the full data), for non-refusals (510), and by ability."""

    overall: SpotCell
    without_refusals: SpotCell
    abilities: dict[str, SpotCell]
    void: int = 0
    variant: Literal["release"] = "release"


def score(items: Iterable[JudgedTarget]) -> AbilityReport:
    """The report; an item counts under each of its abilities and once overall."""
    every = list(items)
    tags = {tag for item in every for tag in item.abilities}
    order = [tag for tag in ABILITIES if tag in tags] + sorted(tags - set(ABILITIES))
    return AbilityReport(
        _cell(every),
        _cell([item for item in every if item.box_type != "refusal"]),
        {tag: _cell([item for item in every if tag in item.abilities]) for tag in order},
        sum(item.void for item in every),
    )


def hit(item: JudgedTarget) -> bool:
    """Whether the prediction is right.

    Raises:
        ValueError: it has neither two nor four numbers.
    """
    if item.void or item.prediction is None:
        return False
    x, y = _centre(item.prediction, item.size)
    if item.box_type == "refusal":
        return x < 0 and y < 0
    if item.box_type == "polygon":
        return in_polygon(x, y, item.coordinates)
    left, top, right, bottom = from_corner(*item.coordinates)
    return left <= x <= right and top <= y <= bottom


def _centre(prediction: tuple[float, ...], size: tuple[int, int]) -> tuple[float, float]:
    if len(prediction) not in (2, 4):
        raise ValueError(f"a prediction must be a point (two numbers) or a box (four numbers), not {prediction}")
    box = prediction * 2 if len(prediction) == 2 else prediction
    if all(0 <= number <= 1 for number in box):
        box = tuple(number * size[axis % 2] for axis, number in enumerate(box))
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def in_polygon(x: float, y: float, corners: Sequence[float]) -> bool:
    """Even-odd rule along a ray to the right; `corners` alternates x and y. Left and top edges are inside."""
    points = list(zip(corners[::2], corners[1::2], strict=True))
    odd = False
    for (x1, y1), (x2, y2) in zip(points, [points[-1], *points[:-1]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def _cell(items: Sequence[JudgedTarget]) -> SpotCell:
    unread = sum(item.prediction is None and not item.void for item in items)
    return SpotCell(sum(map(hit, items)), len(items), unread)
