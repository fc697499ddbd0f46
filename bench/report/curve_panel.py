"""Curves that share two axes, as an SVG file for light and dark screens and for paper, in the style of the forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figure import HUES, MARGIN, SIZE, WIDTH, Axis, axis_of, cut_text, document, mark
from omnipilot.bench.report.figure_text import escape_text, shorten_apart

LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT, FOOT = 64, 68, 470, 300, 52
LABELS = LEFT + PLOT_WIDTH + 18
"""Where the names of the curves begin."""
SAMPLE = 26
"""How long the piece of line before a name is."""
LINE, ENTRY = 16, 12
"""The height of a line of an entry, and the distance between two entries."""
DASHES = ("", "7 4", "2 3", "10 3 2 3")
"""Of the curves, from the first again if there are more: they tell curves apart on paper."""


@dataclass(frozen=True, slots=True)
class Series:
    """A curve.

    Attributes:
        points: (x, y), x in 0..1 and rising, y in 0..1; at least one.
        notes: short lines below its name. mark: where to draw a dot; None for none.
    """

    name: str
    points: Sequence[tuple[float, float]]
    notes: Sequence[str] = ()
    mark: tuple[float, float] | None = None


def curves(title: str, series: Sequence[Series], across: str, up: str) -> str:
    """Curves over shares of something, as the text of an SVG file; both axes are in percent.

    Args:
        series: at least one. across, up: what the axes are.
    """
    highest = max(y for one in series for _, y in one.points)
    horizontal = Axis((0.0, 20.0, 40.0, 60.0, 80.0, 100.0), 20.0, LEFT, LEFT + PLOT_WIDTH)
    # As many numbers as stand apart when written below each other.
    vertical = axis_of([100 * highest or 100.0], 0.0, PLOT_HEIGHT)
    bottom = TOP + PLOT_HEIGHT

    def at(x: float, y: float) -> tuple[float, float]:
        return horizontal.at(100 * x), bottom - vertical.at(100 * y)

    body = [
        cut_text(title, MARGIN, 29, "title", WIDTH - 2 * MARGIN),
        _text(up, LEFT, TOP - 14, "quiet"),
        _text(across, LEFT + PLOT_WIDTH / 2, bottom + 40, "quiet middle"),
    ]
    for tick in vertical.ticks:
        y = bottom - vertical.at(tick)
        kind = "zero" if tick == 0 else "grid"
        body.append(f'<path class="{kind}" d="M{LEFT} {y:.1f}H{LEFT + PLOT_WIDTH}"/>')
        body.append(_text(vertical.label(tick), LEFT - 8, y + 4, "quiet end"))
    for tick in horizontal.ticks:
        x = horizontal.at(tick)
        body.append(f'<path class="{"zero" if tick == 0 else "grid"}" d="M{x:.1f} {TOP}V{bottom}"/>')
        body.append(_text(horizontal.label(tick), x, bottom + 19, "quiet middle"))
    for number, one in enumerate(series):
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*point) for point in one.points))
        body.append(_curve(number, f"M{path}"))
        if one.mark is not None:
            body.append(mark(*at(*one.mark), number))
    lines, last = _entries(series, [at(*one.points[-1])[1] for one in series])
    return document(title, [*body, *lines], WIDTH, max(bottom + FOOT, last + MARGIN))


def _curve(number: int, path: str) -> str:
    dashes = DASHES[number % len(DASHES)]
    return (
        f'<path class="curve s{number % len(HUES)}" fill="none" stroke-width="2.2" stroke-linejoin="round" '
        f'stroke-dasharray="{dashes}" d="{path}"/>'
    )


def _entries(series: Sequence[Series], ends: Sequence[float]) -> tuple[list[str], float]:
    """The names beside the plot, each as near to the end of its curve as the others allow; and where the last ends."""
    most = WIDTH - MARGIN - LABELS - SAMPLE - 6
    short = shorten_apart([one.name for one in series], SIZE, most)
    lines, y = [], float(TOP)
    for number in sorted(range(len(series)), key=lambda n: (ends[n], n)):
        one = series[number]
        y = max(y, ends[number] + 4.5)
        lines.append(_curve(number, f"M{LABELS} {y - 4.5:.1f}h{SAMPLE}"))
        lines.append(_text(short[one.name], LABELS + SAMPLE + 6, y, "", one.name))
        for note in one.notes:
            y += LINE
            lines.append(cut_text(note, LABELS + SAMPLE + 6, y, "quiet", most))
        y += LINE + ENTRY
    return lines, y - LINE


def _text(text: str, x: float, y: float, kind: str, whole: str = "") -> str:
    """A text at a place; if it is shortened, a tooltip shows all of it."""
    told = f"<title>{escape_text(whole)}</title>" if whole not in ("", text) else ""
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}">{escape_text(text)}{told}</text>'
