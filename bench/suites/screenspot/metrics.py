"""ScreenSpot v1 and v2: a point inside the target's box, by platform and by kind of target.

`release` is SeeClick's rule: the point and the box in shares of the screenshot's sides, edges included. `showui` first
cuts the box's edges to thousandths. Both versions of the data have the same six cells: mobile, desktop and web, text
and icon. SeeClick prints the cells; most later tables print their unweighted mean, `macro`; `micro` is the share of
all items.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Variant: TypeAlias = Literal["release", "showui"]
UiType: TypeAlias = Literal["text", "icon"]
Share: TypeAlias = tuple[float, float]
PLATFORMS = ("mobile", "desktop", "web")
UI_TYPES: tuple[UiType, ...] = ("text", "icon")


@dataclass(frozen=True, slots=True)
class JudgedSpot:
    """A target and the point predicted for it.

    Attributes:
        box: left, top, right, bottom in pixels; the files of v1 and v2 hold left, top, width, height (`from_corner`).
        size: of the screenshot in pixels. point: in 0..1 of its sides; None if the reply was unreadable.
        void: no reply came because something other than the model failed.
    """

    platform: str
    ui_type: str
    box: tuple[float, float, float, float]
    size: tuple[int, int]
    point: Share | None
    void: bool = False


@dataclass(frozen=True, slots=True)
class SpotCell:
    """Counts of items. `wrong_format`: how many of the incorrect ones were unreadable."""

    correct: int
    total: int
    wrong_format: int = 0

    @property
    def accuracy(self) -> float | None:
        """Share of correct items, with unreadable ones in the denominator; None without items."""
        return self.correct / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class ScreenSpotReport:
    """The non-empty cells by (platform, kind); `micro` averages over items, `macro` over cells."""

    variant: Variant
    cells: dict[tuple[str, str], SpotCell]
    overall: SpotCell
    void: int = 0

    @property
    def micro(self) -> float | None:
        """Share over all items; None without items."""
        return self.overall.accuracy

    @property
    def macro(self) -> float | None:
        """Unweighted mean of the non-empty cells, six in the full data; None without items."""
        shares = [cell.correct / cell.total for cell in self.cells.values()]
        return math.fsum(shares) / len(shares) if shares else None


def from_corner(left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Convert a box from left, top, width, height to left, top, right, bottom."""
    return left, top, left + width, top + height


def score(items: Iterable[JudgedSpot], variant: Variant = "release") -> ScreenSpotReport:
    """All cells of ScreenSpot v1 or v2."""
    parts: dict[tuple[str, str], list[JudgedSpot]] = {}
    for item in items:
        parts.setdefault((item.platform, item.ui_type), []).append(item)
    known = [(platform, kind) for platform in PLATFORMS for kind in UI_TYPES]
    order = [cell for cell in known if cell in parts] + sorted(set(parts) - set(known))
    everything = [item for part in parts.values() for item in part]
    return ScreenSpotReport(
        variant,
        {cell: _count(parts[cell], variant) for cell in order},
        _count(everything, variant),
        sum(item.void for item in everything),
    )


def hit(item: JudgedSpot, variant: Variant = "release") -> bool:
    """Whether the point is in the box, edges included."""
    if item.point is None or item.void:
        return False
    return inside(item.point, shares(item.box, item.size), thousandths=variant == "showui")


def shares(box: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """A box in pixels as fractions of the screenshot's sides."""
    left, top, right, bottom = box
    return left / size[0], top / size[1], right / size[0], bottom / size[1]


def inside(point: Share, box: tuple[float, float, float, float], thousandths: bool = False) -> bool:
    """Whether a point is in a box, both in 0..1, edges included.

    Args:
        thousandths: truncate the box's edges to whole thousandths first, as ShowUI does.
    """
    left, top, right, bottom = (int(edge * 1000) / 1000 for edge in box) if thousandths else box
    return left <= point[0] <= right and top <= point[1] <= bottom


def _count(items: Sequence[JudgedSpot], variant: Variant) -> SpotCell:
    unread = sum(item.point is None and not item.void for item in items)
    return SpotCell(sum(hit(item, variant) for item in items), len(items), unread)
