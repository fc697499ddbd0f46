"""Success of several runs, for groups of tasks, as a table in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import headline


def result_table(groups: Mapping[str, frozenset[str]], runs: Sequence[Run]) -> str:
    """A row for each group, a column for each run, headed by its planner.

    Args:
        groups: ids of tasks, by what the group is called.
    """
    head = ("tasks", "number", *(run.spec.agent.planner.name for run in runs))
    lines = [head, ["---"] * len(head)]
    for words, ids in groups.items():
        cells = (_result([one for one in run.episodes if one.task in ids]) for run in runs)
        lines.append((words, str(len(ids)), *cells))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _result(episodes: Sequence[Episode]) -> str:
    """Solved of played episodes, and the success rate in percent with its interval."""
    if not episodes:
        return "—"
    found = headline(outcomes(episodes)).all
    return f"{sum(one.success for one in episodes)}/{len(episodes)}: {found.text()}"
