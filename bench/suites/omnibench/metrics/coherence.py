"""The largest coherence of a task over all topological orders: OmniBench's CS_max (§4.1), exact, without listing them.

A sequence of n subtasks in r runs, each within one application, has n - r adjacent pairs of equal applications, so the
largest coherence is n minus the smallest number of runs. The search for that number is breadth-first over sets of
completed subtasks, one run per move:

* A run takes everything of its application that is or becomes ready. Completing more never hurts: what can follow a set
  can follow a larger one, without the subtasks already done, in no more runs.
* An application that can be finished is finished first, since it needs at least one more run at any time.
* Of the sets reached in equally many runs, subsets of others are dropped, for the same reason.
* Each application still needs as many runs as any path leaves and enters it again. A set that cannot beat the best
  sequence known by this bound is dropped.

Sets are the bits of integers: 24 subtasks take a third of a millisecond at the median and 0.07 s at worst
(docs/performance.md). Graph libraries have no such search.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence

from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph


def coherence(applications: Sequence[str]) -> int:
    """CS of a sequence: the number of adjacent pairs with the same application (§4.1)."""
    return sum(first == second for first, second in itertools.pairwise(applications))


def longest_run(applications: Sequence[str]) -> int:
    """Length of the longest run within one application; 1 for an empty sequence, as in the released code."""
    return max((len(list(run)) for _, run in itertools.groupby(applications)), default=1)


@functools.lru_cache(maxsize=4096)
def max_coherence(graph: TaskGraph) -> int:
    """CS_max: the largest coherence among all topological orders (§4.1). Exact."""
    return len(graph.subtasks) - fewest_runs(graph)


def fewest_runs(graph: TaskGraph) -> int:
    """The smallest number of runs, each within one application, that complete a task."""
    search = _Search(graph)
    best = search.greedy()
    layer = [0]
    for runs in itertools.count(1):
        reached = {after for done in layer for after in search.moves(done)}
        if search.everything in reached:
            return runs
        layer = [done for done in _maximal(reached) if runs + search.least(done) < best]
        if not layer:
            return best
    raise AssertionError("a graph without cycles is completed by as many runs as it has subtasks")


def separated_pairs(graph: TaskGraph) -> Mapping[str, list[tuple[int, int]]]:
    """For each application, the pairs of its subtasks that cannot be in the same run.

    Those are pairs with a subtask of another application on a path between them, as (before, after), by index in the
    file; the relation is transitive.
    """
    ancestors = graph.ancestors()
    names = [subtask.application for subtask in graph.subtasks]
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for late, name in enumerate(names):
        between = 0
        for other in _bits(ancestors[late]):
            if names[other] != name:
                between |= ancestors[other]
        pairs[name] += [(early, late) for early in _bits(between) if names[early] == name]
    return pairs


class _Search:
    """A graph in bit masks: bit i is the subtask at index i of the file."""

    def __init__(self, graph: TaskGraph) -> None:
        ancestors = graph.ancestors()
        names = [subtask.application for subtask in graph.subtasks]
        own = {name: sum(1 << place for place, other in enumerate(names) if other == name) for name in names}
        self.everything = (1 << len(names)) - 1
        # For each application: all its subtasks, and for each of them what it waits for in other applications.
        self.applications = [
            (mine, [(1 << place, ancestors[place] & ~mine) for place in _bits(mine)]) for mine in own.values()
        ]
        self.stages = _stages(separated_pairs(graph), own)

    def moves(self, done: int) -> list[int]:
        """The sets reachable by one more run; only one of them if it finishes an application."""
        ways = []
        for mine, waits in self.applications:
            if not mine & ~done:
                continue
            after = done
            for bit, elsewhere in waits:
                if not elsewhere & ~done:
                    after |= bit
            if not mine & ~after:
                return [after]
            if after != done:
                ways.append(after)
        return ways

    def least(self, done: int) -> int:
        """A lower bound on the number of runs still needed."""
        return sum(1 for stage in self.stages if stage & ~done)

    def greedy(self) -> int:
        """The number of runs of a greedy sequence: each move has the least lower bound, then the largest set."""
        done = runs = 0
        while done != self.everything:
            done = min(self.moves(done), key=lambda after: (self.least(after), -after.bit_count()))
            runs += 1
        return runs


def _stages(pairs: Mapping[str, list[tuple[int, int]]], own: Mapping[str, int]) -> list[int]:
    """For each application and each count k, its subtasks that at least k further runs of it must follow."""
    stages = []
    for name, mine in own.items():
        while mine:
            stages.append(mine)
            mine = sum({1 << early for early, late in pairs[name] if mine >> late & 1})
    return stages


def _maximal(sets: Iterable[int]) -> list[int]:
    """The sets that are not subsets of others."""
    kept: list[int] = []
    for one in sorted(sets, key=int.bit_count, reverse=True):
        if all(one & ~other for other in kept):
            kept.append(one)
    return kept


def _bits(mask: int) -> list[int]:
    """Indices of the set bits."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
