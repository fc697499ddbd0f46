"""How fast OmniBench's largest coherence is found at 24 subtasks, where topological orders cannot be listed."""

from __future__ import annotations

import statistics
import time
from random import Random

from omnipilot.bench.suites.omnibench.metrics.coherence import fewest_runs
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph

NODES = 24
APPLICATIONS = (2, 4, 6, 8, 12)
DENSITIES = (0.02, 0.05, 0.08, 0.12, 0.2, 0.35)


def coherence_seconds(graphs: int = 10, rounds: int = 3) -> dict[str, float]:
    """Seconds of the processor a graph: the median and the slowest of random ones, and a graph made to be slow.

    Args:
        graphs: random ones for each number of applications and density of edges. rounds: the best of them counts.
    """
    draw = Random(NODES)
    times = [
        _best(random_graph(draw, NODES, applications, density), rounds)
        for applications in APPLICATIONS
        for density in DENSITIES
        for _ in range(graphs)
    ]
    return {"median": statistics.median(times), "slowest": max(times), "adversarial": _best(adversary(), rounds)}


def random_graph(draw: Random, nodes: int, applications: int, density: float) -> TaskGraph:
    """Subtasks of random applications; each waits for each before it with the same chance."""
    subtasks = tuple(Subtask(str(place), f"app {draw.randrange(applications)}") for place in range(nodes))
    edges = tuple((str(early), str(late)) for late in range(nodes) for early in range(late) if draw.random() < density)
    return TaskGraph(subtasks, edges)


def adversary() -> TaskGraph:
    """A slow graph of 24 subtasks and twelve applications, found by climbing from random ones towards more work."""
    applications = "4 6 11 8 6 0 3 7 4 1 10 2 8 5 9 0 1 3 9 5 11 2 7 8".split()
    edges = (
        "0-14 0-23 1-20 1-23 2-4 3-4 3-8 3-19 3-23 4-8 4-14 4-19 5-8 5-12 5-16 5-21 5-22 5-23 6-10 6-15 6-16 6-20 "
        "7-14 9-17 9-21 9-22 10-19 11-15 11-19 14-23 15-22 18-21 19-21 21-22"
    )
    return TaskGraph(
        tuple(Subtask(str(place), f"app {number}") for place, number in enumerate(applications)),
        tuple((early, late) for early, late in (edge.split("-") for edge in edges.split())),
    )


def _best(graph: TaskGraph, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        fewest_runs(graph)
        times.append(time.process_time() - began)
    return min(times)
