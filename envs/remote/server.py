"""A world served over HTTP: who may talk to it, how much, and for how long."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
import threading
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from omnipilot.envs.admission import Admission, GuardedListener
from omnipilot.envs.base import World
from omnipilot.envs.remote import protocol as wire
from omnipilot.envs.remote.host import (
    CHANGING,
    HANDLERS,
    LONGEST_SHELL,
    ActFunction,
    Busy,
    Restarted,
    WorldHost,
    failure_of,
)
from omnipilot.envs.remote.protocol import BadMessage, Message
from omnipilot.envs.types.errors import ConfigError, require

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LOOPBACK = "127.0.0.1"
BODY_SECONDS = 10.0
"""Seconds within which a request's headers, and then its body, have to arrive."""
ANSWER_SECONDS = 120.0
"""Seconds for an answer, beyond those that an action or command lasts by itself."""
MOST_CONNECTIONS = 64
"""Connections over which the right token came."""
MOST_STRANGERS = 256
"""Connections over which none came yet; a further one takes the place of the oldest."""
STATUS = {"rejected": 422, "config": 400, "bad": 400, "missing": 404, "lost": 410, "bug": 500}


class RequestRefused(Exception):
    """A request that is turned away.

    Attributes:
        status: of the HTTP answer. kind: what the client makes of it.
    """

    def __init__(self, status: int, kind: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.kind = kind


class FailedAnswer(RequestRefused):
    """A request that came in, and whose answer is an error."""


class RequestGate:
    """Decides by its headers alone whether a request may come in; its body is not read before.

    Args:
        token, judges_token: what has to be sent for the world, and for what judges may do.
        hosts: names under which the server may be addressed; any other name may be a rebound one (DNS rebinding).
        allow_judges: whether the paths of judges exist.
    """

    def __init__(self, token: str, judges_token: str, hosts: Sequence[str], allow_judges: bool) -> None:
        self._token = token.encode()
        self._judges_token = judges_token.encode()
        self._hosts = frozenset(host.lower() for host in hosts)
        self._allow_judges = allow_judges

    def name(self, scope: Scope) -> str:
        """What is asked for, such as "observe".

        Raises:
            Refused: it may not come in.
        """
        headers: dict[bytes, bytes] = {}
        for key, value in scope["headers"]:
            if key in headers and key in (b"host", b"authorization", b"content-length", b"content-encoding"):
                raise RequestRefused(400, "bad", f"{key.decode('latin-1')} is given twice")
            headers[key] = value
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if _without_port(host) not in self._hosts:
            raise RequestRefused(421, "bad", "this server does not go by that name; see the option --name")
        path = str(scope["path"])
        name = path.removeprefix(f"{wire.PREFIX}/") if path.startswith(f"{wire.PREFIX}/") else ""
        judges = name.startswith("judges/")
        wanted = self._judges_token if judges else self._token
        given = headers.get(b"authorization", b"")
        if wanted and not hmac.compare_digest(given, b"Bearer " + wanted):
            raise RequestRefused(401, "denied", "the token is missing or wrong")
        if judges and not self._allow_judges:
            raise RequestRefused(403, "denied", "this server was started without --allow-judges")
        medium = name.startswith("media/") and wire.HASH.fullmatch(name.removeprefix("media/"))
        if name not in HANDLERS and not medium:
            raise RequestRefused(404, "bad", f"there is no such path in version {wire.VERSION} of the protocol")
        method = "GET" if name == "hello" or medium else "POST"
        if scope["method"] != method:
            raise RequestRefused(405, "bad", f"use {method}")
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise RequestRefused(415, "bad", "compressed bodies are refused")
        length = headers.get(b"content-length")
        if method == "POST":
            if headers.get(b"content-type") != wire.CONTENT_TYPE.encode():
                raise RequestRefused(415, "bad", f"send {wire.CONTENT_TYPE}")
            if length is not None and (not length.isdigit() or int(length) > wire.LARGEST_REQUEST):
                raise RequestRefused(413, "bad", f"a body has up to {wire.LARGEST_REQUEST} bytes")
        return name


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


async def read_body(receive: Receive, most: int, seconds: float) -> bytes:
    """A request's body.

    Raises:
        Refused: it is too large, too slow, or cut off.
    """
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            while True:
                event = await receive()
                if event["type"] == "http.disconnect":
                    raise RequestRefused(400, "bad", "the body was cut off")
                part = event.get("body", b"")
                size += len(part)
                if size > most:
                    raise RequestRefused(413, "bad", f"a body has up to {most} bytes")
                parts.append(part)
                if not event.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise RequestRefused(408, "bad", f"the body took more than {seconds:g} s") from None


class Application:
    """The ASGI application: a gate, then a host."""

    def __init__(
        self,
        host: WorldHost,
        gate: RequestGate,
        admission: Admission,
        seconds: float = ANSWER_SECONDS,
        body: float = BODY_SECONDS,
    ) -> None:
        self._host = host
        self._gate = gate
        self._admission = admission
        self._seconds = seconds
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        instance = dict(scope["headers"]).get(wire.INSTANCE.encode(), b"").decode("latin-1")
        try:
            name = self._gate.name(scope)
            if not self._admission.admit(scope["client"]):
                raise RequestRefused(503, "busy", f"{MOST_CONNECTIONS} connections are open")
            if name.startswith("media/"):
                file = self._host.medium(name.removeprefix("media/"))
                if file is None:
                    raise RequestRefused(404, "missing", "this medium is not kept any more")
                await _send(send, 200, file, "application/octet-stream")
                return
            body = b"" if name == "hello" else await read_body(receive, wire.LARGEST_REQUEST, self._body)
            answer = await self._answer(name, body, instance)
            await _send(send, 200, answer)
        except RequestRefused as error:
            # What is left of a refused body is not read: then the connection ends here.
            unread = not isinstance(error, FailedAnswer)
            await _send(send, error.status, wire.pack({"kind": error.kind, "text": str(error)}), close=unread)

    async def _answer(self, name: str, body: bytes, instance: str) -> bytes:
        try:
            message: Message = wire.unpack(body) if body else {}
            future = self._host.submit(name, message, instance)
        except BadMessage as error:
            raise RequestRefused(400, "bad", str(error)) from None
        except Busy as error:
            raise RequestRefused(503, "busy", str(error)) from None
        except Restarted:
            raise RequestRefused(409, "lost", "the server has started over since") from None
        try:
            seconds = self._seconds + _lasts(name, message)
            answer = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), seconds)
        except TimeoutError:
            raise RequestRefused(504, "lost", f"the world did not answer within {seconds:g} s") from None
        except Exception as error:
            told = failure_of(error)
            raise FailedAnswer(STATUS[told.kind], told.kind, told.text) from None
        return wire.pack(answer)


def _lasts(name: str, message: Message) -> float:
    """Seconds that a request lasts by itself."""
    inside = message.get("action") if name == "act" else message
    if name not in CHANGING or not isinstance(inside, dict):
        return 0.0
    seconds = 0.0
    for key in ("seconds", "timeout", "measured"):
        value = inside.get(key)
        if isinstance(value, int | float) and 0 <= value < 1e6:
            seconds = max(seconds, min(value, LONGEST_SHELL if key == "timeout" else value))
    repeat = inside.get("repeat", 1)
    return seconds * (repeat if isinstance(repeat, int) and 1 <= repeat <= 100 else 1)


async def _send(send: Send, status: int, body: bytes, kind: str = wire.CONTENT_TYPE, close: bool = False) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if close:
        headers.append((b"connection", b"close"))
    with suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def is_loopback(host: str) -> bool:
    """Whether an address can only be reached from this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class EnvServer:
    """Serves a world until it is closed, in threads of this process.

    Args:
        make: makes the world; called again after it was lost.
        token: what clients have to send; needed for any address but a loopback one.
        judges_token: what judges have to send; needed with `allow_judges`, and not the same.
        host, port: where to listen; port 0 takes a free one.
        allow_judges: whether judges may read files, elements and state, and run commands.
        names: further names under which clients address it, such as "vm.example.org".
        certificate, key: PEM files, to serve HTTPS.
        seconds: maximum for an answer, beyond what an action lasts by itself.
        body_seconds: maximum from a connection to the headers of its first request, and for each body.
        act: carries out an action of a client, and may reject it.

    Raises:
        ConfigError: the address needs a token, is in use, or the world cannot be made.
        MissingExtra: starlette, uvicorn or msgpack is not installed.
    """

    def __init__(
        self,
        make: Callable[[], World],
        token: str = "",
        judges_token: str = "",
        host: str = LOOPBACK,
        port: int = 0,
        allow_judges: bool = False,
        names: Sequence[str] = (),
        certificate: str = "",
        key: str = "",
        seconds: float = ANSWER_SECONDS,
        body_seconds: float = BODY_SECONDS,
        log: Callable[[BaseException], None] = lambda _: None,
        act: ActFunction = lambda _world, env, action: env.act(action),
    ) -> None:
        require("msgpack", "remote")
        uvicorn: Any = require("uvicorn", "remote")
        if not token and not is_loopback(host):
            raise ConfigError(f"serving on {host} needs a token, because others can reach it")
        if allow_judges and (not judges_token or judges_token == token):
            raise ConfigError("judges need a token of their own, which is not the other one")
        admission = Admission(MOST_CONNECTIONS, MOST_STRANGERS, body_seconds)
        self._socket = _listen(host, port)
        self._socket.admission = admission
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self.url = f"{'https' if certificate else 'http'}://{f'[{host}]' if ':' in host else host}:{self.port}"
        self._world = WorldHost(make, allow_judges, log, act)
        try:
            self._world.open()
        except BaseException:
            self._socket.close()
            self._world.close()
            raise
        known = {"localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host, *names}
        gate = RequestGate(token, judges_token, sorted(known - {"0.0.0.0", "[::]"}), allow_judges)
        config = uvicorn.Config(
            Application(self._world, gate, admission, seconds, body_seconds),
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=2,
            backlog=MOST_CONNECTIONS,
            ssl_certfile=certificate or None,
            ssl_keyfile=key or None,
        )
        self._server: Any = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="omnipilot-server", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    @property
    def instance(self) -> str:
        """Id of the world that is served now."""
        return self._world.instance

    def wait(self, seconds: float) -> bool:
        """Wait for the server to end, at most so long; returns whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop serving and close the world. May be called twice."""
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10.0)
        self._socket.close()
        self._world.close()

    def __enter__(self) -> EnvServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _listen(host: str, port: int) -> GuardedListener:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, asyncio switches Nagle's algorithm off; otherwise each answer waits 40 ms for an acknowledgement.
    made = GuardedListener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(MOST_CONNECTIONS)
    except (OSError, OverflowError) as error:
        made.close()
        raise ConfigError(f"cannot listen on {host}:{port}: {error}; choose another address or port") from None
    return made
