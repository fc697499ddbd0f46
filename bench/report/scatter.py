"""Scatter plots: points with intervals in both directions, in series, with a straight line through each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figure import (
    GAP,
    HUES,
    MARGIN,
    SMALL,
    TITLE,
    Axis,
    axis_of,
    cut_text,
    mark,
)
from omnipilot.bench.report.figure_text import escape_text, shorten_apart, width

HEIGHT = 340
"""Of the plotting area."""
LEGEND = 0.34
"""Share of the width that is kept for the legend."""
LINE, REACH = 17, 6.0
"""Height of a line of the legend; half the side of the square that a mark keeps free."""
NARROWEST = 10.0
"""Minimum span of an axis, in percent."""
CROWD = 12
"""With more points than this, only those of the first series are labelled."""
LONGEST = 120
"""Maximum width of a label."""
SAME = 1.0
"""Points no further apart than this, whose marks hide each other, share a label with all their names."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point: estimates in 0..1 with the ends of their intervals, None where there are none.

    Attributes:
        label: written beside it if there is room. series: its colour and shape.
    """

    x: float
    y: float
    x_ends: tuple[float, float] | None
    y_ends: tuple[float, float] | None
    label: str
    series: int


@dataclass(frozen=True, slots=True)
class Trend:
    """A straight line between two points of a series; coordinates in 0..1."""

    begin: tuple[float, float]
    end: tuple[float, float]
    series: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend, and a quiet line below it; no mark where `series` is None."""

    name: str
    note: str
    series: int | None


@dataclass(frozen=True, slots=True)
class Scatter:
    """A plot of shares against shares, both shown in percent."""

    title: str
    x_title: str
    y_title: str
    spots: Sequence[Spot]
    trends: Sequence[Trend]
    legend: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class _Area:
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Area) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def scatter(plot: Scatter, left: float, right: float, top: float) -> tuple[list[str], float]:
    """The elements of a scatter plot between two x.

    Points at the same place share a label. One that finds no room beside its point is left out, and so are those of
    further series where there are many points (`CROWD`); each point's tooltip has its label.

    Returns:
        The elements, and the y at which they end.
    """
    start, edge = left + MARGIN, right - MARGIN
    lines = [cut_text(plot.title, start, top + 22, "title", edge - start)]
    legend = LEGEND * (edge - start)
    upper = top + TITLE + LINE + 6
    lower = upper + HEIGHT
    far = edge - legend - GAP
    x_values = _spanned([100 * v for s in plot.spots for v in (s.x, *(s.x_ends or ()))])
    y_values = [100 * v for s in plot.spots for v in (s.y, *(s.y_ends or ()))]
    up = axis_of([*y_values, NARROWEST], 0, HEIGHT)
    gutter = max(width(up.label(tick), SMALL) for tick in up.ticks) + 8
    x = axis_of(x_values, start + gutter, far, zero=False)
    y = Axis(up.ticks, up.step, lower, upper)
    lines += [_quiet(plot.y_title, start, top + TITLE + 12)]
    lines += _frame(x, y, plot.x_title)
    marks = [(x.at(100 * spot.x), y.at(100 * spot.y)) for spot in plot.spots]
    for trend in plot.trends:
        lines.append(_trend(trend, x, y))
    for spot, (at_x, at_y) in zip(plot.spots, marks, strict=True):
        lines += _bars(spot, at_x, at_y, x, y)
    for spot, (at_x, at_y) in zip(plot.spots, marks, strict=True):
        tip = f"{spot.label}: {100 * spot.x:.1f} %, {100 * spot.y:.1f} %"
        lines.append(f"<g>{mark(at_x, at_y, spot.series)}<title>{escape_text(tip)}</title></g>")
    lines += _labels(plot.spots, marks, _Area(start + gutter, upper - 4, far, lower), x, y)
    shown, bottom = _legend(plot.legend, far + GAP, edge, upper)
    return [*lines, *shown], max(lower + 40, bottom)


def _spanned(values: Sequence[float]) -> list[float]:
    """The values, and more where they lie too close together for an axis; in 0..100."""
    low, high = min(values), max(values)
    more = max(0.0, NARROWEST - (high - low)) / 2
    low = max(0.0, min(low - more, 100 - NARROWEST))
    return [low, min(100.0, max(high + more, low + NARROWEST))]


def _frame(x: Axis, y: Axis, x_title: str) -> Iterator[str]:
    for tick in y.ticks:
        kind, at = "zero" if tick == 0 else "grid", y.at(tick)
        yield f'<path class="{kind}" d="M{x.left:.1f} {at:.1f}H{x.right:.1f}"/>'
        yield f'<text class="quiet end" x="{x.left - 6:.1f}" y="{at + 4:.1f}">{y.label(tick)}</text>'
    for tick in x.ticks:
        at = x.at(tick)
        yield f'<path class="grid" d="M{at:.1f} {y.right:.1f}V{y.left:.1f}"/>'
        yield f'<text class="quiet middle" x="{at:.1f}" y="{y.left + 18:.1f}">{x.label(tick)}</text>'
    middle = (x.left + x.right) / 2
    yield f'<text class="quiet middle" x="{middle:.1f}" y="{y.left + 34:.1f}">{escape_text(x_title)}</text>'


def _trend(trend: Trend, x: Axis, y: Axis) -> str:
    """The line as far as it lies within the plot."""
    (x0, y0), (x1, y1) = ((100 * a, 100 * b) for a, b in (trend.begin, trend.end))
    low, high = y.ticks[0], y.ticks[-1]

    def cut(at_x: float, at_y: float) -> tuple[float, float]:
        bound = min(max(at_y, low), high)
        return (at_x, at_y) if bound == at_y or y1 == y0 else (x0 + (x1 - x0) * (bound - y0) / (y1 - y0), bound)

    (a, b), (c, d) = cut(x0, y0), cut(x1, y1)
    hue = f"s{trend.series % len(HUES)}"
    return f'<path class="trend {hue}" d="M{x.at(a):.1f} {y.at(b):.1f}L{x.at(c):.1f} {y.at(d):.1f}"/>'


def _bars(spot: Spot, at_x: float, at_y: float, x: Axis, y: Axis) -> Iterator[str]:
    hue = f"bar s{spot.series % len(HUES)}"
    if spot.x_ends is not None:
        low, high = (x.at(100 * end) for end in spot.x_ends)
        yield f'<path class="{hue}" d="M{low:.1f} {at_y:.1f}H{high:.1f}"/>'
    if spot.y_ends is not None:
        low, high = (y.at(100 * end) for end in spot.y_ends)
        yield f'<path class="{hue}" d="M{at_x:.1f} {low:.1f}V{high:.1f}"/>'


def _labels(
    spots: Sequence[Spot], marks: Sequence[tuple[float, float]], inside: _Area, x: Axis, y: Axis
) -> Iterator[str]:
    """Labels beside their points where nothing else is, preferably off the bars of intervals."""
    labelled = {spot.series for spot in spots} if len(spots) <= CROWD else {spots[0].series}
    short = shorten_apart([spot.label for spot in spots], SMALL, LONGEST)
    taken = [_Area(a - REACH, b - REACH, a + REACH, b + REACH) for a, b in marks]
    bars = []
    for spot, (at_x, at_y) in zip(spots, marks, strict=True):
        if spot.x_ends is not None:
            bars.append(_Area(x.at(100 * spot.x_ends[0]), at_y - 1, x.at(100 * spot.x_ends[1]), at_y + 1))
        if spot.y_ends is not None:
            bars.append(_Area(at_x - 1, y.at(100 * spot.y_ends[1]), at_x + 1, y.at(100 * spot.y_ends[0])))
    together: dict[tuple[float, float], list[str]] = {}
    for spot, (at_x, at_y) in zip(spots, marks, strict=True):
        if spot.series not in labelled:
            continue
        here = next((there for there in together if math.dist(there, (at_x, at_y)) <= SAME), (at_x, at_y))
        names = together.setdefault(here, [])
        if short[spot.label] not in names:
            names.append(short[spot.label])
    for (at_x, at_y), names in together.items():
        label = _joined(names, (inside.right - inside.left) / 2)
        wide = width(label, SMALL)
        places: list[tuple[int, int, float, float, _Area]] = []
        for side, above in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)):
            reach = REACH + 1
            begin = at_x + reach if side > 0 else at_x - reach - wide if side < 0 else at_x - wide / 2
            base = at_y - above * (reach + 5) + 4
            area = _Area(begin, base - 0.8 * SMALL, begin + wide, base + 0.25 * SMALL)
            if area.left < inside.left or area.right > inside.right or area.top < inside.top:
                continue
            if area.bottom <= inside.bottom and not any(area.meets(other) for other in taken):
                places.append((sum(area.meets(bar) for bar in bars), len(places), begin, base, area))
        if places:
            _, _, begin, base, area = min(places, key=lambda place: place[:2])
            taken.append(area)
            yield _quiet(label, begin, base, "quiet halo")


def _joined(names: Sequence[str], most: float) -> str:
    """As many of the names as are no wider than `most` together, at least one, and how many are left."""
    for count in range(len(names), 0, -1):
        left = len(names) - count
        label = ", ".join(names[:count]) + (f" and {left} more" if left else "")
        if width(label, SMALL) <= most:
            return label
    return names[0]


def _legend(legend: Sequence[Entry], left: float, right: float, top: float) -> tuple[list[str], float]:
    lines, y = [], top
    for entry in legend:
        indent = 18.0
        if entry.series is not None:
            lines.append(mark(left + 6, y + 4, entry.series))
        if entry.name:
            lines.append(cut_text(entry.name, left + indent, y + 8.5, "group", right - left - indent))
            y += LINE
        if entry.note:
            lines.append(cut_text(entry.note, left + indent, y + 8, "quiet", right - left - indent))
            y += LINE
        y += 6
    return lines, y


def _quiet(text: str, x: float, y: float, kind: str = "quiet") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape_text(text)}</text>'
