"""A pool's tasks as CRAB's composed JSON, and the table by which CRAB's suite plays them again.

CRAB writes all values into a task's file. A subtask of a pool draws more content than its words say (who else wrote,
which other notes there are), so a file has one attribute besides: `content`, the seed of what is drawn, with the number
of the node and the inputs that other nodes provide. The table refuses values that do not follow from it.
"""

from __future__ import annotations

import string
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.data import load_tasks
from omnipilot.bench.suites.crab.sample import REVIEW_OF_A_DRAFT
from omnipilot.bench.suites.duet.kit.play import demonstration
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.compose.instances import draw_content
from omnipilot.bench.suites.pool.export.files import write_json
from omnipilot.bench.suites.pool.export.playing import parameters_of, play_task
from omnipilot.bench.suites.pool.export.source import ExportSource, ExportTask
from omnipilot.bench.suites.pool.verify.instances import without_quotes
from omnipilot.bench.suites.subtasks.given_draws import setup
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler
from omnipilot.bench.synthesis.template import Piece, Resource, Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState

CONTENT = "content"
"""The attribute with the seed of what is drawn."""


@dataclass(slots=True)
class CrabExport:
    """What was written: the number of files; tasks left out by reason; what our own reader complains of."""

    tasks: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)


def subtask_id(id: str) -> str:
    """The id of a subtask in CRAB's files, a UUID."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"omnipilot:pool:subtask:{id}"))


def export_crab(source: ExportSource, out: Path) -> CrabExport:
    """Write a file a task, in a folder for each platform, and read them back with the suite's own reader.

    A task whose judges end in more than one sink is left out, since CRAB's evaluator takes only one.
    """
    made = CrabExport()
    for task in source.tasks:
        seed, composed = draw_content(task.graph, source.templates, task.instance)
        try:
            composed.graph.require_one_sink()
        except ConfigError:
            made.left_out["tasks whose judges end in more than one sink"] += 1
            continue
        if not play_task(task.graph, source.templates, task.instance).solved:
            made.left_out["tasks that their demonstration does not solve"] += 1
            continue
        envs = {env for part in composed.parts for env in part.template.env.split("+")}
        folder = "cross" if len(envs) > 1 else {"phone": "android", "desktop": "ubuntu"}[envs.pop()]
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"omnipilot:pool:task:{task.id}:{task.instance}"))
        write_json(out / folder / f"{name}.json", _file(task, composed, seed, name))
        made.tasks += 1
    out.mkdir(parents=True, exist_ok=True)
    made.bad = [str(bad) for bad in load_tasks(Source.open(str(out), "")).bad]
    return made


def _file(task: ExportTask, composed: Composition, seed: int, name: str) -> dict[str, Any]:
    graph = task.graph
    uses = []
    for number, part in enumerate(composed.parts):
        joined = ",".join(part.takes)
        uses.append(
            {
                "task": subtask_id(part.template.id),
                "attribute": {**parameters_of(composed, number), CONTENT: f"{seed} {number} {joined}".strip()},
                "output": part.piece.output.value if part.piece.output is not None else None,
            }
        )
    lines = [[number, *sorted({late for early, late in graph.edges if early == number})] for number in range(len(uses))]
    return {
        "description": composed.instruction if task.told is None else task.told.instruction,
        "tasks": uses,
        "adjlist": "\n".join(" ".join(map(str, line)) for line in lines),
        "id": name,
        **REVIEW_OF_A_DRAFT,
    }


def crab_table(templates: Mapping[str, Template]) -> Pool:
    """The table of sub-tasks that plays the exported files of a pool with these templates.

    Args:
        templates: by id, as `omnipilot.bench.suites.pool.templates.templates_of` gives them.
    """
    made = {subtask_id(id): _subtask(template) for id, template in templates.items()}
    return Pool(made, SimWorld, lambda: None, setup, demonstration)


def _subtask(template: Template) -> SubTask:
    holes = [name for name in _holes(template.instruction) if name not in template.inputs]
    types = dict.fromkeys(holes, ("text",)) | {name: (kind,) for name, kind in template.inputs.items()}

    def make(given: Mapping[str, Any], state: WorldState | None, claims: Claims) -> Piece:
        seed, number, joined = _content(template, given[CONTENT])
        if state is None:
            state = quiet(initial_world(seed))
        draw = TaskSampler(seed_of(seed, number, template.id), claims=claims)
        alone = template.draw_inputs(draw, {name: str(given[name]) for name in joined}, state)
        inputs: dict[str, str] = {}
        for name in template.inputs:
            value: str | Resource = str(given[name]) if name in joined else alone[name]
            inputs[name] = value.value if isinstance(value, Resource) else value
            _check(template, name, given, without_quotes(value.words) if isinstance(value, Resource) else value)
        piece = template.make(draw, inputs, state)
        for name in holes:
            _check(template, name, given, without_quotes(piece.words.get(name, str(given[name]))))
        return piece

    return SubTask(
        subtask_id(template.id),
        template.instruction,
        {**types, CONTENT: (CONTENT,)},
        template.output,
        make,
        template.env,
        template.app,
    )


def _holes(instruction: str) -> list[str]:
    return list(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(instruction) if name))


def _content(template: Template, said: Any) -> tuple[int, int, tuple[str, ...]]:
    words = str(said).split()
    if len(words) not in (2, 3) or not (words[0].isdecimal() and words[1].isdecimal()):
        raise ConfigError(f"{CONTENT} of {template.id} is SEED NUMBER INPUT,INPUT, not {said!r}; export the pool again")
    joined = tuple(words[2].split(",")) if len(words) == 3 else ()
    if strangers := [name for name in joined if name not in template.inputs]:
        raise ConfigError(f"{CONTENT} of {template.id} names the unknown input {strangers[0]}; export the pool again")
    return int(words[0]), int(words[1]), joined


def _check(template: Template, name: str, given: Mapping[str, Any], value: str) -> None:
    if str(given[name]) != value:
        raise ConfigError(
            f"{name} of {template.id} is {given[name]!r}, but its {CONTENT} gives {value!r}; values of a pool's tasks "
            "follow from the seed, so compose another task instead of editing them"
        )
