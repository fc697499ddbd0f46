"""Reads the adjacency lists in CRAB's task files (networkx's text format) as the released loader does.

Each line has a node and its successors. The released loader builds an undirected graph (`networkx.parse_adjlist`), so
an edge starts at whichever of its nodes appeared first. That changes nothing for the lists that CRAB ships ("0", and "0
1" over "1"), but a join written "0 2", "1 2", "2" becomes 0 → 2 and 2 → 1. A few lines do the same without networkx.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Variant: TypeAlias = Literal["paper", "fixed", "release"]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """A graph of numbered sub-tasks.

    Attributes:
        nodes: in the order in which they first appear. edges: (before, after), each once.
    """

    nodes: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def order(self) -> tuple[int, ...]:
        """The nodes in the first topological order by number, without nodes on a cycle or after one."""
        before = {node: {a for a, b in self.edges if b == node} for node in sorted(self.nodes)}
        done: list[int] = []
        while ready := [node for node in before if node not in done and before[node] <= set(done)]:
            done.append(ready[0])
        return tuple(done)


def read_adjacency(text: str, variant: Variant = "paper") -> Adjacency:
    """Read the graph of an adjacency list; blank lines and comments after a # are skipped.

    Args:
        variant: "release" reads an undirected graph and takes the edges in the direction in which it lists them.

    Raises:
        ValueError: a node is not a whole number from 0.
    """
    nodes: dict[int, None] = {}
    edges: dict[tuple[int, int], None] = {}
    for line in text.split("\n"):
        numbers = [_number(word) for word in line.partition("#")[0].split()]
        nodes.update(dict.fromkeys(numbers))
        edges.update(dict.fromkeys((numbers[0], behind) for behind in numbers[1:]))
    if variant == "release":
        return Adjacency(tuple(nodes), _undirected(list(nodes), list(edges)))
    return Adjacency(tuple(nodes), tuple(edges))


def _number(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"an adjacency list must number the tasks with whole numbers from 0, not {word!r}")
    return int(word)


def _undirected(nodes: list[int], edges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The edges of an undirected graph in networkx's order: by node as they first appear, each edge once."""
    near: dict[int, dict[int, None]] = {node: {} for node in nodes}
    for a, b in edges:
        near[a][b] = None
        near[b][a] = None
    seen: set[int] = set()
    found = []
    for node in nodes:
        found += [(node, other) for other in near[node] if other not in seen]
        seen.add(node)
    return tuple(found)
