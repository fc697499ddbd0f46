"""The run's side of a worker on another machine: takes the place of a process on this one, with the same two pipes."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from omnipilot.bench.run.cluster.same_code import refusal
from omnipilot.bench.run.executors.processes import ChildProcess
from omnipilot.envs import ConfigError
from omnipilot.envs.logs import logger_of
from omnipilot.envs.schema import parse_json
from omnipilot.memory import MediaStore

_LOG = logger_of("run")
_GONE = 5.0
"""Seconds in which the thread that relays a worker's lines ends once the worker is killed."""


class NodeLost(Exception):
    """A worker's machine, or what stands there for it, is gone or never came."""


class ClusterNode(Protocol):
    """What stands on another machine, see `NodeWorker`; every method but `kill` waits, and may raise `NodeLost`."""

    def about(self) -> Mapping[str, Any]:
        """See `NodeWorker`; waits until it is there."""

    def order(self, line: bytes) -> None:
        """See `NodeWorker`."""

    def read(self) -> list[tuple[bytes, list[str]]] | None:
        """See `NodeWorker`."""

    def medium(self, name: str) -> bytes:
        """See `NodeWorker`."""

    def bury(self) -> int:
        """See `NodeWorker`."""

    def kill(self) -> None:
        """End it by force, also while it is waited for; nothing if it has ended."""


class FetchedMedia:
    """Where the captures of all workers on other machines go; their threads may use it at once.

    Args:
        folder: the run's folder of media.
    """

    def __init__(self, folder: Path) -> None:
        self._store = MediaStore(folder)
        self._one = threading.Lock()

    def fetch(self, node: ClusterNode, files: Sequence[str]) -> None:
        """Ask a node for those of its files that are not here."""
        for name in files:
            if not self._store.has_file(name):
                content = node.medium(name)
                with self._one:
                    self._store.add_file(name, content)

    def sync(self) -> None:
        """See `MediaStore`."""
        with self._one:
            self._store.sync()


class RemoteProcess(ChildProcess):
    """A worker on another machine, as its run sees it.

    Args:
        handles: file descriptors that orders are read from and events written to; it takes copies of them.
        ours: what this process has, see `code_here`. media: where its captures go, and those of other workers.
    """

    def __init__(
        self, node: ClusterNode, handles: tuple[int, int], ours: Mapping[str, str], media: FetchedMedia
    ) -> None:
        self._node, self._ours, self._media = node, ours, media
        orders, events = map(os.dup, handles)
        self._over = threading.Event()
        self._one = threading.Lock()
        self._here = False
        self._waiting: list[bytes] = []
        self._code: int | None = None
        self._lost = False
        threading.Thread(target=self._send, args=(orders,), daemon=True).start()
        threading.Thread(target=self._receive, args=(events,), daemon=True).start()

    def kill(self) -> None:
        """See `ChildProcess`."""
        self._node.kill()

    def ended(self, seconds: float) -> bool:
        """See `ChildProcess`."""
        return self._over.wait(seconds)

    def bury(self) -> int | None:
        """See `ChildProcess`."""
        self.kill()
        self._over.wait(_GONE)
        return self._code

    @property
    def cut_off(self) -> bool:
        """Whether its machine was lost, or what stands there for it, rather than the worker alone."""
        return self._lost

    def _send(self, handle: int) -> None:
        with os.fdopen(handle, "rb") as orders, contextlib.suppress(NodeLost):
            for line in orders:
                with self._one:
                    if self._here:
                        self._node.order(line)
                        continue
                    self._waiting.append(line)
                if parse_json(line)["do"] in ("quit", "stop"):
                    # Nobody waits for it any more.
                    self._node.kill()

    def _came(self) -> None:
        """Send what was asked of it before it was there."""
        with self._one:
            for line in self._waiting:
                self._node.order(line)
            self._here = True

    def _receive(self, handle: int) -> None:
        try:
            with os.fdopen(handle, "wb") as events:
                self._relay(events)
        except NodeLost as error:
            self._lost = True
            _LOG.info("a worker on another machine was lost: %s", error)
        except BrokenPipeError:
            # The run wants no more of it.
            pass
        finally:
            self._over.set()
            self._node.kill()

    def _relay(self, events: BinaryIO) -> None:
        theirs = self._node.about()
        if why := refusal(theirs, self._ours):
            _tell(events, _message({"worker": "failed", "kind": "config", "message": why, "traceback": ""}))
            return
        self._came()
        _tell(events, _message({"worker": "here", "host": theirs["host"], "provenance": theirs["provenance"]}))
        try:
            while (lines := self._node.read()) is not None:
                for line, files in lines:
                    self._media.fetch(self._node, files)
                    if b'"event":"episode_ended"' in line:
                        self._media.sync()
                    _tell(events, line)
        except (NodeLost, BrokenPipeError):
            raise
        except Exception as error:
            kind = "config" if isinstance(error, ConfigError) else "bug"
            failure = {"worker": "failed", "kind": kind, "message": str(error), "traceback": traceback.format_exc()}
            _tell(events, _message(failure))
            return
        self._code = self._node.bury()


def _message(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _tell(events: BinaryIO, line: bytes) -> None:
    events.write(line)
    events.flush()
