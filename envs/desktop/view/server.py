"""Serves the page: on this machine only, to whoever has its address."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import html
import json
import os
import secrets
import shutil
import socket
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.env import DesktopEnv
from omnipilot.envs.desktop.view.frames import Frames
from omnipilot.envs.desktop.view.visitors import Visitors
from omnipilot.envs.schema.codec import action_from_json
from omnipilot.envs.schema.json_text import parse_json
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost, MalformedAction, require

PAGE = Path(__file__).with_name("page.html")
HOSTS = ("127.0.0.1", "localhost")
RATE = 48_000
"""Samples a second of the sound that the page plays, in stereo."""
LARGEST = 4096
"""Bytes of an action."""
LONG_POLL = 5.0
"""Seconds that a request for the next picture stays open."""
BODY = 5.0
"""Seconds that the body of an action may take."""
STALLED = 20.0
"""Seconds that somebody who is sent something may take none of it."""
SEND_BUFFER = 262_144
"""Bytes that the kernel keeps for a connection: a second of sound."""


def serve_view(
    address: DesktopAddress,
    title: str,
    port: int,
    control: bool,
    tell: Callable[[str], None],
    over: threading.Event | None = None,
) -> None:
    """Serve the page of a desktop until Ctrl-C, or until the desktop is gone.

    Args:
        title: what the page calls it. port: on 127.0.0.1, 0 for a free one.
        control: whether the page may use mouse and keyboard.
        tell: is given the page's address.
        over: ends it when set; otherwise Ctrl-C does.

    Raises:
        MissingExtra: starlette or uvicorn is missing. ConfigError: the port is taken. EnvLost: there is no desktop.
    """
    uvicorn: Any = require("uvicorn", "remote")
    require("starlette", "remote")
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen(64)
    except OSError as error:
        raise ConfigError(
            f"port {port} of 127.0.0.1 cannot be used ({error.strerror}); choose another --port"
        ) from None
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    screen = ViewedDesktop(address, over or threading.Event())
    try:
        visitors = Visitors()
        app = view_app(address, title, port, token, screen, control, visitors)
        config = uvicorn.Config(
            app,
            http=visitors.protocol(),
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        screen.on_over = lambda: setattr(server, "should_exit", True)
        tell(f"http://127.0.0.1:{port}/?token={token}")
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        screen.close()
        listening.close()
    if screen.lost:
        tell(f"{title} is gone")


class ViewedDesktop:
    """The pictures and the hands of one desktop, each used by a thread of its own."""

    def __init__(self, address: DesktopAddress, over: threading.Event) -> None:
        self.lost = False
        self.on_over: Callable[[], None] = lambda: None
        self._over = over
        self._address = address
        self._eyes, self._hands = (ThreadPoolExecutor(1, f"view-{part}") for part in ("eyes", "hands"))
        self._env: DesktopEnv | None = None
        self._frames: Frames = self._eyes.submit(Frames, address).result()
        threading.Thread(target=self._watch, name="view-watch", daemon=True).start()

    def _watch(self) -> None:
        """Notice a desktop that ends while nobody looks."""
        with contextlib.suppress(RuntimeError, CancelledError):  # when closed meanwhile
            while not self._over.wait(1.0):
                try:
                    self._eyes.submit(self._frames.after, 0, 0.0).result()
                except EnvLost:
                    self.lost = True
                    break
            self.on_over()

    async def after(self, number: int) -> tuple[int, bytes] | None:
        """The next picture after one; see `Frames.after`."""
        until = time.monotonic() + LONG_POLL
        while time.monotonic() < until:
            # A short look at a time, so that several pages are served in turn.
            found = await self._in(self._eyes, lambda: self._frames.after(number, 0.0))
            if found is not None:
                return found  # type: ignore[no-any-return]
        return None

    async def act(self, data: Any) -> None:
        """Carry out one action, as JSON of the vocabulary."""
        action = action_from_json(data)

        def act() -> None:
            if self._env is None:
                self._env = DesktopEnv(self._address, record=False, least=0.0, cap_settle=0.0)
            self._env.act(action)

        await self._in(self._hands, act)

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[], Any]) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except EnvLost:
            self.lost = True
            self.on_over()
            raise

    def close(self) -> None:
        """Release both."""
        self._over.set()
        self._eyes.submit(self._frames.close)
        if self._env is not None:
            self._hands.submit(self._env.close)
        for pool in (self._eyes, self._hands):
            pool.shutdown(wait=True, cancel_futures=False)


def view_app(
    address: DesktopAddress,
    title: str,
    port: int,
    token: str,
    screen: ViewedDesktop,
    control: bool,
    visitors: Visitors,
) -> Any:
    """The page and what it asks for, as an ASGI application.

    Every request needs the token as `?token=`, and a Host header that names this machine: no page of another site can
    get at it through a name that leads here.
    """
    starlette: Any = require("starlette.applications", "remote")
    answers: Any = require("starlette.responses", "remote")
    requests: Any = require("starlette.requests", "remote")
    routing: Any = require("starlette.routing", "remote")
    allowed = {f"{host}:{port}" for host in HOSTS}
    page = PAGE.read_text(encoding="utf-8")
    facts = {"control": control, "sound": bool(address.pulse), "rate": RATE}
    page = page.replace("{{title}}", html.escape(title)).replace("{{facts}}", json.dumps(facts))
    headers = {
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; "
            "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
    }

    def plain(text: str, status: int) -> Any:
        return answers.PlainTextResponse(text, status, headers=headers)

    def turned_away(request: Any) -> Any:
        """The answer to somebody who may not come in; None for all others."""
        if request.headers.get("host", "") not in allowed:
            return plain("this page is served to this machine only", 403)
        if not hmac.compare_digest(request.query_params.get("token", "").encode(), token.encode()):
            return plain("the address needs its token; copy it whole", 401)
        return None

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        refusal = turned_away(requests.Request(scope))
        if refusal is None:
            with visitors.admit(scope["client"]) as transport:
                if transport is not None:
                    try:
                        await routes(scope, receive, unless_stalled(send))
                    except TimeoutError:
                        transport.abort()  # closing it would wait until what was sent has been taken
                        await asyncio.sleep(0)  # uvicorn hears of it first
                    return
            refusal = plain("too many look at this desktop at a time; close a page", 503)
        refusal.headers["Connection"] = "close"
        await refusal(scope, receive, send)

    def told(work: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
        """With an answer where the desktop is gone."""

        async def ask(request: Any) -> Any:
            try:
                return await work(request)
            except EnvLost as error:
                return plain(str(error), 410)

        return ask

    async def index(_: Any) -> Any:
        return answers.HTMLResponse(page, headers=headers)

    async def picture(request: Any) -> Any:
        number = request.query_params.get("after", "")
        found = await screen.after(int(number) if number.isdecimal() and len(number) < 16 else 0)
        if found is None:
            return answers.Response(status_code=204, headers=headers)
        return answers.Response(found[1], media_type="image/jpeg", headers={**headers, "X-Number": str(found[0])})

    async def sound(_: Any) -> Any:
        if not address.pulse:
            return plain("this desktop has no sound", 404)
        heard = samples(address)
        return ending(heard, answers.StreamingResponse(heard, media_type="application/octet-stream", headers=headers))

    async def act(request: Any) -> Any:
        if not control:
            return plain("this page only shows the desktop; start it with --control", 403)
        body = b""
        try:
            async with asyncio.timeout(BODY):
                async for part in request.stream():
                    body += part
                    if len(body) > LARGEST:
                        return plain(f"an action has at most {LARGEST} bytes", 413)
        except TimeoutError:
            return plain(f"an action has to come within {BODY:g} s", 408)
        try:
            await screen.act(parse_json(body))
        except (ValueError, MalformedAction, ActionRejected) as error:
            return plain(str(error), 400)
        return answers.Response(status_code=204, headers=headers)

    routes = starlette.Starlette(
        routes=[
            routing.Route("/", told(index)),
            routing.Route("/screen", told(picture)),
            routing.Route("/sound", told(sound)),
            routing.Route("/act", told(act), methods=["POST"]),
        ]
    )
    return answer


def unless_stalled(send: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    """Send, but give up on somebody who takes nothing.

    Raises:
        TimeoutError: so it is.
    """

    async def send_in_time(message: Any) -> None:
        async with asyncio.timeout(STALLED):
            await send(message)

    return send_in_time


def ending(stream: AsyncGenerator[bytes, None], response: Any) -> Any:
    """A response after which a stream has ended, however the response did."""

    async def respond(scope: Any, receive: Any, send: Any) -> None:
        async with contextlib.aclosing(stream):
            await response(scope, receive, send)

    return respond


async def samples(address: DesktopAddress) -> AsyncGenerator[bytes, None]:
    """What the desktop sounds from now on: stereo samples of 16 bits, until the listener has gone."""
    program = shutil.which("parec")
    if program is None:
        raise ConfigError("sound is heard through the program parec; run as root: apt install pulseaudio-utils")
    sink = address.sink
    source = "@DEFAULT_MONITOR@" if sink in ("", "@DEFAULT_SINK@") else f"{sink}.monitor"
    options = ["--format=s16le", f"--rate={RATE}", "--channels=2", "--latency-msec=40", "--raw"]
    process = await asyncio.create_subprocess_exec(
        program,
        f"--device={source}",
        *options,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PULSE_SERVER": address.pulse},
    )
    assert process.stdout is not None
    try:
        while data := await process.stdout.read(RATE // 5):
            yield data
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
