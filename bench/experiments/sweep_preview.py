"""Dry run of a sweep: how many episodes each cell lacks, and their expected cost and time."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.cells import PendingCell
from omnipilot.bench.experiments.pilot import pilot_basis
from omnipilot.bench.experiments.plan import Assumptions
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.run.llm_budget import free
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.tables import Table


def dry_table(
    found: Sequence[PendingCell],
    axes: Sequence[str] = (),
    jobs: int = 1,
    of: str = "condition",
    budget: float | None = None,
) -> Table:
    """One row per cell, and one for all cells. Dollars and hours are those of the missing episodes.

    Args:
        axes: names of the settings in which the cells differ; none where their labels tell them apart, which then stand
            in a column named `of`. jobs: episodes under way at once. budget: dollars that all cells together may cost;
            None for no limit.
    """
    rows, dollars, hours = [], [], []
    for due in found:
        cost, seconds = _known(due)
        dollars.append(_times(due.lacking, cost))
        hours.append(_times(due.lacking, None if seconds is None else seconds / 3600 / max(1, jobs)))
        known = ("—" if cost is None else f"{cost:.4g}", "—" if seconds is None else f"{seconds:.3g}")
        size = (str(len(due.keys)), str(due.lacking))
        words = [AXES[name](due.spec) for name in axes] or [due.cell.label]
        rows.append((*words, *size, *known, _money(dollars[-1]), _money(hours[-1])))
    size = (str(sum(len(due.keys) for due in found)), str(sum(due.lacking for due in found)))
    labels = [name.replace("_", " ") for name in axes] or [of]
    rows.append(("all", *[""] * (len(labels) - 1), *size, "", "", _money(_sum(dollars)), _money(_sum(hours))))
    columns = (
        *labels,
        "episodes",
        "lacking",
        "$ each",
        "s each",
        "$ to come",
        f"hours ({max(1, jobs)} at once)",
    )
    return Table(columns, tuple(rows), tuple(_notes(found, dollars, hours, budget)), labels=len(labels))


def _known(due: PendingCell) -> tuple[float | None, float | None]:
    """Dollars and seconds per episode: means of the cell's finished episodes; $ 0 if its models are free."""
    told = pilot_basis([due.run], Assumptions()) if due.run.episodes else None
    cost = None if told is None else told.cost
    return 0.0 if cost is None and free(due.spec) else cost, None if told is None else told.seconds


def _notes(
    found: Sequence[PendingCell],
    dollars: Sequence[float | None],
    hours: Sequence[float | None],
    budget: float | None,
) -> list[str]:
    notes = ["nothing was run; $ and seconds are means of a cell's finished episodes, $ 0 where no model has a price"]
    for what, values in (("$", dollars), ("hours", hours)):
        if unknown := sum(value is None for value in values):
            notes.append(
                f"{what} unknown for {unknown} of {len(values)} cells: run one instance first (--instances 1), and ask "
                "again; the rest goes on from there"
            )
    caps = [due for due in found if due.lacking and due.spec.limits.cost]
    if caps:
        most = sum(due.lacking * (due.spec.limits.cost or 0.0) for due in caps)
        notes.append(f"at most ${most:,.2f} by --cost, which caps an episode")
    if budget is not None:
        notes.append(Spending.of_runs(budget, [due.cell.folder for due in found]).plan_words())
    return notes


def _times(count: int, each: float | None) -> float | None:
    return 0.0 if count == 0 else None if each is None else count * each


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _money(value: float | None) -> str:
    return "—" if value is None else f"{value:,.2f}"
