"""Draws radars: shares of several things around a circle, a closed line for each series."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from omnipilot.bench.report.figures.records import Radar
from omnipilot.bench.report.figures.sheet import (
    DASHES,
    GRID,
    MARGIN,
    POINT,
    QUIET,
    SMALL,
    FigureSheet,
    hue,
    shape,
    text_width,
    title_height,
    wrap_at_most,
)

RINGS = (25, 50, 75, 100)
BEYOND, LINE = 3.0, 2.9
"""How far labels are from the outermost ring, and how high a line of them is."""
LABELS = 0.5
"""Of the width, what labels above and below take at most."""
LINES = 3
"""Of a label at most."""
CENTRE = 0.2
"""How far from the middle, in radii, a label stands above or below its axis and not beside it."""
LARGEST = 42.0
"""The radius at most."""


def radar_height(radar: Radar, width: float) -> float:
    """How high a radar is drawn, in millimetres."""
    return title_height(radar.title, width - 2 * MARGIN) + 2 * (_radius(width) + _beyond(radar, width))


def draw_radar(radar: Radar, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a radar between two places of a sheet. A series without a share has a gap there."""
    top = sheet.title(left + MARGIN, top, radar.title, width - 2 * MARGIN)
    radius = _radius(width)
    x, y = left + width / 2, top + radius + _beyond(radar, width)
    count = len(radar.axes)
    reach = radius * 1.02
    axes = sheet.axes(x - reach, y - reach, 2 * reach, 2 * reach)
    axes.set_xlim(-1.02, 1.02)
    axes.set_ylim(-1.02, 1.02)
    axes.set_xticks([])
    axes.set_yticks([])
    around = [_place(at, count, 1.0) for at in range(count)]
    for ring in RINGS:
        corners = [(ring / 100 * a, ring / 100 * b) for a, b in [*around, around[0]]]
        axes.plot([a for a, _ in corners], [b for _, b in corners], color=GRID, linewidth=0.6, zorder=1)
    for a, b in around:
        axes.plot([0, a], [0, b], color=GRID, linewidth=0.6, zorder=1)
    for series, values in enumerate(radar.values):
        for stretch in _stretches(values):
            places = [_place(at, count, values[at] or 0.0) for at in stretch]
            axes.plot(
                [a for a, _ in places],
                [b for _, b in places],
                color=hue(series),
                linewidth=1.2,
                linestyle=DASHES[series % len(DASHES)],
                zorder=3,
                clip_on=False,
            )
        known = [_place(at, count, value) for at, value in enumerate(values) if value is not None]
        axes.plot(
            [a for a, _ in known],
            [b for _, b in known],
            marker=shape(series),
            markersize=3.6,
            color=hue(series),
            markeredgecolor="white",
            markeredgewidth=0.4,
            linestyle="none",
            zorder=4,
            clip_on=False,
        )
    # Between two axes, where no series has a point.
    for ring in RINGS[1::2]:
        a, b = _place(0.5, count, ring / 100 * math.cos(math.pi / count))
        sheet.text(x + a * radius, y - b * radius, f"{ring}", SMALL, align="center", colour=QUIET, halo=True)
    _draw_labels(radar.axes, sheet, x, y, radius, width)


def _beyond(radar: Radar, width: float) -> float:
    """How far the labels above and below reach beyond the outermost ring."""
    lines = [len(wrap_at_most(name, LABELS * width, LINES)) for name in radar.axes]
    count = len(lines)
    ends = [lines[at] for at in range(count) if abs(_place(at, count, 1.0)[0]) < CENTRE]
    return BEYOND + LINE * (max(ends, default=1) - 0.5) + 0.5


def _radius(width: float) -> float:
    return min(LARGEST, (width / 2 - MARGIN) * 0.54)


def _place(at: float, count: int, share: float) -> tuple[float, float]:
    """A share on an axis, clockwise from above."""
    angle = math.pi / 2 - 2 * math.pi * at / count
    return share * math.cos(angle), share * math.sin(angle)


def _stretches(values: Sequence[float | None]) -> Iterator[list[int]]:
    """The neighbours between which a line is drawn: all around, or the parts between gaps."""
    count = len(values)
    gaps = [at for at, value in enumerate(values) if value is None]
    if not gaps:
        yield [*range(count), 0]
        return
    for gap, following in zip(gaps, [*gaps[1:], gaps[0] + count], strict=True):
        if between := [at % count for at in range(gap + 1, following)]:
            yield between


def _draw_labels(names: Sequence[str], sheet: FigureSheet, x: float, y: float, radius: float, width: float) -> None:
    for at, name in enumerate(names):
        across, up = _place(at, len(names), 1.0)
        align = "center" if abs(across) < CENTRE else "left" if across > 0 else "right"
        begin = x + across * (radius + BEYOND)
        room = LABELS * width if align == "center" else abs(begin - (x + math.copysign(width / 2 - MARGIN, across)))
        lines = wrap_at_most(name, room, LINES)
        middle = y - up * (radius + BEYOND)
        if abs(across) < CENTRE:
            middle -= math.copysign((len(lines) - 1) * LINE / 2, up)
        first = middle - (len(lines) - 1) * LINE / 2
        for number, words in enumerate(lines):
            assert text_width(words, SMALL) <= room + POINT
            sheet.text(begin, first + number * LINE, words, SMALL, align=align)
