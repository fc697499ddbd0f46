"""Predictions from files: rows, each matched to its target."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Generic

from omnipilot.bench.pointing.data import S
from omnipilot.bench.pointing.given_answers import Given
from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Record
from omnipilot.bench.scoring.data.source import records_of
from omnipilot.bench.scoring.row_problems import content, repetition_notes, unreadable_notes
from omnipilot.envs import Box, ConfigError

IMAGE = ("img_filename", "img_path", "image_path", "file_name")
INSTRUCTION = ("instruction", "prompt_to_evaluate", "text", "question")
_BOX = ("bbox", "box_coordinates")
_CLOSE = 1e-3


@dataclass(frozen=True, slots=True)
class Rows:
    """Predictions by target; rows without a target, and rows that are not predictions.

    Attributes:
        unread: the problem with each unreadable answer, by target. Such an answer counts as wrong.
        notes: on these and on repeated predictions.
    """

    given: dict[str, Given] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    bad: tuple[Bad, ...] = ()
    unread: Mapping[str, Bad] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def match_rows(rows: Iterable[Record], spots: Sequence[S], read: Callable[[Record, S], Given | None]) -> Rows:
    """The predictions in rows; for several predictions of one target, the last counts.

    A row identifies its target by `id` or `index`, or by picture and instruction; if several match, by the box and any
    other fields of the target's record.

    Args:
        read: parses a row for its target; None if the model could not be called, so that there is no prediction.
    """
    matched = _Matched()
    index = _Index(spots)
    extra: list[str] = []
    bad: list[Bad] = []
    for row in rows:
        try:
            if fits := index.find(row):
                matched.take(row, fits, read)
            else:
                extra.append(f"{row.file}, row {row.record}")
        except BadRecord as error:
            bad.append(error.bad)
    notes = (
        *repetition_notes(matched.alike, matched.others, "a target"),
        *unreadable_notes(list(map(str, matched.unread.values()))),
    )
    return Rows(matched.given, tuple(extra), tuple(bad), matched.unread, notes)


@dataclass
class _Matched:
    """The matches so far, least recently predicted target first."""

    given: dict[str, Given] = field(default_factory=dict)
    unread: dict[str, Bad] = field(default_factory=dict)
    alike: int = 0
    others: int = 0
    _content: dict[str, str] = field(default_factory=dict)
    _order: dict[str, int] = field(default_factory=dict)

    def take(self, row: Record, fits: Sequence[S], read: Callable[[Record, S], Given | None]) -> None:
        """Match a row to the first of its targets without a prediction, or else to the one predicted longest ago."""
        free = [spot for spot in fits if spot.target.id not in self.given]
        among = free or fits
        if any(spot.target.box != among[0].target.box for spot in among):
            ids = ", ".join(spot.target.id for spot in among[:3])
            raise row.wrong("", f"it matches {len(among)} targets ({ids}, …); add the id of the target")
        text = content(row)
        if not free and any(self._content[spot.target.id] == text for spot in fits):
            self.alike += 1
            return
        spot = free[0] if free else min(fits, key=lambda one: self._order[one.target.id])
        id = spot.target.id
        wrong = None
        try:
            said = read(row, spot)
        except BadRecord as error:
            if error.bad.field not in row.names:
                raise
            said, wrong = Given(), error.bad
        if said is None:
            return
        self.others += not free
        self.unread.pop(id, None)
        if wrong is not None:
            self.unread[id] = wrong
        self.given[id], self._content[id], self._order[id] = said, text, len(self._order) + self.others


def read_rows(path: Path) -> list[Record]:
    """The rows of a file: .jsonl, .csv, or .json with a list, also under "details" as ScreenSpot-Pro writes it.

    Raises:
        ConfigError: the file cannot be read.
    """
    if path.suffix in (".xlsx", ".xls", ".pkl"):
        raise ConfigError(f"{path.name}: save the table as .csv, and score that file")
    if not path.is_file():
        raise ConfigError(f"there is no file of predictions and no run directory {path}")
    if path.suffix == ".json":
        try:
            data = read_json(path)
        except ValueError as error:
            raise ConfigError(f"{path.name} is not valid JSON: {error}") from None
        if isinstance(data, dict) and isinstance(data.get("details"), list):
            return [Record(path.name, number, row) for number, row in enumerate(data["details"])]
    return list(records_of(path))


class _Index(Generic[S]):
    def __init__(self, spots: Sequence[S]) -> None:
        self._by_id: dict[str, list[S]] = {}
        self._by_words: dict[tuple[str, str], list[S]] = {}
        for spot in spots:
            self._by_words.setdefault((_base(spot.screen.name), words_of(spot)), []).append(spot)
            for name in {spot.target.id, spot.marks.get("index", spot.target.id)}:
                self._by_id.setdefault(name, []).append(spot)

    def find(self, row: Record) -> list[S]:
        """The candidate targets for a row."""
        if name := next((name for name in ("id", "index") if row.has(name)), ""):
            found = self._by_id.get(row.text(name), [])
            return _narrowed(row, found) if len(found) > 1 else found
        image, words = (next((n for n in names if row.has(n)), "") for names in (IMAGE, INSTRUCTION))
        if not image or not words:
            need = f"id, or index, or the picture ({', '.join(IMAGE)}) and the instruction ({', '.join(INSTRUCTION)})"
            raise row.wrong("", f"it names no target: {need}; the row has {', '.join(row.names) or 'nothing'}")
        return _narrowed(row, self._by_words.get((_base(row.text(image)), row.text(words)), []))


def _narrowed(row: Record, spots: Sequence[S]) -> list[S]:
    """The candidates that do not contradict the row's other fields."""
    found = [spot for spot in spots if all(not row.has(k) or row.text(k) == v for k, v in spot.marks.items())]
    if words := next((name for name in INSTRUCTION if row.has(name)), ""):
        found = [spot for spot in found if words_of(spot) == row.text(words)]
    if len(found) > 1 and (box := next((name for name in _BOX if row.has(name)), "")):
        written = row.numbers(box) if not isinstance(row.raw(box), str) else _listed(row.text(box))
        return [spot for spot in found if _same(written, spot)] or found
    return found


def _same(written: tuple[float, ...], spot: S) -> bool:
    """Whether a box is the target's: as written in its file, or as edges in fractions of the sides."""
    box = spot.target.box
    edges = (box.left, box.top, box.right, box.bottom) if isinstance(box, Box) else ()
    return any(
        len(known) == len(written) and all(abs(a - b) <= _CLOSE for a, b in zip(known, written, strict=True))
        for known in (spot.written, edges)
    )


def words_of(spot: S) -> str:
    """The instruction of a target."""
    return spot.target.basic or spot.target.advanced


def _base(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name


def _listed(text: str) -> tuple[float, ...]:
    """The numbers of a list stored as text in a table."""
    return tuple(float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text))


def said_in(row: Record, point: str) -> Given:
    """A row's prediction: a point or a box in one field, or the model's words in `reply`.

    Args:
        point: the field; it holds two or four numbers, as a list or as text of one, or null (other text) where nothing
            could be read.

    Raises:
        BadRecord: both fields are missing, or the list has another length.
    """
    if not row.has(point):
        if point in row.names:
            return Given()
        return Given(reply=row.text("reply"))
    value = row.raw(point)
    if isinstance(value, str):
        numbers = _listed(value)
        return Given(numbers) if len(numbers) in (2, 4) else Given()
    numbers = row.numbers(point)
    if len(numbers) not in (2, 4):
        raise row.wrong(point, f"a point needs two numbers, a box four; got {len(numbers)}")
    return Given(numbers)


def middle(numbers: tuple[float, ...]) -> tuple[float, float]:
    """The point for two numbers, the centre for a box of four (left, top, right, bottom)."""
    left, top, right, bottom = numbers if len(numbers) == 4 else numbers * 2
    return (left + right) / 2, (top + bottom) / 2


def numbers_in(reply: str) -> tuple[float, ...] | None:
    """The numbers of a reply as SeeClick reads it: all of them if they are two (a point) or four (a box); else None.

    Numbers in `<box>…</box>` are thousandths of the sides, all others shares.
    """
    if tagged := re.search(r"<box>(.*?)</box>", reply):
        numbers = tuple(number / 1000 for number in _listed(tagged[1]))
    else:
        numbers = tuple(float(number) for number in re.findall(r"-?\d+\.?\d*", reply))
    return numbers if len(numbers) in (2, 4) else None
