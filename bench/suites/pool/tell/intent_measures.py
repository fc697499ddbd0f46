"""How much the tasks of a pool have a core: whether they hang together, belong together, and differ in purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2
from random import Random

from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord
from omnipilot.bench.suites.pool.tell.references import stems
from omnipilot.bench.suites.pool.tell.topology import edges_of, is_connected

SHUFFLES = 20
DIFFERENT = 0.5
"""From which distance on, of 0 to 1, two sentences count as different intents."""
_MOST_COMPARED = 400


@dataclass(frozen=True, slots=True)
class IntentMeasures:
    """Figures of some tasks.

    Attributes:
        tasks: how many. with_intent: share that has one. errands: share of those that is a list of errands.
        connected: share of graphs that hang together. information: mean over all pairs within a graph of the mutual
            information of the two subtasks, in bits. by_chance: the same where subtasks are dealt out at random among
            the graphs, mean of `SHUFFLES`; a finite number of pairs never gives 0.
        sentences: different sentences. intents: of these, how many differ in at least half of their words.
    """

    tasks: int
    with_intent: float
    errands: float
    connected: float
    information: float
    by_chance: float
    sentences: int
    intents: int


def measure_intents(tasks: Sequence[TaskRecord], graphs: Sequence[GraphRecord], seed: int = 0) -> IntentMeasures:
    """The figures of tasks and their graphs.

    Args:
        seed: of the random groups that real ones are compared with.
    """
    known = {graph.id: graph for graph in graphs}
    used = [known[task.graph] for task in tasks if task.graph in known]
    groups = [graph.subtasks for graph in used]
    dice = Random(seed)
    intended = [task for task in tasks if task.intent]
    return IntentMeasures(
        len(tasks),
        len(intended) / (len(tasks) or 1),
        sum(task.frame == "errands" for task in intended) / (len(intended) or 1),
        sum(is_connected(len(graph.subtasks), edges_of(graph)) for graph in used) / (len(used) or 1),
        pair_information(groups),
        sum(pair_information(_dealt(groups, dice)) for _ in range(SHUFFLES)) / SHUFFLES,
        len({task.intent for task in intended}),
        count_different([task.intent for task in intended]),
    )


def pair_information(groups: Sequence[Sequence[str]]) -> float:
    """The mutual information of two members of a group, in bits: how much one tells about the other."""
    pairs = Counter(
        pair for group in groups for one, other in combinations(group, 2) for pair in ((one, other), (other, one))
    )
    total = sum(pairs.values())
    single = Counter[str]()
    for (one, _), count in pairs.items():
        single[one] += count
    return sum(
        count / total * log2(count * total / (single[one] * single[other])) for (one, other), count in pairs.items()
    )


def count_different(sentences: Sequence[str]) -> int:
    """How many sentences differ from each other in at least half of their words, of the first few hundred."""
    kept: list[frozenset[str]] = []
    for sentence in list(dict.fromkeys(sentences))[:_MOST_COMPARED]:
        words = stems(sentence)
        if all(1 - len(words & other) / (len(words | other) or 1) >= DIFFERENT for other in kept):
            kept.append(words)
    return len(kept)


def _dealt(groups: Sequence[Sequence[str]], dice: Random) -> list[list[str]]:
    """Groups of the same sizes, with the members of all dealt out at random."""
    members = [member for group in groups for member in group]
    dice.shuffle(members)
    dealt, at = [], 0
    for group in groups:
        dealt.append(members[at : at + len(group)])
        at += len(group)
    return dealt
