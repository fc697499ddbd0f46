"""Requests to a server that may be slow, silent or hostile: each has one deadline and one size limit."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.regular_files import check_file

_CHUNK = 1 << 20


class Unreachable(Exception):
    """No complete answer came.

    Attributes:
        sent: whether the request may have arrived.
    """

    def __init__(self, problem: str, sent: bool) -> None:
        super().__init__(problem)
        self.sent = sent


@dataclass(frozen=True, slots=True)
class RemoteResponse:
    """An HTTP answer: `headers` by lower-case name."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def split_url(url: str) -> SplitResult:
    """The parts of a server's address.

    Raises:
        ConfigError: it is none.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ConfigError(f"{url!r} is no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.username:
        raise ConfigError(f"{url!r} must be http://HOST:PORT or https://HOST:PORT")
    return parts


def option_mistakes(options: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the options of a world on another machine; see `World.option_mistakes`."""
    if "url" in options:
        try:
            split_url(options["url"])
        except ConfigError as error:
            yield f"url: {error}"
    for name in ("token_file", "judges_token_file", "authority_file"):
        if options.get(name):
            try:
                check_file(options[name])
            except OSError as error:
                yield f"{name}: {options[name]} cannot be read: {error.strerror}"


class Connections:
    """Kept-alive connections to one server, for any number of threads.

    Args:
        url: http or https, host and port; no path.
        headers: sent with every request.
        authority: PEM file with the certificate that an https server must have; "" for those the system trusts.
        most: maximum bytes of an answer's body.

    Raises:
        ConfigError: the URL is none.
    """

    def __init__(self, url: str, headers: Mapping[str, str], most: int, authority: str = "") -> None:
        parts = split_url(url)
        self._host, self._port = parts.hostname or "", parts.port
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._headers = {"Accept-Encoding": "identity", **headers}
        self._most = most
        self._context: ssl.SSLContext | None = None
        if parts.scheme == "https":
            try:
                self._context = ssl.create_default_context(cafile=authority or None)
            except OSError as error:
                raise ConfigError(f"the certificate {authority} cannot be read: {error}") from None
        self._free: list[_Connection] = []
        self._lock = threading.Lock()

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        seconds: float,
        headers: Mapping[str, str] | None = None,
        fresh: bool = False,
        most: int | None = None,
    ) -> RemoteResponse:
        """Send a request and read its answer, once, all within `seconds`.

        A kept connection that the server is seen to have dropped meanwhile is replaced by a fresh one.

        Args:
            path: with its query; the part of the URL after the port.
            most: maximum bytes of this answer's body; by default that of every answer.
            fresh: use a connection of its own: if it can be opened, the server was there when the request was sent.

        Raises:
            Unreachable: no complete answer came.
        """
        deadline = time.monotonic() + seconds
        with self._lock:
            connection = self._free.pop() if self._free and not fresh else None
        if connection is not None and connection.dropped():
            connection.close()
            connection = None
        if connection is None:
            connection = _Connection(self._host, self._port, self._context)
            try:
                connection.open(deadline)
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                raise Unreachable(_reason(error, seconds), sent=False) from None
        try:
            answer, keep = connection.exchange(
                method, path, body, {**self._headers, **(headers or {})}, deadline, most or self._most
            )
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            raise Unreachable(_reason(error, seconds), sent=True) from None
        except BaseException:
            connection.close()
            raise
        if keep:
            with self._lock:
                self._free.append(connection)
        else:
            connection.close()
        return answer

    def close(self) -> None:
        """Close the idle connections. May be called twice; a later request opens another."""
        with self._lock:
            idle, self._free = self._free, []
        for connection in idle:
            connection.close()


def _reason(error: Exception, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    return str(error) or type(error).__name__


class _Connection:
    def __init__(self, host: str, port: int | None, context: ssl.SSLContext | None) -> None:
        self._context = context
        self._http: Any = (
            http.client.HTTPConnection(host, port)
            if context is None
            else http.client.HTTPSConnection(host, port, context=context)
        )
        self._socket: _TimedSocket | None = None

    def open(self, deadline: float) -> None:
        self._http.timeout = _left(deadline)
        self._http.connect()
        self._socket = self._http.sock = _TimedSocket(self._http.sock)

    def dropped(self) -> bool:
        """Whether the server has closed this idle connection (or sent what nobody asked for)."""
        assert self._socket is not None
        return self._socket.readable()

    def exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], deadline: float, most: int
    ) -> tuple[RemoteResponse, bool]:
        assert self._socket is not None
        self._socket.deadline = deadline
        self._http.request(method, path, body, dict(headers))
        self._socket.flush()
        response = self._http.getresponse()
        told = {name.lower(): value for name, value in response.getheaders()}
        if told.get("content-encoding", "identity") != "identity":
            raise ValueError("the answer is compressed, which was not asked for")
        if response.length is not None and response.length > most:
            raise ValueError(f"the answer has {response.length >> 20} MB, more than {most >> 20}")
        parts, size = [], 0
        while part := response.read1(_CHUNK):
            size += len(part)
            if size > most:
                raise ValueError(f"the answer has more than {most >> 20} MB")
            parts.append(part)
        if response.length:
            raise ValueError("the answer was cut off")
        # Or http.client takes it for unread, and refuses to send another request.
        response.close()
        return RemoteResponse(response.status, told, b"".join(parts)), not response.will_close

    def close(self) -> None:
        self._http.close()
        if self._socket is not None:
            self._socket.shut()


class _TimedSocket:
    """A socket whose every operation ends at the deadline of the request: one that trickles does not last longer."""

    def __init__(self, inner: socket.socket) -> None:
        self._inner = inner
        self._unsent: list[bytes] = []
        self.deadline = 0.0

    def readable(self) -> bool:
        self._inner.settimeout(0.0)
        try:
            self._inner.recv(1, 0 if isinstance(self._inner, ssl.SSLSocket) else socket.MSG_PEEK)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError:
            return True
        return True

    def sendall(self, data: Any) -> None:
        """Keep the data until `flush`: http.client sends headers and body apart, and on the way to some servers the
        second part then waits 40 ms for the acknowledgement of the first."""
        self._unsent.append(data)

    def flush(self) -> None:
        data = b"".join(self._unsent)
        self._unsent.clear()
        self._inner.settimeout(_left(self.deadline))
        self._inner.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._inner, self.deadline), _CHUNK)

    def close(self) -> None:
        """Nothing: http.client closes the socket of an answer that is the last one before it has read it."""

    def shut(self) -> None:
        self._inner.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, inner: socket.socket, deadline: float) -> None:
        self._inner = inner
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._inner.settimeout(_left(self._deadline))
        return self._inner.recv_into(buffer)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
