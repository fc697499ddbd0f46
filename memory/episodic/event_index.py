"""An index of events in SQLite: by time, by order and, with FTS5, by words. It is made again from their lines."""

from __future__ import annotations

import contextlib
import hashlib
import heapq
import json
import math
import os
import re
import sqlite3
import threading
import unicodedata
from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from omnipilot.envs import Modality
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.memory.base import Role
from omnipilot.memory.episodic.events import EventKind, TimelineError, TimelineEvent

SCHEMA = 4
"""Version of the tables; an index of another version is made again."""
BATCH = 64
"""Most events that wait to be written into the index; every query writes them first."""
COMMON = 1_000
"""Most occurrences of one word that a search looks at, newest first."""
LOOKED_AT = 2_000
"""Occurrences after which a search asks only what it has found for its more common words."""
_PROBED = 64
"""Occurrences by which it is judged how common a word is."""
WORDS_KEPT, ROWS_KEPT = 1_024, 2_048
"""Words whose newest occurrences are kept in mind, and events: turn after turn, a task asks for much the same."""
RANKED_AGAIN = 50
"""Most events whose text is read to see which common words they hold."""
K1, B = 1.2, 0.75
"""Parameters of BM25, as in Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), §3.4."""
_CACHE_KIB = 32_768
_TAIL = 4_096
_ASKED = 500
"""Most events of one query by ids."""
APART: frozenset[EventKind] = frozenset({"anchor", "write", "check"})
"""Kinds with shelves of their own: many, of the same modality as what they were derived from, and asked for apart."""
_OF = "\ue000"
"""Between a word and its shelf; a character for private use, which no word holds."""
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_DAMAGE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_NOTADB})
"""Error codes of SQLite that a new index cures; a full disk or a locked file is none of them."""

_ENDLESS = 2**62

T = TypeVar("T")
_Row: TypeAlias = tuple[int, int, bytes]
"""Of an event: its cell, the number of its words, its line."""


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
        return self.includes(event.env, event.modality)

    def includes(self, env: str, modality: Modality | None) -> bool:
        """Whether what comes from this environment and modality is in the scope; "" and None are in every scope."""
        return (not env or env in self.envs) and (modality is None or modality in self.modalities)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event, and its line in an index's source."""

    event: TimelineEvent
    line: bytes


@dataclass(frozen=True, slots=True)
class LineSource:
    """An append-only file of lines, one for each event, that an index is made from.

    Attributes:
        path: the file; need not exist yet.
        entry: the event of a complete line, given its number from 1, which is the event's id.
    """

    path: Path
    entry: Callable[[bytes, int], Entry]


@dataclass(frozen=True, slots=True)
class Mark:
    """How far an index has come in its source: lines and bytes, and a digest of the last bytes before that place."""

    lines: int = 0
    bytes: int = 0
    digest: str = ""


class EventIndex:
    """Events found by time, by order and by words; the n-th that is added has the id n.

    The file is never the truth. It is made again from its source when it is missing, of another version, damaged (found
    on opening or by any query), ahead of its source or about another one; where it is only behind, it reads what is
    new. Events are written in batches, and a query sees every event added before it. Threads may share an index.

    A word is indexed together with its *shelf*, the environment and modality of its event (and its kind, for some):
    what a scope does not admit is never looked at, so that it can neither slow a search down nor take the place of what
    is admitted.

    Args:
        path: the file; None is a temporary one, which SQLite keeps in memory as far as it is small. A file that another
            process has open, or that cannot be written, is left alone: the index is a temporary one.
        source: what the index is made from; None if all is added by `add`, and is lost with the file. Whoever appends
            to it may add the event too, which saves reading it back.

    Attributes:
        rebuilt: why the index was last made again; "" if it never was.
    """

    def __init__(self, path: Path | None = None, source: LineSource | None = None) -> None:
        if path is not None and source is None:
            raise ValueError("an index in a file is made from a source")
        self.path = path
        self.rebuilt = ""
        self._source = source
        self._held: int | None = None
        self._lock = threading.RLock()
        self._waiting: list[Entry] = []
        self._shelves: dict[tuple[str, str | None, str], int] = {}
        self._cells: dict[tuple[int, EventKind, int], int] = {}
        self._texts, self._words = 0, 0
        self._mark = Mark()
        self._postings: OrderedDict[str, dict[tuple[int, ...], _Postings]] = OrderedDict()
        self._rows: OrderedDict[int, _Row] = OrderedDict()
        self._db: sqlite3.Connection | None = None
        self._open()

    def __len__(self) -> int:
        return self._mark.lines

    def add(self, entry: Entry, end: int = 0) -> None:
        """Add an event; it is written with others, at the latest by the next query.

        Args:
            end: bytes of the source up to the end of the entry's line, which is its last, where there is a source.
        """
        with self._lock:
            self._waiting.append(entry)
            self._mark = Mark(self._mark.lines + 1, end)
            if len(self._waiting) >= BATCH:
                self._healing(self._flush)

    def lines(self, ids: Sequence[int]) -> list[bytes]:
        """The lines of events by their ids.

        Raises:
            KeyError: there is none with such an id.
        """
        return [line for *_, line in self._run(lambda: self._rows_of(ids))]

    def between(
        self,
        scope: Scope,
        start: float,
        end: float,
        kinds: Collection[EventKind] = (),
        limit: int = -1,
    ) -> list[bytes]:
        """Lines of events that overlap `start`..`end`, by start; see `Timeline.between`."""

        def ask() -> list[bytes]:
            sql = (
                "SELECT start, id, line FROM events INDEXED BY by_time "
                "WHERE cell = ? AND start >= ? AND start < ? AND (end > ? OR start >= ?) ORDER BY start, id"
            )
            rows = [
                self._sql(sql, (cell, start - _longest(span), end, start, start))
                for cell, span in self._admitted(scope, kinds)
            ]
            merged = heapq.merge(*rows)
            return [line for _, _, line in (merged if limit < 0 else islice(merged, limit))]

        return self._run(ask)

    def latest(self, scope: Scope, limit: int, kinds: Collection[EventKind] = ()) -> list[bytes]:
        """Lines of the events added last, newest first."""

        def ask() -> list[bytes]:
            sql = "SELECT id, line FROM events WHERE cell = ? ORDER BY id DESC"
            rows = [self._sql(sql, (cell,)) for cell, _ in self._admitted(scope, kinds)]
            return [line for _, line in islice(heapq.merge(*rows, reverse=True), limit)]

        return self._run(ask)

    def search(
        self, query: str, scope: Scope, limit: int, kinds: Collection[EventKind] = ()
    ) -> list[tuple[bytes, float]]:
        """Lines of the events that hold words of the query, best first, each with its score; see `Timeline.search`."""
        words = list(dict.fromkeys(terms_of(query)))
        return self._run(lambda: self._search(words, scope, limit, kinds)) if words and limit > 0 else []

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._discard()
            self._open()

    def close(self) -> None:
        """Write what waits, and close. May be called twice."""
        with self._lock:
            if self._db is not None:
                if self._held is not None:
                    # What cannot be written is read from the source next time.
                    with contextlib.suppress(sqlite3.Error):
                        self._flush()
                        self._sql("UPDATE state SET value = '1' WHERE name = 'closed'")
                self._db.close()
                self._db = None
            if self._held is not None:
                os.close(self._held)
                self._held = None

    def _search(
        self, words: Sequence[str], scope: Scope, limit: int, kinds: Collection[EventKind]
    ) -> list[tuple[bytes, float]]:
        shelves = self._admitted_shelves(scope)
        cells: set[int] | None = None
        if kinds:
            chosen = {shelf for shelf, kind, _ in self._cells if kind in kinds}
            shelves = [shelf for shelf in shelves if shelf in chosen]
            cells = {cell for cell, _ in self._admitted(scope, kinds)}
        if not shelves:
            return []
        usual = self._words / max(1, self._texts)
        of = tuple(shelves)
        found = [_Found(word, self._posted(word, of), len(self)) for word in words]
        found = sorted((one for one in found if one.estimate), key=lambda one: one.estimate)
        looked_at: list[tuple[array[int], float]] = []
        left, common = LOOKED_AT, list[_Found]()
        for one in found:
            one.weight = math.log(1 + (self._texts + 0.5) / (one.estimate + 0.5))
            if left <= 0:
                common.append(one)
                continue
            ids = one.take(min(COMMON, left))
            left -= len(ids)
            if one.more:
                common.append(one)
            looked_at.append((ids, one.weight))
        most = max(limit, RANKED_AGAIN)
        heads = _by_score(looked_at)
        ranked: list[tuple[float, int, bytes]] = []
        counted = {one.word for one in common}
        while (some := list(islice(heads, most))) and len(ranked) < most:
            rows = self._rows_of([id for id, _ in some])
            for (id, score), (cell, size, line) in zip(some, rows, strict=True):
                if cells is not None and cell not in cells:
                    continue
                if counted:
                    held = counted & _words_in(line)
                    score += sum(one.weight for one in common if one.word in held and id not in one.seen)
                ranked.append((score * (K1 + 1) / (1 + K1 * (1 - B + B * size / usual)), id, line))
            if cells is None:
                break
        ranked.sort(key=lambda one: (-one[0], -one[1]))
        return [(line, score) for score, _, line in ranked[:limit]]

    def _rows_of(self, ids: Sequence[int]) -> list[_Row]:
        """Events by their ids."""
        known = self._rows
        missing = [id for id in ids if id not in known]
        for at in range(0, len(missing), _ASKED):
            some = missing[at : at + _ASKED]
            sql = f"SELECT id, cell, size, line FROM events WHERE id IN ({', '.join('?' * len(some))})"
            known.update((id, (cell, size, line)) for id, cell, size, line in self._sql(sql, some))
        rows = [known[id] for id in ids]
        while len(known) > ROWS_KEPT:
            known.popitem(last=False)
        return rows

    def _posted(self, word: str, shelves: tuple[int, ...]) -> _Postings:
        """Where a word occurs on these shelves; looked up once, and kept up with what is written."""
        of_word = self._postings.setdefault(word, {})
        self._postings.move_to_end(word)
        if len(self._postings) > WORDS_KEPT:
            self._postings.popitem(last=False)
        found = of_word.get(shelves)
        if found is None:
            found = of_word[shelves] = _Postings(partial(self._holders, word, shelves))
        return found

    def _holders(self, word: str, shelves: Collection[int], before: int, limit: int) -> list[int]:
        """Ids of the events on these shelves that hold a word, newest first, of those with a smaller id."""
        match = " OR ".join(f'"{word}{_OF}{shelf}"' for shelf in shelves)
        sql = "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        return [id for (id,) in self._sql(sql, (match, before, limit))]

    def _admitted_shelves(self, scope: Scope) -> list[int]:
        seen = {modality.value for modality in scope.modalities}
        return [
            shelf
            for (env, modality, _), shelf in self._shelves.items()
            if (not env or env in scope.envs) and (modality is None or modality in seen)
        ]

    def _admitted(self, scope: Scope, kinds: Collection[EventKind]) -> list[tuple[int, int]]:
        """The cells of a scope, each with its class of length."""
        shelves = set(self._admitted_shelves(scope))
        return [
            (cell, span)
            for (shelf, kind, span), cell in self._cells.items()
            if shelf in shelves and (not kinds or kind in kinds)
        ]

    # -- writing ------------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write what waits, and the mark, as one transaction."""
        if not self._waiting:
            return
        events, texts = [], []
        held: list[tuple[int, int, set[str]]] = []
        old = self._sql("SELECT coalesce(max(id), 0) FROM events").fetchone()[0]
        shelves, cells, before = len(self._shelves), len(self._cells), (self._texts, self._words)
        self._sql("BEGIN IMMEDIATE")
        try:
            for id, entry in enumerate(self._waiting, old + 1):
                event = entry.event
                shelf, cell = self._cell(event)
                words = set(terms_of(event.text)) if event.text else set()
                if words:
                    texts.append((id, " ".join(f"{word}{_OF}{shelf}" for word in words)))
                    held.append((id, shelf, words))
                    self._texts, self._words = self._texts + 1, self._words + len(words)
                events.append((id, cell, event.start, event.end, len(words), entry.line))
            db = self._connection()
            db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events)
            db.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", texts)
            self._sql("INSERT OR REPLACE INTO state VALUES ('words', ?)", (json.dumps([self._texts, self._words]),))
            self._write_mark()
            self._sql("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._sql("ROLLBACK")
            # What was kept in mind of it is taken back too: the same events are written again.
            while len(self._shelves) > shelves:
                self._shelves.popitem()
            while len(self._cells) > cells:
                self._cells.popitem()
            self._texts, self._words = before
            raise
        for id, shelf, words in held:
            for word in words & self._postings.keys():
                for shelves_of, postings in self._postings[word].items():
                    if shelf in shelves_of:
                        postings.add(id)
        self._waiting.clear()

    def _write_mark(self) -> None:
        if not self._mark.digest and self._source is not None:
            self._mark = mark_at(self._source.path, self._mark.bytes, self._mark.lines)
        mark = json.dumps([self._mark.lines, self._mark.bytes, self._mark.digest])
        self._sql("INSERT OR REPLACE INTO state VALUES ('mark', ?)", (mark,))

    def _cell(self, event: TimelineEvent) -> tuple[int, int]:
        """The shelf and the cell of an event; new ones get the next number."""
        modality = event.modality.value if event.modality is not None else None
        shelved = event.env, modality, event.kind if event.kind in APART else ""
        shelf = self._shelves.get(shelved)
        if shelf is None:
            shelf = self._shelves[shelved] = len(self._shelves) + 1
            self._sql("INSERT INTO shelves VALUES (?, ?, ?, ?)", (shelf, *shelved))
        key = shelf, event.kind, _span(event.end - event.start)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = len(self._cells) + 1
            self._sql("INSERT INTO cells VALUES (?, ?, ?, ?)", (cell, *key))
        return shelf, cell

    # -- opening, and opening again -----------------------------------------------------------------------------------

    def _run(self, ask: Callable[[], T]) -> T:
        """The answer to a query that sees everything added so far; asked again if the index had to be made again."""
        with self._lock:

            def flushed() -> T:
                self._flush()
                return ask()

            return self._healing(flushed)

    def _healing(self, do: Callable[[], T]) -> T:
        try:
            return do()
        except sqlite3.DatabaseError as error:
            if self._source is None or not _is_damage(error):
                raise TimelineError(f"the index {self.path or 'of the timeline'} cannot be used: {error}") from error
            self._make_again(str(error))
            return do()

    def _make_again(self, why: str) -> None:
        self._discard()
        self._connect()
        self.rebuilt = why
        self._read_source()

    def _discard(self) -> None:
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self.path is not None:
            for suffix in ("", "-wal", "-shm", "-journal"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self._waiting.clear()
        self._postings.clear()
        self._rows.clear()
        self._shelves, self._cells, self._texts, self._words, self._mark = {}, {}, 0, 0, Mark()

    def _open(self) -> None:
        if self.path is not None and self._held is None:
            self._held = _held(self.path.with_name(self.path.name + ".lock"))
            if self._held is None:
                self.path = None
        try:
            self._connect()
            self._load()
        except (sqlite3.DatabaseError, ValueError) as error:
            if self._source is None or (isinstance(error, sqlite3.Error) and not _is_damage(error)):
                raise TimelineError(f"the index {self.path} cannot be opened: {error}") from error
            self._make_again(str(error))
        if self._source is not None:
            self._healing(self._catch_up)

    def _connect(self) -> None:
        # An empty name is a temporary database, which moves to the disk as it grows.
        target = "" if self.path is None else self.path
        self._db = sqlite3.connect(target, isolation_level=None, check_same_thread=False, timeout=30.0)
        # The source is the truth: a power cut may cost the index, never an event.
        self._db.executescript(
            f"PRAGMA journal_mode = {'MEMORY' if self.path is None else 'WAL'}; PRAGMA synchronous = OFF;"
            f"PRAGMA cache_size = -{_CACHE_KIB}; PRAGMA temp_store = FILE;"
        )
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            raise ValueError(f"version {version} of the index, not {SCHEMA}")
        if version == 0:
            if self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise ValueError("tables of another version of the index")
            self._db.executescript(
                "BEGIN;"
                "CREATE TABLE events (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, start REAL NOT NULL,"
                " end REAL NOT NULL, size INTEGER NOT NULL, line BLOB NOT NULL);"
                "CREATE INDEX by_cell ON events (cell, id);"
                "CREATE INDEX by_time ON events (cell, start, id, end);"
                "CREATE TABLE shelves (id INTEGER PRIMARY KEY, env TEXT NOT NULL, modality TEXT, apart TEXT NOT NULL);"
                "CREATE TABLE cells (id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL, kind TEXT NOT NULL,"
                " span INTEGER NOT NULL);"
                "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL);"
                "INSERT INTO state VALUES ('closed', '1'), ('words', '[0, 0]'), ('mark', '[0, 0, \"\"]');"
                "CREATE VIRTUAL TABLE texts USING fts5"
                " (text, content = '', detail = none, columnsize = 0, tokenize = 'ascii');"
                # Every word is looked for in each segment of the index: they are kept few.
                "INSERT INTO texts (texts, rank) VALUES ('automerge', 2), ('crisismerge', 4);"
                f"PRAGMA user_version = {SCHEMA}; COMMIT;"
            )

    def _load(self) -> None:
        """Read what is kept in mind; look through a file that was not closed."""
        closed = self._sql("SELECT value FROM state WHERE name = 'closed'").fetchone()
        if closed != ("1",) and (found := self._sql("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise ValueError(found)
        self._sql("UPDATE state SET value = '0' WHERE name = 'closed'")
        for shelf, env, modality, apart in self._sql("SELECT id, env, modality, apart FROM shelves"):
            self._shelves[env, modality, apart] = shelf
        for cell, shelf, kind, span in self._sql("SELECT id, shelf, kind, span FROM cells"):
            self._cells[shelf, kind, span] = cell
        state = dict(self._sql("SELECT name, value FROM state"))
        self._texts, self._words = parse_json(state["words"])
        self._mark = Mark(*parse_json(state["mark"]))

    def _catch_up(self) -> None:
        self._flush()
        assert self._source is not None
        size = self._source.path.stat().st_size if self._source.path.exists() else 0
        if self._mark.bytes > size:
            self._make_again("it is ahead of its source")
        elif self._mark != Mark() and mark_at(self._source.path, self._mark.bytes, self._mark.lines) != self._mark:
            self._make_again("it is about another source")
        elif size > self._mark.bytes:
            self._read_source()

    def _read_source(self) -> None:
        """Add the events of every complete line after the mark."""
        assert self._source is not None
        if not self._source.path.exists():
            return
        number, at = self._mark.lines, self._mark.bytes
        tail = b""
        with self._source.path.open("rb") as file:
            if at:
                file.seek(max(0, at - _TAIL))
                tail = file.read(at - file.tell())
            for line in file:
                if not line.endswith(b"\n"):
                    break
                number, at = number + 1, at + len(line)
                tail = (tail + line)[-_TAIL:]
                self._waiting.append(self._source.entry(line, number))
                if len(self._waiting) >= 8 * BATCH:
                    self._mark = Mark(number, at, _digest(tail))
                    self._flush()
        self._mark = Mark(number, at, _digest(tail))
        self._flush()
        self._write_mark()

    def _sql(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._connection().execute(sql, values)

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise TimelineError(f"the index {self.path or 'of the timeline'} is closed")
        return self._db


class _Postings:
    """The ids of the events that hold a word, as far as they have been asked for: the newest, oldest first.

    Args:
        older: ids below a first one, newest first, of a number at most.
    """

    __slots__ = ("_ids", "_older", "_whole")

    def __init__(self, older: Callable[[int, int], list[int]]) -> None:
        self._older = older
        self._ids = array("q")
        self._whole = False
        self._reach(_PROBED)

    def add(self, id: int) -> None:
        """Add the newest."""
        self._ids.append(id)
        if len(self._ids) > 2 * COMMON:
            del self._ids[:-COMMON]
            self._whole = False

    def newest(self, most: int) -> array[int]:
        """The newest, first; `most` of them."""
        self._reach(most)
        return self._ids[: -most - 1 : -1]

    def _reach(self, most: int) -> None:
        if not self._whole and len(self._ids) < most:
            missing = most - len(self._ids)
            older = self._older(self._ids[0] if self._ids else _ENDLESS, missing)
            self._whole = len(older) < missing
            self._ids = array("q", reversed(older)) + self._ids


class _Found:
    """Where a word of a query occurs."""

    __slots__ = ("estimate", "more", "postings", "seen", "weight", "word")

    def __init__(self, word: str, postings: _Postings, newest: int) -> None:
        self.word = word
        self.postings = postings
        first = postings.newest(_PROBED)
        self.more = len(first) == _PROBED
        """Whether it occurs more often than in those looked at."""
        # As often as among the newest events, where the probe does not reach the oldest.
        self.estimate = len(first) * newest / max(1, newest - first[-1] + 1) if self.more else len(first)
        self.weight = 0.0
        self.seen: set[int] = set()

    def take(self, most: int) -> array[int]:
        """The newest occurrences, `most` of them."""
        ids = self.postings.newest(most)
        self.more = len(ids) >= most
        self.seen = set(ids) if self.more else set()
        return ids


def _by_score(looked_at: Sequence[tuple[array[int], float]]) -> Iterator[tuple[int, float]]:
    """Each id with the sum of the weights that it is given; highest first, then newest."""
    import numpy as np

    if not looked_at:
        return
    every = np.concatenate([np.frombuffer(ids, np.int64) for ids, _ in looked_at])
    weights = np.repeat([weight for _, weight in looked_at], [len(ids) for ids, _ in looked_at])
    ids, at = np.unique(every, return_inverse=True)
    scores = np.bincount(at, weights)
    order = np.lexsort((ids, scores))[::-1]
    # Few of them are wanted.
    for first in range(0, len(order), _PROBED):
        some = order[first : first + _PROBED]
        yield from zip(ids[some].tolist(), scores[some].tolist(), strict=True)


def terms_of(text: str) -> list[str]:
    """The words of a text in the form in which they are indexed and looked for, in order.

    Case, accents and forms of one letter do not count, nor does an English plural (the S-stemmer of Harman, "How
    Effective is Suffixing?", 1991); Chinese and Japanese are taken letter by letter.
    """
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [_stem(word) if word[-1] == "s" else word for word in _WORD.findall(text.casefold())]


@lru_cache(maxsize=ROWS_KEPT)
def decoded(line: bytes) -> Mapping[str, Any]:
    """The JSON object of a line."""
    found: dict[str, Any] = parse_json(line.decode())
    return found


@lru_cache(maxsize=1_024)
def _words_in(line: bytes) -> frozenset[str]:
    """The words of an event's text."""
    return frozenset(terms_of(decoded(line).get("text", "")))


def _stem(word: str) -> str:
    """A word that ends in s, without the ending of a plural."""
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and word[-4] not in "ea":
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] not in "aeo":
        return word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]


def mark_at(path: Path, size: int, lines: int) -> Mark:
    """The mark of a file's first `size` bytes, which are so many lines."""
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        return Mark(lines, size, _digest(file.read(size - file.tell())))


def _digest(tail: bytes) -> str:
    return hashlib.sha256(tail).hexdigest()[:32]


def _span(seconds: float) -> int:
    """The class of a length: 0 for instants, then up to 1 s, 4 s, 16 s, …"""
    return 0 if seconds <= 0 else 1 if seconds <= 1 else 1 + math.ceil(math.log(seconds, 4) - 1e-12)


def _longest(span: int) -> float:
    """Seconds of the longest event of a class."""
    return 0.0 if span == 0 else 4.0 ** (span - 1) * (1 + 1e-9)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF in _DAMAGE


def _held(path: Path) -> int | None:
    """A lock on a file, held until its handle is closed; None if another has it, or it cannot be written."""
    import fcntl

    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
