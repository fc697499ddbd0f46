"""A page that is served to this machine alone: for what people do by hand, such as rating, or as a task's web site."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

LOOPBACK = "127.0.0.1"


class LocalPage(ABC):
    """Serves a page on the loopback from when it is made. Use it as a context manager, or call `close`.

    Args:
        port: 0 for a free one.

    Attributes:
        url: of the page.
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

        self._server = ThreadingHTTPServer((LOOPBACK, port), Handler)
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
