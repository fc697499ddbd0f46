"""The timeline: events in order, kept as lines, with an index for search beside them."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from omnipilot.envs import Modality
from omnipilot.memory.base import Role
from omnipilot.memory.episodic.events import EventKind, TimelineError, TimelineEvent

LINES, INDEX = "timeline.jsonl", "timeline.sqlite"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a query may return: events of these environments (and of none), derived from these modalities (or none)."""

    envs: frozenset[str]
    modalities: frozenset[Modality]

    @classmethod
    def of(cls, role: Role, envs: Collection[str]) -> Scope:
        """What a role may recall of these environments."""
        return cls(frozenset(env for env in envs if role.sees(env)), role.modalities)

    def admits(self, event: TimelineEvent) -> bool:
        """Whether an event is in the scope."""
        return (not event.env or event.env in self.envs) and (
            event.modality is None or event.modality in self.modalities
        )


class Timeline:
    """An append-only timeline.

    Lines are the truth; the SQLite index beside them is made again from them when it is missing, damaged or behind. A
    process that is killed loses at most the event it was writing.

    Args:
        folder: holds `timeline.jsonl` and `timeline.sqlite`; None keeps everything in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._lines: int | None = None
        self._count = 0
        self._open()

    def append(self, event: TimelineEvent) -> TimelineEvent:
        """Append an event; returns it with its id."""
        event = replace(event, id=self._count + 1)
        line = event.to_line()
        if self._lines is not None:
            os.write(self._lines, line)
        self._insert([(event, line)])
        self._count += 1
        return event

    def extend(self, events: Iterable[TimelineEvent]) -> list[TimelineEvent]:
        """Append events in order."""
        return [self.append(event) for event in events]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[TimelineEvent]:
        """Every event, in order of appending."""
        for (line,) in self._index.execute("SELECT line FROM events ORDER BY id"):
            yield _event(line)

    def get(self, id: int) -> TimelineEvent:
        """The event with an id.

        Raises:
            KeyError: there is none.
        """
        row = self._index.execute("SELECT line FROM events WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise KeyError(id)
        return _event(row[0])

    def between(
        self,
        scope: Scope,
        start: float = float("-inf"),
        end: float = float("inf"),
        kinds: Collection[EventKind] = (),
        limit: int = -1,
    ) -> list[TimelineEvent]:
        """Events that overlap `start`..`end` (end excluded, except for instants), by start.

        Args:
            kinds: only these; all if empty. limit: the first ones; -1 for all.
        """
        where, values = _where(scope, kinds)
        overlaps = "start < ? AND (end > ? OR start >= ?)"
        sql = f"SELECT line FROM events WHERE {where} AND {overlaps} ORDER BY start, id LIMIT ?"
        return [_event(line) for (line,) in self._index.execute(sql, (*values, end, start, start, limit))]

    def latest(self, scope: Scope, limit: int, kinds: Collection[EventKind] = ()) -> list[TimelineEvent]:
        """The events appended last, newest first."""
        where, values = _where(scope, kinds)
        sql = f"SELECT line FROM events WHERE {where} ORDER BY id DESC LIMIT ?"
        return [_event(line) for (line,) in self._index.execute(sql, (*values, limit))]

    def search(
        self, query: str, scope: Scope, limit: int, kinds: Collection[EventKind] = ()
    ) -> list[tuple[TimelineEvent, float]]:
        """The events whose text holds words of the query, best first, each with its BM25 score (higher is better)."""
        words = list(dict.fromkeys(_WORD.findall(query.casefold())))
        if not words:
            return []
        where, values = _where(scope, kinds)
        match = " OR ".join(f'"{word}"' for word in words)
        sql = (
            f"SELECT line, bm25(texts) FROM texts JOIN events ON events.id = texts.rowid "
            f"WHERE texts MATCH ? AND {where} ORDER BY bm25(texts) LIMIT ?"
        )
        rows = self._index.execute(sql, (match, *values, limit))
        return [(_event(line), -score) for line, score in rows]

    def clear(self) -> None:
        """Forget everything; only of a timeline that is kept in memory."""
        if self.folder is not None:
            raise TimelineError(f"{self.folder} is kept; make a new timeline in another folder")
        self._index.close()
        self._count = 0
        self._open()

    def close(self) -> None:
        """Close files. May be called twice."""
        if self._lines is not None:
            os.close(self._lines)
            self._lines = None
        self._index.close()

    def _open(self) -> None:
        self._index = sqlite3.connect(":memory:" if self.folder is None else self.folder / INDEX, isolation_level=None)
        self._index.executescript(
            "CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, kind TEXT, env TEXT, modality TEXT, "
            "start REAL, end REAL, turn INTEGER, line BLOB);"
            "CREATE INDEX IF NOT EXISTS by_time ON events (start);"
            "CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (text, content='', tokenize='unicode61');"
        )
        if self.folder is not None:
            self._lines = os.open(self.folder / LINES, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def _insert(self, events: Iterable[tuple[TimelineEvent, bytes]]) -> None:
        for event, line in events:
            modality = event.modality.value if event.modality is not None else None
            self._index.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (event.id, event.kind, event.env, modality, event.start, event.end, event.turn, line),
            )
            if event.text:
                self._index.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (event.id, event.text))


def _where(scope: Scope, kinds: Collection[EventKind]) -> tuple[str, tuple[str, ...]]:
    """The condition of a query in SQL, and its values."""
    envs, modalities = ("", *sorted(scope.envs)), tuple(sorted(scope.modalities))
    parts = [f"env IN ({_holes(envs)})", f"(modality IS NULL OR modality IN ({_holes(modalities)}))"]
    values = (*envs, *modalities)
    if kinds:
        parts.append(f"kind IN ({_holes(kinds)})")
        values = (*values, *kinds)
    return " AND ".join(parts), values


def _holes(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))


def _event(line: bytes) -> TimelineEvent:
    return TimelineEvent.from_json(json.loads(line))
