"""Runs by whether their grounder missed: how episodes with and without a miss ended."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.journal.results import UNJUDGED, Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.tables import Table

ASSOCIATION = (
    "with a miss: the grounder pointed wrong at least once; not told: it can be told for no place of the episode. A "
    "miss need not be the cause of a failure: the agent may recover from it, and long episodes have more of them"
)


def pointing_table(runs: Sequence[Run]) -> Table | None:
    """Rows for each run: the episodes solved, not solved, and those that nobody judged, with a miss, without one, and
    those of which nothing can be told; None if it can be told of no run. Void episodes are left out."""
    told = [run for run in runs if any(episode.pointed_told for episode in run.episodes)]
    rows = []
    for run in told:
        for outcome in ("solved", "not solved", UNJUDGED):
            mine = [one for one in run.episodes if _outcome(one) == outcome and not one.void]
            if mine:
                rows.append((run.name, outcome, str(len(mine)), *_counts(mine)))
    columns = ("run", "outcome", "episodes", "with a miss", "without a miss", "not told")
    return Table(columns, tuple(rows), (ASSOCIATION,), labels=2) if told else None


def _outcome(episode: Episode) -> str:
    return UNJUDGED if episode.unjudged else "solved" if episode.success else "not solved"


def _counts(episodes: Sequence[Episode]) -> tuple[str, str, str]:
    missed = sum(one.pointed_right < one.pointed_told for one in episodes)
    untold = sum(not one.pointed_told for one in episodes)
    return str(missed), str(len(episodes) - missed - untold), str(untold)
