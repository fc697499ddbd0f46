"""A comparison of two runs as one figure: the success rate of both, and by how much each figure differs."""

from __future__ import annotations

import numpy as np

from omnipilot.bench.compare import Comparison
from omnipilot.bench.compare_table import p_words
from omnipilot.bench.figure import Dot, Panel, panels
from omnipilot.bench.stats_clusters import cluster
from omnipilot.bench.stats_intervals import RESAMPLES, mean_interval
from omnipilot.bench.stats_outcomes import outcomes
from omnipilot.bench.stats_paired import Difference, pair
from omnipilot.bench.table import Run


def compare_figure(found: Comparison, a: Run, b: Run, resamples: int = RESAMPLES, seed: int = 0) -> str:
    """The text of an SVG file.

    Args:
        found: what `compare(a, b, …)` said. resamples, seed: of the bootstrap of the two success rates.
    """
    pairs, _, _ = pair(outcomes(a.episodes), outcomes(b.episodes))
    clusters = cluster([one.task for one in pairs], [sorted(one.templates) for one in pairs])
    rates = []
    for side, name in enumerate(found.names):
        values = np.array([one.means[side] for one in pairs], dtype=float)
        one = mean_interval(values, clusters, (0.0, 1.0), found.level, resamples, seed)
        void = f", {found.void[side]} void" if found.void[side] else ""
        rates.append(Dot(name, one.estimate, one.low, one.high, note=f"{found.pairs} pairs{void}"))
    apart = [_dot(name, one) for name, one in found.rows]
    if found.valid is not None:
        apart.insert(1, _dot("SR without void", found.valid))
    percent = f"{100 * found.level:g} % intervals"
    ours, theirs = found.names
    return panels(
        [
            Panel(f"Success rate, {percent}", rates, zero=False),
            Panel(f"{theirs} less {ours}, paired, {percent}", apart, zero=True, unit="points"),
        ]
    )


def _dot(name: str, one: Difference) -> Dot:
    return Dot(name, one.interval.estimate, one.interval.low, one.interval.high, note=p_words(one.p))
