"""A sweep as one picture: success rates, and the paired difference of each cell to the reference."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.experiments.sweep_results import SweepRow
from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.report.comparison_table import p_words
from omnipilot.bench.report.figures.records import Dot, FigureSpec, Forest, Panel, drawn_intervals
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.stats.intervals import LEVEL, Interval


def sweep_figure(rows: Sequence[SweepRow], axes: Sequence[str], suite: str = "", level: float = LEVEL) -> FigureSpec:
    """Rates above differences. Cells that differ in several settings are grouped by the first of them."""
    reference = next(row for row in rows if row.reference)
    named = f" on {suite}" if suite else ""
    rates = [_dot(row, axes, row.solved.all if row.solved else None, _void(row)) for row in rows]
    shown = [Panel(f"Success rate{named}, {drawn_intervals(rates, level)}", rates, zero=False)]
    apart = [
        _dot(row, axes, row.difference.interval, p_words(row.adjusted, "Holm"))
        for row in rows
        if row.difference is not None
    ]
    if apart:
        title = f"Difference to {reference.run.name}, paired, {drawn_intervals(apart, level)}"
        shown.append(Panel(title, apart, zero=True, unit="points"))
    return FigureSpec(((Forest(shown),),))


def _dot(row: SweepRow, axes: Sequence[str], interval: Interval | None, note: str) -> Dot:
    words = [AXES[name](row.run.spec) for name in axes]
    group, rest = (words[0], words[1:]) if len(words) > 1 else ("", words)
    label = " · ".join(rest)
    if interval is None:
        return Dot(label, None, None, None, group, note)
    return Dot(label, interval.estimate, interval.low, interval.high, group, note)


def _void(row: SweepRow) -> str:
    count = f"{sum(e.success for e in row.run.episodes)}/{len(judged_episodes(row.run.episodes))}"
    return f"{count}, {row.solved.void} void" if row.solved is not None and row.solved.void else count
