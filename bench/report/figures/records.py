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


Block: TypeAlias = Forest | Curves | Scatter | Missing


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
