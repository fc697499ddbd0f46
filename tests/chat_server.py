"""A real HTTP server on the loopback that speaks the OpenAI chat protocol, and misbehaves on request.

    with ChatServer([Status(503), Answer("(500, 500)")]) as server:
        ...  # a client of server.url
    assert len(server.requests) == 2

A script is what each request meets, in order, the last one for ever; or a function from the request to it.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from chat_behaviours import Answer, Behaviour, Body, Drip, Drop, HalfSent, Hang, Request, Status, completion

__all__ = ["Answer", "Behaviour", "Body", "ChatServer", "Drip", "Drop", "HalfSent", "Hang", "Request", "Status"]


MIDDLE = (Answer("(500, 500)"),)


class ChatServer:
    """Runs while its `with` block does.

    Args:
        script: what requests for completions meet; see above.
        models: what `GET /v1/models` lists; with `strict`, other names are refused with 404 as vLLM does it.
        key: the bearer token that it wants; "" for none.
        tls: for https: with the server's certificate loaded.

    Attributes:
        requests: all that came, in order of arrival.
        connections: how many were opened.
        under_way, most_under_way: requests that were being answered, now and at most.
    """

    def __init__(
        self,
        script: Sequence[Behaviour] | Callable[[Request], Behaviour] = MIDDLE,
        models: Sequence[str] = ("scripted",),
        strict: bool = False,
        key: str = "",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.requests: list[Request] = []
        self.connections = self.under_way = self.most_under_way = 0
        self.models, self._strict, self._key, self._script = tuple(models), strict, key, script
        self.changed = threading.Condition()
        self._stopped = threading.Event()
        self._asked = 0
        self._open: set[socket.socket] = set()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.chat = self
        self._scheme = "https" if tls else "http"
        if tls:
            # The handshake is the first read's, in the connection's own thread.
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Base URL for clients, with /v1."""
        return f"{self._scheme}://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Die: whatever is under way is cut off. Again is nothing."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._http.shutdown()
        with self.changed:
            for sock in self._open:
                _tear(sock)
        self._http.server_close()
        self._thread.join()

    def hang_up(self) -> None:
        """Close every connection, as servers do with idle ones; returns once they are closed."""
        with self.changed:
            for sock in self._open:
                _tear(sock)
        self.wait_for(lambda server: not server._open)

    def wait_for(self, condition: Callable[[ChatServer], bool], seconds: float = 30.0) -> bool:
        """Wait until something is true of the server, at most so long; whether it is."""
        with self.changed:
            return self.changed.wait_for(lambda: condition(self), seconds)

    def meet(self, request: Request) -> Behaviour:
        """What this request meets."""
        with self.changed:
            self.requests.append(request)
            if self._key and request.headers.get("authorization") != f"Bearer {self._key}":
                return Status(401, "Unauthorized")
            if request.path == "/v1/models" and request.method == "GET":
                return Body(json.dumps({"object": "list", "data": [{"id": name} for name in self.models]}).encode())
            if request.path != "/v1/chat/completions" or request.method != "POST":
                return Status(404, "Not Found")
            if not isinstance(request.json, dict) or not isinstance(request.json.get("messages"), list):
                return Status(400, "the body is no chat request")
            if self._strict and request.json.get("model") not in self.models:
                return Status(404, f"The model `{request.json.get('model')}` does not exist.")
            turn, self._asked = self._asked, self._asked + 1
        return self._script(request) if callable(self._script) else self._script[min(turn, len(self._script) - 1)]

    def count(self, change: int) -> None:
        """A request has come or been answered."""
        with self.changed:
            self.under_way += change
            self.most_under_way = max(self.most_under_way, self.under_way)
            self.changed.notify_all()

    def opened(self, sock: socket.socket) -> int:
        """A connection was opened; its number."""
        with self.changed:
            self._open.add(sock)
            self.connections += 1
            return self.connections - 1

    def gone(self, sock: socket.socket) -> None:
        """A connection is closed."""
        with self.changed:
            self._open.discard(sock)
            self.changed.notify_all()

    def pause(self, seconds: float | None) -> bool:
        """Wait so long, or until the server stops (None); whether it has stopped."""
        return self._stopped.wait(seconds)

    def through(self, gate: threading.Event) -> None:
        """Wait until a gate is open, or the server stops."""
        while not gate.wait(0.02) and not self._stopped.is_set():
            pass


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    chat: ChatServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away in the middle are what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.number = self.server.chat.opened(self.connection)
        self.counted = False

    def finish(self) -> None:
        self.server.chat.gone(self.connection)
        super().finish()

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        chat = self.server.chat
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            told = json.loads(body) if body else None
        except ValueError:
            told = None
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, body, told, self.number)
        chat.count(+1)
        self.counted = True
        try:
            self.behave(chat.meet(request), request)
        finally:
            self.done()

    def done(self) -> None:
        """Counts the request as answered: before its answer leaves, or a client could seem to have two under way."""
        if self.counted:
            self.counted = False
            self.server.chat.count(-1)

    def behave(self, behaviour: Behaviour, request: Request) -> None:
        chat = self.server.chat
        match behaviour:
            case Answer():
                if behaviour.gate:
                    chat.through(behaviour.gate)
                if not chat.pause(behaviour.delay):
                    self.reply(200, completion(behaviour, request))
            case Status(code, message, headers):
                error = {"message": message, "type": "scripted", "param": None, "code": code}
                self.reply(code, json.dumps({"error": error}).encode(), headers)
            case Body(body):
                self.reply(200, body)
            case Drop(reset):
                self.close_connection = True
                if reset:
                    _tear(self.connection)
            case HalfSent(answer):
                whole = completion(answer, request)
                self.reply(200, whole[: len(whole) // 2], {"Content-Length": str(len(whole))})
                self.close_connection = True
            case Hang():
                chat.pause(None)
                self.close_connection = True
            case Drip(seconds, of_header):
                start = (
                    b"HTTP/1.1 200 OK\r\nX-Slow: " if of_header else b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
                )
                self.wfile.write(start)
                while not chat.pause(seconds):
                    self.wfile.write(b"x")
                self.close_connection = True

    def reply(self, code: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.done()
        self.send_response(code)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests have their own output."""


def _tear(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
