"""What the workers of a run do now, in a file beside its journal for those who look from outside.

The journal says what happened, and not when nothing did; nor does it know workers that have no episode yet. Whoever
plays writes the file anew about once a second, and deletes it at the end.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType

from omnipilot.bench.journal.run_directory import WORKERS, read_workers_file
from omnipilot.memory.models.broker.broker import EndpointStanding
from omnipilot.memory.secrets import scrub_values

PAUSE = 1.0
"""Seconds between two writings."""


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What one worker does.

    Attributes:
        doing: "starts" (its agent is made), "plays", "ends" (it leaves its episode) or "waits" (for an episode).
        key, attempt: of its episode; "" and 0 without one. quiet: seconds since it was last heard of.
        endpoint: the server of a model that it waits for; "" for none. queued: it may not ask it yet.
        host: the other machine on which it plays; "" for this one.
    """

    doing: str
    key: str
    attempt: int
    quiet: float
    endpoint: str = ""
    queued: bool = False
    host: str = ""


@dataclass(frozen=True, slots=True)
class FleetState:
    """What all workers of a run do now, and how the endpoints stand that they ask."""

    workers: tuple[WorkerState, ...]
    endpoints: tuple[EndpointStanding, ...] = ()


class WorkersFile:
    """Writes the file of a run's directory; a context manager that deletes it at its end.

    It helps those who look and nobody else, so a disk that does not take it stops nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / WORKERS
        self._written = float("-inf")

    def write(self, workers: Sequence[WorkerState], endpoints: Sequence[EndpointStanding] = ()) -> None:
        """Write what the workers do and how endpoints stand, unless that was done within the last second."""
        if time.monotonic() - self._written < PAUSE:
            return
        self._written = time.monotonic()
        told = {"wall": time.time(), **asdict(FleetState(tuple(workers), tuple(endpoints)))}
        new = self._path.with_name(f"{WORKERS}.new")
        with suppress(OSError):
            new.write_text(json.dumps(scrub_values(told)), encoding="utf-8")
            os.replace(new, self._path)

    def __enter__(self) -> WorkersFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def read_fleet(folder: Path) -> FleetState | None:
    """What the workers of a run do; None if nobody says so now."""
    if (found := read_workers_file(folder)) is None:
        return None
    told, age = found
    try:
        workers = [WorkerState(**one) for one in told["workers"]]
        endpoints = [EndpointStanding(**one) for one in told["endpoints"]]
        return FleetState(tuple(replace(one, quiet=one.quiet + max(0.0, age)) for one in workers), tuple(endpoints))
    except (KeyError, TypeError):
        return None
