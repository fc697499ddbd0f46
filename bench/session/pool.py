"""Many sessions at once, over processes: for trainers and servers, which await what each session answers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from omnipilot.agents import Limits, PartSpec
from omnipilot.bench.run.executors.worker_process import cause_of_death
from omnipilot.bench.session.answers import Acted, Opening, Score
from omnipilot.bench.session.session import SHOWN
from omnipilot.bench.session.wire import (
    Json,
    acted_from_json,
    encode,
    looks_from_message,
    opening_from_message,
    score_from_json,
)
from omnipilot.envs import ConfigError, EnvLost, Intent, Modality, Observation, OmnipilotError, Thinking
from omnipilot.envs.schema import codec, parse_json
from omnipilot.envs.types import VERBS

PATIENCE = 120.0
"""Seconds without any answer after which a worker counts as hanging, unless the pool is told otherwise."""
_STARTING = 60.0
"""Seconds that a worker may take at least until its first answer: it imports, and loads the suite."""
_CLOSING = 10.0
_DYING = 1.0
_LONGEST_LINE = 1 << 28
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from omnipilot.bench.session.pool_worker import main; main(sys.argv[2:])"
)


class SessionBug(OmnipilotError):
    """A bug in a suite, a world or a grounder, in a worker; the message holds its traceback. The session goes on."""


class SessionPool:
    """Sessions in worker processes, each with many of them; an async context manager.

    A session stays in the process where it was made; one process carries out one call at a time. Where a worker dies or
    hangs, its sessions are lost, which each of their calls says by `EnvLost`, and the next session gets a new worker.

    Args:
        suite: by its name, or as a part with its options.
        workers: processes; None for as many as there are processors.
        options, modalities, grounder, limits, thinking, policy, approver: as for `Session`; the grounder by name.
        patience: seconds without an answer, while one is waited for, after which a worker is killed.

    Raises:
        ConfigError: less than one worker.
    """

    def __init__(
        self,
        suite: str | PartSpec,
        *,
        workers: int | None = None,
        options: Mapping[str, Any] | None = None,
        modalities: Collection[Modality | str] = SHOWN,
        grounder: str | PartSpec = "elements",
        limits: Limits | None = None,
        thinking: Thinking | str | None = None,
        policy: str | None = None,
        approver: str | None = None,
        patience: float = PATIENCE,
    ) -> None:
        part = PartSpec(suite) if isinstance(suite, str) else suite
        part = part.with_options(options or {})
        self._size = os.cpu_count() or 1 if workers is None else workers
        if self._size < 1:
            raise ConfigError(f"a pool has at least 1 worker, not {workers}")
        self._start = {
            "suite": _part_to_json(part),
            "how": {
                "modalities": [Modality(name) for name in modalities],
                "grounder": grounder if isinstance(grounder, str) else _part_to_json(grounder),
                "limits": None if limits is None else asdict(limits),
                "thinking": None if thinking is None else str(thinking),
                "policy": policy,
                "approver": approver,
            },
        }
        self._patience = patience
        self._workers: list[_Worker] = []
        self._numbers = itertools.count()

    @contextlib.asynccontextmanager
    async def session(self, record: Path | str | None = None) -> AsyncIterator[PooledSession]:
        """A session in the worker that has the fewest; closed when the block is left.

        Args:
            record: a run directory of its own, see `Session`.

        Raises:
            ConfigError: there is no such suite or grounder. EnvLost: the worker died.
        """
        made = await self.make_session(record)
        try:
            yield made
        finally:
            await made.close()

    async def make_session(self, record: Path | str | None = None) -> PooledSession:
        """As `session`, for callers that close it themselves."""
        worker = await self._least_busy()
        made = PooledSession(worker, next(self._numbers), self._numbers)
        worker.sessions += 1
        try:
            await worker.call("make", made.number, None if record is None else str(record))
        except BaseException:
            worker.sessions -= 1
            raise
        return made

    async def close(self) -> None:
        """Close all sessions and end the workers; those that hang are killed. May be called twice."""
        workers, self._workers = self._workers, []
        await asyncio.gather(*(worker.close() for worker in workers))

    async def __aenter__(self) -> SessionPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _least_busy(self) -> _Worker:
        for dead in [worker for worker in self._workers if worker.lost]:
            self._workers.remove(dead)
            await dead.close()
        if len(self._workers) < self._size and all(worker.sessions for worker in self._workers):
            worker = _Worker(self._patience)
            # Before it is up, so that callers at once do not start too many.
            self._workers.append(worker)
            await worker.start(self._start)
            return worker
        return min(self._workers, key=lambda one: one.sessions)


class PooledSession:
    """A session in a worker of a pool: the calls of `Session`, awaited.

    Each raises what `Session` does, and further: EnvLost, with the reason, once its worker is gone; SessionBug.
    """

    def __init__(self, worker: _Worker, number: int, numbers: itertools.count[int]) -> None:
        self.number = number
        self._worker = worker
        self._numbers = numbers
        self._closed = False

    async def open(self, task: str, instance: int = 0, trial: int | None = None) -> Opening:
        """As `Session.open`."""
        data, files = await self._call("open", task, instance, trial)
        return opening_from_message(data, files)

    async def observe(self, modalities: Collection[Modality | str] | None = None) -> dict[str, Observation]:
        """As `Session.observe`."""
        asked = None if modalities is None else [Modality(name) for name in modalities]
        data, files = await self._call("observe", asked)
        return looks_from_message(data, files)

    async def act(self, verb: Intent | Mapping[str, Any] | str, env: str = "") -> Acted:
        """As `Session.act`. What cannot be written as JSON is told as malformed, too."""
        if isinstance(verb, tuple(VERBS.values())):
            verb = codec.to_json(cast(Intent, verb))
        if not isinstance(verb, str):
            # As a text, so that the worker tells whatever is wrong with it.
            try:
                verb = json.dumps(verb)
            except (TypeError, ValueError, RecursionError) as error:
                verb = f"(this cannot be written as JSON: {error})"
        return acted_from_json((await self._call("act", verb, env))[0])

    async def score(self) -> Score:
        """As `Session.score`."""
        return score_from_json((await self._call("score"))[0])

    async def fork(self) -> PooledSession:
        """As `Session.fork`; the fork lives in the same worker, and its caller closes it."""
        other = PooledSession(self._worker, next(self._numbers), self._numbers)
        await self._call("fork", other.number)
        self._worker.sessions += 1
        return other

    async def mark(self) -> int:
        """As `Session.mark`; the mark is a number."""
        number = next(self._numbers)
        await self._call("mark", number)
        return number

    async def restore(self, mark: int) -> None:
        """As `Session.restore`."""
        await self._call("restore", mark)

    async def close(self) -> None:
        """As `Session.close`; nothing is raised where its worker is gone."""
        if not self._closed:
            self._closed = True
            self._worker.sessions -= 1
            if not self._worker.lost:
                with contextlib.suppress(EnvLost):
                    await self._worker.call("close", self.number)

    async def __aenter__(self) -> PooledSession:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(self, do: str, *arguments: Any) -> tuple[Any, dict[str, bytes]]:
        if self._closed:
            raise ConfigError("this session was closed; ask the pool for another")
        return await self._worker.call(do, self.number, *arguments)


class _Worker:
    """The pool's side of a worker.

    Attributes:
        sessions: number of those that live in it. lost: why it is gone; "" while it lives. up: it was started.
    """

    def __init__(self, patience: float) -> None:
        self.sessions = 0
        self.lost = ""
        self.up = asyncio.Event()
        self._patience = patience
        self._waiting: dict[int, asyncio.Future[tuple[Any, dict[str, bytes]]]] = {}
        self._ids = itertools.count()
        self._heard = 0.0
        self._answered = False
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, how: Json) -> None:
        """Start the process."""
        ours, theirs = socket.socketpair()
        path = json.dumps([entry or os.getcwd() for entry in sys.path])
        arguments = ["-P", "-c", _BOOT, path, str(theirs.fileno()), str(os.getpid())]
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                # What foreign code prints is for people.
                stdout=2,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            reader, self._writer = await asyncio.open_connection(sock=ours, limit=_LONGEST_LINE)
        except BaseException as error:
            ours.close()
            self.lost = f"it could not be started: {error}"
            raise
        finally:
            theirs.close()
            self.up.set()
        self._writer.write(encode(how))
        self._tasks = [asyncio.create_task(self._listen(reader)), asyncio.create_task(self._watch())]

    async def call(self, do: str, session: int, *arguments: Any) -> tuple[Any, dict[str, bytes]]:
        """What the worker answers to a call, and the media of the answer."""
        await self.up.wait()
        if self.lost or self._writer is None:
            raise EnvLost(f"the worker of this session is gone: {self.lost}; ask the pool for another session")
        loop = asyncio.get_running_loop()
        number = next(self._ids)
        future: asyncio.Future[tuple[Any, dict[str, bytes]]] = loop.create_future()
        if not self._waiting:
            self._heard = loop.time()
        self._waiting[number] = future
        self._writer.write(encode({"id": number, "do": do, "session": session, "arguments": list(arguments)}))
        return await future

    async def close(self) -> None:
        """End the process: in order if it listens, otherwise by force."""
        if self._writer is not None:
            with contextlib.suppress(OSError, RuntimeError):
                if self._writer.can_write_eof():
                    self._writer.write_eof()
        if self._process is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), 0 if self.lost else _CLOSING)
        self._kill()
        if self._process is not None:
            await self._process.wait()
        self._lose(self.lost or "the pool was closed")
        for task in self._tasks:
            task.cancel()
        if self._writer is not None:
            self._writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                answer = parse_json(line)
                files = {name: await reader.readexactly(length) for name, length in answer.get("files", ())}
                self._heard, self._answered = asyncio.get_running_loop().time(), True
                future = self._waiting.pop(answer["id"], None)
                if future is None or future.done():
                    continue
                if "error" in answer:
                    future.set_exception(_error(answer["error"], answer["message"]))
                else:
                    future.set_result((answer["value"], files))
        except (OSError, ValueError, asyncio.IncompleteReadError):
            # Where it has just died, to kill it now would hide of what.
            if self._process is not None:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._process.wait(), _DYING)
            self._kill()
        if self._process is not None:
            self._lose(f"it died ({cause_of_death(await self._process.wait())})")

    async def _watch(self) -> None:
        """Kill the worker once it hangs."""
        loop = asyncio.get_running_loop()
        while not self.lost:
            allowed = self._patience if self._answered else max(self._patience, _STARTING)
            silent = loop.time() - self._heard if self._waiting else 0.0
            if silent >= allowed:
                self._lose(f"it did not answer for {allowed:g} s, and was killed")
                self._kill()
                return
            await asyncio.sleep(min(allowed - silent, 1.0))

    def _lose(self, why: str) -> None:
        self.lost = self.lost or why
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(
                    EnvLost(f"the worker of this session is gone: {self.lost}; ask the pool for another session")
                )

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()


def _error(kind: str, message: str) -> OmnipilotError:
    kinds = {"config": ConfigError, "lost": EnvLost, "bug": SessionBug}
    return kinds.get(kind, OmnipilotError)(message)


def _part_to_json(part: PartSpec) -> Json:
    inner = [_part_to_json(one) for one in part.inner]
    return {"name": part.name, "options": dict(part.options), **({"inner": inner} if inner else {})}
