"""Success by what tasks need, as a table: one or several applications, one or several devices.

These are MMBench-GUI's levels 3 and 4, for the tasks of any suite.
"""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.journal.results import judged_episodes
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.method_notes import intervals_note
from omnipilot.bench.stats.intervals import LEVEL, RESAMPLES
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import contrast, pair
from omnipilot.bench.stats.scopes import scopes_of
from omnipilot.bench.stats.summary import headline
from omnipilot.bench.tables import Table


def scope_table(runs: Sequence[Run], level: float = LEVEL, resamples: int = RESAMPLES, seed: int = 0) -> Table | None:
    """One row per run and scope, and how much lower the success rate of several is than that of one.

    Returns:
        None if the tasks of no run need different numbers of applications or devices.
    """
    rows: list[tuple[str, ...]] = []
    for run in runs:
        told = judged_episodes(run.episodes)
        for scopes in scopes_of(told):
            for scope in scopes:
                own = [one for one in told if one.task in scope.tasks]
                found = headline(outcomes(own), level, resamples, seed).all
                solved = f"{sum(one.success for one in own)}/{len(own)}"
                rows.append((run.name, scope.words, str(len(scope.tasks)), solved, found.text(), found.method))
            of = {scope.count: scope for scope in scopes}
            if "one" in of and "several" in of:
                pairs = pair(*[outcomes(run.episodes)] * 2)[0]
                drop, _, _ = contrast(pairs, of["one"].tasks, of["several"].tasks, level, resamples, seed, test=False)
                words = f"{of['several'].words} − {of['one'].words}"
                rows.append((run.name, words, "", "", drop.text(signed=True), drop.method))
    if not rows:
        return None
    notes = (
        "scope: what a task needs, by its tags app, apps and devices and by the devices that its judges are about",
        intervals_note(level),
    )
    columns = ("run", "scope", "tasks", "solved", "SR %", "interval by")
    return Table(columns, tuple(rows), notes, labels=2, words=("interval by",))
