"""Chains against graphs of equal size (OmniBench, figure 7), and intents told or not (table 9): paired by task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.stats.intervals import LEVEL, Interval
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import Difference, difference, either_mean, pair
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

CHAIN, GRAPH = "chain", "graph"
FORM, MATCH = "form", "match"
"""Tags of matched tasks: which of the two forms a task has, and what it is matched with."""
PAPER_CHAINS = "OmniBench's figure 7: people 80.1, GPT-4o 20.5 on graphs; it prints no figures for chains"
PAPER_INTENTS = "OmniBench, table 9: 23.4 without and 28.9 with intents, mean of four planners"


@dataclass(frozen=True, slots=True)
class MatchedStudy:
    """Two conditions on the same or on matched tasks.

    Attributes:
        names: of the two. means: of the figure. apart: how much higher the second is.
        pairs: number of pairs. alone: tasks that only one side has, left out.
    """

    names: tuple[str, str]
    means: tuple[Interval, Interval]
    apart: Difference
    pairs: int
    alone: int


def chain_against_graph(episodes: Sequence[Episode], figure: str = "CR", level: float = LEVEL) -> MatchedStudy:
    """Compare tasks that are chains with matched ones that are graphs, of one run.

    Raises:
        ConfigError: no two tasks are matched.
    """
    sides = [
        [replace(episode, task=episode.tags[MATCH]) for episode in episodes if episode.tags.get(FORM) == form]
        for form in (CHAIN, GRAPH)
    ]
    if not all(sides):
        raise ConfigError(
            "these runs have no matched chains and graphs; a pool has some after omnipilot synth compose POOL --pairs N"
        )
    return _matched((CHAIN, GRAPH), sides[0], sides[1], figure, level)


def with_and_without(
    names: tuple[str, str],
    first: Sequence[Episode],
    second: Sequence[Episode],
    figure: str = "CR",
    level: float = LEVEL,
    keep: Callable[[Episode], bool] = lambda _: True,
) -> MatchedStudy:
    """Compare two runs of the same tasks.

    Args:
        keep: which episodes count, such as those of tasks that test planning.

    Raises:
        ConfigError: they share no task.
    """
    return _matched(names, [one for one in first if keep(one)], [one for one in second if keep(one)], figure, level)


def _matched(
    names: tuple[str, str], first: Sequence[Episode], second: Sequence[Episode], figure: str, level: float
) -> MatchedStudy:
    pairs, only_first, only_second = pair(outcomes(first, figure), outcomes(second, figure))
    if not pairs:
        raise ConfigError(f"{names[0]} and {names[1]} share no task, so there is nothing to pair")
    return MatchedStudy(
        names,
        either_mean(pairs, level),
        difference(pairs, level),
        len(pairs),
        len(only_first) + len(only_second),
    )


def matched_table(found: MatchedStudy, paper: str, figure: str = "CR") -> Table:
    """Two rows, and the difference with its test in the notes."""
    rows = tuple((name, mean.text()) for name, mean in zip(found.names, found.means, strict=True))
    p = "" if found.apart.p is None else f", p = {found.apart.p:.3g} ({found.apart.test})"
    notes = [
        f"{found.names[1]} minus {found.names[0]}: {found.apart.interval.text()} points over {found.pairs} pairs{p}"
    ]
    if found.apart.detectable is not None:
        notes.append(
            "smallest difference that this would have shown in 80 % of cases: "
            f"{100 * found.apart.detectable:.1f} points"
        )
    if found.alone:
        notes.append(f"left out, because the other side lacks their partner: {found.alone}")
    return Table(("condition", figure), rows, (*notes, paper))
