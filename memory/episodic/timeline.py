"""The timeline of one episode: events in order, with an index for search beside them."""

from __future__ import annotations

import math
import tempfile
import threading
from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from omnipilot.envs.schema import parse_json
from omnipilot.memory.episodic.event_index import EventIndex, Scope
from omnipilot.memory.episodic.events import EventKind, TimelineError, TimelineEvent

__all__ = ["Scope", "Timeline"]

READY = 2_048
"""Events that are kept ready: turn after turn, much the same is asked for."""
IN_MEMORY = 16_000_000
"""Bytes of lines that are kept in memory; of more, all lie in a temporary file."""
_PAGE = 1_000
"""Events that are read at once where all are read."""


class Timeline:
    """An append-only timeline of one process. What outlasts it is the journal of the run.

    Events lie as lines in memory, and in a temporary file where they grow beyond `IN_MEMORY` bytes; the index is in
    memory. Threads may share a timeline.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._empty()

    def _empty(self) -> None:
        self.index = EventIndex()
        self._lines = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        self._begins = array("Q", [0])
        self._ready: OrderedDict[int, TimelineEvent] = OrderedDict()

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[TimelineEvent]:
        """Every event, in order of appending."""
        for first in range(1, len(self) + 1, _PAGE):
            yield from self.events(range(first, min(first + _PAGE, len(self) + 1)))

    def append(self, event: TimelineEvent) -> TimelineEvent:
        """Append an event; returns it with its id.

        Raises:
            TimelineError: it ends before it starts, or at no time at all; or the timeline is closed.
        """
        if not (math.isfinite(event.start) and math.isfinite(event.end) and event.start <= event.end):
            raise TimelineError(f"an event has a start and an end after it, not {event.start}..{event.end}")
        with self._lock:
            event = replace(event, id=len(self) + 1)
            line = event.to_line()
            lines = self._open_lines()
            lines.seek(self._begins[-1])
            lines.write(line)
            self._begins.append(self._begins[-1] + len(line))
            self.index.add(event)
            self._keep_ready(event)
            return event

    def get(self, id: int) -> TimelineEvent:
        """The event with an id.

        Raises:
            KeyError: there is none.
        """
        return self.events((id,))[0]

    def events(self, ids: Sequence[int]) -> list[TimelineEvent]:
        """The events with these ids, in their order.

        Raises:
            KeyError: there is none with such an id.
        """
        with self._lock:
            return [self._ready.get(id) or self._read(id) for id in ids]

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
        with self._lock:
            return self.events(self.index.between(scope, start, end, kinds, limit))

    def latest(self, scope: Scope, limit: int, kinds: Collection[EventKind] = ()) -> list[TimelineEvent]:
        """The events appended last, newest first."""
        with self._lock:
            return self.events(self.index.latest(scope, limit, kinds))

    def search(
        self, query: str, scope: Scope, limit: int, kinds: Collection[EventKind] = ()
    ) -> list[tuple[TimelineEvent, float]]:
        """The events whose text holds words of the query, best first, each with its score (higher is better).

        The score is BM25 with each word counted once in an event, as if there were no events but those that the scope
        admits; of equal scores, the newer event comes first.
        """
        with self._lock:
            found = self.index.search(query, scope, limit, kinds)
            events = self.events([id for id, _ in found])
            return [(event, score) for event, (_, score) in zip(events, found, strict=True)]

    def extend(self, events: Iterable[TimelineEvent]) -> list[TimelineEvent]:
        """Append events in order."""
        return [self.append(event) for event in events]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._lines.close()
            self._empty()

    def close(self) -> None:
        """Let go of the lines; no event can be read or appended after that. May be called twice."""
        with self._lock:
            self._lines.close()
            self._ready.clear()

    def _read(self, id: int) -> TimelineEvent:
        if not 0 < id < len(self._begins):
            raise KeyError(id)
        lines, begin = self._open_lines(), self._begins[id - 1]
        lines.seek(begin)
        event = TimelineEvent.from_json(parse_json(lines.read(self._begins[id] - begin)))
        self._keep_ready(event)
        return event

    def _keep_ready(self, event: TimelineEvent) -> None:
        self._ready[event.id] = event
        if len(self._ready) > READY:
            self._ready.popitem(last=False)

    def _open_lines(self) -> tempfile.SpooledTemporaryFile[bytes]:
        if self._lines.closed:
            raise TimelineError("this timeline is closed; make a new one")
        return self._lines
