"""What a figure shows, without how it is drawn: making one needs no library of plots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Dot:
    """A row of a forest: an estimate with the ends of its interval; None if there is none.

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
    zero: bool = False
    scale: float = 100.0
    unit: str = "%"


@dataclass(frozen=True, slots=True)
class Forest:
    """Panels of estimates with their intervals, one below the other, with their columns aligned."""

    panels: Sequence[Panel]

    @property
    def title(self) -> str:
        """The titles of all panels."""
        return "; ".join(panel.title for panel in self.panels)


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


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over shares of something; both axes are in percent.

    Attributes:
        series: at least one. across, up: what the axes are.
    """

    title: str
    series: Sequence[Series]
    across: str
    up: str


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
class Scatter:
    """Shares against shares, both shown in percent.

    Attributes:
        across, up: what the axes are. names: of the series, in their order, for the legend.
    """

    title: str
    across: str
    up: str
    spots: Sequence[Spot]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Missing:
    """A title in place of a plot that cannot be drawn, and why."""

    title: str
    why: str


@dataclass(frozen=True, slots=True)
class MapColumn:
    """A column of a map.

    Attributes:
        head: such as "easy". group: a head above it and its neighbours of the same group; "" for none.
        note: a few words below the head, such as "n = 22". series: a mark in place of the head; None for words.
    """

    head: str
    group: str = ""
    note: str = ""
    series: int | None = None


@dataclass(frozen=True, slots=True)
class MapRow:
    """A row of a map: its label, a note below it, and the heading that it stands under; "" for none."""

    label: str
    section: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class MapCell:
    """An estimate with the ends of its interval, as printed; all None where there is none."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ValueMap:
    """Numbers in rows and columns, each with its interval below it.

    Attributes:
        cells: one line a row. shaded: the larger a number of 0..100, the darker its cell, all in one hue.
        names: of series, for the legend of columns that have a mark.
    """

    title: str
    columns: Sequence[MapColumn]
    rows: Sequence[MapRow]
    cells: Sequence[Sequence[MapCell]]
    shaded: bool = True
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Radar:
    """Shares of several things around a circle, one closed line a series.

    Attributes:
        axes: what is told apart, at least three. values: for each series, a share of 0..1 an axis; None where there is
            none, and the line has a gap.
    """

    title: str
    axes: Sequence[str]
    values: Sequence[Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class StackBar:
    """A bar of parts that follow each other: counts of things.

    Attributes:
        counts: of each part, in the order of `Stacks.parts`. note: a few words behind the bar.
        group: bars of one group stand together under its name; "" for none.
    """

    label: str
    counts: Sequence[int]
    group: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stacks:
    """Bars as long as each other, in which each part is as long as its share, with its count in it.

    Attributes:
        parts: names for the legend. about: what stands behind the bars, above them.
    """

    title: str
    parts: Sequence[str]
    bars: Sequence[StackBar]
    about: str = ""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of a graph.

    Attributes:
        note: a few words below its name. share: of 0..1 in which it was reached; 1 for a single episode that did.
        ready: all before it was reached in some episode, so that it could have been.
    """

    name: str
    note: str = ""
    share: float = 0.0
    ready: bool = True


@dataclass(frozen=True, slots=True)
class NodeGraph:
    """Sub-goals and the order in which they must be reached, from top to bottom.

    Attributes:
        edges: pairs of names (before, after), without cycles.
    """

    title: str
    nodes: Sequence[GraphNode]
    edges: Sequence[tuple[str, str]]
    about: str = ""


@dataclass(frozen=True, slots=True)
class StripFrame:
    """A picture of a strip.

    Attributes:
        picture: a PNG, JPEG or WebP file; None where it is missing. size: its width and height in pixels.
        head: above it. words: below it, on as many lines as they take. at: where a ring is drawn, as shares of the
            sides; None for none. fault: what went wrong; "" if nothing did.
    """

    picture: bytes | None
    size: tuple[int, int]
    head: str
    words: str
    at: tuple[float, float] | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class PictureStrip:
    """Pictures one after the other, in as many rows as they take; the paragraphs of `about` stand above them."""

    title: str
    frames: Sequence[StripFrame]
    about: str = ""


Block: TypeAlias = Forest | Curves | Scatter | ValueMap | Radar | Stacks | NodeGraph | PictureStrip | Missing


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """Blocks in rows. Those of one row stand side by side where the figure is wide enough, else below each other."""

    rows: Sequence[Sequence[Block]] = field(default_factory=tuple)

    @property
    def title(self) -> str:
        """The titles of all blocks: what a screen reader says."""
        return "; ".join(block.title for row in self.rows for block in row)


def forest(title: str, dots: Sequence[Dot], zero: bool = False, scale: float = 100.0, unit: str = "%") -> FigureSpec:
    """A figure of one panel of estimates with their intervals, see `Panel`."""
    return FigureSpec(((Forest((Panel(title, dots, zero, scale, unit),)),),))


def drawn_intervals(dots: Sequence[Dot], level: float) -> str:
    """For a title: the level of the intervals that are drawn, or that there are none."""
    some = any(dot.low is not None and dot.high is not None for dot in dots)
    return f"{100 * level:g} % intervals" if some else "without intervals"


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
