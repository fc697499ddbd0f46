"""Draws strips: pictures in rows that are as wide as the figure, with where was pointed and what was done."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from omnipilot.bench.report.figures.records import PictureStrip, StripFrame
from omnipilot.bench.report.figures.sheet import (
    GRID,
    INCH,
    MARGIN,
    QUIET,
    SIZE,
    SMALL,
    FigureSheet,
    shorten,
    title_height,
    wrap_at_most,
)

GAP, HEAD, LINE, BETWEEN, ABOUT = 2.5, 3.6, 2.9, 2.5, 3.2
NATURAL, HIGHEST = 36.0, 48.0
"""How high pictures are about, and at most."""
NARROWEST = 17.0
"""Of a picture, so that its words can be read."""
ABOUT_LINES = 4
"""Of each paragraph above the pictures, at most."""
LINES = 5
"""Of words below a picture, at most."""
DPI = 300
RING = "#b93c26"


@dataclass(frozen=True, slots=True)
class _Row:
    frames: list[StripFrame]
    widths: list[float]
    high: float
    lines: int


def strip_height(strip: PictureStrip, width: float) -> float:
    """How high a strip is drawn, in millimetres."""
    rows = _rows(strip, width - 2 * MARGIN)
    about = _about(strip, width - 2 * MARGIN)
    pictures = sum(HEAD + row.high + 1.2 + LINE * row.lines for row in rows) + BETWEEN * (len(rows) - 1)
    return title_height(strip.title, width - 2 * MARGIN) + ABOUT * len(about) + bool(about) * 1.0 + pictures


def draw_strip(strip: PictureStrip, sheet: FigureSheet, left: float, top: float, width: float) -> None:
    """Draw a strip between two places of a sheet."""
    start, wide = left + MARGIN, width - 2 * MARGIN
    top = sheet.title(start, top, strip.title, wide)
    about = _about(strip, wide)
    for words in about:
        sheet.text(start, top + 1.4, words, SIZE)
        top += ABOUT
    top += bool(about) * 1.0
    for row in _rows(strip, wide):
        x = start
        for frame, each in zip(row.frames, row.widths, strict=True):
            _draw_frame(frame, sheet, x, top, each, row.high)
            x += each + GAP
        top += HEAD + row.high + 1.2 + LINE * row.lines + BETWEEN


def _about(strip: PictureStrip, wide: float) -> list[str]:
    parts = strip.about.split("\n") if strip.about else []
    return [line for part in parts for line in wrap_at_most(part, wide, ABOUT_LINES, SIZE)]


def _rows(strip: PictureStrip, wide: float) -> list[_Row]:
    """The frames in rows; those of a row are equally high, and fill it unless they are few."""
    rows: list[list[StripFrame]] = []
    used = 0.0
    for frame in strip.frames:
        own = max(NARROWEST, NATURAL * frame.size[0] / frame.size[1])
        if not rows or used + GAP + own > wide * 1.08:
            rows.append([])
            used = -GAP
        rows[-1].append(frame)
        used += GAP + own
    made: list[_Row] = []
    for frames in rows:
        # The last row need not be full: its pictures are no higher than those above.
        made.append(_row(frames, wide, made[-1].high if made and frames is rows[-1] else HIGHEST))
    return made


def _row(frames: Sequence[StripFrame], wide: float, highest: float) -> _Row:
    ratios = [frame.size[0] / frame.size[1] for frame in frames]
    high = min(highest, (wide - GAP * (len(frames) - 1)) / sum(ratios))
    widths = [high * ratio for ratio in ratios]
    lines = max(len(_words(frame, own)) for frame, own in zip(frames, widths, strict=True))
    return _Row(list(frames), widths, high, lines)


def _words(frame: StripFrame, wide: float) -> list[str]:
    """The lines below a picture; what went wrong stands last."""
    fault = _fault(frame, wide)
    return [*wrap_at_most(frame.words, wide, LINES - len(fault)), *fault]


def _fault(frame: StripFrame, wide: float) -> list[str]:
    return wrap_at_most(frame.fault, wide, 2) if frame.fault else []


def _draw_frame(frame: StripFrame, sheet: FigureSheet, left: float, top: float, wide: float, high: float) -> None:
    sheet.text(left, top + HEAD / 2 - 0.2, shorten(frame.head, wide, SMALL, bold=True), SMALL, bold=True)
    top += HEAD
    sheet.box(left, top, wide, high, "white", GRID)
    if frame.picture is None:
        sheet.text(left + wide / 2, top + high / 2, "no picture", SMALL, align="center", colour=QUIET)
    else:
        axes = sheet.axes(left, top, wide, high)
        axes.set_zorder(3)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.imshow(_pixels(frame.picture, wide, high), aspect="auto", extent=(0, 1, 1, 0), interpolation="none")
        if frame.at is not None:
            for colour, thick in (("white", 2.6), (RING, 1.3)):
                axes.plot(
                    [frame.at[0]],
                    [frame.at[1]],
                    marker="o",
                    markersize=9,
                    markerfacecolor="none",
                    markeredgecolor=colour,
                    markeredgewidth=thick,
                    linestyle="none",
                    clip_on=False,
                    zorder=4,
                )
        axes.set_xlim(0, 1)
        axes.set_ylim(1, 0)
    y = top + high + 1.2 + LINE / 2
    lines = _words(frame, wide)
    for number, words in enumerate(lines):
        fault = number >= len(lines) - len(_fault(frame, wide))
        sheet.text(left, y, words, SMALL, colour=RING if fault else QUIET)
        y += LINE


def _pixels(picture: bytes, wide: float, high: float) -> np.ndarray:
    """A picture with as many pixels as 300 to an inch ask for, and no more than it has."""
    from PIL import Image as pil

    with pil.open(io.BytesIO(picture)) as opened:
        shown = opened.convert("RGB")
        shown.thumbnail((round(wide / INCH * DPI), round(high / INCH * DPI)), pil.Resampling.LANCZOS)
        return np.asarray(shown)
