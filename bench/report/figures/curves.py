"""Draws curves that share two axes, with their names beside them."""

from __future__ import annotations

from omnipilot.bench.report.figures.records import Curves
from omnipilot.bench.report.figures.sheet import (
    DASHES,
    GRID,
    LINE,
    MARGIN,
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

ABOVE, HEIGHT, FOOT, GAP = 4.5, 58.0, 9.0, 4.0
BESIDE = 120.0
"""A figure at least this wide has the names beside the plot, a narrower one below it."""
NAMES = 0.34
"""Share of the width that names beside the plot have."""
SAMPLE = 7.0
"""How long the piece of line before a name is."""
ACROSS = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]


def curves_height(curves: Curves, width: float) -> float:
    """How high curves are drawn, in millimetres."""
    names = sum(LINE * (1 + len(one.notes)) + 1.5 for one in curves.series)
    plot = ABOVE + HEIGHT + FOOT
    return title_height(curves.title, width - 2 * MARGIN) + (
        max(plot, ABOVE + names) if width >= BESIDE else plot + names
    )


def draw_curves(curves: Curves, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw curves between two places of a sheet."""
    start, edge = left + MARGIN, left + width - MARGIN
    beside = width >= BESIDE
    top = sheet.title(start, top, curves.title, edge - start)
    sheet.text(start, top + 1.6, shorten(curves.up, edge - start, SMALL), SMALL, colour=QUIET)
    highest = max(y for one in curves.series for _, y in one.points)
    ticks = round_ticks([0.0, 100 * highest or 100.0], HEIGHT)
    gutter = max(text_width(tick_text(tick, ticks), SMALL) for tick in ticks) + 1.5
    far = edge - (NAMES * width + GAP if beside else 3.0)
    upper = top + ABOVE
    axes = sheet.axes(start + gutter, upper, far - start - gutter, HEIGHT)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, ticks[-1])
    axes.set_xticks(ACROSS)
    axes.set_yticks(ticks)
    axes.yaxis.set_major_formatter(ticks_formatter(ticks))
    axes.tick_params(axis="x", pad=4)
    axes.grid(color=GRID, linewidth=0.6)
    axes.set_xlabel(shorten(curves.across, far - start - gutter, SMALL), fontsize=SMALL, color=QUIET, labelpad=2)
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    for index, one in enumerate(curves.series):
        axes.plot(
            [100 * x for x, _ in one.points],
            [100 * y for _, y in one.points],
            color=hue(index),
            linewidth=1.3,
            linestyle=DASHES[index % len(DASHES)],
            clip_on=False,
            zorder=3,
        )
        if one.mark is not None:
            axes.plot(
                [100 * one.mark[0]],
                [100 * one.mark[1]],
                marker=shape(index),
                markersize=4.6,
                color=hue(index),
                markeredgecolor="white",
                markeredgewidth=0.5,
                clip_on=False,
                zorder=4,
            )
    if beside:
        _draw_names(curves, sheet, far + GAP, edge, upper + 1.5)
    else:
        _draw_names(curves, sheet, start, edge, upper + HEIGHT + FOOT + 1.5)


def _draw_names(curves: Curves, sheet: FigureSheet, left: float, right: float, y: float) -> None:
    """The names with their notes, from the curve that ends highest to the one that ends lowest."""
    most = right - left - SAMPLE - 2
    short = shorten_apart([one.name for one in curves.series], most)
    order = sorted(enumerate(curves.series), key=lambda pair: (-pair[1].points[-1][1], pair[0]))
    for index, one in order:
        sheet.sample(left, y, index, SAMPLE)
        sheet.text(left + SAMPLE + 2, y, short[one.name])
        y += LINE
        for note in one.notes:
            sheet.text(left + SAMPLE + 2, y, shorten(note, most, SMALL), SMALL, colour=QUIET)
            y += LINE
        y += 1.5
