"""Draws points with intervals in both directions, in series, with a label beside each where there is room."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from matplotlib.axes import Axes

from omnipilot.bench.report.figures.curves import ABOVE, BESIDE, FOOT, GAP
from omnipilot.bench.report.figures.records import Scatter, Spot
from omnipilot.bench.report.figures.sheet import (
    GRID,
    LINE,
    MARGIN,
    POINT,
    QUIET,
    SMALL,
    FigureSheet,
    hue,
    round_ticks,
    shape,
    shorten,
    shorten_apart,
    text_width,
    tick_text,
    ticks_formatter,
    title_height,
)

HEIGHT = 72.0
LEGEND = 0.26
"""Share of the width that a legend beside the plot has."""
REACH = 1.3
"""Half the side of the square that a mark keeps free."""
NARROWEST = 10.0
"""Minimum span of an axis, in percent."""
LONGEST = 30.0
"""Maximum width of a label."""
_At: TypeAlias = Callable[[float, float], tuple[float, float]]
"""The place on the sheet of two shares in 0..1."""
CROWD = 12
"""With more points than this, only those of the first series are labelled."""
SAME = 0.3
"""Points no further apart than this, whose marks hide each other, share a label with all their names."""


def scatter_height(scatter: Scatter, width: float) -> float:
    """How high a scatter plot is drawn, in millimetres."""
    names = (LINE + 1) * len(scatter.names)
    plot = ABOVE + HEIGHT + FOOT
    return title_height(scatter.title, width - 2 * MARGIN) + (
        max(plot, ABOVE + names) if width >= BESIDE else plot + names
    )


def draw_scatter(scatter: Scatter, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a scatter plot between two places of a sheet.

    Points at the same place share a label. One that finds no room beside its point is left out, and so are those of
    further series where there are many points (`CROWD`). Points of a series are joined in the order of their x.
    """
    start, edge = left + MARGIN, left + width - MARGIN
    beside = width >= BESIDE
    top = sheet.title(start, top, scatter.title, edge - start)
    sheet.text(start, top + 1.6, shorten(scatter.up, edge - start, SMALL), SMALL, colour=QUIET)
    far = edge - (LEGEND * width + GAP if beside else 3.0)
    upper = top + ABOVE
    ups = [100 * v for spot in scatter.spots for v in (spot.y, *(spot.y_ends or ()))]
    y_ticks = round_ticks([0.0, NARROWEST, *ups], HEIGHT)
    gutter = max(text_width(tick_text(tick, y_ticks), SMALL) for tick in y_ticks) + 1.5
    place = _Area(start + gutter, upper, far, upper + HEIGHT)
    axes = sheet.axes(place.left, place.top, place.width, HEIGHT)
    x_ticks = round_ticks(_spanned([100 * v for s in scatter.spots for v in (s.x, *(s.x_ends or ()))]), place.width)
    axes.set_xlim(x_ticks[0], x_ticks[-1])
    axes.set_ylim(y_ticks[0], y_ticks[-1])
    axes.set_xticks(x_ticks)
    axes.set_yticks(y_ticks)
    axes.xaxis.set_major_formatter(ticks_formatter(x_ticks))
    axes.yaxis.set_major_formatter(ticks_formatter(y_ticks))
    axes.tick_params(axis="x", pad=4)
    axes.grid(color=GRID, linewidth=0.6)
    axes.set_xlabel(shorten(scatter.across, place.width, SMALL), fontsize=SMALL, color=QUIET, labelpad=2)
    axes.axhline(0, color=QUIET, linewidth=0.8)
    for series in sorted({spot.series for spot in scatter.spots}):
        _draw_series([spot for spot in scatter.spots if spot.series == series], axes)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (100 * x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (100 * y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return place.left + across * place.width, place.bottom - up * HEIGHT

    for words, x, y in _labels(scatter.spots, [at(spot.x, spot.y) for spot in scatter.spots], place, at):
        sheet.text(x, y, words, SMALL, colour=QUIET, halo=True)
    y = upper + 1.5 if beside else upper + HEIGHT + FOOT + 1.5
    left_of_names = far + GAP if beside else start
    short = shorten_apart(scatter.names, edge - left_of_names - 4)
    for index, name in enumerate(scatter.names):
        sheet.sample(left_of_names + 1, y, index)
        sheet.text(left_of_names + 4, y, short[name])
        y += LINE + 1


def _draw_series(spots: Sequence[Spot], axes: Axes) -> None:
    """Intervals and marks, joined from the leftmost to the rightmost."""
    series = spots[0].series
    colour = hue(series)
    ordered = sorted(spots, key=lambda spot: (spot.x, spot.y))
    axes.plot(
        [100 * spot.x for spot in ordered],
        [100 * spot.y for spot in ordered],
        color=colour,
        linewidth=0.8,
        linestyle=(0, (4, 2)),
        alpha=0.6,
        zorder=2,
    )
    for spot in spots:
        x, y = 100 * spot.x, 100 * spot.y
        if spot.x_ends is not None:
            axes.plot([100 * end for end in spot.x_ends], [y, y], color=colour, linewidth=0.8, alpha=0.5, zorder=2)
        if spot.y_ends is not None:
            axes.plot([x, x], [100 * end for end in spot.y_ends], color=colour, linewidth=0.8, alpha=0.5, zorder=2)
    axes.plot(
        [100 * spot.x for spot in spots],
        [100 * spot.y for spot in spots],
        marker=shape(series),
        markersize=5,
        color=colour,
        markeredgecolor="white",
        markeredgewidth=0.5,
        linestyle="none",
        clip_on=False,
        zorder=4,
    )


@dataclass(frozen=True, slots=True)
class _Area:
    """A rectangle of the sheet, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    def meets(self, other: _Area) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)

    def inside(self, other: _Area) -> bool:
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom


def _spanned(values: Sequence[float]) -> list[float]:
    """The values, and more where they lie too close together for an axis; in 0..100."""
    low, high = min(values), max(values)
    more = max(0.0, NARROWEST - (high - low)) / 2
    low = max(0.0, min(low - more, 100 - NARROWEST))
    return [low, min(100.0, max(high + more, low + NARROWEST))]


def _labels(
    spots: Sequence[Spot], marks: Sequence[tuple[float, float]], inside: _Area, at: _At
) -> Iterator[tuple[str, float, float]]:
    """Labels and where to write them: beside their points where nothing else is, preferably off the bars."""
    short = shorten_apart([spot.label for spot in spots], LONGEST, SMALL)
    taken = [_Area(x - REACH, y - REACH, x + REACH, y + REACH) for x, y in marks]
    bars = list(_bars(spots, at))
    together: dict[tuple[float, float], list[str]] = {}
    for spot, mark in zip(spots, marks, strict=True):
        if len(spots) > CROWD and spot.series != spots[0].series:
            continue
        here = next((there for there in together if math.dist(there, mark) <= SAME), mark)
        names = together.setdefault(here, [])
        if short[spot.label] not in names:
            names.append(short[spot.label])
    high = SMALL * POINT
    for (x, y), names in together.items():
        words = _joined(names, inside.width / 2)
        wide = text_width(words, SMALL)
        places: list[tuple[int, int, float, float, _Area]] = []
        for side, above in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)):
            begin = x + REACH + 0.3 if side > 0 else x - REACH - 0.3 - wide if side < 0 else x - wide / 2
            middle = y - above * (REACH + (0.4 if side else 1.0))
            area = _Area(begin, middle - 0.55 * high, begin + wide, middle + 0.6 * high)
            if area.inside(inside) and not any(area.meets(other) for other in taken):
                places.append((sum(area.meets(bar) for bar in bars), len(places), begin, middle, area))
        if places:
            _, _, begin, middle, area = min(places, key=lambda place: place[:2])
            taken.append(area)
            yield words, begin, middle


def _bars(spots: Sequence[Spot], at: _At) -> Iterator[_Area]:
    """Where intervals, and the lines between points, are drawn."""
    for series in dict.fromkeys(spot.series for spot in spots):
        joined = sorted((at(spot.x, spot.y) for spot in spots if spot.series == series), key=lambda place: place[0])
        for (x, y), (far, end) in pairwise(joined):
            for step in range(1, 20):
                a, b = x + (far - x) * step / 20, y + (end - y) * step / 20
                yield _Area(a - 0.3, b - 0.3, a + 0.3, b + 0.3)
    for spot in spots:
        if spot.x_ends is not None:
            (low, y), (high, _) = at(spot.x_ends[0], spot.y), at(spot.x_ends[1], spot.y)
            yield _Area(low, y - 0.2, high, y + 0.2)
        if spot.y_ends is not None:
            (x, low), (_, high) = at(spot.x, spot.y_ends[0]), at(spot.x, spot.y_ends[1])
            yield _Area(x - 0.2, high, x + 0.2, low)


def _joined(names: Sequence[str], most: float) -> str:
    """As many of the names as are no wider than `most` together, at least one, and how many are left."""
    for count in range(len(names), 0, -1):
        left = len(names) - count
        label = ", ".join(names[:count]) + (f" and {left} more" if left else "")
        if text_width(label, SMALL) <= most:
            return label
    return names[0]
