"""Pages that are served to this machine alone: for what people do by hand, such as rating, or as a task's web site."""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, ClassVar, Self
from urllib.parse import unquote, urlsplit

from omnipilot.envs import ConfigError

LOOPBACK = "127.0.0.1"


class LocalPage(ABC):
    """Serves a page on the loopback from when it is made. Use it as a context manager, or call `close`.

    Args:
        port: 0 for a free one.

    Attributes:
        url: of the page.

    Raises:
        ConfigError: the port is taken, or is none.
    """

    def __init__(self, port: int = 0) -> None:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page.get(self)

            def do_POST(self) -> None:
                page.post(self)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        try:
            self._server = ThreadingHTTPServer((LOOPBACK, port), Handler)
        except (OSError, OverflowError) as error:
            raise ConfigError(f"port {port} cannot be listened on ({error}); choose another --port") from None
        self.url = f"http://{LOOPBACK}:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving. May be called twice."""
        self._server.shutdown()
        self._server.server_close()

    def wait(self) -> None:
        """Serve until interrupted."""
        self._thread.join()

    @abstractmethod
    def get(self, request: BaseHTTPRequestHandler) -> None:
        """Answer a GET."""

    @abstractmethod
    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Answer a POST."""


COLOURS = "colours.css"
"""The path of the colours and fonts on every page."""


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is at a path of a page: bytes, and their media type."""

    body: bytes
    kind: str = "text/html; charset=utf-8"

    @classmethod
    def json(cls, value: object) -> PageContent:
        """A JSON value."""
        return cls(json.dumps(value).encode(), "application/json")


class PersonalPage(LocalPage):
    """A page for one person, on which something may be entered. Use it as a context manager, or call `close`.

    Its address holds a key, drawn anew each time, so that no other user or page of this machine can read or enter
    anything. Requests that name another host, that come from another page or that send something else than JSON are
    refused. Paths are relative to the page, without the key: `""` is the page itself, `"media/a.png"` what its HTML
    names so. Every page has `"colours.css"`, the colours and fonts of the report.

    Args:
        port: 0 for a free one.

    Attributes:
        url: of the page, with its key.
    """

    most: ClassVar[int] = 1_000_000
    """Bytes of what is entered at once."""

    def __init__(self, port: int = 0) -> None:
        self._key = secrets.token_urlsafe(16)
        super().__init__(port)
        self._origin = self.url.rstrip("/")
        self.url = f"{self.url}{self._key}/"

    @abstractmethod
    def content(self, path: str) -> PageContent | None:
        """What is at a path; None if there is nothing. A query is part of the path: `"steps?since=4"`.

        Raises:
            ConfigError: the page is told what is wrong with the request.
        """

    @abstractmethod
    def take(self, path: str, values: Any) -> object:
        """Take what was entered, and return a JSON value for the page.

        Raises:
            ConfigError: the page is told what is wrong with it; nothing is kept.
        """

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """The page, and what it shows."""
        address = urlsplit(request.path)
        path = self._own_path(request, unquote(address.path))
        if path is None:
            return
        try:
            full = path + (f"?{address.query}" if address.query else "")
            content = _colours() if full == COLOURS else self.content(full)
        except ConfigError as error:
            self._refuse(request, 400, str(error))
        else:
            if content is None:
                self._refuse(request, 404, "there is no such page")
            else:
                self._send(request, 200, content)

    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Take what was entered."""
        path = self._own_path(request, unquote(urlsplit(request.path).path))
        if path is None:
            return
        length = request.headers.get("Content-Length") or ""
        # A form of another page cannot send JSON without asking first.
        if request.headers.get("Content-Type") != "application/json" or not length.isdecimal():
            self._refuse(request, 400, "this page takes JSON")
        elif int(length) > self.most:
            self._refuse(request, 413, f"this page takes {self.most} bytes at most")
        else:
            try:
                values = json.loads(request.rfile.read(int(length)))
                content = PageContent.json(self.take(path, values))
            except (ConfigError, ValueError) as error:
                self._refuse(request, 400, str(error))
            else:
                self._send(request, 200, content)

    def _own_path(self, request: BaseHTTPRequestHandler, path: str) -> str | None:
        """The path without the key; None if the request was refused."""
        origin = request.headers.get("Origin")
        if f"http://{request.headers.get('Host')}" != self._origin or origin not in (None, self._origin):
            self._refuse(request, 421, "this page answers at its own address, and to itself")
            return None
        key, _, rest = path.removeprefix("/").partition("/")
        if not secrets.compare_digest(key.encode(), self._key.encode()):
            self._refuse(request, 403, "open this page at the whole address that was printed, which holds its key")
            return None
        return rest

    def _refuse(self, request: BaseHTTPRequestHandler, status: int, why: str) -> None:
        self._send(request, status, PageContent(why.encode(), "text/plain; charset=utf-8"), [("Connection", "close")])
        request.close_connection = True

    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        content: PageContent,
        headers: Iterable[tuple[str, str]] = (),
    ) -> None:
        request.send_response(status)
        request.send_header("Content-Type", content.kind)
        request.send_header("Content-Length", str(len(content.body)))
        request.send_header("Cache-Control", "no-store")
        request.send_header("Referrer-Policy", "no-referrer")
        request.send_header("X-Content-Type-Options", "nosniff")
        request.send_header("X-Frame-Options", "DENY")
        for name, value in headers:
            request.send_header(name, value)
        # A page that is left while it loads takes no more.
        with contextlib.suppress(ConnectionError):
            request.end_headers()
            request.wfile.write(content.body)


def _colours() -> PageContent:
    """What the report's style sheet begins with."""
    sheet = files("omnipilot.bench.viewer").joinpath("static/viewer.css").read_text(encoding="utf-8")
    return PageContent(sheet.partition("* {")[0].encode(), "text/css; charset=utf-8")
