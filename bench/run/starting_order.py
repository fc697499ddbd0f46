"""In which order the episodes of a run begin: the longest first, so that no long one is left alone at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from omnipilot.bench.journal.episode_start import limits_of
from omnipilot.bench.journal.results import Episode, Slot
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite

UNLIMITED = 100
"""Turns that are expected of a task without a turn limit, where no episode of it was played yet."""


def expected_lengths(
    todo: Sequence[tuple[Slot, int]], suite: Suite, spec: RunSpec, played: Sequence[Episode]
) -> Mapping[str, float]:
    """How long an episode of each task to be played is expected to take.

    As long as the median of those of its task that were played, void ones apart; where there are none, its task's turn
    limit times what a turn of the limit took the other episodes in the median.

    Args:
        played: the run's finished episodes.

    Returns:
        Seconds where any episode was played; otherwise only their ratios mean something.
    """
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    each_turn = []
    for episode in played:
        if not episode.void:
            seconds[episode.task].append(episode.wall_seconds)
            each_turn.append(episode.wall_seconds / (episode.turn_limit or UNLIMITED))
    pace = median(each_turn) if each_turn else 1.0

    def expected(slot: Slot) -> float:
        if slot.task in seconds:
            return median(seconds[slot.task])
        limits = limits_of(suite.instantiate(slot.task, slot.instance), spec)
        return pace * (limits.turns or UNLIMITED)

    of_tasks: dict[str, float] = {}
    for slot, _ in todo:
        if slot.task not in of_tasks:
            of_tasks[slot.task] = expected(slot)
    return of_tasks


def longest_first(todo: Sequence[tuple[Slot, int]], expected: Mapping[str, float]) -> list[tuple[Slot, int]]:
    """Episodes in the order in which they should begin, each with the number of its attempt; equals keep their order.

    Args:
        expected: length of an episode of each task, as of `expected_lengths`.
    """
    return sorted(todo, key=lambda one: -expected[one[0].task])
