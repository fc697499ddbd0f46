"""OmniBench's files (appendix C): subtasks (C.1), their trajectories (C.2), tasks (C.4) and their trajectories (C.5).

Subtasks are written as `subtasks.json`, tasks as `tasks/ID.json`, trajectories as JSON lines with pictures in `images`.
A graph that has one subtask twice has two nodes with ids of their own, `ID` and `ID#2`, since OmniBench names nodes by
subtasks.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.pool.compose.instances import compose_graph
from omnipilot.bench.suites.pool.export.files import PictureFolder, write_json, write_lines
from omnipilot.bench.suites.pool.export.orders import all_orders, count_orders
from omnipilot.bench.suites.pool.export.playing import (
    DemonstrationStep,
    PlayedTask,
    parameters_of,
    play_task,
    subtask_graph,
)
from omnipilot.bench.suites.pool.export.source import ExportSource, ExportTask
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.verify.trajectories import function_of, pixels
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.envs import Image, Point
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.memory import Move

CAP = 100
"""Most topological orders that a task lists, beside those that were played."""


@dataclass(slots=True)
class OmniBenchExport:
    """What was written.

    Attributes:
        subtasks, tasks: numbers of records. subtask_trajectories, task_trajectories: numbers of those that were solved.
        unsolved: trajectories that were played and not written, as "task (order)".
        bad: what our own reader says of the files; none is expected.
    """

    subtasks: int = 0
    tasks: int = 0
    subtask_trajectories: int = 0
    task_trajectories: int = 0
    unsolved: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)


def export_omnibench(source: ExportSource, out: Path, cap: int = CAP) -> OmniBenchExport:
    """Write OmniBench's files, and read them back with the suite's own reader.

    Args:
        cap: most topological orders that a task lists.
    """
    pictures, made = PictureFolder(out), OmniBenchExport()
    parameters: dict[str, list[dict[str, str]]] = {}
    lines: list[dict[str, Any]] = []
    for task in source.tasks:
        composed = compose_graph(task.graph, source.templates, task.instance)
        for number, node in enumerate(task.nodes):
            values = parameters_of(composed, number)
            if values not in parameters.setdefault(node, []):
                parameters[node].append(values)
        orders = _listed_orders(task, source.orders_of(task), cap)
        write_json(out / "tasks" / f"{task.id}.json", _task(task, composed, orders))
        for played in source.play(task):
            id = f"{task.id} ({orders.index(played.order)})"
            if played.solved:
                lines.append(_task_trajectory(id, task, played, pictures))
            else:
                made.unsolved.append(id)
        source.forget(task)
    records = [_subtask(source.subtasks[node.split("#")[0]], node, sets) for node, sets in parameters.items()]
    write_json(out / "subtasks.json", records)
    made.subtasks, made.tasks = len(records), len(source.tasks)
    made.task_trajectories = write_lines(out / "task_trajectories.jsonl", lines)
    made.subtask_trajectories = write_lines(
        out / "subtask_trajectories.jsonl", _subtask_trajectories(source, parameters, pictures, made)
    )
    made.bad = [str(bad) for bad in load_data(Source.open(str(out), "")).bad]
    return made


def _subtask(record: SubtaskRecord, node: str, parameters: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    title = APPS[record.application].title if record.application in APPS else record.application
    return {
        "id": node,
        "instruction_template": record.instruction_template,
        "application": title,
        "available_parameters": [dict(values) for values in parameters],
        "OS": record.OS or record.env,
        "input_resources": list(record.input_resources),
        "output_resources": list(record.output_resources),
        **({"category": record.category} if record.category else {}),
    }


def _listed_orders(task: ExportTask, played: Sequence[tuple[int, ...]], cap: int) -> list[tuple[int, ...]]:
    """The first orders up to the cap, and those that are played."""
    listed = list(itertools.islice(all_orders(len(task.graph.subtasks), task.graph.edges), cap))
    return listed + [order for order in played if order not in listed]


def _task(task: ExportTask, composed: Composition, orders: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    nodes, graph, told = task.nodes, task.graph, task.told
    behind = {node: [nodes[late] for early, late in graph.edges if nodes[early] == node] for node in nodes}
    return {
        "task_instruction": composed.instruction if told is None else told.instruction,
        "dag": {"nodes": list(nodes), "edges": {node: late or [[]] for node, late in behind.items()}},
        "task_intent": graph.intent if told is None else told.intent or graph.intent,
        "successful_topo": [[nodes[number] for number in order] for order in orders],
        "successful_topo_count": count_orders(len(nodes), graph.edges),
    }


def _task_trajectory(id: str, task: ExportTask, played: PlayedTask, pictures: PictureFolder) -> dict[str, Any]:
    return {
        "trajectory_id": id,
        "task_id": task.id,
        "topological_order": [task.nodes[number] for number in played.order],
        "instruction": played.instruction,
        "intent": played.intent,
        **trajectory_of(played, pictures),
    }


def trajectory_of(played: PlayedTask, pictures: PictureFolder) -> dict[str, list[Any]]:
    """Observations and actions in OmniBench's form; one more observation than actions."""
    return {
        "observations": [pictures.add(screen_of(step)) for step in played.steps],
        "actions": [_action(step) for step in played.steps[:-1]],
    }


def screen_of(step: DemonstrationStep) -> Image:
    """The screen of the device that a step acts on, before it."""
    shot = step.seen[step.env].screenshot
    assert isinstance(shot, Image)
    return shot


def _action(step: DemonstrationStep) -> dict[str, Any]:
    function, args = function_of(Move(step.env, step.intent))
    return {
        "function": function,
        "args": args,
        "rect": rect_of(step),
        "description": step.description,
        "thought": step.thought,
        "control_text": step.target.name if step.target is not None else "",
        "env": step.env,
    }


def rect_of(step: DemonstrationStep) -> list[int] | None:
    """Where a step acts: x, y, width and height in pixels of the screen before it; None where it acts nowhere."""
    size = step.seen[step.env].size
    if step.target is not None:
        return list(pixels(step.target.box, size))
    at = getattr(step.action, "at", None)
    return [*at.to_pixel(size), 1, 1] if isinstance(at, Point) else None


def _subtask_trajectories(
    source: ExportSource, nodes: Mapping[str, Any], pictures: PictureFolder, made: OmniBenchExport
) -> Iterator[dict[str, Any]]:
    """Those that `synth verify` accepted; of a subtask without one, its demonstration in an instance of its own."""
    used = Counter(node.split("#")[0] for node in nodes)
    kept = [one for one in source.folder.trajectories.read() if one.subtask_id in used]
    for one in kept:
        actions = [
            {
                "function": action.function,
                "args": dict(action.args),
                "rect": None if action.rect is None else list(action.rect),
                "description": action.description,
                "thought": action.thought,
                "control_text": action.control_text,
                "env": action.env,
            }
            for action in one.actions
        ]
        seen = [_stored(source, name, pictures) for name in one.observations]
        yield {
            "trajectory_id": one.trajectory_id,
            "instruction": one.instruction,
            "observations": seen,
            "actions": actions,
            "subtask_id": one.subtask_id,
        }
    told = {one.subtask_id for one in kept}
    for id in (id for id in used if id not in told):
        played = play_task(subtask_graph(id, source.seed), source.templates)
        if not played.solved:
            made.unsolved.append(f"{id} alone")
            continue
        yield {
            "trajectory_id": f"{id}-0",
            "instruction": played.instruction,
            **trajectory_of(played, pictures),
            "subtask_id": id,
        }


def _stored(source: ExportSource, name: str, pictures: PictureFolder) -> str:
    """A picture of the pool's media store, kept in the export; "" where the pool has none."""
    path = source.folder.media / name
    return pictures.add(Image.encoded(path.read_bytes())) if name and path.is_file() else ""
