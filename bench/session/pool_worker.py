"""A worker of a pool: many sessions in one process, which carry out one call after the other.

Calls come as JSON lines on a socket, answers go back on it in the same order. It never outlives the pool.
"""

from __future__ import annotations

import faulthandler
import gc
import socket
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from omnipilot.agents import Limits, PartSpec
from omnipilot.bench.logs import start_logging
from omnipilot.bench.registry import load_suite
from omnipilot.bench.run.executors.worker import die_with
from omnipilot.bench.session.session import Session, SessionMark
from omnipilot.bench.session.wire import (
    Json,
    acted_to_json,
    encode,
    looks_to_message,
    opening_to_message,
)
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError, EnvLost, OmnipilotError
from omnipilot.envs.schema import parse_json
from omnipilot.memory.secrets.scrub import scrub_error

BUG = "bug"

_OBJECTS, _OBJECTS_A_SESSION = 20_000, 10_000
"""New objects after which the collector of cycles passes: at least, and for each session."""


class SessionHost:
    """The sessions of a worker, by number.

    Args:
        start: how they are made: the suite as a part, and options of `Session`, as JSON.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._part = PartSpec.from_json(start["suite"])
        self._how = dict(start["how"])
        if self._how.get("limits") is not None:
            self._how["limits"] = Limits(**self._how["limits"])
        if isinstance(self._how.get("grounder"), dict):
            self._how["grounder"] = PartSpec.from_json(self._how["grounder"])
        self._suite: Suite | None = None
        self._sessions: dict[int, Session] = {}
        self._marks: dict[int, dict[int, SessionMark]] = {}

    def answer(self, call: Mapping[str, Any]) -> bytes:
        """Carry out a call; whatever goes wrong is told in the answer."""
        number = {"id": call["id"]}
        try:
            method: Callable[..., tuple[Any, dict[str, bytes]]] = getattr(self, f"_{call['do']}")
            value, files = method(call["session"], *call["arguments"])
        except OmnipilotError as error:
            kind = "config" if isinstance(error, ConfigError) else "lost" if isinstance(error, EnvLost) else "other"
            return encode({**number, "error": kind, "message": scrub_error(str(error))})
        except Exception as error:
            told = f"{type(error).__name__}: {error}\n\n{traceback.format_exc()}"
            return encode({**number, "error": BUG, "message": scrub_error(told)})
        return encode({**number, "value": value}, files)

    def close(self) -> None:
        """Close every session."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()

    def _make(self, session: int, record: str | None) -> tuple[None, dict[str, bytes]]:
        if record is not None:
            # Its record says how the suite was made, so it takes it by name.
            self._sessions[session] = Session(self._part, record=record, **self._how)
        else:
            self._suite = self._suite or load_suite(self._part)
            self._sessions[session] = Session(self._suite, **self._how)
        self._marks[session] = {}
        collect_rarely(len(self._sessions))
        return None, {}

    def _open(self, session: int, task: str, instance: int, trial: int | None) -> tuple[Json, dict[str, bytes]]:
        self._marks[session].clear()
        return opening_to_message(self._sessions[session].open(task, instance, trial))

    def _observe(self, session: int, modalities: list[str] | None) -> tuple[Json, dict[str, bytes]]:
        return looks_to_message(self._sessions[session].observe(modalities))

    def _act(self, session: int, verb: Any, env: str) -> tuple[Json, dict[str, bytes]]:
        return acted_to_json(self._sessions[session].act(verb, env)), {}

    def _score(self, session: int) -> tuple[Json, dict[str, bytes]]:
        return self._sessions[session].score().to_json(), {}

    def _fork(self, session: int, number: int) -> tuple[None, dict[str, bytes]]:
        self._sessions[number] = self._sessions[session].fork()
        self._marks[number] = {}
        collect_rarely(len(self._sessions))
        return None, {}

    def _mark(self, session: int, number: int) -> tuple[None, dict[str, bytes]]:
        self._marks[session][number] = self._sessions[session].mark()
        return None, {}

    def _restore(self, session: int, number: int) -> tuple[None, dict[str, bytes]]:
        mark = self._marks[session].get(number)
        if mark is None:
            raise ConfigError("the mark belongs to a task that is no longer open; make one after `open`")
        self._sessions[session].restore(mark)
        return None, {}

    def _close(self, session: int) -> tuple[None, dict[str, bytes]]:
        self._marks.pop(session, None)
        if (made := self._sessions.pop(session, None)) is not None:
            made.close()
        collect_rarely(len(self._sessions))
        return None, {}


def collect_rarely(sessions: int) -> None:
    """Let Python's collector of cycles pass more rarely, the more sessions there are.

    A pass goes through the objects that came since the last one, long after they have left the processor's caches: with
    500 embedded worlds, as they grow, passes took half of the time with Python's thresholds and a fifth with 20,000
    objects. Worlds leave no cycles behind, and what a suite leaves is bounded by about a megabyte a session.
    """
    gc.set_threshold(max(_OBJECTS, _OBJECTS_A_SESSION * sessions), 20, 20)


def main(arguments: list[str]) -> None:
    """Answer calls until the pool hangs up.

    Args:
        arguments: the file descriptor of the socket, and the parent's process id.
    """
    descriptor, parent = map(int, arguments)
    die_with(parent)
    collect_rarely(0)
    faulthandler.enable()
    start_logging()
    with socket.socket(fileno=descriptor) as pipe, pipe.makefile("rb") as calls:
        host: SessionHost | None = None
        for line in calls:
            message = parse_json(line)
            if host is None:
                host = SessionHost(message)
            else:
                pipe.sendall(host.answer(message))
        if host is not None:
            host.close()
