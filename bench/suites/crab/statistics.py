"""The six statistics that CRAB's released graph evaluator keeps for an episode, including its quirks.

They are columns of its logs. The paper defines none of them, so the released variant is the only one.

* `complete_nodes` counts every node once the sink is reached.
* `completeness_per_action` divides by the number of evaluations, one of which comes before any action.
* `step_to_complete` walks back from the sink and adds up the edges into each node on its way, complete or not. A node
  that is queued twice before it is visited counts twice, so the figure may exceed the number of edges.
* `longest_unfinished_path_length` is the length of the path to the node visited last, which is not always the longest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class SinkGraph:
    """A task's nodes and the order constraints between them.

    Attributes:
        nodes: at least one, in the order in which they were added to the graph, which breaks ties.
        edges: (before, after); duplicates count once.

    Raises:
        ConfigError: no node, a node twice, an edge to an unknown node, a cycle, or not exactly one sink.
    """

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.nodes or len(set(self.nodes)) < len(self.nodes):
            raise ConfigError(f"a graph needs at least one node, and each only once, not {list(self.nodes)}")
        if strangers := {name for edge in self.edges for name in edge} - set(self.nodes):
            raise ConfigError(f"edges refer to unknown nodes: {', '.join(sorted(strangers))}")
        if held := set(self.nodes) - set(self.depths()):
            raise ConfigError(f"the graph has a cycle that blocks: {', '.join(sorted(held))}")
        before = {early for early, _ in self.edges}
        if len(sinks := [name for name in self.nodes if name not in before]) != 1:
            raise ConfigError(f"CRAB's graphs have exactly one sink; this one has {', '.join(sinks)}")

    @property
    def sink(self) -> str:
        """The node without successors."""
        before = {early for early, _ in self.edges}
        return next(name for name in self.nodes if name not in before)

    def predecessors(self) -> dict[str, list[str]]:
        """The direct predecessors of each node, in the order of the nodes."""
        edges = set(self.edges)
        return {late: [early for early in self.nodes if (early, late) in edges] for late in self.nodes}

    def depths(self) -> dict[str, int]:
        """The number of edges on the longest path to each node, without nodes on a cycle or after one."""
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
    """The statistics after a given number of evaluations.

    Args:
        complete: nodes reached so far. looks: evaluations so far; 0 gives the initial values.

    Raises:
        ConfigError: an unknown node, or one that is complete before its predecessors.
    """
    nodes, before = len(graph.nodes), graph.predecessors()
    for name in complete:
        if name not in before or not set(before[name]) <= set(complete):
            raise ConfigError(
                f"{name} cannot be complete: it is not in the graph, or one of its predecessors is not complete"
            )
    if not looks:
        return Statistics(nodes, 0, 0.0, 0.0, len(set(graph.edges)), max(graph.depths().values()))
    share = len(complete) / nodes
    steps, longest = _unfinished(graph.sink, before, complete)
    return Statistics(nodes, len(complete), share, share / looks, steps, longest)


def _unfinished(sink: str, before: dict[str, list[str]], complete: Collection[str]) -> tuple[int, int]:
    """`step_to_complete` and `longest_unfinished_path_length`, by a breadth-first walk back from the sink.

    Like the released one it may double in length with every fork that joins again; CRAB's graphs have up to 11 nodes.
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
