"""Several runs beside one another: sweeps, ablations and comparisons as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.experiments.comparison import Comparison, ComparisonRow, Flip
from omnipilot.bench.journal.run import Run
from omnipilot.bench.python.numbers import (
    difference_record,
    interval_numbers,
    interval_record,
    make_frame,
    table_html,
    tables_html,
)
from omnipilot.bench.python.records import FIGURES, RunRecord
from omnipilot.bench.report.comparison_figure import compare_figure
from omnipilot.bench.report.figures.draw import figure_bytes
from omnipilot.bench.scoring.metrics import Metric
from omnipilot.bench.stats.paired import Difference
from omnipilot.bench.tables import Table
from omnipilot.envs import MissingExtra


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One row of a sweep or an ablation.

    Attributes:
        label: of the cell or condition. run: None for a condition that is impossible, for the reason `why`.
        reference: whether the others are compared with it.
        difference: of success, this minus the reference, over the pairs that both have; None for the reference.
        adjusted: p by Holm, over all rows. pairs, tasks: what the difference is over.
    """

    label: str
    run: RunRecord | None
    reference: bool = False
    difference: Difference | None = None
    adjusted: float | None = None
    pairs: int = 0
    tasks: int = 0
    why: str = ""

    def to_dict(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """The row as JSON values."""
        return {
            "label": self.label,
            "reference": self.reference,
            "run": None if self.run is None else self.run.to_dict(metrics),
            "difference": difference_record(self.difference),
            "adjusted_p": self.adjusted,
            "pairs": self.pairs,
            "tasks": self.tasks,
            "why": self.why,
        }

    def numbers(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """The row as flat numbers."""
        found = self.difference
        return {
            "label": self.label,
            "reference": self.reference,
            **({} if self.run is None else self.run.numbers(metrics)),
            **interval_numbers(None if found is None else found.interval, "difference"),
            "p": None if found is None else found.p,
            "adjusted_p": self.adjusted,
            "pairs": self.pairs,
        }


@dataclass(frozen=True, slots=True, repr=False)
class ComparedRuns(Sequence[ComparedRun]):
    """The rows of a sweep, a grid or an ablation, and what they say.

    Attributes:
        conclusion: in sentences. interrupted: not all of it was played.
        tables: those that the command line prints.
    """

    rows: tuple[ComparedRun, ...]
    conclusion: str = ""
    interrupted: bool = False
    tables: tuple[Table, ...] = ()

    @classmethod
    def of(
        cls,
        runs: Sequence[Run],
        level: float,
        conclusion: str = "",
        tables: tuple[Table, ...] = (),
        interrupted: bool = False,
    ) -> ComparedRuns:
        """Runs of which none is the one that the others are compared with."""
        rows = tuple(ComparedRun(one.name, RunRecord.of(one, level=level)) for one in runs)
        return cls(rows, conclusion, interrupted, tables)

    def __getitem__(self, at: Any) -> Any:
        """A row by its number or its label."""
        if isinstance(at, str):
            return next(row for row in self.rows if row.label == at)
        return self.rows[at]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ComparedRun]:
        return iter(self.rows)

    def to_dict(self, metrics: Sequence[str | Metric] = FIGURES) -> dict[str, Any]:
        """All rows as JSON values."""
        return {"rows": [row.to_dict(metrics) for row in self.rows], "text": self.conclusion}

    def to_frame(self, metrics: Sequence[str | Metric] = FIGURES) -> Any:
        """A `pandas.DataFrame`, a row each.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return make_frame([row.numbers(metrics) for row in self.rows])

    def _repr_html_(self) -> str:
        if self.tables and not any(row.reference for row in self.rows):
            return tables_html(self.tables, self.conclusion)
        rows = [
            (
                row.label,
                row.why if row.run is None else f"{row.run.solved}/{row.run.total}",
                "—" if row.run is None or row.run.sr is None else row.run.sr.text(),
                "reference" if row.reference else "—" if (found := row.difference) is None else _signed(found),
                "" if row.adjusted is None else f"{row.adjusted:.3g}",
            )
            for row in self.rows
        ]
        return table_html(("", "solved", "SR %", "difference, points", "p (Holm)"), rows, self.conclusion)

    def __repr__(self) -> str:
        lines = [f"{row.label}: {row.why if row.run is None else row.run.text}" for row in self.rows]
        return "\n".join([*([self.conclusion] if self.conclusion else []), *lines])


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonRecord:
    """Run B compared with run A, or one run under two budgets.

    Attributes:
        names: of A and B. pairs, tasks: the instances that both have. rows: figures with their differences, SR first.
        flips: instances that one solves more often. conclusion: in sentences. comparison: all that was found.
        tables: those that the command line prints.
    """

    names: tuple[str, str]
    pairs: int
    tasks: int
    rows: tuple[ComparisonRow, ...]
    flips: tuple[Flip, ...]
    conclusion: str
    comparison: Comparison
    tables: tuple[Table, ...] = ()

    @property
    def difference(self) -> Difference:
        """Of the success rates, B minus A."""
        return self.rows[0].difference

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "names": list(self.names),
            "pairs": self.pairs,
            "tasks": self.tasks,
            "rows": [
                {
                    "figure": row.name,
                    "a": interval_record(row.a),
                    "b": interval_record(row.b),
                    "difference": difference_record(row.difference),
                }
                for row in self.rows
            ],
            "flips": [
                {"task": one.task, "instance": one.instance, "a": list(one.a), "b": list(one.b), "gain": one.gain}
                for one in self.flips
            ],
            "text": self.conclusion,
        }

    def to_frame(self) -> Any:
        """A `pandas.DataFrame` with a row for each figure.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return make_frame(
            [
                {
                    "figure": row.name,
                    **interval_numbers(row.a, "a"),
                    **interval_numbers(row.b, "b"),
                    **interval_numbers(row.difference.interval, "difference"),
                    "p": row.difference.p,
                }
                for row in self.rows
            ]
        )

    def _repr_html_(self) -> str:
        rows = [
            (row.name, _scaled(row, "a"), _scaled(row, "b"), _signed(row.difference, row), _p(row.difference))
            for row in self.rows
        ]
        return table_html(("", *self.names, "difference", "p"), rows, self.conclusion)

    def _repr_svg_(self) -> str | None:
        try:
            return figure_bytes(compare_figure(self.comparison)).decode()
        except MissingExtra:
            return None

    def __repr__(self) -> str:
        return self.conclusion


def _scaled(row: ComparisonRow, which: str) -> str:
    digits, scale = (1, 100.0) if row.figure is None else (row.figure.digits, row.figure.scale)
    return str(getattr(row, which).text(digits, scale))


def _signed(found: Difference, row: ComparisonRow | None = None) -> str:
    digits, scale = (1, 100.0) if row is None or row.figure is None else (row.figure.digits, row.figure.scale)
    return found.interval.text(digits, scale, signed=True)


def _p(found: Difference) -> str:
    return "" if found.p is None else f"{found.p:.3g}"
