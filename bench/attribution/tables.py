"""Attributions as tables: shares of the causes, and one line for each failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from omnipilot.bench.journal.attributions import EXPERIMENT, OMNIBENCH_SHARES, Attribution, Cause
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.intervals import LEVEL, wilson
from omnipilot.bench.tables import Table


def causes_table(found: Sequence[Attribution], level: float = LEVEL) -> Table:
    """How often each cause was found, with Wilson's intervals, beside the shares that OmniBench printed.

    Args:
        found: at least one.
    """
    counts = Counter(one.cause for one in found)
    rows = []
    for cause in Cause:
        if not counts[cause] and cause not in OMNIBENCH_SHARES:
            continue
        low, high = wilson(counts[cause], len(found), level)
        share = f"{100 * counts[cause] / len(found):.0f} [{100 * low:.0f}, {100 * high:.0f}]"
        printed = OMNIBENCH_SHARES.get(cause)
        rows.append((str(cause), str(counts[cause]), share, "—" if printed is None else f"{100 * printed:.0f}"))
    labelled = Counter(one.by for one in found if one.by != EXPERIMENT)
    notes = (
        f"{len(found)} failures; […]: {100 * level:g} % intervals by Wilson, for failures of this kind",
        "OmniBench: 100 failures a model by people's labels (figure 8); it has no perception, memory or stopping apart",
        *(f"{number} labelled by {name} from the trace, not by experiment" for name, number in labelled.items()),
    )
    return Table(("cause", "failures", "share %", "OmniBench %"), tuple(rows), notes)


def episodes_table(found: Sequence[Attribution], episodes: Sequence[Episode]) -> Table:
    """One line for each failure: how it ended, its cause, the turn at which it was lost, and what shows it."""
    ended = {one.key: f"{one.reason} {one.status}".strip() for one in episodes}
    rows = tuple(
        (one.key, ended.get(one.key, ""), str(one.cause), "—" if one.broken is None else str(one.broken), one.why)
        for one in found
    )
    note = "lost in turn: the last from which a demonstration can still finish; — where none was, or nobody knows"
    return Table(
        ("episode", "end", "cause", "lost in turn", "because"), rows, (note,), words=("end", "cause", "because")
    )
