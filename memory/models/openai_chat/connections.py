"""A pool of HTTP connections with a deadline for each complete exchange. Imports urllib3: import this module late.

The timeouts of HTTP libraries apply to one read of the socket, so a server that sends a byte a second never exceeds
them. Here every read and write gets the time that is left until the deadline of the exchange. httpx was
measured beside it (decision 19): it costs more, and in the caller's thread it does not hold the deadline.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationValueError,
    NewConnectionError,
    ProxyError,
    SSLError,
)
from urllib3.exceptions import TimeoutError as TooLate

from omnipilot.envs import ConfigError
from omnipilot.memory.models.failures import moved_base
from omnipilot.memory.models.model_names import url_mistake
from omnipilot.memory.secrets.scrub import scrub_error

CONNECT_SECONDS = 10.0
"""Seconds to wait for a connection; a server that takes longer is considered down."""
LARGEST = 32 * 2**20
"""Most bytes of an answer, packed or not; a reply of a hundred thousand tokens has less than one megabyte."""
_PIECE = 2**16
_TOO_LONG = f"the answer is longer than {LARGEST // 2**20} MiB"


class ConnectionFailed(Exception):
    """An exchange failed: no connection, a lost connection, a partial answer, or a timeout; the message says which."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response; the names of its `headers` are lower-case. `moved_to` is the base URL that it gives instead."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    moved_to: str = ""


def proxy_for(scheme: str, host: str) -> str:
    """The proxy that the environment names for a server, "" for none: HTTP_PROXY, HTTPS_PROXY or ALL_PROXY.

    What NO_PROXY names is asked directly, and so is this machine, which no proxy can reach.
    """
    if host in ("localhost", "::1") or host.startswith("127.") or urllib.request.proxy_bypass(host):
        return ""
    proxies = urllib.request.getproxies()
    return proxies.get(scheme) or proxies.get("all") or ""


class ConnectionPool:
    """Connections to one server, shared by threads; by the proxy that the environment names (`proxy_for`).

    Args:
        url: base of all paths, such as "http://127.0.0.1:8000/v1".
        size: connections that are kept open while nobody uses them.

    Raises:
        ConfigError: it is not a valid URL, or the proxy is of another kind than HTTP.
    """

    def __init__(self, url: str, size: int) -> None:
        if mistake := url_mistake(url):
            raise ConfigError(mistake)
        try:
            parsed = urllib3.util.parse_url(url)
        except LocationValueError as error:
            raise ConfigError(f"{url!r} is not a URL; write one such as http://127.0.0.1:8000/v1") from error
        if parsed.scheme not in ("http", "https") or not parsed.host or parsed.auth or parsed.query or parsed.fragment:
            # A password may be part of it: the URL is not repeated.
            raise ConfigError(
                "the URL of a model server is http(s)://host:port/path, without user, password or query, "
                "such as http://127.0.0.1:8000/v1; a key goes into an environment variable"
            )
        self._url = url.rstrip("/")
        host = parsed.host.strip("[]")
        self._base = (parsed.path or "").rstrip("/")
        secure = parsed.scheme == "https"
        proxy = proxy_for(parsed.scheme, host)
        if proxy:
            self._pool = _through(proxy, parsed.scheme, host, parsed.port, size)
            # A proxy is told the whole address, unless it passes on what it cannot read.
            self._base = self._base if secure else self._url
        else:
            kind = urllib3.HTTPSConnectionPool if secure else urllib3.HTTPConnectionPool
            self._pool = kind(host, parsed.port, maxsize=size, block=False)
        self._proxy = scrub_error(urllib3.util.parse_url(proxy)._replace(auth=None).url) if proxy else ""
        self._pool.ConnectionCls = _TimedHTTPSConnection if secure else _TimedHTTPConnection

    def exchange(
        self, method: str, path: str, body: Sequence[bytes] | None, headers: Mapping[str, str], seconds: float
    ) -> HttpResponse:
        """Send one request, with its body in pieces, and read the complete answer within `seconds`.

        Resolving the host's name is not included.

        Raises:
            ConnectionFailed: no complete answer arrived.
            ConfigError: the server's certificate is not trusted.
        """
        _CALL.until = time.monotonic() + seconds
        limits = urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds)
        sent = dict(headers)
        if body is not None:
            sent["Content-Length"] = str(sum(map(len, body)))
        try:
            answer = self._pool.urlopen(
                method,
                self._base + path,
                body,
                sent,
                retries=False,
                redirect=False,
                assert_same_host=False,  # a proxy is sent the address of another host
                timeout=limits,
                preload_content=False,
                decode_content=False,
            )
            content = _content(answer)
        except SSLError as error:
            if any(isinstance(reason, ssl.SSLCertVerificationError) for reason in error.args):
                raise ConfigError(f"the certificate of {self._pool.host} is not trusted: {error}") from error
            raise ConnectionFailed(f"the connection failed: {error}") from error
        except NewConnectionError as error:
            where = f"{self._pool.host}:{self._pool.port}"
            cure = f"it was asked for by the proxy {self._proxy}" if self._proxy else "is the server running?"
            raise ConnectionFailed(f"no connection to {where} ({_why(error)}); {cure}") from error
        except ProxyError as error:
            raise ConnectionFailed(f"the proxy {self._proxy} gives no connection ({_why(error)})") from None
        except ConnectTimeoutError as error:
            raise ConnectionFailed(
                f"no connection in {limits.connect_timeout:.3g} s; is the server running?"
            ) from error
        except TooLate as error:
            raise ConnectionFailed(f"no answer in {seconds:.3g} s") from error
        except HTTPError as error:
            # No cause: libraries repeat what the server sent, and that may be the key.
            raise ConnectionFailed(f"the connection broke ({_why(error)})") from None
        received = {name.lower(): value for name, value in answer.headers.items()}
        moved_to = moved_base(self._url, self._url + path, received.get("location", ""))
        return HttpResponse(answer.status, received, content, moved_to)

    def open(self, seconds: float) -> None:
        """Open a connection within a time limit and keep it for the next exchange; nothing is sent over it.

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
        """Close idle connections; exchanges in progress finish by themselves."""
        self._pool.close()


def _through(proxy: str, scheme: str, host: str, port: int | None, size: int) -> Any:
    """Connections to a server by a proxy.

    Raises:
        ConfigError: the proxy is none that speaks HTTP.
    """
    parsed = urllib3.util.parse_url(proxy if "://" in proxy else f"http://{proxy}")
    if parsed.scheme not in ("http", "https"):
        raise ConfigError(
            f"the proxy of the environment is of the kind {parsed.scheme}, and only http and https are used; set "
            f"HTTPS_PROXY and HTTP_PROXY, or name {host} in NO_PROXY"
        )
    headers = urllib3.make_headers(proxy_basic_auth=parsed.auth) if parsed.auth else None
    manager = urllib3.ProxyManager(parsed._replace(auth=None).url, maxsize=size, block=False, proxy_headers=headers)
    return manager.connection_from_host(host, port, scheme)


def _content(answer: urllib3.BaseHTTPResponse) -> bytes:
    """The body of an answer, unpacked.

    Raises:
        ConnectionFailed: it is longer than `LARGEST`, also when it is unpacked, or is packed in a way nobody asked for.
    """
    whole = False
    try:
        raw = bytearray()
        while piece := answer.read(_PIECE, decode_content=False):
            raw += piece
            if len(raw) > LARGEST:
                raise ConnectionFailed(_TOO_LONG)
        whole = True
    finally:
        # What is left of a longer one is never read.
        if whole:
            answer.release_conn()
        else:
            answer.close()
    packed = answer.headers.get("content-encoding", "").strip().lower()
    if packed in ("", "identity"):
        return bytes(raw)
    if packed not in ("gzip", "x-gzip", "deflate"):
        raise ConnectionFailed(f"the answer is packed as {packed[:40]!r}, which was not asked for")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)  # finds out by itself which of the two it is
    try:
        content = unpacker.decompress(bytes(raw), LARGEST + 1)
    except zlib.error as error:
        raise ConnectionFailed(f"the answer cannot be unpacked ({error})") from None
    if len(content) > LARGEST:
        raise ConnectionFailed(_TOO_LONG)
    if not unpacker.eof:
        raise ConnectionFailed("the answer is cut off")
    return content


def _why(error: Exception) -> str:
    cause = next((part for part in error.args if isinstance(part, Exception)), error.__cause__ or error)
    return scrub_error(f"{cause}") or type(cause).__name__


class _Call(threading.local):
    """The exchange of this thread; its deadline is `until`, on the monotonic clock."""

    until = 0.0

    def left(self) -> float:
        """Seconds left until the deadline; raises TimeoutError after it, as a socket does."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


_CALL = _Call()


class _Reading(io.RawIOBase):
    """Reads from a socket until the exchange's deadline."""

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
    """The part of a socket's interface that `http.client.HTTPResponse` uses."""

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
    """Limits a connection's reads and writes to the remaining time of the exchange."""

    response_class: Any = staticmethod(_response)

    def send(self, data: Any) -> None:
        if self.sock is not None:
            self.sock.settimeout(_CALL.left())
        super().send(data)


class _TimedHTTPConnection(_Deadlines, HTTPConnection):
    """Over TCP."""


class _TimedHTTPSConnection(_Deadlines, HTTPSConnection):
    """Over TLS."""
