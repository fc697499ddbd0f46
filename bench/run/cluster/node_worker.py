"""What stands on another machine for the run's own process: starts a worker there, and relays its lines.

The worker is the same as on the run's machine. Where it does not see the run's folder of media, it writes into one of
its own, and each line says which files of it have to be fetched before the line is told.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.provenance import provenance
from omnipilot.bench.run.cluster.same_code import code_here
from omnipilot.bench.run.executors.processes import StartedProcess
from omnipilot.envs.schema import parse_json
from omnipilot.memory.store.index import SUFFIX

DIGEST = re.compile(rb'"([0-9a-f]{64})"')
SUFFIXES = tuple(dict.fromkeys(SUFFIX.values()))
PAUSE = 1.0
"""Seconds that `NodeWorker.read` waits for a line."""
_CHUNK = 1 << 18


class NodeWorker:
    """One worker on this machine, for a run on another. Its methods may be called by several threads.

    Args:
        mark: a file that the run wrote beside its media: whoever sees it needs to fetch none. "" to fetch them always.
    """

    def __init__(self, mark: str) -> None:
        shared = bool(mark) and Path(mark).exists()
        self._own = None if shared else Path(tempfile.mkdtemp(prefix="omnipilot-"))
        self._named = MediaNames(self._own / "media") if self._own else None
        orders, self._orders = os.pipe()
        self._events, events = os.pipe()
        try:
            self._process = StartedProcess("worker", [str(orders), str(events), str(os.getpid())], (orders, events))
        finally:
            os.close(orders)
            os.close(events)
        self._lines: list[bytes] = []
        self._over = False
        self._news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def about(self) -> dict[str, Any]:
        """As `code_here`, with the machine's provenance."""
        return {**code_here(), "provenance": provenance()}

    def order(self, line: bytes) -> None:
        """Hand on a line to the worker. One that is dead is noticed where its lines end."""
        if self._own is not None:
            line = _with_media(line, self._own / "media")
        try:
            while line:
                line = line[os.write(self._orders, line) :]
        except BrokenPipeError:
            return

    def read(self) -> list[tuple[bytes, list[str]]] | None:
        """The lines since the last time, each with the media files that come before it; None once they have ended."""
        with self._news:
            if not self._lines and not self._over:
                self._news.wait(PAUSE)
            lines, self._lines = self._lines, []
            if not lines and self._over:
                return None
        return [(line, self._named.before(line) if self._named else []) for line in lines]

    def medium(self, name: str) -> bytes:
        """The content of a media file that `read` named."""
        assert self._own is not None
        return (self._own / "media" / name).read_bytes()

    def bury(self) -> int:
        """Kill the worker if it has not ended, and remove what it wrote here; its exit code as in `subprocess`."""
        code = self._process.bury()
        if self._own is not None:
            shutil.rmtree(self._own, ignore_errors=True)
        return code

    def _listen(self) -> None:
        with os.fdopen(self._events, "rb", buffering=_CHUNK) as pipe:
            for line in pipe:
                if line.endswith(b"\n"):
                    with self._news:
                        self._lines.append(line)
                        self._news.notify_all()
        # Its lines have ended, so it is dead or on its last instructions.
        self._process.ended(10.0)
        with self._news:
            self._over = True
            self._news.notify_all()


class MediaNames:
    """Which files of a folder of media lines name for the first time, those included that other files name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: set[str] = set()
        self._absent: dict[str, None] = {}

    def before(self, line: bytes) -> list[str]:
        """The files that have to be there before a line is; a file comes after those that it names itself."""
        digests = [found.decode() for found in DIGEST.findall(line)]
        if b'"event":"episode_ended"' in line:
            # Captures may get their files only when it is known how the episode ended.
            digests = [*self._absent, *digests]
            self._absent.clear()
        return [name for digest in digests for name in self._files(digest)]

    def _files(self, digest: str) -> list[str]:
        if digest in self._told:
            return []
        names = [f"{digest[:2]}/{digest}{suffix}" for suffix in SUFFIXES]
        names = [name for name in names if (self._folder / name).exists()]
        if not names:
            self._absent[digest] = None
            return []
        self._told.add(digest)
        inner = [
            found.decode()
            for name in names
            if name.endswith(".json")
            for found in DIGEST.findall((self._folder / name).read_bytes())
        ]
        return [*(name for one in inner for name in self._files(one)), *names]


def _with_media(line: bytes, folder: Path) -> bytes:
    """An order with another folder of media, if it names one."""
    order = parse_json(line)
    if order["do"] != "start":
        return line
    return json.dumps({**order, "media": str(folder)}).encode() + b"\n"
