"""Talks to an `EnvServer`: every request has a deadline, and none that changes something is carried out twice."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from omnipilot.envs.logs import log_time, logger_of
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.remote.connection import Connections, RemoteResponse, Unreachable
from omnipilot.envs.remote.host import CHANGING
from omnipilot.envs.remote.protocol import BadMessage, Message, field, number
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, require

_LOG = logger_of("remote")

ROUND_TRIPS = 20
"""Round trips by which the offset between the two clocks is measured; the quickest counts."""
LARGE_ANSWERS = ("observe", "media/", "judges/file", "judges/shell", "judges/state", "judges/whole")
"""How the names of requests begin whose answers may be larger than `LARGEST_PLAIN`."""
PAUSES = (0.0, 0.1, 0.3, 1.0, 2.0)
"""Seconds before each further try of a request; the last one repeats until the deadline."""


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """How the remote world's clock relates to this machine's.

    Attributes:
        seconds: the remote world's time minus `time.monotonic` here.
        round_trip: seconds of the quickest round trip; the offset is off by half of it at most.
        measured: `time.monotonic` when it was measured.
    """

    seconds: float
    round_trip: float
    measured: float

    def text(self) -> str:
        """The round trip and the largest error, in milliseconds."""
        return f"round trip {self.round_trip * 1e3:.2f} ms, clocks within {self.round_trip * 5e2:.2f} ms"


class RemoteClient:
    """Requests to one served world.

    Args:
        url: such as "http://127.0.0.1:8700".
        token, judges_token: what the server asks for; "" for none.
        timeout: seconds for an answer, beyond what an action lasts by itself; then the world counts as lost.
        authority: PEM file with the certificate of an https server; "" for those the system trusts.

    Raises:
        ConfigError: the URL is none.
        MissingExtra: msgpack is not installed.
    """

    def __init__(
        self, url: str, token: str = "", judges_token: str = "", timeout: float = 30.0, authority: str = ""
    ) -> None:
        require("msgpack", "remote")
        self._connections = Connections(url, {"Content-Type": wire.CONTENT_TYPE}, wire.LARGEST_ANSWER, authority)
        self.url = self._connections.url
        self._token = token
        self._judges_token = judges_token
        self._timeout = timeout
        self._media = wire.MediaCache()
        self._instance = ""
        self._gone = ""
        self._lock = threading.Lock()
        self.version = 0
        """Rises with every request that changes something."""

    @property
    def media(self) -> wire.MediaCache:
        """The media that were received lately."""
        return self._media

    def hello(self, seconds: float | None = None) -> Message:
        """What the server says of itself and its world, which the requests from now on are for.

        Args:
            seconds: how long to wait for a server that does not listen yet; default: the timeout.

        Raises:
            ConfigError: it wants another token, or speaks another version of the protocol.
            EnvLost: it does not answer.
        """
        self._instance = self._gone = ""
        said = self._ask("GET", "hello", None, self._timeout if seconds is None else seconds)
        with self.reading("hello"):
            version, self._instance = field(said, "protocol", int), field(said, "instance", str)
        if version != wire.VERSION:
            raise ConfigError(
                f"{self.url} speaks version {version} of the protocol, this side {wire.VERSION}; install the "
                "same version of omnipilot on both"
            )
        return said

    def ask(self, name: str, message: Mapping[str, Any] | None = None, lasts: float = 0.0) -> Message:
        """Have a request answered; one that is lost on the way is sent again, and never carried out twice.

        Args:
            name: of the request, such as "act".
            lasts: seconds that it lasts by itself.

        Raises:
            ActionRejected, ConfigError, EnvLost, FileNotFoundError: as the world did.
            EnvLost: no answer in time, the server was started anew, or its answer is none.
        """
        if self._gone:
            raise EnvLost(self._gone)
        whole = dict(message or {})
        if name in CHANGING:
            whole["id"] = secrets.token_hex(16)
            with self._lock:
                self.version += 1
        return self._ask("POST", name, wire.pack(whole), self._timeout + lasts)

    def medium(self, name: str) -> bytes:
        """A medium by its hash in hexadecimal, from what was received or else from the server.

        Raises:
            EnvLost: the server does not have it any more, or sends something else.
        """
        kept = self._media.get(bytes.fromhex(name))
        if kept is not None:
            return kept
        answer = self._try("GET", f"media/{name}", None, self._timeout)
        if answer.status != 200 or hashlib.sha256(answer.body).hexdigest() != name:
            raise self._lose(f"the medium {name[:12]}… cannot be had any more")
        self._media.put(answer.body)
        return answer.body

    def measure_clock(self, times: int = ROUND_TRIPS) -> ClockOffset:
        """Measure the offset between the clocks.

        Raises:
            EnvLost: as `ask`.
        """
        best: ClockOffset | None = None
        for _ in range(times):
            sent = time.monotonic()
            answer = self.ask("clock")
            received = time.monotonic()
            with self.reading("clock"):
                now = number(answer, "now", -1e12)
            if best is None or received - sent < best.round_trip:
                best = ClockOffset(now - (sent + received) / 2, received - sent, received)
        assert best is not None
        return best

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """While an answer is read: what is not as agreed makes the world count as lost.

        Args:
            name: of the request that was answered.
        """
        try:
            yield
        except BadMessage as error:
            raise self._lose(f"its answer to {name!r} cannot be read: {error}") from None

    def close(self) -> None:
        """Say good-bye, if anybody listens, and close the connections. May be called twice."""
        if self._instance and not self._gone:
            with suppress(Unreachable):
                self._once("POST", "close", wire.pack({}), 1.0)
        self._instance, self._gone = "", "the remote world was closed"
        self._connections.close()

    def _ask(self, method: str, name: str, body: bytes | None, seconds: float) -> Message:
        answer = self._try(method, name, body, seconds)
        with self.reading(name):
            message = wire.unpack(answer.body)
            if answer.status != 200:
                raise self._error(answer.status, field(message, "kind", str), field(message, "text", str)[:2000])
        return message

    def _try(self, method: str, name: str, body: bytes | None, seconds: float) -> RemoteResponse:
        """Send a request until there is an answer, or no time is left."""
        deadline = time.monotonic() + seconds
        tries = 0
        while True:
            left = deadline - time.monotonic()
            try:
                answer = self._once(method, name, body, max(left, 0.001))
                if answer.status != 503:
                    return answer
                problem = "it is busy"
            except Unreachable as error:
                problem = str(error)
            pause = PAUSES[min(tries, len(PAUSES) - 1)]
            tries += 1
            if time.monotonic() + pause >= deadline:
                raise self._lose(problem)
            threading.Event().wait(pause)

    def _once(self, method: str, name: str, body: bytes | None, seconds: float) -> RemoteResponse:
        headers = {wire.INSTANCE: self._instance} if self._instance else {}
        token = self._judges_token if name.startswith("judges/") else self._token
        if token:
            headers["Authorization"] = f"Bearer {token}"
        most = wire.LARGEST_ANSWER if name.startswith(LARGE_ANSWERS) else wire.LARGEST_PLAIN
        with log_time(_LOG, f"{method} {name}"):
            return self._connections.request(method, f"{wire.PREFIX}/{name}", body, seconds, headers, most=most)

    def _error(self, status: int, kind: str, text: str) -> Exception:
        if kind == "rejected":
            return ActionRejected(text)
        if kind == "config":
            return ConfigError(text)
        if kind == "missing":
            return FileNotFoundError(text)
        if kind == "denied":
            return ConfigError(f"{self.url}: {text}")
        if kind == "lost":
            return self._lose(text)
        if kind == "bug":
            return self._lose(f"its world has a bug ({text}); see the server's own output")
        return self._lose(f"it refused a request (status {status}): {text}")

    def _lose(self, problem: str) -> EnvLost:
        error = wire.lost_error(self.url, problem)
        self._gone = str(error)
        self._connections.close()
        return error
