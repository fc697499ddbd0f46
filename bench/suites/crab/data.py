"""CRAB v0's task files: one JSON object per file, composed of sub-tasks that are defined in code.

`{"description", "tasks": [{"task": id of a sub-task, "attribute": {name: value}, "output": text or null}], "adjlist",
"id"}`. Values passed from one sub-task to another are written in the file: nothing is passed on at run time,
and `output` is only informative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.records import BadRecord, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab.adjacency import Adjacency, Variant, read_adjacency
from omnipilot.bench.tasks import ACCEPTED, DRAFT, TAKEN_OUT, Review
from omnipilot.envs import ConfigError

GET = (
    "The task files lie in crab-benchmark-v0/dataset of the repository camel-ai/crab: "
    "git clone https://github.com/camel-ai/crab. `omnipilot miniature DIR crab` makes ones for the embedded world."
)

ADAPTER = "1"
"""Version of how files are read and composed; part of the suite's version."""


@dataclass(frozen=True, slots=True)
class Use:
    """A sub-task in a task: its id in the table, its attribute values, and its output (None for no output)."""

    subtask: str
    attributes: Mapping[str, Any]
    output: str | None = None


@dataclass(frozen=True, slots=True)
class CrabTask:
    """A task file.

    Attributes:
        file: relative to the data's folder. uses: numbered by `graph`.
        review: what somebody found who read it; None while nobody has.
    """

    file: str
    id: str
    description: str
    uses: tuple[Use, ...]
    graph: Adjacency
    review: Review | None = None

    @property
    def folder(self) -> str:
        """The file's folder, "" for the top folder; v0 has android, cross and ubuntu."""
        return self.file.rpartition("/")[0].rpartition("/")[2]

    @property
    def templates(self) -> tuple[str, ...]:
        """Ids of its sub-tasks, without repetition."""
        return tuple(dict.fromkeys(use.subtask for use in self.uses))


def task_files(source: Source) -> list[Path]:
    """All JSON files of the data, in any folder."""
    return source.find("**/*.json")


def version_of(source: Source) -> str:
    """The version of a suite of these files: the reader's version and a digest of the files."""
    return f"{ADAPTER}-{source.digest(task_files(source))}"


def load_tasks(source: Source, variant: Variant = "paper") -> Loaded[CrabTask]:
    """Read all task files, sorted by name; unreadable ones are listed as bad.

    Args:
        variant: how adjacency lists are read.
    """
    files = (Record(source.name(path), path.stem, {"path": path}) for path in task_files(source))
    return read_each(files, lambda file: read_task(_opened(file), variant), key=lambda task: task.id)


def _opened(file: Record) -> Record:
    path: Path = file.raw("path")
    try:
        data = read_json(path)
    except ValueError as error:
        raise file.wrong("", f"it is not JSON: {error}") from None
    record = Record(file.file, file.record, data)
    if isinstance(data, Mapping) and not {"tasks", "adjlist"} & set(record.names):
        raise file.wrong("", "it is not a CRAB task: it has neither tasks nor adjlist")
    return record.named(record.text("id")) if record.has("id") else record


def read_task(record: Record, variant: Variant = "paper") -> CrabTask:
    """One task file.

    Raises:
        BadRecord: a field is missing or wrong.
    """
    id, description = record.text("id"), record.text("description")
    uses = tuple(_use(record, number, raw) for number, raw in enumerate(record.items("tasks")))
    if not uses:
        raise record.wrong("tasks", "a task needs at least one sub-task")
    try:
        graph = read_adjacency(record.text("adjlist"), variant)
    except ValueError as error:
        raise record.wrong("adjlist", str(error)) from None
    if set(graph.nodes) != set(range(len(uses))):
        raise record.wrong(
            "adjlist", f"it has the tasks {sorted(graph.nodes)}, but `tasks` has {len(uses)}, numbered from 0"
        )
    if held := set(graph.nodes) - set(graph.order()):
        raise record.wrong("adjlist", f"it has a cycle that blocks the tasks {sorted(held)}")
    return CrabTask(record.file, id, description, uses, graph, _review(record, id))


def _review(record: Record, task: str) -> Review | None:
    """The review that is written in a file; see `omnipilot.bench.suites.crab.sample.REVIEW_OF_A_DRAFT`."""
    verdict, by = record.text("verdict", ""), record.text("reviewed_by", "")
    for name in ("draft", "edited"):
        if not isinstance(record.raw(name, False), bool):
            raise record.wrong(name, f"it must be true or false, not {record.raw(name)!r:.60}")
    if record.raw("draft", False):
        if verdict:
            raise record.wrong("draft", f"it is true beside the verdict {verdict!r}; a file with a verdict is no draft")
        return Review(task, DRAFT, by) if by else None
    if not verdict:
        if by or record.has("draft"):
            raise record.wrong("verdict", f"it is empty; say {ACCEPTED} or {TAKEN_OUT}, or leave draft true")
        return None
    if verdict not in (ACCEPTED, TAKEN_OUT):
        raise record.wrong("verdict", f"it must be {ACCEPTED} or {TAKEN_OUT}, not {verdict!r:.60}")
    try:
        return Review(task, verdict, by, record.text("why", ""), record.text("date", ""))  # type: ignore[arg-type]
    except ConfigError as error:
        raise record.wrong("reviewed_by" if not by.strip() else "why", str(error)) from None


def _use(record: Record, number: int, raw: Any) -> Use:
    at = f"tasks[{number}]"
    if not isinstance(raw, Mapping):
        raise record.wrong(at, "a sub-task must be an object with task, attribute and output")
    part = Record(record.file, record.record, raw)
    try:
        return Use(part.text("task"), _attributes(part), part.text("output", None))
    except BadRecord as error:
        raise record.wrong(f"{at}.{error.bad.field}", error.bad.reason) from None


def _attributes(part: Record) -> Mapping[str, Any]:
    inner = part.table("attribute")
    return {name: inner.raw(name) for name in inner.names}
