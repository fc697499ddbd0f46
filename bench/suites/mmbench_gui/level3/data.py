"""Reads results of MMBench-GUI levels 3 and 4 from a tree of `result.txt` or from a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Record, read_each
from omnipilot.bench.scoring.data.source import Source, records_of
from omnipilot.bench.scoring.eqa import Attempt
from omnipilot.bench.scoring.row_problems import content, repetition_notes
from omnipilot.bench.scoring.score import first_of
from omnipilot.bench.suites.mmbench_gui.level3.metrics import LIMITS
from omnipilot.envs import ConfigError

RESULT = "result.txt"
TASKS = "tasks.jsonl"
PLATFORMS = ("os_windows", "os_mac", "os_linux", "os_ios", "os_android", "os_web")
GET = f"It is optional: a folder with {TASKS}, one {{task, platform}} a line, tells which results are missing."
BARE = (
    "it holds the bare number that the release's single_run.py writes, from which nobody can tell the steps, and the "
    "released summary fails; write {completed, steps_used, max_steps}"
)
_YES, _NO = (True, 1, "true", "True", "1"), (False, 0, "false", "False", "0")


@dataclass(frozen=True, slots=True)
class Results:
    """The result of reading.

    Attributes:
        trials: the attempts of each trial, one a task.
        clusters: by an attempt's task: what hangs together, such as the instances of a task.
        limit: the smallest limit on steps that an attempt was under; None where none is told.
        missing: tasks without a result that can be read; they are among the attempts, void, at the cost of every step
            there is. extra: results that are of no task.
        noun: what clusters are.
    """

    trials: tuple[tuple[Attempt, ...], ...]
    clusters: Mapping[str, str]
    limit: int | None
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    noun: str = "tasks"


@dataclass
class _Read:
    """Intermediate state: attempts by task and platform, stated limits, and problems.

    Attributes:
        alike, others: rows of a task that has one already, which say the same word for word, or took its place.
    """

    attempts: dict[tuple[str, str], Attempt] = field(default_factory=dict)
    alike: int = 0
    others: int = 0
    content: dict[tuple[str, str], str] = field(default_factory=dict)
    limits: dict[tuple[str, str], int] = field(default_factory=dict)
    unread: dict[tuple[str, str], Bad] = field(default_factory=dict)
    extra: list[str] = field(default_factory=list)

    def take(self, record: Record) -> None:
        """Add one result; the last readable one per task counts. An unreadable one counts if its task is known."""
        try:
            task = record.text("task")
            platform = record.text("platform", "")
        except BadRecord as error:
            self.extra.append(str(error.bad))
            return
        key, said = (task, platform), content(record)
        if self.content.get(key) == said:
            self.alike += 1
            return
        try:
            attempt, limit = _attempt(record, *key)
        except BadRecord as error:
            if key in self.attempts:
                self.extra.append(str(error.bad))
            else:
                self.unread[key] = error.bad
            return
        self.others += key in self.attempts
        self.attempts[key], self.content[key] = attempt, said
        self.limits.pop(key, None)
        self.unread.pop(key, None)
        if limit is not None:
            self.limits[key] = limit


def read_results(predictions: Path, data: str) -> Results:
    """The results in a folder or a file.

    Raises:
        ConfigError: there is no result that can be read.
    """
    is_tree = predictions.is_dir()
    read = _Read()
    for record in _tree(predictions) if is_tree else records_of(predictions):
        read.take(record)
    if not read.attempts:
        wrong = [*map(str, read.unread.values()), *read.extra]
        what = f"{RESULT} below it" if is_tree else "row {task, completed, steps_used}"
        raise ConfigError(f"{predictions} has no readable {what}" + (f": {wrong[0]}" if wrong else ""))
    steps = f"steps_used of {RESULT}; a task is its folder, the first folder its platform" if is_tree else "steps_used"
    tasks, lost = _tasks(data)
    notes = (f"steps: {steps}", *repetition_notes(read.alike, read.others, "a task"))
    if lost:
        told_of = f"{len(lost)} lines of the list of tasks cannot be read and are in no denominator"
        notes = (*notes, f"{told_of}: {first_of(lost)}")
    return _complete(read, tasks, notes)


def void(task: str, platform: str) -> Attempt:
    """The entry for a task without a result: failed, using all available steps."""
    return Attempt(task, False, max(LIMITS), platform, void=True)


def _complete(read: _Read, tasks: Collection[tuple[str, str]] | None, notes: tuple[str, ...]) -> Results:
    attempts, extra, lost = list(read.attempts.values()), list(read.extra), set(read.unread)
    if tasks is not None:
        placed = [_placed(one, tasks) for one in attempts]
        extra += sorted(one.task for one, place in zip(attempts, placed, strict=True) if place is None)
        attempts = [place for place in placed if place is not None]
        if not attempts:
            raise ConfigError(f"no result is for a task of {TASKS}; the results are for {', '.join(extra[:3])}, …")
        lost = set(tasks) - {(one.task, one.platform) for one in attempts}
    missing = tuple(f"{key[0]} ({read.unread[key].reason})" if key in read.unread else key[0] for key in sorted(lost))
    attempts += [void(*key) for key in sorted(lost)]
    limit = min(read.limits.values(), default=None)
    notes = (*notes, *([] if limit else ["no max_steps is told: attempts are taken to have had as many as are scored"]))
    clusters = {one.task: one.task for one in attempts}
    return Results((tuple(attempts),), clusters, limit, missing, tuple(extra), notes)


def _placed(one: Attempt, tasks: Collection[tuple[str, str]]) -> Attempt | None:
    """The attempt with the platform from the list; None if the list lacks the task."""
    if (one.task, one.platform) in tasks:
        return one
    platforms = [platform for task, platform in tasks if task == one.task]
    return replace(one, platform=platforms[0]) if len(platforms) == 1 and not one.platform else None


def _tree(root: Path) -> Iterator[Record]:
    """One record per file, ordered by path."""
    for path in sorted(root.rglob(RESULT)):
        name, task = path.relative_to(root).as_posix(), path.parent.relative_to(root).as_posix()
        try:
            value: Any = read_json(path)
        except ValueError as error:
            value = f"no JSON: {error}"
        own = {"told": value, **value} if isinstance(value, dict) else {"told": value}
        yield Record(name, task, {"platform": _platform(task.split("/")[0]), **own, "task": task})


def _attempt(record: Record, task: str, platform: str) -> tuple[Attempt, int | None]:
    """The attempt and its turn limit."""
    value = record.raw("told", {})
    if isinstance(value, int | float):
        raise record.wrong("", BARE)
    if not isinstance(value, dict):
        raise record.wrong("", f"it contains no object {{completed, steps_used, max_steps}}: {str(value)[:80]}")
    completed = record.raw("completed")
    if completed not in (*_YES, *_NO):
        raise record.wrong("completed", f"must be true or false, not {completed!r}")
    attempt = Attempt(task, completed in _YES, record.whole("steps_used", least=0), platform)
    return attempt, record.whole("max_steps", None, least=1)


def _platform(folder: str) -> str:
    plain = folder.lower().removeprefix("os_").replace("macos", "mac")
    return f"os_{plain}" if f"os_{plain}" in PLATFORMS else ""


def _tasks(data: str) -> tuple[Collection[tuple[str, str]] | None, tuple[Bad, ...]]:
    """Every task with its platform, None without a list; and the invalid lines."""
    if not data:
        return None, ()
    source = Source.open(data, GET)
    files = source.find(TASKS)
    if not files:
        return None, ()
    found = read_each(source.records(files[0]), _listed, key=lambda pair: pair)
    if not found.items:
        why = f"no line of it can be read, the first: {found.bad[0]}" if found.bad else "it is empty"
        raise ConfigError(f"the list of tasks cannot be used: {why}. {GET}")
    return found.items, found.bad


def _listed(record: Record) -> tuple[str, str]:
    return record.text("task"), record.text("platform")
