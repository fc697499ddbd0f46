"""Whether an instruction says its graph: a second reader reads the graph back, and the two are compared.

Accepted is an instruction that asks for every subtask, whose dependencies have the graph's transitive closure, and that
wants nothing after another thing unless the graph does. Whether the edges themselves are equal is reported beside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product

from omnipilot.bench.suites.pool.tell.clauses import TaskClause
from omnipilot.bench.suites.pool.tell.readers import InstructionReader, Reading, as_nodes, shuffled_list
from omnipilot.bench.suites.pool.tell.topology import Pairs, closure

_MOST_SWAPS = 120


@dataclass(frozen=True, slots=True)
class Validation:
    """What the comparison found; nodes are those of the graph.

    Attributes:
        lost: dependencies that the instruction does not tell. invented: those that only the instruction has.
        sequence: pairs that it puts one after the other although neither needs the other. missing: nodes that it does
            not ask for. given_away: values that it says although they are to be found out.
        same_edges: whether the edges are equal too, not only their closure.
    """

    lost: Pairs = frozenset()
    invented: Pairs = frozenset()
    sequence: Pairs = frozenset()
    missing: frozenset[int] = frozenset()
    given_away: tuple[str, ...] = ()
    same_edges: bool = True

    @property
    def accepted(self) -> bool:
        """Whether the instruction says the graph."""
        return not (self.lost or self.invented or self.sequence or self.missing)

    def describe(self) -> str:
        """What is wrong, in words for the record; "" where nothing is."""
        parts = [
            _of_pairs("lost", self.lost),
            _of_pairs("invented", self.invented),
            _of_pairs("told as a sequence", self.sequence),
            f"not asked for: {', '.join(str(node + 1) for node in sorted(self.missing))}" if self.missing else "",
            f"gives away: {', '.join(self.given_away)}" if self.given_away else "",
        ]
        return "; ".join(part for part in parts if part)


def validate(
    instruction: str, clauses: Sequence[TaskClause], edges: Pairs, reader: InstructionReader, seed: int = 0
) -> Validation:
    """Have an instruction read, and compare what was read with the graph.

    Args:
        edges: of the graph. seed: of the order in which the reader is given the subtasks.

    Raises:
        MalformedReply: a model's answer cannot be read.
    """
    listed, nodes = shuffled_list(clauses, seed)
    told = as_nodes(reader.read(instruction, listed), nodes)
    given = tuple(sorted(values_given_away(instruction, clauses)))
    found = [_compare(as_nodes(told, swap), edges, given) for swap in _swaps([clause.listed() for clause in clauses])]
    return next((one for one in found if one.accepted), found[0])


def values_given_away(instruction: str, clauses: Sequence[TaskClause]) -> frozenset[str]:
    """Values that an instruction says although a subtask is there to find them out.

    A value that some clause says anyway, as a name or an example, is not counted.
    """
    said = " ".join(clause.listed() for clause in clauses)
    return frozenset(
        resource.value
        for clause in clauses
        for name, resource in clause.inputs.items()
        if name in clause.takes
        and len(resource.value) > 1
        and _holds(instruction, resource.value)
        and not _holds(resource.words, resource.value)
        and not _holds(said, resource.value)
    )


def _holds(text: str, value: str) -> bool:
    """Whether a text has a value as a word of its own."""
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text))


def _compare(told: Reading, edges: Pairs, given: tuple[str, ...]) -> Validation:
    wanted, read = closure(edges), closure(told.needs)
    return Validation(
        wanted - read,
        read - wanted,
        told.sequence - wanted,
        told.missing,
        given,
        told.needs == edges,
    )


def _swaps(listed: Sequence[str]) -> list[Mapping[int, int]]:
    """All ways to exchange nodes whose clauses are listed alike; a reader cannot tell them apart."""
    alike = [[node for node, text in enumerate(listed) if text == one] for one in dict.fromkeys(listed)]
    ways = product(*(permutations(group) for group in alike))
    return [
        {node: other for group, way in zip(alike, chosen, strict=True) for node, other in zip(group, way, strict=True)}
        for chosen in islice(ways, _MOST_SWAPS)
    ]


def _of_pairs(what: str, pairs: Pairs) -> str:
    return f"{what}: {', '.join(f'{a + 1} to {b + 1}' for a, b in sorted(pairs))}" if pairs else ""
