"""Starts a model server as a child process, waits until it answers, and ends it with all its children."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types.installation import requirement
from omnipilot.memory.secrets.scrub import register, scrub_error

GUARD = Path(__file__).with_name("guard.py")
LOOK = 0.5
"""Seconds between two checks of a starting server."""
GONE = 10.0
"""Seconds in which what was killed is gone."""
LARGEST_LIST = 4 << 20
"""Maximum bytes of a list of models."""
TOLD = 25
"""Number of log lines that an error shows."""


class Server:
    """A running server process; use as a context manager, or call `stop`.

    It is out of reach of the terminal's Ctrl-C and ends, children included, when this process does, however it does.

    Args:
        argv: the command.
        url: base URL at which it will answer, ending in /v1.
        environment: variables beside our own.
        key: bearer token that it wants.
        echo: is given each line of its log.
        grace: seconds it has to end by itself when told to.

    Attributes:
        pid: of the server; also the number of its process group.

    Raises:
        ConfigError: there is no such program.
    """

    def __init__(
        self,
        argv: Sequence[str],
        url: str,
        environment: Mapping[str, str] | None = None,
        key: str = "",
        echo: Callable[[str], object] | None = None,
        grace: float = 20.0,
    ) -> None:
        register(key)
        program = shutil.which(argv[0])
        if program is None:
            raise ConfigError(
                f"there is no program {argv[0]!r}: install vLLM in an environment of its own "
                f"(pip install {requirement('serve')}) and put that environment's bin folder on PATH, or name the "
                "program with --vllm"
            )
        self.url, self._key, self._grace, self._echo = url, key, grace, echo
        self._reader: threading.Thread | None = None
        self._lines: deque[str] = deque(maxlen=TOLD)
        self._held: int | None = None
        wanted, self._held = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(GUARD), str(wanted), str(grace), program, *argv[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env={**os.environ, **(environment or {})},
                pass_fds=(wanted,),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._held)
            raise
        finally:
            os.close(wanted)
        log = self._process.stdout
        assert log is not None
        first = log.readline().strip()
        if not first.isdigit():
            told = f"{first} {log.read()}".strip()
            self.stop()
            raise ConfigError(f"{program} cannot be started: {told[-600:]}")
        self.pid = int(first)
        self._reader = threading.Thread(target=self._read, args=(log,), name="server-log", daemon=True)
        self._reader.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def log(self) -> str:
        """The last lines of its output."""
        return "\n".join(self._lines)

    def wait(self, seconds: float) -> tuple[str, ...]:
        """Wait until it answers; the names of the models it serves.

        Raises:
            ConfigError: it ended, or did not answer within `seconds`; the message holds the end of its log.
        """
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with suppress(OSError, ValueError, http.client.HTTPException):
                return served_models(self.url, self._key, min(left, 5.0))
            if self.ended(min(left, LOOK)):
                self._drained()
                raise ConfigError(f"the server ended with code {self._process.returncode}; its last lines:\n{self.log}")
        raise ConfigError(f"the server did not answer at {self.url} within {seconds:g} s; its last lines:\n{self.log}")

    def ended(self, seconds: float = 0.0) -> bool:
        """Whether it has ended, or does so within `seconds`."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def stop(self) -> None:
        """End it: in order where it manages within its grace, else by force. May be called twice."""
        if self._held is None:
            return
        os.close(self._held)
        self._held = None
        if not self.ended(self._grace + GONE):
            self._process.kill()
            self.ended(GONE)  # no longer: who was interrupted while waiting may have left the lock of `Popen` held
        self._drained()

    def _drained(self) -> None:
        if self._reader is not None:
            self._reader.join(5.0)

    def _read(self, log: IO[str]) -> None:
        with log:
            for line in log:
                shown = scrub_error(line.rstrip())
                self._lines.append(shown)
                if self._echo:
                    self._echo(shown)


def free(host: str, port: int) -> None:
    """Make sure that nothing listens on a port: another server would answer in place of the one that is started.

    Raises:
        ConfigError: something does.
    """
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ConfigError(f"{host}:{port} cannot be listened on ({error.strerror}); name another --port") from None


class _Unredirected(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """None: a redirect is an error like any other."""


def served_models(url: str, key: str = "", timeout: float = 5.0) -> tuple[str, ...]:
    """Names of the models that a server has. No redirect is followed: urllib would carry the key along.

    Raises:
        OSError, http.client.HTTPException: it does not answer, or refuses.
        ValueError: its answer is not what such servers answer.
    """
    request = urllib.request.Request(f"{url}/models", headers={"Authorization": f"Bearer {key}"} if key else {})
    with urllib.request.build_opener(_Unredirected).open(request, timeout=timeout) as answer:
        data = parse_json(answer.read(LARGEST_LIST), bounded=True)
    try:
        return tuple(str(model["id"]) for model in data["data"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"{url}/models does not list models") from error
