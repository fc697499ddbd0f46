"""How fast the graph evaluator is, judges apart."""

from __future__ import annotations

import statistics
import time
from random import Random
from typing import cast

from omnipilot.bench import Case, GraphEvaluator, Judge, JudgeGraph, Verdict
from omnipilot.envs import World


def graph_step_seconds(nodes: int = 400, repeats: int = 30) -> float:
    """Median seconds of one evaluator step on a random graph, while an episode walks through all of it.

    The graph has layers of ten nodes, each waiting for two of the layer before; each step reaches what is active.
    The time of asking the same judges in a bare loop is subtracted.
    """
    draw = Random(nodes)
    reached: set[str] = set()
    verdicts = {True: Verdict(1.0), False: Verdict(0.0)}

    def judge(name: str) -> Judge:
        return Judge(name, lambda _: verdicts[name in reached])

    names = [str(i) for i in range(nodes)]
    edges = [
        (names[before], names[i])
        for i in range(10, nodes)
        for before in draw.sample(range(i // 10 * 10 - 10, i // 10 * 10), 2)
    ]
    graph = JudgeGraph(tuple(map(judge, names)), tuple(edges))
    case = Case(cast(World, None))
    times: list[float] = []
    for _ in range(repeats):
        reached.clear()
        evaluator = GraphEvaluator(graph)
        spent, steps, asked = 0.0, 0, 0
        while not evaluator.success:
            active = [name for name, state in evaluator.states().items() if state == "evaluating"]
            reached.update(active)
            asked += len(active)
            began = time.perf_counter()
            evaluator.step(case)
            spent += time.perf_counter() - began
            steps += 1
            reached.clear()
        began = time.perf_counter()
        for i in range(asked):
            graph.nodes[i](case)
        times.append((spent - (time.perf_counter() - began)) / steps)
    return statistics.median(times)
