"""The journal of a run: append-only JSON lines with one writer, readable at any time."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from omnipilot.bench.journal.events import (
    Event,
    JournalError,
    Repaired,
    UnknownEvent,
    Unreadable,
    event_from_json,
    event_to_json,
)
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_file, open_file
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory.secrets import scrub_values
from omnipilot.memory.secrets.scrub import scrub
from omnipilot.memory.store.durable import sync_names

FILE = "journal.jsonl"
MEDIA = "media"
LONGEST_LOST = 2_000
"""How many characters of a torn line are kept in the event that reports it."""

_fast = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_safe = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def to_line(data: Any) -> bytes:
    """JSON values as one line, including its newline. Floats survive a round trip bit for bit.

    Raises:
        ValueError: a number is not finite.
    """
    try:
        return _fast(data).encode() + b"\n"
    except UnicodeEncodeError:
        # Half a surrogate pair, which a model may well write, has no UTF-8; the escaped form keeps it.
        return _safe(data).encode() + b"\n"


def encode(event: Event) -> bytes:
    """An event as a journal line, with all keys in use redacted: a second line of defence behind the clients."""
    line = to_line(event_to_json(event))
    if scrub(text := line.decode()) == text:
        return line
    # Text by text: a line that was cut up as a whole might be no JSON.
    return to_line(scrub_values(event_to_json(event)))


class Journal:
    """The only writer of a run's journal. Hold the run's lock while it is open.

    Attributes:
        repaired: the torn last line that was cut off on opening; None if there was none.
    """

    def __init__(self, path: Path, repaired: Repaired | None) -> None:
        self.path = path
        self.repaired = repaired
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)

    @classmethod
    def open(cls, folder: Path, name: str = FILE) -> Journal:
        """Open a run directory's journal, or another of its files of events, for appending, or create it.

        A last line without a newline was torn by a kill: it is replaced by a `Repaired` event.
        """
        path = folder / name
        repaired = _cut_torn(path)
        journal = cls(path, repaired)
        sync_names([folder])
        if repaired is not None:
            journal.append(repaired)
            journal.sync()
        return journal

    def append(self, event: Event) -> None:
        """Write an event; it survives a crash of this process, but not yet a power cut."""
        self.append_line(encode(event))

    def append_line(self, line: bytes) -> None:
        """Append a line made by `encode`.

        Raises:
            ConfigError: the disk is full or fails; what was written of the line is cut off when the journal is opened
                again.
        """
        assert line.endswith(b"\n")
        rest = line
        with telling_disk_errors(self.path):
            while rest:
                rest = rest[os.write(self._handle, rest) :]

    def sync(self) -> None:
        """Flush all appended events to disk."""
        with telling_disk_errors(self.path):
            os.fsync(self._handle)

    def close(self) -> None:
        """Sync and close. May be called twice."""
        if self._handle >= 0:
            self.sync()
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read(folder: Path, name: str = FILE) -> Iterator[Event]:
    """The events of a run, or of another of its files, in order; the run may be in progress or have been killed.

    A torn last line is reported as a `Repaired` event, any other that cannot be read as an `Unreadable` one; events of
    kinds that this version does not know are skipped. The file is not changed.

    Raises:
        JournalError: there is no journal.
    """
    return (event for event, _ in positions(folder, name))


def positions(folder: Path, name: str = FILE) -> Iterator[tuple[Event, int]]:
    """The events that `read` gives, each with the place of its line in the file, in bytes.

    Raises:
        JournalError: there is no journal.
    """
    path = folder / name
    try:
        file = open_file(path)
    except FileNotFoundError:
        raise JournalError(f"there is no journal {path}; start the run again") from None
    place = 0
    with file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                yield _lost(line), place
                return
            with suppress(UnknownEvent):
                yield _event(number, line), place
            place += len(line)


def parse_journal(content: bytes) -> list[Event]:
    """The events of a journal's text, as `read` gives those of a file."""
    found: list[Event] = []
    for number, line in enumerate(io.BytesIO(content), 1):
        with suppress(UnknownEvent):
            found.append(_event(number, line) if line.endswith(b"\n") else _lost(line))
    return found


def read_at(folder: Path, places: Sequence[int]) -> list[Event]:
    """The events at some places of `positions`, as long as the file has not been written anew."""
    found: list[Event] = []
    with open_file(folder / FILE) as file:
        for place in places:
            file.seek(place)
            found.append(_event(0, file.readline()))
    return found


def journal_state(folder: Path) -> tuple[int, int, int, int] | None:
    """What tells whether a folder's journal has changed, its first two numbers which file it is; None if there is
    none."""
    try:
        found = (folder / FILE).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _event(number: int, line: bytes) -> Event:
    try:
        data = parse_json(line)
        if not isinstance(data, dict):
            raise JournalError("expected a JSON object")
        return event_from_json(data)
    except UnknownEvent:
        raise
    except (ValueError, JournalError) as error:
        return Unreadable(number, str(error), line[:LONGEST_LOST].decode(errors="replace").rstrip())


def _cut_torn(path: Path) -> Repaired | None:
    """Cut off any text after the last newline and return it; None if there was none."""
    try:
        check_file(path)
        file = path.open("r+b")
    except FileNotFoundError:
        return None
    with file:
        end = file.seek(0, os.SEEK_END)
        torn, at = b"", end
        while at > 0 and b"\n" not in torn:
            step = min(at, 65_536)
            at -= step
            file.seek(at)
            torn = file.read(step) + torn
        torn = torn.rpartition(b"\n")[2]
        if not torn:
            return None
        file.truncate(end - len(torn))
        os.fsync(file.fileno())
        return _lost(torn)


def _lost(torn: bytes) -> Repaired:
    return Repaired(torn.decode(errors="replace")[:LONGEST_LOST], len(torn), time.time())
