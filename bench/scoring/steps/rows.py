"""Reads the files of OS-Atlas's evaluators: rows with true actions and, in the same order, rows with replies.

Source: `eval/eval_scripts` and `eval/data` of OS-Copilot/OS-Atlas. Those pair rows by order only; we pair them by step
name if the predictions have names, otherwise by order if the counts match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.json_file import Doubled, read_json
from omnipilot.bench.scoring.data.records import BadRecord, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source, records_of
from omnipilot.bench.scoring.row_problems import unreadable_notes
from omnipilot.bench.scoring.steps.rules import HEADER, Benchmark, compare
from omnipilot.bench.scoring.steps.step_names import CURE, Meant, Names, keys_of
from omnipilot.envs import ConfigError

REPLIES = ("pred", "prediction", "response", "reply", "output")
"""Fields that hold a reply; OS-Atlas's own are called `pred`."""


@dataclass(frozen=True, slots=True)
class TrueStep:
    """One step: its true action without a header; in OmniACT several actions, one per line.

    Attributes:
        key: its unique name within the data. id: of its row, "" if it has none.
        cluster: the group it belongs to: an episode, a screen.
        at: its position in its file, counting unusable rows; -1 if it is not from a file of rows.
        image: its picture's path, "" if pictures do not identify steps.
    """

    key: str
    truth: str
    cluster: str
    id: str = ""
    at: int = -1
    image: str = ""


@dataclass(frozen=True, slots=True)
class Replies:
    """Predictions by step key; `extra` ones match no step or are unreadable."""

    by_key: Mapping[str, str]
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def truths(source: Source, path: Path, benchmark: Benchmark, cluster: Callable[[str], str]) -> Loaded[TrueStep]:
    """The steps of a ground-truth file: rows with `image`, and `conversations` whose second value has the action.

    AndroidControl's steps are named after their pictures, OmniACT's after their ids, others by `keys_of`.

    Args:
        cluster: computes a step's cluster from its picture's path.
    """

    places = count()
    seen: set[tuple[str, ...]] = set()

    def read(record: Record) -> TrueStep:
        at = next(places)
        image, id = record.text("image"), record.text("id", "")
        turns = record.items("conversations")
        asked, said = (one.get("value") if isinstance(one, Mapping) else None for one in (*turns, None, None)[:2])
        if not isinstance(said, str) or HEADER not in said:
            raise record.wrong(
                "conversations", 'its second value must contain the right action, after a line "actions:"'
            )
        truth = said.split(HEADER)[1]
        check_action(record, "conversations", truth, benchmark)
        key = record.text("id") if benchmark == "omniact" else ""
        if benchmark == "android_control":
            key = Path(image).stem
        same = (key,) if key else (id, image, str(asked), truth)
        if same in seen:
            raise record.wrong("", f"it appears twice, as {key or id or image}")
        seen.add(same)
        return TrueStep(key, truth, cluster(image), id, at, "" if benchmark == "omniact" else image)

    loaded = read_each(source.records(path), read)
    if benchmark in ("android_control", "omniact"):
        return loaded
    steps = loaded.items
    keys = keys_of([step.id for step in steps], [step.image for step in steps], [step.at for step in steps])
    return Loaded(tuple(replace(step, key=key) for step, key in zip(steps, keys, strict=True)), loaded.bad)


def check_action(record: Record, field: str, truth: str, benchmark: Benchmark) -> None:
    """Check that the true action (in OmniACT, each of its lines) can be compared with predictions.

    Raises:
        BadRecord: the action is empty, or a click without a place.
    """
    try:
        for line in truth.split("\n") if benchmark == "omniact" else [truth]:
            if not line.strip():
                raise ValueError("it is empty")
            compare(line, line, benchmark)
    except ValueError as error:
        raise record.wrong(field, f"nothing can be compared with this right action: {error}") from None


def replies(path: Path, steps: Sequence[TrueStep], names: Sequence[str] = REPLIES, unusable: int = 0) -> Replies:
    """The predictions of a file: a JSON object of replies by key, or rows in JSON, JSONL, CSV or parquet.

    Args:
        names: fields that may contain the reply; the first one present is used.
        unusable: number of unusable rows in the ground-truth file; they keep their positions.

    Raises:
        ConfigError: the file is unreadable, names only unknown steps, or names none and has another length.
    """
    known = Names(steps)
    rows: list[tuple[Meant, str | None]] = []
    unread: dict[int, str] = {}
    lost: list[str] = []
    for number, record in enumerate(_rows(path)):
        try:
            meant = known.meant(record)
            said, why = _said(record, names)
            rows.append((meant, said))
            lost += [why] if why else []
        except BadRecord as error:
            rows.append((Meant(""), None))
            unread[number] = str(error.bad)
    if rows and len(unread) + len(lost) == len(rows):
        raise ConfigError(f"{path} has no readable row; the first one: {(*unread.values(), *lost)[0]}")
    if not any(meant.label for meant, _ in rows):
        told = unusable if all(step.at >= 0 for step in steps) else 0
        if len(rows) != len(steps) + told:
            raise ConfigError(
                f"{path} has {len(rows)} rows, none of which names a step, but the data has {len(steps) + told} steps; "
                "they can be paired by order only if there are equally many. Give each row an id or its image"
            )
        ordered = {step.key: rows[step.at if told else number][1] for number, step in enumerate(steps)}
        note = "predictions are paired with steps by their order, as OS-Atlas's evaluators do"
        given = {key: reply for key, reply in ordered.items() if reply is not None}
        return Replies(given, tuple(unread.values()), (note, *unreadable_notes(lost)))
    found = {meant.key: said for meant, said in rows if meant.key and said is not None}
    shared = sum(meant.shared for meant, _ in rows)
    if not found and not any(meant.key for meant, _ in rows):
        first, ours = next(meant.label for meant, _ in rows if meant.label), steps[0].key if steps else "none"
        several = f", and {shared} of its names are of several steps: {CURE}" if shared else ""
        raise ConfigError(
            f"{path} names no step of the data: its first one is {first!r}, that of the data is {ours!r}{several}"
        )
    twice = sum(times - 1 for times in Counter(meant.key for meant, _ in rows if meant.key).values())
    notes = [f"{twice} predictions are for a step that already has one; the last one counts"] if twice else []
    if shared:
        notes.append(f"{shared} predictions name what several steps of the data share, and are not counted: {CURE}")
    extra = tuple(
        unread.get(number) or meant.label or f"row {number}" for number, (meant, _) in enumerate(rows) if not meant.key
    )
    return Replies(found, extra, (*notes, *unreadable_notes(lost)))


def _rows(path: Path) -> list[Record]:
    if path.suffix == ".json":
        try:
            data = read_json(path)
        except ValueError as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None
        if isinstance(data, dict):
            pairs = data.pairs if isinstance(data, Doubled) else data.items()
            return [Record(path.name, key, _named(key, value)) for key, value in pairs]
    return list(records_of(path))


def _named(key: str, value: Any) -> dict[str, Any]:
    """A row from a file that is an object: the reply under its key, or an object containing it."""
    return {"id": key, **value} if isinstance(value, dict) else {"id": key, REPLIES[0]: value}


def _said(record: Record, names: Sequence[str]) -> tuple[str | None, str]:
    """The reply of a row, None if it is null; "" and the reason if unreadable.

    Raises:
        BadRecord: the row has no field for a reply.
    """
    name = next((name for name in names if name in record.names), "")
    if not name:
        record.raw(names[0], None)
        raise record.wrong(names[0], f"expected the reply here; the row has {', '.join(record.names) or 'nothing'}")
    try:
        return record.text(name, None), ""
    except BadRecord as error:
        return "", str(error.bad)
