"""The largest antichain of a partial order, which gives the width of a task graph and the longest possible run.

By Dilworth's theorem its size is the smallest number of chains that cover the order, which is the number of elements
minus the size of a maximum matching of elements with later ones (Fulkerson, Proceedings of the AMS 7, 1956). networkx
and scipy have such matchings too, but importing either takes longer than thousands of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from omnipilot.bench.suites.omnibench.metrics.coherence import separated_pairs
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph


def largest_antichain(elements: int, pairs: Iterable[tuple[int, int]]) -> int:
    """Size of the largest antichain of a strict partial order.

    Args:
        elements: their number; they are 0..elements-1. pairs: every (before, after), including those that follow by
            transitivity.
    """
    after: dict[int, list[int]] = {}
    for early, late in pairs:
        after.setdefault(early, []).append(late)
    partner: dict[int, int] = {}

    def augment(early: int, tried: set[int]) -> bool:
        for late in after.get(early, []):
            if late in tried:
                continue
            tried.add(late)
            if late not in partner or augment(partner[late], tried):
                partner[late] = early
                return True
        return False

    return elements - sum(augment(early, set()) for early in after)


def graph_antichain(graph: TaskGraph) -> int:
    """The largest number of subtasks that are all independent of each other, directly and indirectly."""
    return largest_antichain(len(graph.subtasks), comparable_pairs(graph.ancestors()))


def comparable_pairs(ancestors: list[int]) -> list[tuple[int, int]]:
    """The pairs (before, after) of an order given by a bit mask of predecessors for each element."""
    return [
        (early, late) for late, mask in enumerate(ancestors) for early in range(mask.bit_length()) if mask >> early & 1
    ]


def max_run(graph: TaskGraph) -> int:
    """The longest run within one application over all topological orders, exact; the released coherence divides by it.

    Subtasks of one application can form a run if no subtask of another application lies on a path between two of them:
    whatever they wait for can be done before, and nothing has to come in between.
    """
    sizes: Mapping[str, list[tuple[int, int]]] = separated_pairs(graph)
    names = [subtask.application for subtask in graph.subtasks]
    longest = 0
    for name, pairs in sizes.items():
        places = {place: number for number, place in enumerate(p for p, other in enumerate(names) if other == name)}
        longest = max(longest, largest_antichain(len(places), [(places[a], places[b]) for a, b in pairs]))
    return longest
