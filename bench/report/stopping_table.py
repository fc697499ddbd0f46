"""What stopping rules change, as tables: a row for each run and figure."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.comparison import ComparisonRow
from omnipilot.bench.report.comparison_table import figure_row
from omnipilot.bench.report.method_notes import intervals_note
from omnipilot.bench.tables import Table


def stops_table(rows: Sequence[tuple[str, ComparisonRow]], without: str, level: float) -> Table:
    """Each run beside the one without a rule.

    Args:
        rows: of `compare_stops`. without: name of the run without a rule.
    """
    return _table(
        rows,
        (without, "with", "difference"),
        "after success: turns that solved episodes went on for, over those that both runs solve; ended early: ended "
        "by the agent or the rule before the task was solved; p of each run is not corrected for the others",
        level,
    )


def budgets_table(rows: Sequence[tuple[str, ComparisonRow]], budgets: tuple[str, str], level: float) -> Table:
    """Each run under two budgets.

    Args:
        rows: of `compare_budgets`. budgets: in words.
    """
    return _table(rows, (*budgets, "difference"), "one run cut at two budgets, so there is no p", level)


def _table(rows: Sequence[tuple[str, ComparisonRow]], columns: tuple[str, str, str], note: str, level: float) -> Table:
    cells = []
    before = ""
    for name, row in rows:
        figure, a, b, apart, p, _ = figure_row(row)
        cells.append(("" if name == before else name, figure, a, b, apart, p))
        before = name
    notes = (note, intervals_note(level, short=True))
    return Table(("run", "figure", *columns, "p"), tuple(cells), notes, labels=2)
