"""The largest antichain of a partial order: a graph's width, and the length of a run.

By Dilworth's theorem they are as many as the fewest chains that cover the order, and those are its elements less the
largest matching of each with one that it comes before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from omnipilot.bench.suites.omnibench.metrics.coherence import separated
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph


def largest_antichain(elements: int, pairs: Iterable[tuple[int, int]]) -> int:
    """Size of the largest antichain of a strict order.

    Args:
        elements: how many there are. pairs: every (before, after), those that follow from others too.
    """
    after: dict[int, list[int]] = {}
    for early, late in pairs:
        after.setdefault(early, []).append(late)
    partner: dict[int, int] = {}

    def matched(early: int, tried: set[int]) -> bool:
        for late in after.get(early, []):
            if late in tried:
                continue
            tried.add(late)
            if late not in partner or matched(partner[late], tried):
                partner[late] = early
                return True
        return False

    return elements - sum(matched(early, set()) for early in after)


def graph_antichain(graph: TaskGraph) -> int:
    """Most subtasks of which none waits for another, directly or not."""
    return largest_antichain(len(graph.subtasks), comparable(graph.ancestors()))


def comparable(ancestors: list[int]) -> list[tuple[int, int]]:
    """The pairs (before, after) of an order given as a mask of predecessors for each element."""
    return [
        (early, late) for late, mask in enumerate(ancestors) for early in range(mask.bit_length()) if mask >> early & 1
    ]


def max_run(graph: TaskGraph) -> int:
    """The longest run within one application among all topological orders, as the released coherence needs it. Exact.

    Subtasks of one application can form one run where no subtask of another lies on a path between two of them: all
    that they wait for can be done before, and nothing else needs to come in between.
    """
    sizes: Mapping[str, list[tuple[int, int]]] = separated(graph)
    names = [subtask.application for subtask in graph.subtasks]
    longest = 0
    for name, pairs in sizes.items():
        places = {place: number for number, place in enumerate(p for p, other in enumerate(names) if other == name)}
        longest = max(longest, largest_antichain(len(places), [(places[a], places[b]) for a, b in pairs]))
    return longest
