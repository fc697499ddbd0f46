"""The largest possible coherence of a task: OmniBench's CS_max (§4.1), exact, without listing topological orders.

A sequence of n subtasks in r runs, each within one application, has n - r adjacent pairs of equal applications. So the
largest coherence is n minus the fewest runs. A search for those goes from set to set of completed subtasks, one run a
move:

* A run may take everything of its application that is or becomes ready: whatever follows from fewer completed subtasks
  follows, without those already done, from more of them, in no more runs.
* An application that can be finished is finished first: it needs one run at least whenever that comes.
* Of the sets reached by equally many runs, one that is part of another is dropped, for the same reason.
* What is left needs, for each application, as many runs as it comes up on one path, left and entered again. A set that
  cannot beat the best sequence known is dropped.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence

from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph


def coherence(applications: Sequence[str]) -> int:
    """CS of a sequence: how many adjacent pairs have the same application (§4.1)."""
    return sum(first == second for first, second in itertools.pairwise(applications))


def longest_run(applications: Sequence[str]) -> int:
    """Length of the longest run within one application; 1 where there is nothing, as the released code has it."""
    return max((len(list(run)) for _, run in itertools.groupby(applications)), default=1)


@functools.lru_cache(maxsize=4096)
def max_coherence(graph: TaskGraph) -> int:
    """CS_max: the largest coherence among all topological orders (§4.1). Exact."""
    return len(graph.subtasks) - fewest_runs(graph)


def fewest_runs(graph: TaskGraph) -> int:
    """The fewest runs, each within one application, that complete a task."""
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


def separated(graph: TaskGraph) -> Mapping[str, list[tuple[int, int]]]:
    """By application, the pairs of its subtasks (as places in the file) that no run can hold both of.

    They are those with a subtask of another application between them, on some path. (before, after); transitive.
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
    """A graph as bits: bit i stands for the subtask at place i of the file."""

    def __init__(self, graph: TaskGraph) -> None:
        ancestors = graph.ancestors()
        names = [subtask.application for subtask in graph.subtasks]
        own = {name: sum(1 << place for place, other in enumerate(names) if other == name) for name in names}
        self.everything = (1 << len(names)) - 1
        # For each application all its subtasks, and with each what it waits for elsewhere.
        self.applications = [
            (mine, [(1 << place, ancestors[place] & ~mine) for place in _bits(mine)]) for mine in own.values()
        ]
        self.stages = _stages(separated(graph), own)

    def moves(self, done: int) -> list[int]:
        """What may be completed after one more run: the only sensible way where there is one."""
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
        """No completion of `done` has fewer runs."""
        return sum(1 for stage in self.stages if stage & ~done)

    def greedy(self) -> int:
        """Runs of one way to complete everything: at each move the one that leaves the least to do."""
        done = runs = 0
        while done != self.everything:
            done = min(self.moves(done), key=lambda after: (self.least(after), -after.bit_count()))
            runs += 1
        return runs


def _stages(pairs: Mapping[str, list[tuple[int, int]]], own: Mapping[str, int]) -> list[int]:
    """For each application and each count, its subtasks that are followed by that many of its runs, or more."""
    stages = []
    for name, mine in own.items():
        while mine:
            stages.append(mine)
            mine = sum({1 << early for early, late in pairs[name] if mine >> late & 1})
    return stages


def _maximal(sets: Iterable[int]) -> list[int]:
    """Those that are part of no other."""
    kept: list[int] = []
    for one in sorted(sets, key=int.bit_count, reverse=True):
        if all(one & ~other for other in kept):
            kept.append(one)
    return kept


def _bits(mask: int) -> list[int]:
    """Places of the bits that are set."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
