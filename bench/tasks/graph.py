"""The graph evaluator (CRAB §4.2): sub-goals wait for their predecessors, are judged in waves, and stay reached.

What has to last is examined again once all are reached, so that nothing that was right counts after it was spoiled.

The state is our own code, since graph libraries keep none; topological orders come from `graphlib`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import ConfigError


class NodeState(StrEnum):
    """State of a node: waiting for predecessors, judged at each step, reached, or not reached at the end."""

    WAITING = "waiting"
    EVALUATING = "evaluating"
    COMPLETED = "completed"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class JudgeGraph:
    """A task's sub-goals and the order in which they must be reached.

    Attributes:
        nodes: at least one, with unique names.
        edges: pairs of names (before, after), without cycles; duplicates count once.

    Raises:
        ConfigError: no nodes, a duplicate name, an edge to an unknown node, or a cycle; the message names them.
    """

    nodes: tuple[Judge, ...]
    edges: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        names = [node.name for node in self.nodes]
        if not names:
            raise ConfigError("a task's graph needs at least one judge")
        if twice := {name for name in names if names.count(name) > 1}:
            raise ConfigError(f"judges need unique names; duplicates: {', '.join(sorted(twice))}")
        if strangers := {name for edge in self.edges for name in edge} - set(names):
            raise ConfigError(f"edges name unknown judges: {', '.join(sorted(strangers))}")
        try:
            self.order()
        except CycleError as error:
            cycle = " → ".join(error.args[1])
            raise ConfigError(f"the graph has a cycle: {cycle}; remove one of its edges") from None

    @classmethod
    def chain(cls, nodes: Sequence[Judge]) -> JudgeGraph:
        """A graph in which each node follows the previous one."""
        return cls(tuple(nodes), tuple((a.name, b.name) for a, b in itertools.pairwise(nodes)))

    @property
    def sinks(self) -> tuple[str, ...]:
        """Names of the nodes without successors."""
        before = {edge[0] for edge in self.edges}
        return tuple(node.name for node in self.nodes if node.name not in before)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the nodes without predecessors."""
        after = {edge[1] for edge in self.edges}
        return tuple(node.name for node in self.nodes if node.name not in after)

    def require_one_sink(self) -> None:
        """Check that there is exactly one sink, as in CRAB's graphs.

        Raises:
            ConfigError: there are several.
        """
        if len(self.sinks) != 1:
            raise ConfigError(f"CRAB's graphs have one sink; this one has {', '.join(self.sinks)}")

    def order(self) -> list[str]:
        """Names in topological order: sources in the order of `nodes`, then successors in the order of `edges`."""
        sorter = TopologicalSorter[str]({node.name: () for node in self.nodes})
        for before, behind in self.edges:
            sorter.add(behind, before)
        return list(sorter.static_order())

    def lasting(self, names: Collection[str]) -> JudgeGraph:
        """This graph, in which nodes of these names have to last; those judged at the end stay as they are."""
        last = {one.name for one in self.nodes if one.when == "step"} & set(names)
        return JudgeGraph(tuple(replace(n, when="lasting") if n.name in last else n for n in self.nodes), self.edges)

    def then(self, other: JudgeGraph) -> JudgeGraph:
        """This graph followed by `other`: an edge from every sink to every source of `other` (CRAB's composition)."""
        joints = tuple((sink, source) for sink in self.sinks for source in other.sources)
        return JudgeGraph(self.nodes + other.nodes, self.edges + other.edges + joints)


@dataclass(frozen=True, slots=True)
class Change:
    """A node whose verdict changed: it was reached, its progress changed, or it has to last and holds no more; at the
    end also one that was not reached, with what was found instead."""

    node: str
    verdict: Verdict
    completed: bool


class GraphEvaluator:
    """The progress of one episode through one graph.

    The cost of a step depends on the number of active nodes, not on the size of the graph: at most 0.1 ms with 400
    nodes, not counting the judges (`make bench AREA=graph`).
    """

    def __init__(self, graph: JudgeGraph) -> None:
        self.graph = graph
        index = {node.name: i for i, node in enumerate(graph.nodes)}
        self._after: list[list[int]] = [[] for _ in graph.nodes]
        self._waiting_for = [0] * len(graph.nodes)
        # In their order: judges are asked in the same order by every process.
        for before, behind in dict.fromkeys(graph.edges):
            self._after[index[before]].append(index[behind])
            self._waiting_for[index[behind]] += 1
        self._active = [i for i, count in enumerate(self._waiting_for) if count == 0]
        self._completed = [False] * len(graph.nodes)
        self._progress = [0.0] * len(graph.nodes)
        self._first_groups = {graph.nodes[i].group for i in self._active}
        self._since: dict[object, tuple[int, float]] = {}
        self.completed = 0

    @property
    def total(self) -> int:
        """Number of nodes, N."""
        return len(self.graph.nodes)

    @property
    def success(self) -> bool:
        """Whether every sink, and so every node, is complete."""
        return self.completed == self.total

    @property
    def completion(self) -> float:
        """Completion ratio C/N (CRAB §4.3), 0..1."""
        return self.completed / self.total

    def states(self) -> dict[str, NodeState]:
        """The state of every node, by name."""
        return {
            node.name: NodeState.COMPLETED
            if self._completed[i]
            else (NodeState.WAITING if self._waiting_for[i] else NodeState.EVALUATING)
            for i, node in enumerate(self.graph.nodes)
        }

    def copy(self) -> GraphEvaluator:
        """A copy of this evaluator with the same graph and state, independent from then on."""
        other = object.__new__(GraphEvaluator)
        other.graph, other._after, other._first_groups = self.graph, self._after, self._first_groups
        other._waiting_for = list(self._waiting_for)
        other._active = list(self._active)
        other._completed = list(self._completed)
        other._progress = list(self._progress)
        other._since = dict(self._since)
        other.completed = self.completed
        return other

    def step(self, case: Case, ended: bool = False) -> tuple[Change, ...]:
        """Judge the active nodes, then those that this activates, until no more are; each at most once.

        When all are reached, those that have to last are judged again; one that holds no more is open again.

        Args:
            ended: the episode is over, so judges that run only at the end are called too.

        Returns:
            The changes, in order of detection; at the end, what is not reached is among them if its judge says why.
        """
        changes: list[Change] = []
        wave: Iterable[int] = self._active
        still: list[int] = []
        while wave:
            woken: list[int] = []
            for i in wave:
                judge = self.graph.nodes[i]
                if judge.when == "end" and not ended:
                    still.append(i)
                    continue
                verdict = self._ask(judge, case)
                if verdict.reached:
                    self._completed[i] = True
                    self.completed += 1
                    for behind in self._after[i]:
                        self._waiting_for[behind] -= 1
                        if self._waiting_for[behind] == 0:
                            woken.append(behind)
                else:
                    still.append(i)
                if verdict.reached or verdict.progress != self._progress[i] or (ended and verdict.reason):
                    changes.append(Change(judge.name, verdict, verdict.reached))
                    self._progress[i] = verdict.progress
            wave = woken
        if self.success:
            for i, judge in enumerate(self.graph.nodes):
                if judge.when == "lasting" and not (verdict := self._ask(judge, case)).reached:
                    self._completed[i] = False
                    self.completed -= 1
                    still.append(i)
                    changes.append(Change(judge.name, verdict, False))
                    self._progress[i] = verdict.progress
        self._active = still
        return tuple(changes)

    def _ask(self, judge: Judge, case: Case) -> Verdict:
        return judge(case if judge.group is None else self._case_of(judge.group, case))

    def _case_of(self, group: object, case: Case) -> Case:
        """The case as a judge of this group is told it: what was done and sounded since the group became active."""
        if group in self._first_groups:
            return case
        since, time = self._since.setdefault(group, (len(case.actions), case.world.now))
        return replace(case, since=since, since_time=time)
