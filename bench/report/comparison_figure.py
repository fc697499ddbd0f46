"""A comparison of two runs as one picture: both success rates, and the paired difference of each figure."""

from __future__ import annotations

from omnipilot.bench.experiments.comparison import Comparison, ComparisonRow
from omnipilot.bench.report.comparison_table import RATIOS, p_words
from omnipilot.bench.report.figures.records import Curves, Dot, FigureSpec, Forest, Panel, Series


def compare_figure(found: Comparison) -> FigureSpec:
    """The success rates of both, and the difference of each figure."""
    solved = found.rows[0]
    rates = []
    for name, one, void in zip(found.names, (solved.a, solved.b), found.void, strict=True):
        note = f"{found.pairs} pairs{f', {void} void' if void else ''}"
        rates.append(Dot(name, one.estimate, one.low, one.high, note=note))
    apart = [_dot(one.name, one) for one in found.rows if one.name not in RATIOS]
    if found.valid is not None:
        apart.insert(1, _dot("SR without void", found.valid))
    percent = f"{100 * found.level:g} % intervals"
    ours, theirs = found.names
    shown = [
        Panel(f"Success rate, {percent}", rates, zero=False),
        Panel(f"{theirs} minus {ours}, paired, {percent}", apart, zero=True, unit="points"),
    ]
    if ratios := [_dot(one.name, one) for one in found.rows if one.name in RATIOS]:
        words = "Ratios" if len(ratios) > 1 else f"{ratios[0].label}, a ratio"
        shown.append(Panel(f"{words}: {theirs} minus {ours}, paired, {percent}", ratios, True, 1.0, "difference"))
    if found.scopes:
        among = [_dot(one.among, one) for one in found.scopes]
        shown.append(Panel(f"SR by scope: {theirs} minus {ours}, paired, {percent}", among, zero=True, unit="points"))
    return FigureSpec(((Forest(shown),),))


def curves_figure(found: Comparison) -> FigureSpec:
    """SR reached against the share of the budget spent, of both runs.

    The area under each curve is its EQA (MMBench-GUI, figure 5). A dot marks the end of the last task.
    """
    drawn = [
        Series(
            name,
            list(zip(curve.spent, curve.reached, strict=True)),
            (
                f"EQA {100 * curve.area:.1f} % (the area)",
                f"SR {100 * curve.reached[-1]:.1f} %",
                f"{100 * curve.end:.0f} % of the budget used",
            ),
            (curve.end, curve.reached[-1]),
        )
        for name, curve in zip(found.names, found.curves, strict=True)
    ]
    title = "Success against the budget spent, mean over orders of the tasks"
    across = "budget spent so far, % (of each task: its turns / its limit)"
    return FigureSpec(((Curves(title, drawn, across, "tasks solved so far, %"),),))


def _dot(name: str, row: ComparisonRow) -> Dot:
    one = row.difference
    return Dot(name, one.interval.estimate, one.interval.low, one.interval.high, note=p_words(one.p))
