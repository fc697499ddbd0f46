"""Requests to the server inside a virtual machine: reads are repeated, what changes something is sent once."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from omnipilot.envs.remote.connection import Connections, RemoteResponse, Unreachable
from omnipilot.envs.schema.json_text import parse_json
from omnipilot.envs.types.errors import EnvLost

LARGEST_ANSWER = 64 << 20
"""Maximum bytes of an answer; a machine that agents operate may send anything."""
PAUSE = 0.5
"""Seconds between two tries."""
EXECUTE_SECONDS = 130.0
"""Seconds for a command: the server gives one up after 120."""


class Machine:
    """The HTTP interface of the in-VM server of OSWorld (Flask, port 5000), which WindowsAgentArena extends.

    Args:
        url: such as "http://192.168.122.10:5000".
        timeout: seconds for each read.

    Raises:
        ConfigError: the URL is none.
    """

    def __init__(self, url: str, timeout: float) -> None:
        self._connections = Connections(url, {}, LARGEST_ANSWER)
        self.url = self._connections.url
        self.timeout = timeout

    def read(self, method: str, path: str, body: Any = None, seconds: float | None = None) -> RemoteResponse:
        """An answer of status 200 to a request that changes nothing; it is repeated until the deadline.

        Raises:
            EnvLost: there was none in time.
        """
        deadline = time.monotonic() + (self.timeout if seconds is None else seconds)
        while True:
            try:
                answer = self._send(method, path, body, max(deadline - time.monotonic(), 0.001))
                if answer.status == 200:
                    return answer
                problem = f"{path} answered with status {answer.status}"
            except Unreachable as error:
                problem = str(error)
            if time.monotonic() + PAUSE >= deadline:
                raise EnvLost(f"the machine at {self.url} is lost: {problem}")
            threading.Event().wait(PAUSE)

    def read_json(self, method: str, path: str, body: Any = None) -> Mapping[str, Any]:
        """The JSON object that answers a read.

        Raises:
            EnvLost: there is none.
        """
        return self._object(path, self.read(method, path, body))

    def send(self, path: str, body: Any, seconds: float) -> RemoteResponse:
        """The answer to a request that changes something. It is tried again only while no connection can be opened.

        Raises:
            EnvLost: none came; whether the request was carried out is not known.
        """
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self._send("POST", path, body, max(deadline - time.monotonic(), 0.001), fresh=True)
            except Unreachable as error:
                if error.sent:
                    raise EnvLost(
                        f"the machine at {self.url} did not confirm an action, which may have been carried out: {error}"
                    ) from None
                if time.monotonic() + PAUSE >= min(deadline, time.monotonic() + self.timeout):
                    raise EnvLost(f"the machine at {self.url} is lost: {error}") from None
                threading.Event().wait(PAUSE)
                deadline = min(deadline, time.monotonic() + self.timeout)

    def execute(self, command: Sequence[str] | str, lasts: float = 0.0, shell: bool = False) -> Mapping[str, Any]:
        """Run a command, once: `output`, `error` and `returncode`.

        Args:
            lasts: seconds that it lasts by itself.

        Raises:
            EnvLost: it was not run, or it is not known whether it was.
        """
        body = {"command": command if isinstance(command, str) else list(command), "shell": shell}
        answer = self.send("/execute", body, EXECUTE_SECONDS + lasts)
        said = self._object("/execute", answer)
        if answer.status != 200:
            raise EnvLost(f"the machine at {self.url} could not run a command: {last_line(said.get('message'))}")
        return said

    def json_of(self, path: str, answer: RemoteResponse) -> Mapping[str, Any]:
        """The JSON object in an answer.

        Raises:
            EnvLost: there is none.
        """
        return self._object(path, answer)

    def file(self, path: str) -> bytes:
        """A file's content.

        Raises:
            FileNotFoundError: there is none. EnvLost: the machine does not answer.
        """
        try:
            answer = self._send("POST", "/file", urlencode({"file_path": path}).encode(), self.timeout)
        except Unreachable as error:
            raise EnvLost(f"the machine at {self.url} is lost: {error}") from None
        if answer.status == 404:
            raise FileNotFoundError(path)
        if answer.status != 200:
            raise EnvLost(f"the machine at {self.url} could not send {path!r:.200}: status {answer.status}")
        return answer.body

    def close(self) -> None:
        """Close the connections. May be called twice."""
        self._connections.close()

    def _send(self, method: str, path: str, body: Any, seconds: float, fresh: bool = False) -> RemoteResponse:
        form = isinstance(body, bytes)
        data = body if form or body is None else json.dumps(body).encode()
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        headers = {"Content-Type": kind} if method == "POST" else {}
        return self._connections.request(method, path, data, seconds, headers, fresh)

    def _object(self, path: str, answer: RemoteResponse) -> Mapping[str, Any]:
        try:
            said = parse_json(answer.body, bounded=True)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise EnvLost(f"the machine at {self.url} answered {path} with no JSON object")
        return said


def last_line(value: Any) -> str:
    """A text of the machine for a message: its last line, without control characters."""
    lines = [line for line in str(value or "").splitlines() if line.strip()]
    return "".join(ch for ch in (lines[-1] if lines else "no reason") if ch.isprintable())[:300]
