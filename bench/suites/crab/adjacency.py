"""The adjacency lists of CRAB's task files: networkx's text form, and how the released loader reads it.

One line a node: the node, then those behind it. The released loader makes an undirected graph of it, so an edge runs
from whichever of its two nodes came up first. For the lists that are shipped ("0", and "0 1" over "1") that changes
nothing; a join written "0 2", "1 2", "2" becomes 0 → 2 and 2 → 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Variant: TypeAlias = Literal["paper", "fixed", "release"]
VARIANTS: tuple[Variant, ...] = ("paper", "fixed", "release")


@dataclass(frozen=True, slots=True)
class Adjacency:
    """A graph of numbered sub-tasks.

    Attributes:
        nodes: in the order in which they come up. edges: (before, after), each once.
    """

    nodes: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def order(self) -> tuple[int, ...]:
        """The nodes in a topological order, those of equal rank by number; nodes on or behind a cycle are left out."""
        before = {node: {a for a, b in self.edges if b == node} for node in sorted(self.nodes)}
        done: list[int] = []
        while ready := [node for node in before if node not in done and before[node] <= set(done)]:
            done.append(ready[0])
        return tuple(done)


def read_adjacency(text: str, variant: Variant = "paper") -> Adjacency:
    """The graph of an adjacency list, in which blank lines and what follows a # say nothing.

    Args:
        variant: "release" for the undirected reading, edges running as that graph lists them.

    Raises:
        ValueError: a node is no whole number from 0.
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
        raise ValueError(f"an adjacency list consists of task numbers, counted from 0, not {word!r}")
    return int(word)


def _undirected(nodes: list[int], edges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The edges of an undirected graph as networkx lists them: node by node as they came up, each edge once."""
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
