"""The six statistics that CRAB's released graph evaluator keeps of an episode, quirks included.

They are the columns of its logs, and `"release"` in everything: the paper defines none of them.

* `complete_nodes` is every node once the sink is reached.
* `completeness_per_action` divides by looks at the world, of which one comes before any action.
* `step_to_complete` goes back from the sink and adds what leads into each node that it comes to, complete or not. A
  node that it comes to twice before it turns to it is added twice, so the figure may exceed the number of edges.
* `longest_unfinished_path_length` is the length of the path that it turns to last, which is not always the longest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class SinkGraph:
    """A task's nodes and which of them come before which.

    Attributes:
        nodes: at least one, in the order in which the graph was made, which decides about ties.
        edges: (before, after); one listed twice counts once.

    Raises:
        ConfigError: no node, one twice, an edge to an unknown one, a cycle, or other than one sink.
    """

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.nodes or len(set(self.nodes)) < len(self.nodes):
            raise ConfigError(f"a graph needs at least one node, and each only once; these are {list(self.nodes)}")
        if strangers := {name for edge in self.edges for name in edge} - set(self.nodes):
            raise ConfigError(f"edges refer to unknown nodes: {', '.join(sorted(strangers))}")
        if held := set(self.nodes) - set(self.depths()):
            raise ConfigError(f"the graph has a cycle that blocks: {', '.join(sorted(held))}")
        before = {early for early, _ in self.edges}
        if len(sinks := [name for name in self.nodes if name not in before]) != 1:
            raise ConfigError(f"CRAB's graphs have exactly one sink; this one has {', '.join(sinks)}")

    @property
    def sink(self) -> str:
        """The node that nothing waits for."""
        before = {early for early, _ in self.edges}
        return next(name for name in self.nodes if name not in before)

    def predecessors(self) -> dict[str, list[str]]:
        """What each node directly waits for, in the order of the nodes."""
        edges = set(self.edges)
        return {late: [early for early in self.nodes if (early, late) in edges] for late in self.nodes}

    def depths(self) -> dict[str, int]:
        """Edges of the longest path to each node; those on or behind a cycle are left out."""
        before, depths = self.predecessors(), dict[str, int]()
        while ready := [name for name in self.nodes if name not in depths and set(before[name]) <= set(depths)]:
            depths |= {name: max((depths[early] + 1 for early in before[name]), default=0) for name in ready}
        return depths


@dataclass(frozen=True, slots=True)
class Statistics:
    """One row of the released log's six columns."""

    total_nodes: int
    complete_nodes: int
    completeness: float
    completeness_per_action: float
    step_to_complete: int
    longest_unfinished_path_length: int


def statistics(graph: SinkGraph, complete: Collection[str], looks: int) -> Statistics:
    """The statistics after some looks.

    Args:
        complete: nodes reached so far. looks: times that the evaluator was asked; 0 gives what it begins with.

    Raises:
        ConfigError: an unknown node, or one that is complete before what it waits for.
    """
    nodes, before = len(graph.nodes), graph.predecessors()
    for name in complete:
        if name not in before or not set(before[name]) <= set(complete):
            raise ConfigError(
                f"{name} cannot be complete: the graph has no such node, or a node before it is incomplete"
            )
    if not looks:
        return Statistics(nodes, 0, 0.0, 0.0, len(set(graph.edges)), max(graph.depths().values()))
    share = len(complete) / nodes
    steps, longest = _unfinished(graph.sink, before, complete)
    return Statistics(nodes, len(complete), share, share / looks, steps, longest)


def follow(graph: SinkGraph, looks: Iterable[Collection[str]]) -> tuple[Statistics, ...]:
    """The statistics before the first look and after each, up to the one that finds the sink reached.

    Args:
        looks: the nodes whose evaluators would say yes, look by look. What is reached stays so, and within a look what
            has become ready is asked too.
    """
    before = graph.predecessors()
    complete: set[str] = set()
    rows = [statistics(graph, complete, 0)]
    for count, holding in enumerate(looks, 1):
        while reached := {
            name for name in graph.nodes if name in holding and name not in complete and set(before[name]) <= complete
        }:
            complete |= reached
        rows.append(statistics(graph, complete, count))
        if graph.sink in complete:
            break
    return tuple(rows)


def _unfinished(sink: str, before: dict[str, list[str]], complete: Collection[str]) -> tuple[int, int]:
    """`step_to_complete` and `longest_unfinished_path_length`: one walk from the sink, nearest first.

    It is as long as the released one and may double with every fork that closes again; CRAB's graphs have 11 nodes.
    """
    if sink in complete:
        return 0, 0
    steps = length = 0
    turned: set[str] = set()
    queue = deque([(sink, 0)])
    while queue:
        name, length = queue.popleft()
        turned.add(name)
        steps += len(before[name])
        queue += [(early, length + 1) for early in before[name] if early not in complete and early not in turned]
    return steps, length
