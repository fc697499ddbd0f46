"""Task graphs of OmniBench, by hand and at random."""

from __future__ import annotations

from hypothesis import strategies as st

from omnipilot.bench.metrics.omnibench_graph import Subtask, TaskGraph


def graph(subtasks: str, *edges: str) -> TaskGraph:
    """Subtasks such as "aX bY" (id and application) and two-letter edges."""
    return TaskGraph(tuple(Subtask(name[0], name[1]) for name in subtasks.split()), tuple((e[0], e[1]) for e in edges))


@st.composite
def graphs(draw: st.DrawFn, nodes: int = 9, dense: bool = False) -> TaskGraph:
    """A random graph; edges go up in a hidden order, the file's order is another."""
    count = draw(st.integers(1, nodes))
    apps = draw(st.lists(st.sampled_from("XYZ"), min_size=count, max_size=count))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=2 * count)) if pairs else []
    if dense:
        # Nine nodes without an edge have 362,880 orders; every node but three has at least one to wait for.
        edges += [(draw(st.integers(0, b - 1)), b) for b in range(3, count)]
    file = draw(st.permutations([Subtask(f"n{i}", apps[i]) for i in range(count)]))
    return TaskGraph(tuple(file), tuple((f"n{a}", f"n{b}") for a, b in edges))
