"""The page on which a person draws boxes: served on the loopback interface, to this machine alone."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from typing import Any
from urllib.parse import unquote, urlsplit

from omnipilot.bench import LocalPage
from omnipilot.bench.suites.omniact.making.records import MakingFolder, NamedBox
from omnipilot.envs import ConfigError

MOST = 1_000_000
"""Bytes of a set of boxes that are read."""


class DrawingPage(LocalPage):
    """Serves the page. Use it as a context manager, or call `close`. What is drawn is written at once.

    Args:
        folder: whose screens are shown. port: 0 for a free one.

    Attributes:
        url: of the page.
    """

    def __init__(self, folder: MakingFolder, port: int = 0) -> None:
        self.folder = folder
        self._screens = folder.screens()
        self._writing = threading.Lock()
        super().__init__(port)

    def take(self, values: Any) -> None:
        """Write the boxes of a screen.

        Raises:
            ConfigError: they are none; the message says what is wrong.
        """
        if not isinstance(values, dict) or not isinstance(values.get("boxes"), list):
            raise ConfigError("this is no set of boxes of a screen")
        try:
            boxes = [
                NamedBox(str(one["name"]), tuple(map(int, one["corners"])), str(one.get("label", "")))  # type: ignore[arg-type]
                for one in values["boxes"]
            ]
            if any(len(box.corners) != 4 for box in boxes):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise ConfigError("a box has a name and four corners, in pixels") from None
        with self._writing:
            self.folder.put_boxes(str(values.get("screen")), boxes)

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """The page, and what it shows."""
        path = urlsplit(request.path).path
        screen = self._screens.get(unquote(path.removeprefix("/picture/")))
        if not self._is_own(request):
            self._answer(request, 421, "text/plain", b"another host")
        elif path == "/":
            page = files(__package__).joinpath("drawing_page.html").read_bytes()
            self._answer(request, 200, "text/html; charset=utf-8", page)
        elif path == "/screens":
            shown = [
                {"id": one.id, "boxes": [asdict(box) for box in one.boxes]} for one in self.folder.screens().values()
            ]
            self._answer(request, 200, "application/json", json.dumps(shown).encode())
        elif screen is not None:
            self._answer(request, 200, "image/png", (self.folder.path / screen.picture).read_bytes())
        else:
            self._answer(request, 404, "text/plain", b"there is no such page")

    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Take what was entered."""
        length = int(request.headers.get("Content-Length") or 0)
        # A form of another page cannot send JSON without asking first.
        if not self._is_own(request) or request.headers.get("Content-Type") != "application/json" or length > MOST:
            self._answer(request, 400, "text/plain", b"boxes are JSON, sent by this page")
            return
        try:
            self.take(json.loads(request.rfile.read(length)))
        except (ConfigError, ValueError) as error:
            self._answer(request, 400, "text/plain; charset=utf-8", str(error).encode())
            return
        self._answer(request, 200, "text/plain", b"written")

    def _is_own(self, request: BaseHTTPRequestHandler) -> bool:
        """Whether a request was meant for this page, by the name that it calls the server."""
        return request.headers.get("Host") == urlsplit(self.url).netloc

    def _answer(self, request: BaseHTTPRequestHandler, status: int, kind: str, body: bytes) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
