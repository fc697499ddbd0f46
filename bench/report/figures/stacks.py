"""Draws stacked bars: how many of each part, as shares of the whole, with the counts in them."""

from __future__ import annotations

from omnipilot.bench.report.figures.legend import draw_legend, legend_height
from omnipilot.bench.report.figures.records import StackBar, Stacks
from omnipilot.bench.report.figures.sheet import (
    HUES,
    INK,
    MARGIN,
    QUIET,
    SIZE,
    SMALL,
    FigureSheet,
    shorten,
    shorten_apart,
    text_width,
    title_height,
)

ROW, BAR, HEADING, ABOVE, FOOT, GAP, INDENT = 5.0, 3.8, 4.8, 3.6, 4.0, 2.0, 2.0
NARROWEST = 0.3
"""Share of the width that bars have at least."""
PALE = "#d6d6d6"
DARK = "#3a3a3a"
FILLS = (*(HUES[at] for at in (0, 2, 1, 4, 3, 7, 5, 6)), DARK, PALE, "white")
"""Of the parts, in their order, whether or not there are any; neighbours differ in lightness. No more parts fit."""
LIGHT = (HUES[1], HUES[3], HUES[6], PALE, "white")
"""Those on which counts are dark."""


def stacks_height(stacks: Stacks, width: float) -> float:
    """How high stacked bars are drawn, in millimetres."""
    groups = len({bar.group for bar in stacks.bars if bar.group})
    above = ABOVE if stacks.about else 0.0
    title = title_height(stacks.title, width - 2 * MARGIN)
    legend = legend_height(_names(stacks), width - 2 * MARGIN)
    return title + legend + above + ROW * len(stacks.bars) + HEADING * groups + FOOT


def draw_stacks(stacks: Stacks, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw stacked bars between two places of a sheet."""
    start, edge = left + MARGIN, left + width - MARGIN
    top = sheet.title(start, top, stacks.title, edge - start)
    fills = [fill for fill, name in zip(FILLS, stacks.parts, strict=False) if name in _names(stacks)]
    draw_legend(_names(stacks), sheet, start, top, edge - start, fills)
    top += legend_height(_names(stacks), edge - start)
    notes = max((text_width(bar.note, SMALL) for bar in stacks.bars), default=0.0)
    notes = max(notes, text_width(stacks.about, SMALL))
    labels = max((text_width(bar.label) + INDENT * bool(bar.group) for bar in stacks.bars), default=0.0)
    far = edge - notes - (GAP if notes else 0)
    begin = min(start + labels + GAP, far - NARROWEST * width)
    indent = INDENT * any(bar.group for bar in stacks.bars)
    short = shorten_apart([bar.label for bar in stacks.bars], begin - start - GAP - indent)
    if stacks.about:
        sheet.text(edge, top + ABOVE / 2, stacks.about, SMALL, align="right", colour=QUIET)
        top += ABOVE
    group = ""
    for bar in stacks.bars:
        if bar.group and bar.group != group:
            group = bar.group
            sheet.text(start, top + HEADING / 2 + 0.4, shorten(group, edge - start, SIZE, bold=True), bold=True)
            top += HEADING
        sheet.text(start + INDENT * bool(bar.group), top + ROW / 2, short[bar.label])
        _draw_bar(bar, sheet, begin, top + (ROW - BAR) / 2, far - begin)
        if bar.note:
            sheet.text(edge, top + ROW / 2, bar.note, SMALL, align="right", colour=QUIET)
        top += ROW
    for share in (0, 50, 100):
        x = begin + (far - begin) * share / 100
        sheet.line([(x, top), (x, top + 0.8)], QUIET, 0.6)
        words = f"{share} %" if share == 100 else f"{share}"
        sheet.text(x, top + 2.3, words, SMALL, align="right" if share == 100 else "center", colour=QUIET)


def _names(stacks: Stacks) -> list[str]:
    """The parts of which there are any."""
    return [name for at, name in enumerate(stacks.parts) if any(bar.counts[at] for bar in stacks.bars)]


def _draw_bar(bar: StackBar, sheet: FigureSheet, left: float, top: float, long: float) -> None:
    whole = sum(bar.counts)
    if not whole:
        sheet.text(left, top + BAR / 2, "none", SMALL, colour=QUIET)
        return
    for count, fill in zip(bar.counts, FILLS, strict=False):
        wide = long * count / whole
        if not count:
            continue
        sheet.box(left, top, wide, BAR, fill, "#8a8a8a" if fill == "white" else "white")
        words = str(count)
        if text_width(words, SMALL) + 0.6 <= wide:
            ink = INK if fill in LIGHT else "white"
            sheet.text(left + wide / 2, top + BAR / 2, words, SMALL, align="center", colour=ink)
        left += wide
