"""The web site of a task: a few pages on the loopback interface, and what was sent to it by forms."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from urllib.parse import parse_qsl, urlsplit

MOST = 100_000
"""Bytes of a form that are read."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that was sent: the path it was sent to, and its fields."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)


class Site:
    """Serves pages on 127.0.0.1. A form that is sent is kept, and answered by the page of its path.

    Attributes:
        url: of the start page.
    """

    def __init__(self) -> None:
        self._pages: Mapping[str, str] = {}
        self._media: Mapping[str, bytes] = {}
        self._sent: tuple[Sent, ...] = ()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site._answer(self, urlsplit(self.path).path)

            def do_POST(self) -> None:
                length = min(int(self.headers.get("Content-Length") or 0), MOST)
                fields = dict(parse_qsl(self.rfile.read(length).decode("utf-8", "replace"), keep_blank_values=True))
                path = urlsplit(self.path).path.strip("/")
                site._sent = (*site._sent, Sent(path, MappingProxyType(fields)))
                site._answer(self, path)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.1,), name="workshop-site", daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def show(self, pages: Mapping[str, str], media: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """Serve these pages and WAV files from now on; nothing has been sent yet."""
        self._pages = dict(pages)
        self._media = dict(media)
        self._sent = ()

    @property
    def sent(self) -> tuple[Sent, ...]:
        """The forms sent so far, in order."""
        return self._sent

    def _answer(self, request: BaseHTTPRequestHandler, path: str) -> None:
        page, sound = self._pages.get(path.strip("/")), self._media.get(path.strip("/"))
        known = page is not None or sound is not None
        body = sound if sound is not None else (page or "<h1>There is no such page.</h1>").encode()
        request.send_response(200 if known else 404)
        request.send_header("Content-Type", "audio/wav" if sound is not None else "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.send_header("Cache-Control", "no-store")
        request.end_headers()
        request.wfile.write(body)

    def close(self) -> None:
        """Stop serving. May be called twice."""
        self._server.shutdown()
        self._server.server_close()
