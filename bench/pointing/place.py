"""The right place to point at: a box, a polygon, or nowhere if the right answer is to abstain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from omnipilot.envs import Box, Point

ABSENT = frozenset({"refused", "not_found"})
"""Reasons of abstentions that say "there is no such thing"; an unreadable reply does not say that."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """An area given by its corners in order, at least three; the last connects to the first."""

    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.corners) < 3:
            raise ValueError(f"a polygon needs at least three corners, not {len(self.corners)}")

    def contains(self, point: Point) -> bool:
        """Even-odd rule along a ray to the right; left and top edges are inside."""
        odd = False
        for one, other in zip(self.corners, (self.corners[-1], *self.corners[:-1]), strict=True):
            if (one.y > point.y) != (other.y > point.y):
                odd ^= point.x < (other.x - one.x) * (point.y - one.y) / (other.y - one.y) + one.x
        return odd


@dataclass(frozen=True, slots=True)
class Nowhere:
    """The target is not on the screen."""

    def contains(self, point: Point) -> bool:  # noqa: ARG002
        """Always false."""
        return False


Place: TypeAlias = Box | Polygon | Nowhere


def hits(place: Place, point: Point | None, reason: str) -> bool:
    """Whether a point, or an abstention with a reason, is right."""
    if isinstance(place, Nowhere):
        return point is None and reason in ABSENT
    return point is not None and place.contains(point)


def place_to_json(place: Place) -> Any:
    """As plain JSON values: the four edges of a box, the corners of a polygon, null for nowhere."""
    if isinstance(place, Box):
        return [place.left, place.top, place.right, place.bottom]
    if isinstance(place, Polygon):
        return {"corners": [[corner.x, corner.y] for corner in place.corners]}
    return None


def place_from_json(data: Any) -> Place:
    """The inverse of `place_to_json`."""
    if data is None:
        return Nowhere()
    if isinstance(data, Mapping):
        return Polygon(tuple(Point(*corner) for corner in data["corners"]))
    return Box(*data)
