"""Examples for the report's page: tasks from as many cells as there is room for, each with its graph and its words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from omnipilot.bench.suites.pool.compose.cells import cell_of
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord, TaskRecord

MOST = 67
"""Most examples: one from each cell that can exist."""


def examples(pool: PoolFolder, seed: int = 0, most: int = MOST) -> list[dict[str, Any]]:
    """Examples as JSON values: at least one from each cell that has any, as long as there is room, drawn by the seed.

    Those that were put into words come first within their cell.
    """
    tasks = {task.graph: task for task in pool.tasks.read()}
    subtasks = {subtask.id: subtask for subtask in pool.subtasks.read()}
    strips = {one.task_id: one.observations for one in pool.trajectories.read() if one.task_id}
    by_cell: dict[str, list[GraphRecord]] = defaultdict(list)
    graphs = pool.graphs.read()
    for graph in graphs:
        by_cell[cell_of(graph.figures)].append(graph)
    dice = Random(seed)
    queues = []
    for cell in sorted(by_cell):
        here = by_cell[cell]
        dice.shuffle(here)
        queues.append(sorted(here, key=lambda graph: graph.id not in tasks))
    chosen: list[GraphRecord] = []
    while len(chosen) < min(most, len(graphs)):
        for queue in queues:
            if queue and len(chosen) < most:
                chosen.append(queue.pop(0))
    return [_example(graph, tasks.get(graph.id), subtasks, strips) for graph in chosen]


def _example(
    graph: GraphRecord,
    task: TaskRecord | None,
    subtasks: Mapping[str, SubtaskRecord],
    strips: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    known = [subtasks.get(id) for id in graph.subtasks]
    return {
        "id": graph.id,
        "cell": cell_of(graph.figures),
        "figures": dict(graph.figures),
        "capabilities": list(graph.capabilities),
        "scenario": graph.scenario,
        "intent": task.intent if task else "",
        "instruction": task.instruction if task else "",
        "low": task.low if task else "",
        "high": task.high if task else "",
        "checked": task.checked if task else "",
        "nodes": [
            {
                "name": one.instruction_template if one else id,
                "app": one.application if one else "",
                "env": one.env if one else "",
            }
            for id, one in zip(graph.subtasks, known, strict=True)
        ],
        "edges": [list(edge) for edge in graph.edges],
        "pictures": list(strips.get(task.id if task else "", ())),
    }
