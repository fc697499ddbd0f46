"""OmniBench's data files: subtasks, and tasks as graphs of them (appendix C.1, C.4).

A folder holds `subtasks.json` (or `.jsonl`, or a folder `subtasks` of such files) and a folder `tasks` with a file
for each task, whose name without its extension is the task's id. The evaluation functions beside them are code, and
they are never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.records import Bad, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnibench.dag import edges_of, orders_of
from omnipilot.bench.suites.omnibench.metrics.complexity import CATEGORIES, complexity_of
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.tasks.complexity import Complexity
from omnipilot.envs import ConfigError

GET = (
    "OmniBench (https://omni-bench.github.io) had published neither tasks nor subtasks when this was written. "
    "`omnipilot miniature DIR omnibench` makes ones for the embedded world."
)
ADAPTER = "1"
"""Version of how files are read and judged; part of the suite's version."""
EMBEDDED: Mapping[str, str] = {
    **dict.fromkeys(("Messages", "Contacts", "Phone"), "Social Communication"),
    **dict.fromkeys(("Music", "Gallery", "Video Player"), "Multimedia Playback"),
    **dict.fromkeys(("Text Editor", "Spreadsheet"), "Office"),
    **dict.fromkeys(("Clock", "Signals"), "Utility Tools"),
    "Files": "System Management",
    "Tasks": "Task Management",
    "Notes": "Note Management",
    "Browser": "Web Browsing",
    "Terminal": "Programming",
}
"""Categories (of table 11) of applications of the embedded world that the table does not have."""
_KNOWN = {name.casefold(): kind for kind, names in CATEGORIES.items() for name in names}
_EMBEDDED = {name.casefold(): kind for name, kind in EMBEDDED.items()}
_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class OmniSubtask:
    """A subtask record.

    Attributes:
        parameters: sets of values for the placeholders of the template; at least one, which may be empty.
        inputs, outputs: types of resources, of one vocabulary; a type may be a path from general to special, such as
            "text/code".
        category: of the application: that of the record, otherwise that of table 11; "" if neither has one.
    """

    file: str
    id: str
    template: str
    application: str
    parameters: tuple[Mapping[str, Any], ...]
    os: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    category: str = ""

    def parameters_in(self, instruction: str) -> Mapping[str, Any]:
        """The (first) parameter set with the most values in a task's instruction, since no file specifies the set."""
        return max(self.parameters, key=lambda values: sum(str(value) in instruction for value in values.values()))


@dataclass(frozen=True)
class OmniTask:
    """A task record: its graph, with the subtasks in file order, and the record of each."""

    file: str
    id: str
    instruction: str
    intent: str
    graph: TaskGraph
    subtasks: tuple[OmniSubtask, ...]
    topologies: tuple[tuple[str, ...], ...]

    @cached_property
    def classified(self) -> bool:
        """Whether every application's category is known, as the knowledge complexity requires."""
        return all(subtask.category for subtask in self.subtasks)

    @cached_property
    def complexity(self) -> Complexity:
        """The five figures (§3.1), width being the largest level; an unknown application is its own category."""
        return complexity_of(self.graph)

    def tags(self) -> dict[str, str]:
        """Tags to group and filter tasks by; knowledge and capabilities only if `classified`."""
        grades = {name: grade.value for name, grade in self.complexity.grades().items()}
        capability = "+".join(self.complexity.capabilities())
        if not self.classified:
            del grades["knowledge"]
            capability = ""
        return {
            "app": "+".join(dict.fromkeys(subtask.application for subtask in self.subtasks)),
            "platform": "+".join(dict.fromkeys(subtask.os for subtask in self.subtasks)),
            **grades,
            "capability": capability,
            "nodes": str(len(self.subtasks)),
            "template": "+".join(subtask.id for subtask in self.subtasks),
        }


def data_files(source: Source) -> list[Path]:
    """The files of subtasks and tasks.

    Raises:
        ConfigError: there are none.
    """
    places = ("subtasks.json", "subtasks.jsonl", "subtasks/*.json", "subtasks/*.jsonl")
    subtasks = [path for place in places for path in source.find(place)]
    if not subtasks:
        raise ConfigError(f"{source.root} has no {' or '.join(places)}. {source.get}")
    source.path("tasks/*.json")
    return subtasks + source.find("tasks/*.json")


def version_of(source: Source) -> str:
    """The version of a suite of this data: the reader's version and a digest of the files."""
    return f"{ADAPTER}-{source.digest(data_files(source))}"


def load_data(source: Source) -> Loaded[OmniTask]:
    """Read all tasks, sorted by file name; unusable records are listed as bad.

    Raises:
        ConfigError: the folder has no subtasks or no tasks.
    """
    files = data_files(source)
    tasks = [path for path in files if path.parent.name == "tasks"]
    subtasks = read_each(
        (record for path in files if path not in tasks for record in _subtasks(source, path)),
        read_subtask,
        key=lambda subtask: subtask.id,
    )
    known = {subtask.id: subtask for subtask in subtasks.items}
    unusable = {bad.record: bad for bad in subtasks.bad}
    records = (Record(source.name(path), path.stem, {"path": path}) for path in tasks)
    loaded = read_each(records, lambda record: read_task(_opened(record), known, unusable), key=lambda task: task.id)
    return Loaded(loaded.items, subtasks.bad + loaded.bad)


def read_subtask(record: Record) -> OmniSubtask:
    """A subtask record.

    Raises:
        BadRecord: a field is missing or wrong, or a parameter set lacks a value for a placeholder of the template.
    """
    id = record.text("id")
    record = record.named(id)
    template, application = record.text("instruction_template"), record.text("application")
    raw = record.raw("available_parameters")
    # The released evaluator takes one object here, where the paper has a list of them.
    sets = [raw] if isinstance(raw, Mapping) else record.items("available_parameters") or [{}]
    for number, values in enumerate(sets):
        at = f"available_parameters[{number}]"
        if not isinstance(values, Mapping):
            raise record.wrong(at, "a set of parameters must be an object: {name: value}")
        if missing := [hole for hole in _HOLE.findall(template) if hole not in values]:
            raise record.wrong(f"{at}.{missing[0]}", "it is missing; instruction_template has a placeholder for it")
    return OmniSubtask(
        record.file,
        id,
        template,
        application,
        tuple(dict(values) for values in sets),
        record.text("OS"),
        _texts(record, "input_resources"),
        _texts(record, "output_resources"),
        record.text("category", "") or category_of(application),
    )


def read_task(record: Record, known: Mapping[str, OmniSubtask], unusable: Mapping[str, Bad]) -> OmniTask:
    """A task record, named after its file.

    Args:
        known: usable subtasks by id. unusable: the problems of the others, by id.

    Raises:
        BadRecord: a field is missing or wrong, a node is no known subtask, the graph has a cycle, or an edge does not
            follow from what its subtasks yield and take.
    """
    instruction, intent = record.text("task_instruction"), record.text("task_intent")
    dag = record.table("dag")
    nodes = _texts(dag, "nodes")
    for number, node in enumerate(nodes):
        if node in unusable:
            raise record.wrong(f"dag.nodes[{number}]", f"its record is bad: {unusable[node]}")
        if node not in known:
            raise record.wrong(f"dag.nodes[{number}]", f"no file of subtasks has {node}")
    edges = edges_of(dag, nodes)
    subtasks = tuple(known[node] for node in nodes)
    try:
        graph = TaskGraph(tuple(Subtask(s.id, s.application, s.category or s.application) for s in subtasks), edges)
    except ConfigError as error:
        raise record.wrong("dag", str(error)) from None
    _check_edges(dag, edges, known)
    return OmniTask(record.file, record.record, instruction, intent, graph, subtasks, orders_of(record, graph))


def passes(before: OmniSubtask, after: OmniSubtask) -> bool:
    """Whether a resource that one subtask yields is one that another takes (§3.2)."""
    return any(fits(output, input) for output in before.outputs for input in after.inputs)


def _check_edges(dag: Record, edges: Sequence[tuple[str, str]], known: Mapping[str, OmniSubtask]) -> None:
    """Refuse an edge for which no resource passes.

    Raises:
        BadRecord: there is one.
    """
    for before, after in edges:
        if not passes(known[before], known[after]):
            yields, takes = (", ".join(types) or "nothing" for types in (known[before].outputs, known[after].inputs))
            raise dag.table("edges").wrong(
                before,
                f"nothing passes from {before} to {after}: {before} yields {yields}, {after} takes {takes}. Add the "
                f"type of what passes to output_resources of {before} and input_resources of {after}, or leave the "
                "edge out",
            )


def category_of(application: str) -> str:
    """The category of an application in table 11 or the embedded world; "" for any other."""
    name = application.casefold()
    return _KNOWN.get(name) or _EMBEDDED.get(name, "")


def _subtasks(source: Source, path: Path) -> Iterator[Record]:
    """The records of a file: a list, a single record, or an object with a record under each key."""
    if path.suffix == ".json":
        try:
            data = read_json(path)
        except ValueError as error:
            raise ConfigError(f"{source.name(path)} is not JSON: {error}") from None
        if isinstance(data, dict) and "instruction_template" in data:
            return iter([Record(source.name(path), path.stem, data)])
    return source.records(path)


def _opened(file: Record) -> Record:
    path: Path = file.raw("path")
    try:
        return Record(file.file, file.record, read_json(path))
    except ValueError as error:
        raise file.wrong("", f"it is not JSON: {error}") from None


def _texts(record: Record, name: str) -> tuple[str, ...]:
    values = record.items(name)
    for value in values:
        if not isinstance(value, str):
            raise record.wrong(name, f"it must be a list of strings, but has {value!r:.60}")
    return tuple(values)
