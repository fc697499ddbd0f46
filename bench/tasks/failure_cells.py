"""What comes next after what failed: items are drawn the more often, the more of their kind failed.

A cell is a kind of item: the values of some properties.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from omnipilot.bench.tasks.task import TaskInfo

Cell: TypeAlias = tuple[str, ...]
T = TypeVar("T")


def weigh_cells(outcomes: Iterable[tuple[Cell, bool]]) -> dict[Cell, float]:
    """The share that failed in each cell, (failures + 1) / (tries + 2): no cell is 0, and few tries say little.

    Args:
        outcomes: the cell of each try, and whether it failed.
    """
    counts: dict[Cell, list[int]] = defaultdict(lambda: [0, 0])
    for cell, failed in outcomes:
        counts[cell][0] += failed
        counts[cell][1] += 1
    return {cell: (failures + 1) / (count + 2) for cell, (failures, count) in counts.items()}


def draw_weighted(items: Mapping[str, T], weights: Mapping[str, float], count: int, seed: int = 0) -> list[T]:
    """So many items without repetition, each drawn with a chance in proportion to its weight; all if there are fewer.

    The same for the same seed, on every machine; a smaller draw is part of a larger one (Efraimidis and Spirakis
    2006).
    """

    def key(name: str) -> float:
        digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
        share = (int.from_bytes(digest[:8], "big") + 1) / (2**64 + 1)
        return math.log(share) / weights[name]

    drawn = sorted((name for name in items if weights[name] > 0), key=lambda name: (-key(name), name))
    return [items[name] for name in drawn[:count]]


def task_weights(
    infos: Iterable[TaskInfo], played: Iterable[tuple[Mapping[str, str], bool]], tags: Sequence[str]
) -> dict[str, float]:
    """The weight of each task, by its id: that of its cell; the mean of all cells for one in which nothing was played.

    Args:
        played: the tags of the task of each episode, and whether it failed; at least one.
        tags: those whose values make a cell.
    """
    weights = weigh_cells((_cell(given, tags), failed) for given, failed in played)
    usual = sum(weights.values()) / len(weights)
    return {info.id: weights.get(_cell(info.tags, tags), usual) for info in infos}


def telling_tag(played: Sequence[tuple[str, Mapping[str, str], bool]]) -> tuple[str, ...]:
    """The tag that best tells which tasks fail: the one under which all outcomes are likeliest, those of each task
    foretold by the other tasks of its cell and, as if there were two more, by all other tasks.

    Args:
        played: task, its tags and whether it failed, of each episode.

    Returns:
        The tag, as the only one; none where no tag tells more than all other tasks do.
    """
    tags = sorted({tag for _, given, _ in played for tag in given})
    found: tuple[str, ...] = ()
    least = _surprise([(task, task, failed) for task, _, failed in played])
    for tag in tags:
        surprise = _surprise([(task, given.get(tag, ""), failed) for task, given, failed in played])
        if surprise < least:
            found, least = (tag,), surprise
    return found


def _surprise(played: Sequence[tuple[str, str, bool]]) -> float:
    """Minus the logarithm of the likelihood of all outcomes of (task, cell, failed)."""
    every = Counter(failed for _, _, failed in played)
    cells: dict[str, Counter[bool]] = defaultdict(Counter)
    own: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for task, cell, failed in played:
        cells[cell][failed] += 1
        own[task, cell][failed] += 1
    total = 0.0
    for (_, cell), tries in own.items():
        others, alike = every - tries, cells[cell] - tries
        for failed, number in tries.items():
            usual = (others[failed] + 1) / (others.total() + 2)
            total -= number * math.log((alike[failed] + 2 * usual) / (alike.total() + 2))
    return total


def _cell(given: Mapping[str, str], tags: Sequence[str]) -> Cell:
    return tuple(given.get(tag, "") for tag in tags)
