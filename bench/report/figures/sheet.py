"""The sheet that a figure is drawn on: places in millimetres from its upper left corner, one font, a few colours.

Imports matplotlib, which takes most of a second: import this module only where something is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FuncFormatter, MaxNLocator

INCH, POINT = 25.4, 25.4 / 72
"""In millimetres."""
SIZE, SMALL, LARGE = 7.0, 6.0, 8.0
"""Sizes of text in points: of labels, of notes and numbers at axes, of titles. Journals ask for 5 to 8."""
MARGIN = 1.5
LINE = 3.4
"""Height of a line of text."""
TITLE, TITLE_LINE = 6.0, 3.9
"""Height of a title of one line, and of each further line."""

INK, QUIET, GRID = "#1a1a1a", "#5f6368", "#dcdcdc"
HUES = ("#004488", "#cf8f00", "#b93c26", "#5aa9dd", "#7a2a7c", "#008a70", "#8a8a8a", "#6b5a00")
"""Colours of series, told apart with any colour blindness; the first three differ in lightness, so in grey, too."""
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "p")
"""Shapes of series: for readers who see no colours, and for grey print."""
DASHES: tuple[tuple[int, tuple[float, ...]], ...] = ((0, ()), (0, (5, 2)), (0, (1.2, 1.4)), (0, (6, 1.6, 1.2, 1.6)))
"""Of curves, from the first again if there are more."""

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": SIZE,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "omnipilot",
    "svg.id": None,
    "axes.linewidth": 0.6,
    "axes.unicode_minus": True,
    "path.simplify": False,
    "text.usetex": False,
    "text.parse_math": False,
    "savefig.bbox": None,
    "savefig.facecolor": "white",
    "figure.facecolor": "white",
}
"""The font comes with matplotlib, so a figure looks the same everywhere; TrueType is embedded in PDF files, as journals
ask, and SVG files hold the outlines of letters."""


class FigureSheet:
    """A drawing of a given size, in millimetres; `x` runs to the right and `y` down.

    Attributes:
        drawing: matplotlib's figure.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.drawing = Drawing(figsize=(width / INCH, height / INCH))

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """A plotting area without a frame, with a grid behind what is drawn."""
        place = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        axes = self.drawing.add_axes(place)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.set_facecolor("none")
        axes.set_axisbelow(True)
        axes.tick_params(length=0, labelsize=SMALL, labelcolor=QUIET, pad=2)
        return axes

    def text(
        self, x: float, y: float, words: str, size: float = SIZE, bold: bool = False, align: str = "left",
        colour: str = INK, halo: bool = False,
    ) -> None:  # fmt: skip
        """Words on one line; `y` is the middle of their letters, `halo` a white edge around them."""
        self.drawing.text(
            x / self.width,
            1 - (y + 0.33 * size * POINT) / self.height,
            clean(words),
            fontsize=size,
            fontweight="bold" if bold else "normal",
            ha=align,
            va="baseline",
            color=colour,
            path_effects=[withStroke(linewidth=1.6, foreground="white")] if halo else None,
            zorder=5,
        )

    def title(self, left: float, top: float, words: str, most: float) -> float:
        """A title on as many lines as it takes; the `y` below it. Without words it takes no room."""
        if not words:
            return top
        for line in wrap(words, most):
            self.text(left, top + 2.6, line, LARGE, bold=True)
            top += TITLE_LINE
        return top + TITLE - TITLE_LINE

    def box(
        self, left: float, top: float, width: float, height: float, fill: str, edge: str = "none", dashed: bool = False,
        round_: float = 0.0, hatch: str = "",
    ) -> None:  # fmt: skip
        """A rectangle, with an edge of a colour; `round_` is the radius of its corners."""
        scale = self.width, self.height
        place = (left / scale[0], 1 - (top + height) / scale[1])
        size = (width / scale[0], height / scale[1])
        look: dict[str, Any] = {
            "facecolor": fill,
            "edgecolor": edge,
            "linewidth": 0.8 if edge != "none" else 0.0,
            "linestyle": (0, (3, 2)) if dashed else "-",
            "transform": self.drawing.transFigure,
            "hatch": hatch or None,
            "zorder": 2,
        }
        if round_:
            # Corners are round on paper, whatever the sides of the sheet are.
            style = f"round,pad=0,rounding_size={round_ / scale[0]}"
            patch: Any = FancyBboxPatch(place, *size, boxstyle=style, mutation_aspect=scale[0] / scale[1], **look)
        else:
            patch = Rectangle(place, *size, **look)
        self.drawing.add_artist(patch)

    def line(self, points: Sequence[tuple[float, float]], colour: str, wide: float = 0.8, above: float = 1) -> None:
        """A line through points."""
        xs, ys = ([x / self.width for x, _ in points], [1 - y / self.height for _, y in points])
        self.drawing.add_artist(
            Line2D(xs, ys, transform=self.drawing.transFigure, color=colour, linewidth=wide, zorder=above)
        )

    def sample(self, x: float, y: float, series: int, long: float = 0.0) -> None:
        """The mark of a series for a legend; a piece of its line where `long` is above 0."""
        ends = [x, x + long] if long else [x]
        line = Line2D(
            [end / self.width for end in ends],
            [1 - y / self.height] * len(ends),
            transform=self.drawing.transFigure,
            color=hue(series),
            linewidth=1.3,
            linestyle=DASHES[series % len(DASHES)] if long else "none",
            marker="none" if long else shape(series),
            markersize=4,
            markeredgewidth=0,
        )
        self.drawing.add_artist(line)


def hue(series: int | None) -> str:
    """The colour of a series."""
    return HUES[(series or 0) % len(HUES)]


def shade(share: float) -> tuple[str, str]:
    """The colour of a share of 0..1, from white to the first hue, and that of text on it.

    The text has a contrast of at least 4.5 to 1 to it, as WCAG 2 asks.
    """
    full = [int(HUES[0][at : at + 2], 16) for at in (1, 3, 5)]
    parts = [round(255 + (one - 255) * share) for one in full]
    light = sum(weight * _linear(one / 255) for weight, one in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#" + "".join(f"{one:02x}" for one in parts), "white" if 1.05 / (light + 0.05) >= 4.5 else INK


def _linear(value: float) -> float:
    """An sRGB value of 0..1 as light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def shape(series: int | None) -> str:
    """The mark of a series."""
    return SHAPES[(series or 0) % len(SHAPES)]


@lru_cache(maxsize=4096)
def text_width(words: str, size: float = SIZE, bold: bool = False) -> float:
    """How wide words are drawn, in millimetres."""
    font = FontProperties(family=["DejaVu Sans"], size=size, weight="bold" if bold else "normal")
    with rc_context({"text.usetex": False}):
        wide, _, _ = text_to_path.get_text_width_height_descent(clean(words), font, ismath=False)
    return float(wide) * POINT


def clean(words: str) -> str:
    """Words without the characters that have no picture, in the font or at all: "\ufffd" stands for each."""
    spaced = re.sub(r"[\t\n\r]", " ", words)
    return "".join(letter if ord(letter) in _letters() else "\ufffd" for letter in spaced)


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    """The code points that the font can draw, both regular and bold."""
    files = [findfont(FontProperties(family=["DejaVu Sans"], weight=weight)) for weight in ("normal", "bold")]
    regular, bold = (frozenset(get_font(file).get_charmap()) for file in files)
    return regular & bold - frozenset((*range(0x20), *range(0x7F, 0xA0)))


def shorten(words: str, most: float, size: float = SIZE, bold: bool = False, head: float = 1 / 3) -> str:
    """Words, with "…" in place of their middle if they are wider than `most` millimetres.

    Args:
        head: share of what is kept that is kept of the beginning; the rest is of the end, where most labels differ.
    """
    most += 0.05  # widths are sums that were rounded
    if text_width(words, size, bold) <= most:
        return words
    for kept in range(len(words) - 1, 0, -1):
        first = round(head * kept)
        tried = f"{words[:first].rstrip()}…{words[len(words) - (kept - first) :].lstrip()}"
        if text_width(tried, size, bold) <= most:
            return tried
    return "…"


def shorten_apart(texts: Sequence[str], most: float, size: float = SIZE) -> dict[str, str]:
    """The shortened form of each text; different texts stay different, by another place of "…" or by a number."""
    for head in (1 / 3, 2 / 3, 0.0, 1.0):
        short = {text: shorten(text, most, size, head=head) for text in texts}
        if len(set(short.values())) == len(short):
            return short
    return {
        text: f"{number}. {shorten(text, most - text_width(f'{number}. ', size), size)}"
        for number, text in enumerate(dict.fromkeys(texts), 1)
    }


def wrap(words: str, most: float, size: float = LARGE, bold: bool = True) -> list[str]:
    """A text, by default a title, in lines that are at most `most` wide; they break at spaces and after hyphens."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= most:
            lines[-1] = longer
        elif text_width(word, size, bold) <= most or "-" not in word[1:-1]:
            lines.append(shorten(word, most, size, bold))
        else:
            *parts, last = re.findall(r"[^-]*-|[^-]+", word)
            for number, part in enumerate([*parts, last]):
                joined = (lines[-1] + (" " if number == 0 else "") + part) if lines else part
                if lines and text_width(joined, size, bold) <= most:
                    lines[-1] = joined
                else:
                    lines.append(shorten(part, most, size, bold))
    return lines


def wrap_at_most(words: str, most: float, count: int, size: float = SMALL) -> list[str]:
    """A text in at most so many lines; the last loses its end to "…" where there is more."""
    lines = wrap(words, most, size, bold=False)
    if len(lines) <= count:
        return lines
    return [*lines[: count - 1], shorten(" ".join(lines[count - 1 :]), most, size, head=1.0)]


def title_height(words: str, most: float) -> float:
    """How high a title is, in millimetres; 0 without words."""
    return 0.0 if not words else TITLE + TITLE_LINE * (len(wrap(words, most)) - 1)


def round_ticks(values: Sequence[float], length: float) -> list[float]:
    """Round numbers from below the lowest value to above the highest, as many as fit an axis that is so long.

    Args:
        values: at least one. length: of the axis, in millimetres.
    """
    low, high = min(values), max(values)
    if high - low < 1e-9:
        high = low + 1.0
    for count in range(max(1, int(length / 9)), 0, -1):
        ticks = [float(tick) for tick in MaxNLocator(count, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)]
        # The locator may go a step further than the values do.
        while len(ticks) > 2 and ticks[1] <= low:
            del ticks[0]
        while len(ticks) > 2 and ticks[-2] >= high:
            del ticks[-1]
        widest = max(text_width(tick_text(tick, ticks), SMALL) for tick in ticks)
        if length / (len(ticks) - 1) >= widest + 2:
            break
    return ticks


def tick_text(tick: float, ticks: Sequence[float]) -> str:
    """A tick's number, with as many digits as the ticks need."""
    step = ticks[1] - ticks[0]
    digits = next((digits for digits in range(9) if abs(round(step, digits) - step) < 1e-6 * abs(step)), 9)
    return f"{0.0 if abs(tick) < step / 1e6 else tick:.{digits}f}".replace("-", "−")


def ticks_formatter(ticks: Sequence[float]) -> FuncFormatter:
    """Writes the numbers of an axis, see `tick_text`."""
    return FuncFormatter(lambda tick, _: tick_text(tick, ticks))
