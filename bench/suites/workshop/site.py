"""The web site of a task: a few pages on the loopback interface, and what was sent to it by forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from types import MappingProxyType
from urllib.parse import parse_qsl, urlsplit

from omnipilot.bench import LocalPage

MOST = 100_000
"""Bytes of a form that are read."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A form that was sent: the path it was sent to, and its fields."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)


class Site(LocalPage):
    """Serves pages on 127.0.0.1. A form that is sent is kept, and answered by the page of its path.

    Attributes:
        url: of the start page.
    """

    def __init__(self) -> None:
        self._pages: Mapping[str, str] = {}
        self._media: Mapping[str, bytes] = {}
        self._sent: tuple[Sent, ...] = ()
        super().__init__()

    def show(self, pages: Mapping[str, str], media: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """Serve these pages and WAV files from now on; nothing has been sent yet."""
        self._pages = dict(pages)
        self._media = dict(media)
        self._sent = ()

    @property
    def sent(self) -> tuple[Sent, ...]:
        """The forms sent so far, in order."""
        return self._sent

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """A page or a file."""
        self._answer(request, urlsplit(request.path).path)

    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Keep a form, and answer with the page of its path."""
        length = min(int(request.headers.get("Content-Length") or 0), MOST)
        fields = dict(parse_qsl(request.rfile.read(length).decode("utf-8", "replace"), keep_blank_values=True))
        path = urlsplit(request.path).path.strip("/")
        self._sent = (*self._sent, Sent(path, MappingProxyType(fields)))
        self._answer(request, path)

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
