"""Draws legends: what the marks, or the fields, of series mean, in as many lines as they take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from omnipilot.bench.report.figures.sheet import SIZE, FigureSheet, shorten_apart, text_width

LINE, MARK, APART, FOOT = 4.0, 3.4, 3.6, 1.0


def legend_height(names: Sequence[str], width: float) -> float:
    """How high a legend is; 0 without names."""
    lines = len(list(_lines(names, width)))
    return LINE * lines + FOOT if lines else 0.0


def draw_legend(
    names: Sequence[str], sheet: FigureSheet, left: float, top: float, width: float, fills: Sequence[str] = ()
) -> None:
    """Draw a legend between two places of a sheet.

    Args:
        fills: colours of fields, in place of the marks of series.
    """
    for number, line in enumerate(_lines(names, width)):
        x, y = left, top + LINE * (number + 0.5)
        for at, words in line:
            if fills:
                sheet.box(x, y - 1.1, 2.4, 2.2, fills[at], "#8a8a8a" if fills[at] == "white" else "none")
            else:
                sheet.sample(x + 1.2, y, at)
            sheet.text(x + MARK, y, words)
            x += MARK + text_width(words, SIZE) + APART


def _lines(names: Sequence[str], width: float) -> Iterator[list[tuple[int, str]]]:
    """The numbers of the series and their names, in lines that are no wider than this."""
    short = shorten_apart(names, width - MARK) if names else {}
    line: list[tuple[int, str]] = []
    used = 0.0
    for at, name in enumerate(names):
        wide = MARK + text_width(short[name], SIZE)
        if line and used + wide > width:
            yield line
            line, used = [], 0.0
        line.append((at, short[name]))
        used += wide + APART
    if line:
        yield line
