"""Forest plots: estimates with their intervals, one per row, as an SVG file for light and dark screens and for paper.

Written by hand rather than by matplotlib: the page shows SVG in every installation, and the core cannot carry a library
that takes most of a second to load.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.bench.report.figure_text import escape_text, shorten, shorten_apart, width

WIDTH, MARGIN, GAP = 800, 14, 16
ROW, HEADING, TITLE, FOOT, BETWEEN = 24, 28, 38, 36, 18
SIZE, SMALL, LARGE = 13, 11.5, 15
PLOT, NARROW, NOTES, INDENT = 200, 0.28, 150, 12
"""Minimum width of the axis and the share of a narrow figure that is enough for it, maximum width of notes, and how far
labels are indented below the name of their group."""
TICKS_APART = 16
"""Minimum distance between two numbers of an axis."""
SHORTEST_SPAN = 1e-6
"""Minimum span of an axis; anything shorter counts as none."""
STYLE = """
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:13px}
text{fill:#181c24}.title{font-size:15px;font-weight:600}.group{font-weight:600}.quiet{fill:#626b7a;font-size:11.5px}
.ground{fill:#fff}.grid{stroke:#e4e7ec}.zero{stroke:#626b7a}.whisker{stroke:#4453d6;stroke-width:2}.dot{fill:#4453d6}
.end{text-anchor:end}.middle{text-anchor:middle}.bar{stroke-opacity:.55}.trend{stroke-width:1.5;stroke-dasharray:5 3}
.halo{paint-order:stroke;stroke:#fff;stroke-width:3;stroke-linejoin:round}
@media(prefers-color-scheme:dark){text{fill:#e7eaf0}.ground{fill:#181b21}.quiet{fill:#98a1b2}.grid{stroke:#2f3540}
.zero{stroke:#98a1b2}.halo{stroke:#181b21}.whisker{stroke:#919cff}.dot{fill:#919cff}}
"""
HUES = (
    ("#4453d6", "#919cff"),
    ("#b84a00", "#ff9d57"),
    ("#0f7a56", "#4fcf9f"),
    ("#a8258a", "#f08bd8"),
    ("#0b7490", "#5cc8e6"),
    ("#b3261e", "#ff8a80"),
    ("#6b5a00", "#d6c04a"),
    ("#5b4a8a", "#bda9f5"),
)
"""Colours of series, on light and on dark ground; each has a contrast of 4.5 or more to its ground."""
SHAPES = ("", "M-4 -4h8v8h-8z", "M0 -5.2L5 3.8H-5z", "M0 -5.6L5.6 0L0 5.6L-5.6 0z", "M0 5.2L5 -3.8H-5z")
"""Shapes of series, "" for a circle: for readers who do not see colours apart, and for paper."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A row: an estimate with the ends of its interval; None if there is none.

    Attributes:
        group: rows of one group stand together under its name; "" for none.
        note: a few words at the right end, such as a p-value.
        series: rows of one series have a colour and a shape; None for the usual ones.
    """

    label: str
    estimate: float | None
    low: float | None
    high: float | None
    group: str = ""
    note: str = ""
    series: int | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows that share an axis.

    Attributes:
        zero: the estimates are differences: draw a line at zero, and print numbers with their signs.
        scale: factor of the numbers shown; 100 for shares as percent. unit: written at the axis.
    """

    title: str
    dots: Sequence[Dot]
    zero: bool
    scale: float = 100.0
    unit: str = "%"


def forest(title: str, dots: Sequence[Dot], zero: bool, scale: float = 100.0, unit: str = "%") -> str:
    """One forest, as the text of an SVG file.

    Args:
        zero: estimates are differences: a line at zero, and numbers with their signs.
        scale: of the numbers that are shown; 100 for shares as percent. unit: written at the axis.
    """
    return panels([Panel(title, dots, zero, scale, unit)])


def drawn_intervals(dots: Sequence[Dot], level: float) -> str:
    """For a title: the level of the intervals that are drawn, or that there are none."""
    some = any(dot.low is not None and dot.high is not None for dot in dots)
    return f"{100 * level:g} % intervals" if some else "without intervals"


def panels(shown: Sequence[Panel]) -> str:
    """Several forests, one below the other with their columns aligned, as the text of an SVG file."""
    body, bottom = stack(shown, 0, WIDTH, MARGIN / 2)
    return document("; ".join(panel.title for panel in shown), body, WIDTH, bottom + MARGIN / 2)


def document(title: str, body: Sequence[str], wide: float, high: float) -> str:
    """An SVG file of elements that were drawn; `title` is what screen readers say."""
    style = STYLE + (_series_style() if any(re.search(r'class="\w+ [sf]\d', line) for line in body) else "")
    size = f'width="{round(wide)}" height="{round(high)}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {round(wide)} {round(high)}" {size} role="img" '
            f'aria-label="{escape_text(title)}">',
            f"<style>{style}</style>",
            f'<rect class="ground" {size}/>',
            *body,
            "</svg>\n",
        )
    )


def _series_style() -> str:
    light, dark = (
        "".join(f".s{i}{{stroke:{pair[ground]}}}.f{i}{{fill:{pair[ground]}}}" for i, pair in enumerate(HUES))
        for ground in (0, 1)
    )
    return f"{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n"


def stack(shown: Sequence[Panel], left: float, right: float, top: float) -> tuple[list[str], float]:
    """The elements of several forests between two x, one below the other with their columns aligned.

    Returns:
        The elements, and the y at which they end.
    """
    dots = [dot for panel in shown for dot in panel.dots]
    numbers = max((width(number(dot, panel), SIZE) for panel in shown for dot in panel.dots), default=0.0)
    notes = min(NOTES, max((width(dot.note, SMALL) for dot in dots), default=0.0))
    edge = right - MARGIN - notes - (GAP if notes else 0)
    end = edge - numbers - GAP
    # One more than the widest, so that rounding shortens none.
    labels = 1 + max((width(dot.label, SIZE) + INDENT * bool(dot.group) for dot in dots), default=0.0)
    plot = min(PLOT, NARROW * (right - left))
    columns = _Columns(left + MARGIN, min(left + MARGIN + labels + GAP, end - plot), end, edge, notes, right - MARGIN)
    body: list[str] = []
    for panel in shown:
        lines, top = _panel(panel, columns, top)
        body += lines
        top += BETWEEN
    return body, top - BETWEEN


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where labels start, where the axis starts and ends, where numbers end, how wide notes are, and where all ends."""

    start: float
    left: float
    end: float
    numbers: float
    notes: float
    edge: float


def number(dot: Dot, panel: Panel) -> str:
    """The estimate and its interval in figures, as "62.5 [41.0, 80.1]"; small ones with more digits."""
    if dot.estimate is None:
        return "—"
    known = [panel.scale * value for value in (dot.estimate, dot.low, dot.high) if value is not None]
    largest = max(map(abs, known))
    digits = 1 if largest >= 1 or largest == 0 else 2 if largest >= 0.1 else 4

    def text(value: float) -> str:
        shown = f"{panel.scale * value:{'+' if panel.zero else ''}.{digits}f}"
        return (shown[1:] if float(shown) == 0 and shown[0] in "+-" else shown).replace("-", "−")

    ends = "—" if dot.low is None or dot.high is None else f"{text(dot.low)}, {text(dot.high)}"
    return f"{text(dot.estimate)} [{ends}]"


def _panel(panel: Panel, columns: _Columns, top: float) -> tuple[list[str], float]:
    """The elements of a panel, and the y at which it ends."""
    values = [value for dot in panel.dots for value in (dot.estimate, dot.low, dot.high) if value is not None]
    axis = axis_of([panel.scale * value for value in values], columns.left, columns.end)
    start, wide = columns.start, columns.edge - columns.start
    lines = [cut_text(panel.title, start, top + 22, "title", wide)]
    y = top + TITLE
    for group in dict.fromkeys(dot.group for dot in panel.dots):
        if group:
            lines.append(cut_text(group, start, y + 19, "group", wide))
            y += HEADING
        rows = [dot for dot in panel.dots if dot.group == group]
        most = columns.left - GAP - start - INDENT * bool(group)
        short = shorten_apart([dot.label for dot in rows], SIZE, most)
        lines += _grid(axis, panel.zero, y, y + ROW * len(rows))
        for dot in rows:
            lines.append(_text(dot.label, start + INDENT * bool(group), y + ROW / 2 + 4.5, short=short[dot.label]))
            lines += _row(dot, panel, columns, axis, y + ROW / 2)
            y += ROW
    return [*lines, *_ticks(axis, panel.unit, y)], y + FOOT


def _grid(axis: Axis, zero: bool, top: float, bottom: float) -> list[str]:
    return [
        f'<path class="{"zero" if zero and tick == 0 else "grid"}" d="M{axis.at(tick):.1f} {top:.1f}V{bottom:.1f}"/>'
        for tick in axis.ticks
    ]


def _ticks(axis: Axis, unit: str, y: float) -> list[str]:
    told = [(axis.at(tick), 16, axis.label(tick)) for tick in axis.ticks]
    told.append(((axis.left + axis.right) / 2, 31, unit))
    return [
        f'<text class="quiet middle" x="{x:.1f}" y="{y + down:.1f}">{escape_text(text)}</text>'
        for x, down, text in told
    ]


def _row(dot: Dot, panel: Panel, columns: _Columns, axis: Axis, y: float) -> list[str]:
    lines = []
    if dot.low is not None and dot.high is not None:
        low, high = (axis.at(panel.scale * value) for value in (dot.low, dot.high))
        ends = f"M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8"
        hue = "" if dot.series is None else f" s{dot.series % len(HUES)}"
        lines.append(f'<path class="whisker{hue}" d="M{low:.1f} {y:.1f}H{high:.1f}{ends}"/>')
    if dot.estimate is not None:
        lines.append(mark(axis.at(panel.scale * dot.estimate), y, dot.series))
    lines.append(
        f'<text class="end" x="{columns.numbers:.1f}" y="{y + 4.5:.1f}">{escape_text(number(dot, panel))}</text>'
    )
    if dot.note:
        lines.append(cut_text(dot.note, columns.numbers + GAP, y + 4.5, "quiet", columns.notes))
    return lines


def mark(x: float, y: float, series: int | None = None) -> str:
    """The mark of an estimate, with the colour and the shape of its series."""
    if series is None:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    kind = f"dot f{series % len(HUES)}"
    if shape := SHAPES[series % len(SHAPES)]:
        return f'<path class="{kind}" transform="translate({x:.1f} {y:.1f})" d="{shape}"/>'
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'


def cut_text(text: str, x: float, y: float, kind: str, most: float) -> str:
    """A text that is at most `most` wide."""
    size = {"title": LARGE, "group": SIZE, "quiet": SMALL}[kind]
    return _text(text, x, y, kind, shorten(text, size, most, kind != "quiet"))


def _text(text: str, x: float, y: float, kind: str = "", short: str = "") -> str:
    """A text that starts at x; if it is shortened, a tooltip shows all of it."""
    whole = f"<title>{escape_text(text)}</title>" if short not in ("", text) else ""
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}">{escape_text(short or text)}{whole}</text>'


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from the first tick at `left` to the last at `right`; `step` lies between two ticks."""

    ticks: tuple[float, ...]
    step: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Where a value lies."""
        return self.left + (self.right - self.left) * (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])

    def label(self, tick: float) -> str:
        """A tick's number, with as many digits as the ticks need."""
        return _label(tick, self.step)


def axis_of(values: Sequence[float], left: float, right: float, zero: bool = True) -> Axis:
    """The axis with the most ticks that holds zero and all values, and whose numbers stand apart.

    Args:
        zero: whether it has to hold zero.
    """
    low, high = min((0.0, *values) if zero else values), max((0.0, *values) if zero else values)
    if high - low < SHORTEST_SPAN:
        high = 1.0
    power = 10.0 ** math.floor(math.log10((high - low) / 20))
    for step in (m * power * 10**more for more in range(4) for m in (1, 2, 2.5, 5)):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(round(index * step, 12) for index in range(first, last + 1))
        widest = max(width(_label(tick, step), SMALL) for tick in ticks)
        if (right - left) / (len(ticks) - 1) >= widest + TICKS_APART:
            break
    return Axis(ticks, step, left, right)


def _label(tick: float, step: float) -> str:
    digits = next(digits for digits in range(13) if math.isclose(round(step, digits), step, rel_tol=1e-9))
    return f"{tick:.{digits}f}".replace("-", "−")
