"""Ratings as a sheet (CSV) that raters fill in with any program, one line a task."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from omnipilot.bench.suites.pool.rate.questions import QUESTIONS
from omnipilot.bench.suites.pool.records import Rating, TaskRecord
from omnipilot.envs import ConfigError

COLUMNS = ("task", "intent", "instruction", *QUESTIONS, "accepted", "seconds", "rater")
YES, NO = frozenset({"yes", "y", "1", "true"}), frozenset({"no", "n", "0", "false"})


def write_sheet(path: Path, tasks: Iterable[TaskRecord], rater: str = "") -> int:
    """Write a sheet to fill in: each question, and `accepted`, takes yes or no. Returns the number of tasks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for task in tasks:
            sheet.writerow([task.id, task.intent, task.instruction, *[""] * len(QUESTIONS), "", "", rater])
            count += 1
    return count


def read_sheet(path: Path, known: Sequence[str], rater: str = "") -> list[Rating]:
    """The ratings of a sheet; lines that were left empty are no ratings.

    Args:
        known: ids of the pool's tasks. rater: who filled it in, where the sheet does not say.

    Raises:
        ConfigError: it cannot be read, a column is missing, or a line has an unknown task, an answer that is neither
            yes nor no, or no rater; the message names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise ConfigError(f"the sheet {path} cannot be read: {error.strerror}") from None
    if rows and (missing := [name for name in ("task", "accepted") if name not in rows[0]]):
        raise ConfigError(f"{path} has no column {missing[0]!r}; --sheet FILE writes a sheet to fill in")
    found = []
    for number, row in enumerate(rows, 2):
        where = f"{path}:{number}"
        accepted = _answer(row, "accepted", where)
        if accepted is None:
            continue
        if row["task"] not in known:
            raise ConfigError(f"{where}: the pool has no task {row['task']!r}")
        who = (row.get("rater") or rater).strip()
        if not who:
            raise ConfigError(f"{where}: who rated? Fill in the column rater, or give --rater NAME")
        reasons = tuple(name for name in QUESTIONS if _answer(row, name, where) is False)
        found.append(Rating(row["task"], who, accepted, reasons, _seconds(row, where)))
    return found


def _answer(row: dict[str, str], name: str, where: str) -> bool | None:
    said = (row.get(name) or "").strip().casefold()
    if not said:
        return None
    if said not in YES | NO:
        raise ConfigError(f"{where}: {name} must be yes or no, not {said!r}")
    return said in YES


def _seconds(row: dict[str, str], where: str) -> float:
    said = (row.get("seconds") or "").strip()
    try:
        return float(said.replace(",", ".")) if said else 0.0
    except ValueError:
        raise ConfigError(f"{where}: seconds must be a number, not {said!r}") from None
