"""The result of scoring predictions: figures, each with denominator, variant, void count and interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from omnipilot.bench.number_words import number_words
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.tables import Table

SHOWN = 10
"""Most names that a note lists; the JSON has all."""

MISSING = ("has no prediction and counts as wrong (void)", "have no prediction and count as wrong (void)")
EXTRA = (
    "is a prediction for no record, or cannot be read, and is not counted",
    "are predictions for no record, or cannot be read, and are not counted",
)
BAD = ("of the data cannot be read and is in no denominator", "of the data cannot be read and are in no denominator")
"""What is said behind the number of such records: of one, and of several."""


def first_of(names: Sequence[object], between: str = "; ") -> str:
    """The first `SHOWN` names, with "…" if there are more."""
    return between.join((*map(str, names[:SHOWN]), *(["…"] if len(names) > SHOWN else [])))


@dataclass(frozen=True, slots=True)
class Item:
    """One unit of a figure: a step, an episode, a target. The figure is the sum of parts over the sum of wholes.

    Attributes:
        key: the same for the same unit in every run: "task#instance", the id of a step or a target.
        cluster: of units that depend on each other: its episode, screen or task.
        part, whole: what it adds to the numerator and to the denominator; both may be 0 where it is not counted, so
            that it can still be paired with a run in which it is.
        templates: sub-task templates of its cluster; clusters that share one depend on each other.
        tags: what it can be told apart by, where that is not what its task can be: the level of a step.
    """

    key: str
    cluster: str
    part: float
    whole: float = 1.0
    templates: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()


Better: TypeAlias = Literal["higher", "lower", ""]
"""Which values of a figure are good; "" for neither."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a benchmark.

    Attributes:
        interval: its estimate and ends, as fractions; None if undefined (zero denominator).
        of: the denominator. unit: of the denominator: steps, episodes, items.
        void: units without a prediction, or of a void episode; they count as wrong. valid: the figure without them.
        scale, digits: print format; scale 100 for percent.
        items: the units that it is the ratio of; without them it can be shown, but two runs cannot be paired by it. A
            mean of means over cells has none, as no unit has one part in it.
        better: which values are good.
        short: its abbreviation in the paper: "AS"; a user may write it for the name.
        most: the largest value that it can have.
        noun: what the clusters of its items are called: "episodes", "screens".
    """

    name: str
    interval: Interval | None
    of: int
    unit: str
    void: int = 0
    valid: Interval | None = None
    scale: float = 100.0
    digits: int = 1
    items: tuple[Item, ...] = ()
    better: Better = "higher"
    short: str = ""
    most: float = 1.0
    noun: str = "clusters"

    @property
    def value(self) -> float | None:
        """The figure itself, a fraction."""
        return None if self.interval is None else self.interval.estimate

    @property
    def heading(self) -> str:
        """Its name as a column of a table, with its unit: "SR %"."""
        return f"{self.short or self.name}{' %' if self.scale == 100 else ''}"


@dataclass(frozen=True, slots=True)
class PrintedRows:
    """Rows of a paper's own table, copied, beside which a result may stand.

    Attributes:
        rows: by the name of each row, its numbers by the short name of the figure, in the figure's unit as printed.
        note: where they are from, and what may be compared with them.
    """

    rows: Mapping[str, Mapping[str, float]]
    note: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A benchmark's result.

    Attributes:
        variant: whose rules were used. figures: the headline first. tables: breakdowns.
        parts: further figures, of a platform, a level or another part of the data; the tables show them.
        bad: unreadable records of the data, excluded from all denominators.
        missing: records without a prediction; they are void. extra: predictions that match no record or are unreadable.
        notes: for the reader: what the variant means, what was left out.
        printed: what the benchmark's paper prints of the same tasks; None where it prints nothing, or these are others.
    """

    benchmark: str
    variant: str
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...] = ()
    bad: tuple[Bad, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[Figure, ...] = ()
    printed: PrintedRows | None = None

    def figure(self, name: str) -> Figure:
        """The figure with this name."""
        return next(figure for figure in self.figures if figure.name == name)


def scored_tables(scored: Scored) -> list[Table]:
    """The headline table and the breakdowns."""
    columns = ("figure", "value", "of", "void", "without void", "variant", "interval by")
    rows = tuple(_row(figure, scored.variant) for figure in scored.figures)
    return [Table(columns, rows, tuple(_notes(scored)), words=("variant", "interval by")), *scored.tables]


def scored_to_json(scored: Scored) -> dict[str, Any]:
    """As plain JSON values, without truncation."""
    return {
        "benchmark": scored.benchmark,
        "variant": scored.variant,
        "figures": [
            {
                "name": figure.name,
                "value": figure.value,
                "interval": None if figure.interval is None else asdict(figure.interval),
                "of": figure.of,
                "unit": figure.unit,
                "void": figure.void,
                "without_void": None if figure.valid is None else asdict(figure.valid),
            }
            for figure in scored.figures
        ],
        "tables": [
            {"columns": table.columns, "rows": table.rows, "notes": table.notes, "labels": table.labels}
            for table in scored.tables
        ],
        "bad": [str(bad) for bad in scored.bad],
        "missing": list(scored.missing),
        "extra": list(scored.extra),
        "notes": list(scored.notes),
    }


def _row(figure: Figure, variant: str) -> tuple[str, ...]:
    def text(interval: Interval | None) -> str:
        return "—" if interval is None else interval.text(figure.digits, figure.scale)

    percent = " %" if figure.scale == 100 else ""
    without = "" if not figure.void else text(figure.valid)
    method = "" if figure.interval is None else figure.interval.method
    of = f"{figure.of} {figure.unit}"
    return f"{figure.name}{percent}", text(figure.interval), of, str(figure.void), without, variant, method


def _notes(scored: Scored) -> list[str]:
    level = next((f.interval.level for f in scored.figures if f.interval is not None), 0.95)
    notes = [f"{scored.benchmark}, variant {scored.variant}; […]: {100 * level:g} % intervals", *scored.notes]
    for what, names in (
        (MISSING, scored.missing),
        (EXTRA, scored.extra),
        (BAD, [str(bad) for bad in scored.bad]),
    ):
        if names:
            notes.append(f"{number_words(len(names), *what)}: {_some(names)}")
    return notes


def _some(names: Sequence[str]) -> str:
    return "; ".join(names[:SHOWN]) + (f"; and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
