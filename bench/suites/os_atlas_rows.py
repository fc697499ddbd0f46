"""The files that OS-Atlas's evaluators read: rows with the right action and, in the same order, rows with replies.

Source: `eval/eval_scripts` and `eval/data` of OS-Copilot/OS-Atlas. There rows are paired by their order alone; here
they are paired by what names a step, where the predictions say it, and else by order if there are as many.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.metrics.android_control_rules import HEADER, Benchmark, compare
from omnipilot.bench.rundir import held
from omnipilot.bench.suites.records import BadRecord, Fields, Loaded, read_each
from omnipilot.bench.suites.source import Source, records_of
from omnipilot.envs.errors import ConfigError
from omnipilot.envs.explain import short

REPLIES = ("pred", "prediction", "response", "reply", "output")
"""Fields that hold a reply; OS-Atlas's own are called `pred`."""


@dataclass(frozen=True, slots=True)
class Truth:
    """One step: its right action, without a header, or in OmniACT several, one a line.

    Attributes:
        key: the name of its picture without folders and ending. id: of its row, "" where it has none.
        cluster: what steps belong together by: an episode, a screen.
    """

    key: str
    truth: str
    cluster: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Replies:
    """Predictions by the key of their step; `extra` are for no step."""

    by_key: Mapping[str, str]
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def truths(source: Source, path: Path, benchmark: Benchmark, cluster: Callable[[str], str]) -> Loaded[Truth]:
    """The steps of a file of ground truth: rows with `image`, and `conversations` whose second value has the action.

    Args:
        cluster: of a step, from its picture's path.
    """

    def read(record: Fields) -> Truth:
        image = record.text("image")
        turns = record.items("conversations")
        said = turns[1].get("value") if len(turns) > 1 and isinstance(turns[1], Mapping) else None
        if not isinstance(said, str) or HEADER not in said:
            raise record.wrong("conversations", 'its second value holds the right action, after "actions:" and a line')
        truth = said.split(HEADER)[1]
        checked(record, "conversations", truth, benchmark)
        # The pictures of OmniACT are shared, and its rows are named by their id alone.
        key = record.text("id") if benchmark == "omniact" else Path(image).stem
        return Truth(key, truth, cluster(image), record.text("id", ""))

    return read_each(source.records(path), read, key=lambda step: step.key)


def checked(record: Fields, field: str, truth: str, benchmark: Benchmark) -> None:
    """See that the right action, or in OmniACT each line of it, can be compared with.

    Raises:
        BadRecord: it is empty, or a click without a place.
    """
    try:
        for line in truth.split("\n") if benchmark == "omniact" else [truth]:
            if not line.strip():
                raise ValueError("it is empty")
            compare(line, line, benchmark)
    except ValueError as error:
        raise record.wrong(field, f"the right action cannot be compared with: {error}") from None


def replies(path: Path, steps: Sequence[Truth], names: Sequence[str] = REPLIES) -> Replies:
    """The predictions of a file: a JSON object of replies by key, or rows in JSON, JSONL, CSV or parquet.

    Args:
        names: fields that may hold the reply, the first that is there.

    Raises:
        ConfigError: the file cannot be read, names no step that there is, or names none and is of another length.
    """
    known = {name: step.key for step in steps for name in (step.id, step.key) if name}
    rows = [(_key(record, known), _said(record, names)) for record in _rows(path)]
    if not any(key for key, _ in rows):
        if len(rows) != len(steps):
            raise ConfigError(
                f"{path} has {len(rows)} rows, none of which names a step, and the data {len(steps)} steps; they can "
                "be paired by order only where there are as many. Give each row an id, or its image"
            )
        pairs = zip(steps, rows, strict=True)
        note = "predictions are paired with steps by their order, as OS-Atlas's evaluators do"
        return Replies({step.key: said for step, (_, said) in pairs if said is not None}, (), (note,))
    found = {known[key]: said for key, said in rows if key in known and said is not None}
    if rows and not any(key in known for key, _ in rows):
        raise ConfigError(f"{path} names no step of the data: its first is {rows[0][0]!r}, the data's {steps[0].key!r}")
    twice = sum(count - 1 for count in Counter(known[key] for key, _ in rows if key in known).values())
    notes = (f"{twice} predictions are for a step that has one already; its last counts",) if twice else ()
    extra = tuple(key or f"row {number}" for number, (key, _) in enumerate(rows) if key not in known)
    return Replies(found, extra, notes)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked for: its suite, that one's options, and its tasks, none for all."""

    suite: str
    options: Mapping[str, Any]
    tasks: frozenset[str]

    def wanted(self, task: str) -> bool:
        """Whether a task was among those."""
        return not self.tasks or task in self.tasks


def asked(folder: Path, suites: Collection[str]) -> Asked:
    """What the run of a directory was asked for.

    Raises:
        ConfigError: it holds no run, or one of a suite that is none of these.
    """
    spec = held(folder)
    if spec is None:
        raise ConfigError(f"{folder} holds no run, and predictions are read from a run directory or a file")
    suite = spec["suite"]
    if suite["name"] not in suites:
        known = f"runs of {' and '.join(suites)}" if suites else "files only, for there is no suite of it"
        raise ConfigError(f"{folder} holds a run of the suite {suite['name']!r}; this benchmark scores {known}")
    return Asked(suite["name"], suite["options"], frozenset(spec.get("tasks", ())))


def _rows(path: Path) -> list[Fields]:
    if path.suffix == ".json":
        try:
            data = json.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None
        if isinstance(data, dict) and not any(isinstance(value, dict) for value in data.values()):
            return [Fields(path.name, key, {"id": key, REPLIES[0]: value}) for key, value in data.items()]
        if isinstance(data, dict):
            return [Fields(path.name, key, {"id": key, **value}) for key, value in data.items()]
    return list(records_of(path))


def _key(record: Fields, known: Mapping[str, str]) -> str:
    try:
        if record.has("episode_id") and record.has("step"):
            return f"episode_{record.text('episode_id')}_screenshot_{record.text('step')}"
        named = [record.text(name) for name in ("id", "key", "image_id", "image") if record.has(name)]
    except BadRecord as error:
        raise ConfigError(str(error)) from None
    keys = [key for name in named for key in (name, Path(name).stem)]
    return next((key for key in keys if key in known), keys[0] if keys else "")


def _said(record: Fields, names: Sequence[str]) -> str | None:
    """The reply of a row, None where it is null."""
    try:
        for name in names:
            if name in record.names:
                return record.text(name, None)
        raise record.wrong(names[0], f"a row has its reply there; it has {', '.join(record.names) or short(record)}")
    except BadRecord as error:
        raise ConfigError(str(error)) from None
