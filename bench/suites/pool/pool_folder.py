"""The folder of a pool: one file of JSON lines for each kind of record, and who made each line.

Each line holds a record's fields and `made`: the stage, its version and its seed, and for a model its name, the hashes
of its prompts and the keys of its calls in the cassette. Where a later stage changed a line, `before` in it is what
`made` said until then. A file is replaced as a whole or appended to; a line that was torn by a kill is dropped when it
is appended to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from omnipilot.bench import append_json_lines, mend_last_line, read_json_lines
from omnipilot.bench.suites.pool import records
from omnipilot.envs import ConfigError

R = TypeVar("R")
VERSION = "1"
"""Of the form of the files."""


class RecordFile(Generic[R]):
    """A file of records of one kind."""

    def __init__(self, path: Path, kind: type[R], made_by: str) -> None:
        self.path = path
        self._kind = kind
        self._made_by = made_by

    def read(self) -> list[R]:
        """All records, in the order of the file; none where it is missing.

        Raises:
            ConfigError: a line is no such record; the message names the line and what is wrong.
        """
        adapter: TypeAdapter[R] = TypeAdapter(self._kind)

        def record(values: dict[str, Any]) -> R:
            values.pop("made", None)
            return adapter.validate_python(values)

        return list(read_json_lines(self.path, record, self._kind.__name__))

    def require(self) -> list[R]:
        """All records; at least one.

        Raises:
            ConfigError: there are none; the message names the stage that makes them.
        """
        found = self.read()
        if not found:
            raise ConfigError(f"{self.path} has no records yet; run omnipilot synth {self._made_by} first")
        return found

    def write(self, items: Iterable[R], *, stage: str, seed: int, **made: Any) -> int:
        """Replace the file, all at once; returns the number of records."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [self._line(item, stage, seed, made) for item in items]
        beside = self.path.with_suffix(".new")
        beside.write_text("".join(lines), encoding="utf-8")
        os.replace(beside, self.path)
        return len(lines)

    def append(self, items: Iterable[R], *, stage: str, seed: int, **made: Any) -> int:
        """Add records at the end, for a stage that goes on where it was stopped; returns their number."""
        return append_json_lines(self.path, (self._values(item, stage, seed, made) for item in items))

    def revise(self, changes: Mapping[int, tuple[R, Mapping[str, Any]] | None], *, stage: str, seed: int) -> None:
        """Replace some records, all at once; lines of others stay as they are, and empty ones go.

        Args:
            changes: by place among the records of the file, from 0: the new record, and what else `made` notes of it.
                None takes it out.
        """
        if not changes:
            return
        mend_last_line(self.path)
        beside = self.path.with_suffix(".new")
        with self.path.open(encoding="utf-8") as file, beside.open("w", encoding="utf-8") as new:
            for number, line in enumerate(line for line in file if line.strip()):
                change = changes.get(number, line)
                if isinstance(change, str):
                    new.write(change)
                elif change is not None:
                    item, made = change
                    new.write(self._line(item, stage, seed, {**made, "before": json.loads(line).get("made", {})}))
        os.replace(beside, self.path)

    def made(self) -> Iterator[Mapping[str, Any]]:
        """Who made each line: the stage, its version and seed, and whatever else was noted with `write` or `append`."""
        said = read_json_lines(self.path, lambda values: values.get("made"), self._kind.__name__)
        return (made for made in said if isinstance(made, dict))

    def _line(self, item: R, stage: str, seed: int, made: Mapping[str, Any]) -> str:
        return json.dumps(self._values(item, stage, seed, made), ensure_ascii=False) + "\n"

    def _values(self, item: R, stage: str, seed: int, made: Mapping[str, Any]) -> dict[str, Any]:
        said = {"stage": stage, "version": VERSION, "seed": seed, **made}
        return {**asdict(item), "made": said}  # type: ignore[call-overload]


class PoolFolder:
    """A pool. Files are made when they are first written.

    Attributes:
        root: the folder.
        situations, edges: of `synth explore`. candidates, reveals, subtasks: of `synth subtasks`.
        evaluators, trajectories, verdicts: of `synth verify`. conflicts, graphs, matched: of `synth compose`.
        tasks: of `synth tell` and `synth check`.
        ratings: of `synth rate`.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.situations = self._file("situations", records.SituationRecord, "explore")
        self.edges = self._file("edges", records.Edge, "explore")
        self.candidates = self._file("candidates", records.CandidateRecord, "subtasks")
        self.reveals = self._file("reveals", records.Reveal, "subtasks")
        self.subtasks = self._file("subtasks", records.SubtaskRecord, "subtasks")
        self.evaluators = self._file("evaluators", records.Evaluator, "verify")
        self.trajectories = self._file("trajectories", records.Trajectory, "verify")
        self.verdicts = self._file("verdicts", records.VerdictRecord, "verify")
        self.conflicts = self._file("conflicts", records.Conflict, "compose")
        self.graphs = self._file("graphs", records.GraphRecord, "compose")
        self.matched = self._file("matched", records.MatchedSet, "compose")
        self.tasks = self._file("tasks", records.TaskRecord, "tell")
        self.ratings = self._file("ratings", records.Rating, "rate")

    @property
    def media(self) -> Path:
        """The folder of pictures, films and sounds, named by what is in them."""
        return self.root / "media"

    def files(self) -> Sequence[RecordFile[Any]]:
        """All files, in order of the stages."""
        return [value for value in vars(self).values() if isinstance(value, RecordFile)]

    def _file(self, name: str, kind: type[R], made_by: str) -> RecordFile[R]:
        return RecordFile(self.root / f"{name}.jsonl", kind, made_by)
