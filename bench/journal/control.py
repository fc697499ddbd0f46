"""What persons ask of a run that is going on: lines of a file in its directory, which the run reads between two looks.

A file and no port: it works for every executor, costs a run that nobody watches one look at a file's size, and whoever
writes it can crash without harm. Each command is taken once and answered in the journal by a `PersonActed`.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from omnipilot.agents.limits import LIMITS
from omnipilot.bench.journal.events import PersonActed
from omnipilot.envs import ConfigError
from omnipilot.envs.logs import logger_of
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import open_file

FILE = "control.jsonl"
BUDGET = "budget"
"""The limit of the whole run, in USD; all others are those of an episode."""
ACTIONS = ("pause", "resume", "cancel", "requeue", "raise")
OF_EPISODES = ("cancel", "requeue", "raise")
CANCELLED = "cancelled by a person"
"""Why such an episode is void."""
LONGEST = 4_000
"""Bytes of a command."""
_AT_ONCE = 1_000_000
_LOG = logger_of("control")


@dataclass(frozen=True, slots=True)
class RunCommand:
    """What a person asks of a run.

    Attributes:
        action: one of `ACTIONS`. key: of the episode, "task#instance.trial"; "" for the whole run.
        who: the user's name on the machine. wall: when it was asked, seconds since the epoch.
        limit, value: of "raise": `BUDGET` or a limit of the episode, and what it is to be.
    """

    id: str
    action: str
    key: str
    who: str
    wall: float
    limit: str = ""
    value: float | None = None

    @classmethod
    def of(cls, action: str, who: str, key: str = "", limit: str = "", value: float | None = None) -> RunCommand:
        """A new command, checked.

        Raises:
            ConfigError: it makes no sense.
        """
        return cls.from_json(
            {
                "id": uuid.uuid4().hex,
                "action": action,
                "key": key,
                "who": who[:100],
                "wall": time.time(),
                "limit": limit,
                "value": value,
            }
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunCommand:
        """Read a command.

        Raises:
            ConfigError: it is none.
        """
        texts = [data.get(name) for name in ("id", "action", "key", "who")]
        limit, value, wall = data.get("limit", ""), data.get("value"), data.get("wall")
        if not all(isinstance(one, str) for one in (*texts, limit)) or not _is_number(wall):
            raise ConfigError("a command has an id, an action, a key, a name and a time")
        id_, action, key, who = map(str, texts)
        if action not in ACTIONS or not id_:
            raise ConfigError(f"no such action {action!r}; there are {', '.join(ACTIONS)}")
        whole = action not in OF_EPISODES or (action == "raise" and limit == BUDGET)
        if whole == bool(key):
            raise ConfigError(f"{action} is about {'the whole run' if whole else 'one episode: say which'}")
        if action == "raise":
            if limit not in (BUDGET, *LIMITS):
                raise ConfigError(f"no such limit {limit!r}; there are {', '.join((BUDGET, *LIMITS))}")
            if not _is_number(value) or not 0 < value < 1e12:
                raise ConfigError(f"the limit on {limit} has to be a number above 0")
            if limit in ("turns", "actions", "tokens"):
                if value != int(value):
                    raise ConfigError(f"the limit on {limit} has to be a whole number")
                value = int(value)
        return cls(id_, action, key, who, float(wall), limit, value)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        told = {"id": self.id, "action": self.action, "key": self.key, "who": self.who, "wall": self.wall}
        return told if self.action != "raise" else {**told, "limit": self.limit, "value": self.value}

    def acted(self, attempt: int = 0, before: float | None = None, refused: str = "") -> PersonActed:
        """The event that answers it.

        Args:
            attempt: at the episode it is about. before: what a raised limit was. refused: why nothing was done.
        """
        return PersonActed(
            self.id,
            self.action,
            self.key,
            attempt,
            self.who,
            self.wall,
            time.time(),
            self.limit,
            before,
            self.value,
            refused,
        )


def send_command(folder: Path, command: RunCommand) -> None:
    """Write a command into a run's directory. Any number of processes may do so at once.

    Raises:
        ConfigError: it is too long. OSError: the directory cannot be written.
    """
    # The first newline ends what another writer may have left half written.
    line = b"\n" + json.dumps(command.to_json()).encode() + b"\n"
    if len(line) > LONGEST:
        raise ConfigError(f"a command has at most {LONGEST} bytes")
    handle = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


class ControlFile:
    """Reads the commands of a run's directory, each once.

    Args:
        taken: ids of those that were answered already.
    """

    def __init__(self, folder: Path, taken: Collection[str] = ()) -> None:
        self._path = folder / FILE
        self._taken = set(taken)
        self._at = 0

    def new(self) -> Iterator[RunCommand]:
        """The commands that were written since the last time, in order; what is none is left out."""
        try:
            size = os.stat(self._path).st_size
        except OSError:
            return
        if size < self._at:
            self._at = 0
        if size == self._at:
            return
        try:
            with open_file(self._path) as file:
                file.seek(self._at)
                found = file.read(_AT_ONCE)
        except OSError as error:
            _LOG.warning("%s cannot be read: %s", self._path, error)
            return
        whole = found[: found.rfind(b"\n") + 1]
        # A line without an end is of a writer that is not done, unless there is more of it than a command has.
        self._at += len(whole) if whole or len(found) < LONGEST else len(found)
        for line in filter(None, whole.split(b"\n")):
            if (command := self._read(line)) is not None and command.id not in self._taken:
                self._taken.add(command.id)
                yield command

    def _read(self, line: bytes) -> RunCommand | None:
        try:
            data = parse_json(line) if len(line) <= LONGEST else None
            if not isinstance(data, dict):
                raise ConfigError("expected a JSON object")
            return RunCommand.from_json(data)
        except (ValueError, ConfigError) as error:
            _LOG.warning("%s: a line is no command: %s", self._path, error)
            return None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
