"""HTTP connections that are kept alive and that keep deadlines. Imports urllib3: import this module late.

The time-outs of HTTP libraries hold for one read of the socket; a server that sends a byte a second is never too slow
for them. Here every read and write of an exchange gets what is left of the exchange's own deadline.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, LocationValueError, NewConnectionError, SSLError
from urllib3.exceptions import TimeoutError as TooLate

from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.scrub import scrub_error

CONNECT_SECONDS = 10.0
"""A server that does not even take the connection in this time is not there."""


class ConnectionFailed(Exception):
    """An exchange came to no end: no connection, a connection lost, half an answer, or too late. Says which."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: `headers` with lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Pool:
    """Connections to one server, shared by threads.

    Args:
        url: base of all paths, such as "http://127.0.0.1:8000/v1".
        size: connections that are kept open while nobody uses them.

    Raises:
        ConfigError: the URL is none.
    """

    def __init__(self, url: str, size: int) -> None:
        try:
            told = urllib3.util.parse_url(url)
        except LocationValueError as error:
            raise ConfigError(f"{url!r} is no URL; write one such as http://127.0.0.1:8000/v1") from error
        if told.scheme not in ("http", "https") or not told.host or told.auth or told.query or told.fragment:
            # A password may be part of it: the URL is not repeated.
            raise ConfigError(
                "the URL of a model server is http(s)://host:port/path, without user, password or query, "
                "such as http://127.0.0.1:8000/v1; a key goes into an environment variable"
            )
        self._base = (told.path or "").rstrip("/")
        kind = urllib3.HTTPSConnectionPool if told.scheme == "https" else urllib3.HTTPConnectionPool
        self._pool = kind(told.host.strip("[]"), told.port, maxsize=size, block=False)
        self._pool.ConnectionCls = _TimedHTTPSConnection if told.scheme == "https" else _TimedHTTPConnection

    def exchange(
        self, method: str, path: str, body: Sequence[bytes] | None, headers: Mapping[str, str], seconds: float
    ) -> Answer:
        """Send one request, whose body is in pieces, and read its whole answer.

        All in at most `seconds`, looking up the host's name apart.

        Raises:
            ConnectionFailed: no whole answer came.
            ConfigError: the server's certificate is not trusted.
        """
        _CALL.until = time.monotonic() + seconds
        limits = urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds)
        sent = dict(headers)
        if body is not None:
            sent["Content-Length"] = str(sum(map(len, body)))
        try:
            answer = self._pool.urlopen(
                method, self._base + path, body, sent, retries=False, redirect=False, timeout=limits
            )
        except SSLError as error:
            if any(isinstance(reason, ssl.SSLCertVerificationError) for reason in error.args):
                raise ConfigError(f"the certificate of {self._pool.host} is not trusted: {error}") from error
            raise ConnectionFailed(f"the connection failed: {error}") from error
        except NewConnectionError as error:
            where = f"{self._pool.host}:{self._pool.port}"
            raise ConnectionFailed(f"no connection to {where} ({_why(error)}); is the server running?") from error
        except ConnectTimeoutError as error:
            raise ConnectionFailed(
                f"no connection in {limits.connect_timeout:.3g} s; is the server running?"
            ) from error
        except TooLate as error:
            raise ConnectionFailed(f"no answer in {seconds:.3g} s") from error
        except HTTPError as error:
            # No cause: libraries repeat what the server sent, and that may be the key.
            raise ConnectionFailed(f"the connection broke ({_why(error)})") from None
        return Answer(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.data)

    def open(self, seconds: float) -> None:
        """Open a connection, at most so long, and keep it for the next exchange; nothing is sent over it.

        Where none can be had, nothing happens: the next exchange tries by itself, and says what is wrong.
        """
        connection = self._pool._get_conn()
        if connection.is_closed:
            connection.timeout = min(CONNECT_SECONDS, seconds)
            try:
                connection.connect()
            except (HTTPError, OSError):
                connection.close()
        self._pool._put_conn(connection)

    def close(self) -> None:
        """Close what is idle; exchanges under way end by themselves."""
        self._pool.close()


def _why(error: Exception) -> str:
    cause = next((part for part in error.args if isinstance(part, Exception)), error.__cause__ or error)
    return scrub_error(f"{cause}") or type(cause).__name__


class _Call(threading.local):
    """The exchange that this thread is making; it ends at `until`, on the monotonic clock."""

    until = 0.0

    def left(self) -> float:
        """Seconds left; once there are none, what a socket raises when its time is over."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


_CALL = _Call()


class _Reading(io.RawIOBase):
    """What comes from a socket until the exchange's deadline."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        # Takes part in the socket's own counting of who still reads from it.
        self._file = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_CALL.left())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Readable:
    """As much of a socket as `http.client.HTTPResponse` uses."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def makefile(self, mode: str) -> io.BufferedReader:  # noqa: ARG002
        return io.BufferedReader(_Reading(self._sock))


def _response(sock: socket.socket, **options: Any) -> http.client.HTTPResponse:
    readable: Any = _Readable(sock)
    return http.client.HTTPResponse(readable, **options)


if TYPE_CHECKING:
    _Connection = http.client.HTTPConnection
else:
    _Connection = object


class _Deadlines(_Connection):
    """Gives reads and writes of a connection what is left of the exchange."""

    response_class: Any = staticmethod(_response)

    def send(self, data: Any) -> None:
        if self.sock is not None:
            self.sock.settimeout(_CALL.left())
        super().send(data)


class _TimedHTTPConnection(_Deadlines, HTTPConnection):
    """Over TCP."""


class _TimedHTTPSConnection(_Deadlines, HTTPSConnection):
    """Over TLS."""
