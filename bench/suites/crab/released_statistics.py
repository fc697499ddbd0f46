"""The six statistics of CRAB's logs for our own runs, as the released evaluator has them at the end of an episode."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, fields

from omnipilot.bench.journal.events import EpisodeStarted
from omnipilot.bench.journal.journal import read
from omnipilot.bench.scoring.data_runs import Played
from omnipilot.bench.suites.crab.statistics import SinkGraph, Statistics, statistics
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.graph import NodeState

NAMES = tuple(field.name for field in fields(Statistics))
NOTE = "means over episodes that are not void; completeness_per_action is through A+1 looks, and step_to_complete may "
NOTE += "count an edge more than once"


def ends(run: Played) -> list[tuple[str, Statistics]]:
    """Each episode's platform and final statistics, without void episodes.

    Raises:
        ConfigError: a task's graph does not have exactly one sink.
        JournalError: there is no journal.
    """
    graphs = {
        (event.key, event.attempt): SinkGraph(
            tuple(node["name"] for node in event.nodes), tuple((before, behind) for before, behind in event.edges)
        )
        for event in read(run.folder)
        if isinstance(event, EpisodeStarted)
    }
    found = []
    for episode in run.survey.episodes:
        if not episode.void and (episode.key, episode.attempt) in graphs:
            complete = [name for name, state in episode.nodes.items() if state == NodeState.COMPLETED]
            one = statistics(graphs[episode.key, episode.attempt], complete, episode.actions + 1)
            found.append((episode.tags.get("platform", ""), one))
    return found


def statistics_table(run: Played) -> Table | None:
    """The means by platform and overall; None if no episode counts."""
    found = ends(run)
    if not found:
        return None
    platforms = sorted({platform for platform, _ in found if platform})
    rows = [(name, *_means([one for platform, one in found if platform == name])) for name in platforms]
    rows.append(("all", *_means([one for _, one in found])))
    return Table(("platform", "episodes", *NAMES), tuple(rows), (NOTE,))


def _means(some: Sequence[Statistics]) -> tuple[str, ...]:
    columns = zip(*map(astuple, some), strict=True)
    return str(len(some)), *(f"{math.fsum(column) / len(some):.3f}" for column in columns)
