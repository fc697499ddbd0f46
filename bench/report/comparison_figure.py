"""A comparison of two runs as one picture: both success rates, and the paired difference of each figure."""

from __future__ import annotations

from omnipilot.bench.experiments.comparison import Comparison, ComparisonRow
from omnipilot.bench.report.comparison_table import p_words
from omnipilot.bench.report.figure import Dot, Panel, panels


def compare_figure(found: Comparison) -> str:
    """The text of an SVG file."""
    solved = found.rows[0]
    rates = []
    for name, one, void in zip(found.names, (solved.a, solved.b), found.void, strict=True):
        note = f"{found.pairs} pairs{f', {void} void' if void else ''}"
        rates.append(Dot(name, one.estimate, one.low, one.high, note=note))
    apart = [_dot(one.name, one) for one in found.rows]
    if found.valid is not None:
        apart.insert(1, _dot("SR without void", found.valid))
    percent = f"{100 * found.level:g} % intervals"
    ours, theirs = found.names
    return panels(
        [
            Panel(f"Success rate, {percent}", rates, zero=False),
            Panel(f"{theirs} minus {ours}, paired, {percent}", apart, zero=True, unit="points"),
        ]
    )


def _dot(name: str, row: ComparisonRow) -> Dot:
    one = row.difference
    return Dot(name, one.interval.estimate, one.interval.low, one.interval.high, note=p_words(one.p))
