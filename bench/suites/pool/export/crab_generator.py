"""CRAB's construction made a command (§4.4, A.5): a shape, a walk through the graph of types, values, words, a proof.

The sub-tasks are those of the embedded world's table. A task is kept only if CRAB's own reader composes it to a graph
with one sink and its demonstration passes. Every file is a draft until somebody has read it.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from omnipilot.bench.scoring.data.records import BadRecord, Record
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.data import CrabTask, load_tasks, read_task
from omnipilot.bench.suites.crab.joining import compose_task
from omnipilot.bench.suites.crab.sample import DOCUMENTS, NOTES, PEOPLE, REVIEW_OF_A_DRAFT, TEXTS, TITLES, task_file
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.export.files import write_json
from omnipilot.bench.suites.subtasks.duet_pool import DRAWS, POOL, SUBMIT, id_of
from omnipilot.bench.suites.subtasks.pool import Pool, SubTask
from omnipilot.bench.suites.subtasks.wording import WordedStep
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import ActionRejected, ConfigError, NotFound
from omnipilot.envs.sim import SimWorld

SHAPES: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "single": ((),),
    "chain2": ((), (0,)),
    "chain3": ((), (0,), (1,)),
    "join": ((), (), (0, 1)),
}
"""Shapes of tasks: for each sub-task, those that it takes something of."""
RELEASED: Mapping[str, int] = {"single": 68, "chain2": 55}
"""Shares of the released files: 68 single sub-tasks and 55 chains of two."""
VALUES: Mapping[str, Sequence[str]] = {
    "contact": PEOPLE,
    "note": NOTES,
    "document": DOCUMENTS,
    "list": ("Home", "Work"),
    "folder": ("Work", "Archive"),
    "file": ("Server/log-monday", "Server/log-friday"),
    "text": TEXTS,
    "title": TITLES,
    "word": ("error", "warning"),
}
"""Values by the attribute's name, or else by its type, the special one first."""
DIGITS: Mapping[str, tuple[int, int]] = {
    "code": (1_000, 10_000),
    "number": (100_000, 1_000_000),
    "text/code": (1_000, 10_000),
    "text/phone": (555_000_000, 556_000_000),
}
"""Bounds of numbers that are drawn, likewise: from, and below."""
TRIES = 200
"""Draws for one task until one fits; then its shape cannot be made of the table."""


@dataclass(frozen=True, slots=True)
class TypeEdge:
    """A sub-task whose output another one takes as an attribute."""

    source: str
    target: str
    attribute: str


@dataclass(slots=True)
class Generated:
    """What was made: tasks by shape; drafts that were dropped, by reason."""

    shapes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def type_graph(subtasks: Mapping[str, SubTask]) -> list[TypeEdge]:
    """The edges of the graph of types: a sub-task's output fits an attribute of another one.

    Args:
        subtasks: by name.
    """
    return [
        TypeEdge(one, other, attribute)
        for one, source in subtasks.items()
        for other, target in subtasks.items()
        for attribute, types in target.attributes.items()
        if one != other and any(fits(source.output, kind) for kind in types)
    ]


def table_names() -> dict[str, SubTask]:
    """The embedded world's sub-tasks, by name."""
    return {name: POOL.subtasks[id_of(name)] for name in (*DRAWS, SUBMIT)}


def generate(
    out: Path,
    tasks: int,
    shapes: Mapping[str, int] = RELEASED,
    values: Mapping[str, Sequence[str]] = VALUES,
    seed: int = 0,
) -> Generated:
    """Write tasks as CRAB's files, each once.

    Args:
        tasks: how many. shapes: shares of `SHAPES`. values: by attribute or type; what it lacks is drawn as `DIGITS`.

    Raises:
        ConfigError: no such shape, or the table cannot make one.
    """
    if unknown := [name for name in shapes if name not in SHAPES]:
        raise ConfigError(f"there is no shape {unknown[0]}; there are {', '.join(SHAPES)}")
    if not sum(shapes.values()) or min(shapes.values()) < 0:
        raise ConfigError("shares of shapes are numbers from 0, and one of them is more")
    random, made = Random(seed), Generated()
    subtasks = table_names()
    edges = type_graph(subtasks)
    known: set[str] = set()
    for number, shape in enumerate(_shares(shapes, tasks)):
        for _ in range(TRIES):
            steps = _draw(random, SHAPES[shape], subtasks, edges, values)
            content = None if steps is None else _content(steps, made)
            if content is None:
                continue
            key = json.dumps(content["tasks"])
            if key in known:
                made.dropped["the same again"] += 1
                continue
            id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"omnipilot:crab:generated:{seed}:{number}"))
            task = {**content, "id": id}
            why = why_unplayable(read_task(Record(f"{id}.json", id, task)), POOL)
            if why:
                made.dropped[why] += 1
                continue
            known.add(key)
            write_json(out / _platform(content) / f"{id}.json", task)
            made.shapes[shape] += 1
            break
        else:
            raise ConfigError(f"no more task of the shape {shape} was found; ask for fewer, or give more --values")
    return made


def _shares(shapes: Mapping[str, int], tasks: int) -> Iterator[str]:
    """The shape of each task, in their shares as exactly as whole numbers allow (largest remainders)."""
    whole = sum(shapes.values())
    exact = {name: tasks * share / whole for name, share in shapes.items()}
    counts = {name: int(number) for name, number in exact.items()}
    rest = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in rest[: tasks - sum(counts.values())]:
        counts[name] += 1
    for name, count in counts.items():
        yield from [name] * count


def _draw(
    random: Random,
    shape: Sequence[Sequence[int]],
    subtasks: Mapping[str, SubTask],
    edges: Sequence[TypeEdge],
    values: Mapping[str, Sequence[str]],
) -> list[WordedStep] | None:
    """The sub-tasks of a shape, by a walk through the graph of types; None if this draw leads nowhere."""
    names: list[str] = [""] * len(shape)
    takes: list[dict[str, int]] = [{} for _ in shape]
    for number in reversed(range(len(shape))):
        if not names[number]:
            last = not any(number in sources for sources in shape)
            fitting = [edge.target for edge in edges] if shape[number] else list(subtasks)
            names[number] = random.choice(fitting if last else list(subtasks))
        for source in shape[number]:
            free = [
                edge
                for edge in edges
                if edge.target == names[number]
                and edge.attribute not in takes[number]
                and edge.source not in names
                and (not shape[source] or any(before.target == edge.source for before in edges))
            ]
            if not free:
                return None
            edge = random.choice(free)
            names[source] = edge.source
            takes[number][edge.attribute] = source
    steps = []
    for name, taken in zip(names, takes, strict=True):
        drawn = {
            attribute: _value(random, attribute, types, values)
            for attribute, types in subtasks[name].attributes.items()
            if attribute not in taken
        }
        steps.append(WordedStep(name, drawn, taken))
    return steps


def _value(random: Random, attribute: str, types: Sequence[str], values: Mapping[str, Sequence[str]]) -> str:
    """A value for an attribute, from the table by its name, or else by its type, the special one first."""
    for name in (attribute, *(path for kind in types for path in _paths(kind))):
        if name in values:
            return random.choice(list(values[name]))
        if name in DIGITS:
            return str(random.randrange(*DIGITS[name]))
    raise ConfigError(f"there is no value for {attribute} ({' or '.join(types)}); add one to the file of --values")


def _paths(kind: str) -> Iterator[str]:
    """A type and what it is a kind of: "text/code", then "text"."""
    while kind:
        yield kind
        kind = kind.rpartition("/")[0]


def _content(steps: Sequence[WordedStep], made: Generated) -> dict[str, Any] | None:
    try:
        return task_file(steps, "", REVIEW_OF_A_DRAFT)
    except ConfigError:
        made.dropped["its values do not fit the world"] += 1
        return None


def _platform(content: Mapping[str, Any]) -> str:
    envs = {POOL.subtasks[use["task"]].env for use in content["tasks"]} - {""}
    if len(envs) > 1:
        return "cross"
    return {"phone": "android", "desktop": "ubuntu"}[envs.pop()] if envs else "cross"


def why_unplayable(task: CrabTask, pool: Pool = POOL) -> str:
    """Why a task cannot be played with a table; "" where it can, and its demonstration passes if the table has one."""
    try:
        found = compose_task(pool, task)
    except BadRecord as error:
        return f"{error.bad.field}: {error.bad.reason}"
    if pool.demonstrate is None:
        return ""

    def begin(world: SimWorld) -> str:
        pool.setup(world, found.state)
        return task.description

    trial = Rehearsal(Task(task.id, 0, begin, found.graph))
    try:
        trial.play(pool.demonstrate(trial.world, found.solutions()))
    except (NotFound, ActionRejected) as error:
        return f"its demonstration cannot be carried out: {error}"
    return "its demonstration does not solve it" if trial.missing else ""


def check_files(folder: Path, pool: Pool = POOL) -> list[tuple[str, str]]:
    """Each task file of a folder by its path, and why it cannot be played; "" where it can."""
    loaded = load_tasks(Source.open(str(folder), ""))
    return [
        *((task.file, why_unplayable(task, pool)) for task in loaded.items),
        *((bad.file, str(bad)) for bad in loaded.bad),
    ]


def read_shapes(text: str) -> dict[str, int]:
    """Shares of shapes, such as "single=68,chain2=55".

    Raises:
        ConfigError: it has another form.
    """
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, share = part.partition("=")
        if not equals or not share.strip().isdecimal():
            raise ConfigError(f"a share is SHAPE=NUMBER, such as chain2=55, not {part!r}")
        found[name.strip()] = int(share)
    return found


def read_values(path: Path) -> dict[str, Sequence[str]]:
    """A table of values from a JSON file, {"type or attribute": ["value", …]}, over the table that ships.

    Raises:
        ConfigError: it cannot be read, or is no such table.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(found, dict) or not all(
        isinstance(told, list) and told and all(isinstance(value, str) for value in told) for told in found.values()
    ):
        raise ConfigError(f'{path} must be an object such as {{"contact": ["Nina Rossi"]}}')
    return {**VALUES, **found}
