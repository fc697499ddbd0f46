"""A run in the list of a folder: how far it is, without reading its turns."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.events import EpisodeEnded, JournalError, PersonActed, RunStarted, event_from_json
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.journal.results import SUCCESS, UNJUDGED, VOID
from omnipilot.bench.live.tail import JournalTail
from omnipilot.bench.shards.shard import planned_here
from omnipilot.envs.schema import parse_json

_WANTED = tuple(b'{"event":"%s"' % kind.event.encode() for kind in (RunStarted, EpisodeEnded, PersonActed))


class RunGlance:
    """How far a run is; reads only what is new, and of that only starts and ends."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._forget(JournalTail(run))

    def _forget(self, tail: JournalTail) -> None:
        self._tail, self._begun = tail, tail.begun
        self._start: RunStarted | None = None
        self._made_with: list[Mapping[str, Any]] = []
        self._ends: dict[str, str] = {}
        self._ran = 0
        self._paused = self._interfered = False

    def told(self) -> dict[str, Any]:
        """As plain JSON values.

        Returns:
            `state` ("going", "paused", "finished", "stopped" or "unreadable"), `suite`, `planner`, `planned` and counts
            of `marks`, `started` (seconds since the epoch), `left` (seconds; None if unknown), and whether a person
            `interfered`.
        """
        try:
            for _, line in self._tail.new():
                if self._tail.begun != self._begun:
                    self._forget(self._tail)
                if line.startswith(_WANTED):
                    self._take(line)
        except OSError as error:
            return {"state": "unreadable", "why": error.strerror or str(error), "marks": {}, "planned": 0}
        start = self._start
        spec = start.spec if start else {}
        planned = planned_here(self._made_with, start.planned) if start else 0
        going = is_locked(self._run)
        marks = Counter(_mark(reason) for reason in self._ends.values())
        left = max(0, planned - len(self._ends))
        paused = going and self._paused
        seconds = time.time() - start.wall if start else 0.0
        state = ("paused" if paused else "going") if going else "finished" if start and not left else "stopped"
        return {
            "state": state,
            "suite": _name(spec.get("suite")),
            "planner": _name((spec.get("agent") or {}).get("planner")),
            "planned": planned,
            "marks": dict(marks),
            "started": start.wall if start else None,
            "left": seconds / self._ran * left if going and self._ran and not paused else None,
            "interfered": self._interfered,
        }

    def _take(self, line: bytes) -> None:
        try:
            event = event_from_json(parse_json(line))
        except (ValueError, JournalError):
            # The run's own page tells of lines that cannot be read.
            return
        if isinstance(event, RunStarted):
            self._start, self._ran, self._paused = event, 0, False
            self._made_with.append(event.provenance)
        elif isinstance(event, EpisodeEnded):
            self._ends[event.key] = event.reason
            self._ran += 1
        elif isinstance(event, PersonActed) and not event.refused:
            self._interfered = True
            if event.action in ("pause", "resume"):
                self._paused = event.action == "pause"
            elif event.action == "requeue":
                self._ends.pop(event.key, None)


def _mark(reason: str) -> str:
    return "solved" if reason == SUCCESS else reason if reason in (VOID, UNJUDGED) else "failed"


def _name(part: Any) -> str:
    name = part.get("name") if isinstance(part, dict) else None
    return name[:100] if isinstance(name, str) else ""
