"""The timeline: events in order, kept as lines, with an index for search beside them."""

from __future__ import annotations

import fcntl
import math
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.memory.episodic.event_index import Entry, EventIndex, LineSource, Scope, decoded
from omnipilot.memory.episodic.events import EventKind, TimelineError, TimelineEvent

__all__ = ["INDEX", "LINES", "Scope", "Timeline"]

LINES, INDEX = "timeline.jsonl", "timeline.sqlite"
REMEMBERED = 2_048
"""Events that are kept as they were read: of turn after turn, much the same is asked for."""
_NEWEST = 256
"""Events that a timeline keeps as they were appended."""
_PAGE = 1_000
"""Events that are read at once where all are read."""


class Timeline:
    """An append-only timeline, with one writer.

    Lines are the truth, and whole on return of `append`; the SQLite index beside them is made again from them when it
    is missing, damaged, of another version, behind or ahead. A process that is killed loses at most the event it was
    writing.

    Args:
        folder: holds `timeline.jsonl` and `timeline.sqlite`; None keeps everything in memory, and on a temporary file
            where it grows.

    Attributes:
        repaired: the torn last line that a killed writer left, which was cut off on opening; "" if there was none.

    Raises:
        TimelineError: another process writes it, or a line cannot be read; the message names file and line.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.repaired = ""
        self._lines: int | None = None
        self._size = 0
        self._newest: dict[int, TimelineEvent] = {}
        if folder is None:
            self.index = EventIndex()
            return
        path = folder / LINES
        self._lines = _open_alone(path)
        try:
            self.repaired = _cut_torn(self._lines)
            self._size = os.fstat(self._lines).st_size
            self.index = EventIndex(folder / INDEX, LineSource(path, partial(_entry, path)))
        except BaseException:
            os.close(self._lines)
            raise

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[TimelineEvent]:
        """Every event, in order of appending."""
        for first in range(1, len(self) + 1, _PAGE):
            yield from self.events(range(first, min(first + _PAGE, len(self) + 1)))

    def append(self, event: TimelineEvent) -> TimelineEvent:
        """Append an event; returns it with its id.

        Raises:
            TimelineError: it ends before it starts, or at no time at all.
        """
        if not (math.isfinite(event.start) and math.isfinite(event.end) and event.start <= event.end):
            raise TimelineError(f"an event has a start and an end after it, not {event.start}..{event.end}")
        event = replace(event, id=len(self) + 1)
        line = event.to_line()
        if self._lines is not None:
            rest = line
            while rest:
                rest = rest[os.write(self._lines, rest) :]
            self._size += len(line)
        self.index.add(Entry(event, line), self._size)
        self._newest[event.id] = event
        self._newest.pop(event.id - _NEWEST, None)
        return event

    def get(self, id: int) -> TimelineEvent:
        """The event with an id; the newest ones at no cost.

        Raises:
            KeyError: there is none.
        """
        return self.events((id,))[0]

    def events(self, ids: Sequence[int]) -> list[TimelineEvent]:
        """The events with these ids, in their order; the newest ones at no cost.

        Raises:
            KeyError: there is none with such an id.
        """
        newest = self._newest
        older = [id for id in ids if id not in newest]
        read = dict(zip(older, map(_event, self.index.lines(older)), strict=True)) if older else {}
        return [newest.get(id) or read[id] for id in ids]

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
        return [_event(line) for line in self.index.between(scope, start, end, kinds, limit)]

    def latest(self, scope: Scope, limit: int, kinds: Collection[EventKind] = ()) -> list[TimelineEvent]:
        """The events appended last, newest first; the newest ones at no cost."""
        admitted = (e for e in reversed(self._newest.values()) if (not kinds or e.kind in kinds) and scope.admits(e))
        found = list(islice(admitted, limit))
        if len(found) == limit or len(self) == len(self._newest):
            return found
        return [_event(line) for line in self.index.latest(scope, limit, kinds)]

    def search(
        self, query: str, scope: Scope, limit: int, kinds: Collection[EventKind] = ()
    ) -> list[tuple[TimelineEvent, float]]:
        """The events whose text holds words of the query, best first, each with its score (higher is better).

        The score is BM25 with each word counted once in an event. A search looks at a bounded number of occurrences,
        of rare words first: of words that are common it knows the newest, and looks for them in what the rarer words
        have found.
        """
        return [(_event(line), score) for line, score in self.index.search(query, scope, limit, kinds)]

    def extend(self, events: Iterable[TimelineEvent]) -> list[TimelineEvent]:
        """Append events in order."""
        return [self.append(event) for event in events]

    def clear(self) -> None:
        """Forget everything; only of a timeline that is kept in memory."""
        if self.folder is not None:
            raise TimelineError(f"{self.folder} is kept; make a new timeline in another folder")
        self._newest.clear()
        self.index.clear()

    def close(self) -> None:
        """Close files. May be called twice."""
        self.index.close()
        self._newest.clear()
        if self._lines is not None:
            os.close(self._lines)
            self._lines = None


@lru_cache(maxsize=REMEMBERED)
def _event(line: bytes) -> TimelineEvent:
    return TimelineEvent.from_json(decoded(line))


def _entry(path: Path, line: bytes, number: int) -> Entry:
    try:
        data = parse_json(line)
        if not isinstance(data, dict):
            raise TimelineError("expected a JSON object")
        event = TimelineEvent.from_json(data)
        if event.id != number:
            raise TimelineError(f"expected the event {number}, not {event.id}")
    except (ValueError, TimelineError) as error:
        raise TimelineError(f"{path}:{number}: {error}: {line[:80].decode(errors='replace').rstrip()}") from None
    return Entry(event, line)


def _open_alone(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise TimelineError(f"{path} is written by another process; wait for its end") from None
    except OSError as error:
        os.close(handle)
        raise TimelineError(
            f"{path} cannot be locked ({error.strerror}), so two processes could write it at once; "
            "choose a folder on a local disk"
        ) from None
    return handle


def _cut_torn(handle: int) -> str:
    """Cut off the text after the last newline and return it."""
    end = at = os.fstat(handle).st_size
    torn = b""
    while at > 0 and b"\n" not in torn:
        step = min(at, 65_536)
        at -= step
        torn = os.pread(handle, step, at) + torn
    torn = torn.rpartition(b"\n")[2]
    if torn:
        os.ftruncate(handle, end - len(torn))
    return torn.decode(errors="replace")
