"""Worlds and tasks as tools for coding agents and chat clients: a server of the Model Context Protocol.

It works with the official SDK, version 1 or 2. The protocol has no session since its revision of 2026-07-28, so every
tool takes the handle of the world that it acts on.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from omnipilot.bench.doors.choice import senses_needed
from omnipilot.bench.doors.open_world import OpenWorld
from omnipilot.bench.doors.token_guard import TokenGuard
from omnipilot.bench.doors.words import describe_elements, introduce_task, outcome_words
from omnipilot.bench.session import GuardSpec, Offer, Opening, Session
from omnipilot.bench.tasks import Suite, listed_tasks
from omnipilot.envs import Absent, AudioClip, ConfigError, EnvLost, Image, Modality, Observation, World
from omnipilot.envs.remote import is_loopback
from omnipilot.envs.types import MissingExtra, require

EXTRA = "mcp"
IDLE = 1800.0
"""Seconds without a call after which a world is closed: no client says that it has gone."""
WORLDS = 64
SHOWN = ("elements", "screenshot", "audio")
ABOUT = (
    "Operate phones, desktops and browsers. Open a world with open_task, look at it, act on it with one verb at a "
    "time, look again. Places are words or ids from the list of elements, or points as fractions of the screen."
)


@dataclass
class _Opened:
    """A world that a client has opened. `used`: when it was last called, by `time.monotonic`."""

    session: Session
    opening: Opening
    used: float = field(default_factory=time.monotonic)


class McpDoor:
    """What the tools do, whatever carries them.

    Args:
        suite: whose tasks can be opened; None for none.
        world: makes the world that `open_task` gives where no task is named; None for none.
        score, fork: offer these tools; an agent that is measured must not see its judge.
        worlds: number of worlds that may be open at once. idle: seconds without a call after which one is closed.
        guessable: handles are w1, w2, …: right where one client owns the server, as over stdio.
        guard: what clients may do; None for everything.
    """

    def __init__(
        self,
        suite: Suite | None,
        world: Callable[[], World] | None = None,
        *,
        score: bool = False,
        fork: bool = False,
        worlds: int = WORLDS,
        idle: float = IDLE,
        guessable: bool = False,
        guard: GuardSpec | None = None,
    ) -> None:
        if suite is None and world is None:
            raise ConfigError("nothing to serve: name a suite or a world")
        self.suite, self._free = suite, OpenWorld(world) if world is not None else None
        self.score, self.fork = score, fork
        self._policy: str | GuardSpec = guard or "none"
        self._limit, self._idle, self._guessable = worlds, idle, guessable
        self._open: dict[str, _Opened] = {}
        self._count = 0
        # Suites share what their worlds draw and lay out, and none of it is for several threads.
        self._lock = threading.Lock()

    def list_tasks(self, match: str = "") -> str:
        """The tasks, a line each, and which of them hang on sound or film."""
        if self.suite is None:
            return "There are no tasks here; open_task without a task opens the world."
        lines = []
        for info in listed_tasks(self.suite):
            line = f"{info.id}: {info.description}"
            if match.lower() in line.lower():
                needed = senses_needed(info)
                lines.append(line + (f" (hangs on {' and '.join(needed)})" if needed else ""))
        return "\n".join(lines) or f"no task matches {match!r}"

    def open(self, task: str, instance: int) -> list[Any]:
        """Open a task, or the plain world; its handle and what is told about it.

        Raises:
            ConfigError: no such task, or too many worlds are open.
        """
        with self._lock:
            self._make_room()
            suite = self.suite if task else self._free
            if suite is None:
                raise ConfigError("name a task; `tasks` lists them" if not task else "there are no tasks here")
            session = Session(suite, policy=self._policy)
            try:
                opening = session.open(task or listed_tasks(suite)[0].id, instance)
            except BaseException:
                session.close()
                raise
            return [f"world: {self._keep(session, opening)}", introduce_task(opening)]

    def look(self, world: str, what: Collection[str]) -> list[Any]:
        """What every device shows: text, pictures, sounds.

        Raises:
            ConfigError: no such world, or nothing of that name can be looked at.
        """
        if unknown := [one for one in what if one not in SHOWN]:
            raise ConfigError(f"what: {unknown[0]!r} cannot be passed on; choose from {', '.join(SHOWN)}")
        with self._lock:
            seen = self._find(world).session.observe({Modality(one) for one in what})
            return [part for name, look in seen.items() for part in _parts(name, look, what)]

    def act(self, world: str, device: str, verb: Any) -> str:
        """Carry out one verb; what came of it, in words.

        Raises:
            ConfigError: no such world.
        """
        with self._lock:
            opened = self._find(world)
            return outcome_words(opened.session.act(verb, device))

    def judge(self, world: str) -> str:
        """How far the task is solved, as JSON.

        Raises:
            ConfigError: no such world.
        """
        with self._lock:
            return json.dumps(self._find(world).session.score().to_json())

    def double(self, world: str) -> list[Any]:
        """Another world at the same moment.

        Raises:
            ConfigError: no such world, it cannot be doubled, or too many are open.
        """
        with self._lock:
            opened = self._find(world)
            self._make_room()
            return [f"world: {self._keep(opened.session.fork(), opened.opening)}"]

    def close(self, world: str) -> str:
        """Close a world.

        Raises:
            ConfigError: no such world.
        """
        with self._lock:
            self._find(world).session.close()
            del self._open[world]
        return f"{world} is closed"

    def close_all(self) -> None:
        """Close every world."""
        with self._lock:
            for opened in self._open.values():
                opened.session.close()
            self._open.clear()

    def _find(self, world: str) -> _Opened:
        opened = self._open.get(world)
        if opened is None:
            raise ConfigError(f"there is no world {world!r}; open one first, with open_task")
        opened.used = time.monotonic()
        return opened

    def _keep(self, session: Session, opening: Opening) -> str:
        self._count += 1
        name = f"w{self._count}" if self._guessable else secrets.token_urlsafe(9)
        self._open[name] = _Opened(session, opening)
        return name

    def _make_room(self) -> None:
        now = time.monotonic()
        for name in [name for name, opened in self._open.items() if now - opened.used > self._idle]:
            self._open.pop(name).session.close()
        if len(self._open) >= self._limit:
            oldest = min(self._open, key=lambda name: self._open[name].used)
            raise ConfigError(f"{self._limit} worlds are open; close one first, such as {oldest}")


def make_server(door: McpDoor) -> Any:
    """The server with its tools, an `MCPServer` of the SDK.

    Raises:
        MissingExtra: the SDK is not installed.
    """
    server_class, image, audio, tool_error = _sdk()
    server = server_class("omnipilot", instructions=ABOUT, log_level="WARNING")

    def answer(call: Callable[[], Any]) -> list[Any]:
        """The answer, with pictures and sounds in the SDK's form; an error in words, which the SDK passes on."""
        try:
            told = call()
        except (ConfigError, EnvLost) as error:
            raise tool_error(str(error)) from error
        if isinstance(told, str):
            return [told]
        return [
            image(data=part.png(), format="png")
            if isinstance(part, Image)
            else audio(data=part.wav(), format="wav")
            if isinstance(part, AudioClip)
            else part
            for part in told
        ]

    def tasks(match: str = "") -> list[Any]:
        """List the tasks, a line each; with match, only those whose line contains it."""
        return answer(lambda: door.list_tasks(match))

    def open_task(task: str = "", instance: int = 0) -> list[Any]:
        """Open a task, from its start, or the plain world where no task is named.

        Answers the world's handle, which all other tools take, the instruction, and what each device can do.
        """
        return answer(lambda: door.open(task, instance))

    def look(world: str, what: list[str] = ["elements"]) -> list[Any]:  # noqa: B006
        """Look at every device of a world; looking changes nothing.

        what: any of "elements" (roles, names, ids and places), "screenshot", and "audio" (since the last such look).
        """
        return answer(lambda: door.look(world, what))

    def act(world: str, device: str, verb: dict[str, Any]) -> list[Any]:
        """Carry out one verb on one device, such as {"kind": "click", "at": "Save"}, {"kind": "type", "text": "hello"},
        {"kind": "press", "keys": ["enter"]}, {"kind": "scroll", "direction": "down", "at": {"x": 0.5, "y": 0.5}},
        {"kind": "open_app", "app": "Mail"}, {"kind": "wait", "seconds": 2}; and, when the task is solved,
        {"kind": "done"}.

        "at" is the words or the id of an element, or a point as fractions of the screen. A wrong verb changes nothing,
        and the answer says what would be right.
        """
        return answer(lambda: door.act(world, device, verb))

    def close(world: str) -> list[Any]:
        """Close a world that is no longer needed."""
        return answer(lambda: door.close(world))

    def score(world: str) -> list[Any]:
        """How far the task is solved, as if it ended now, as JSON; asking changes nothing."""
        return answer(lambda: door.judge(world))

    def fork(world: str) -> list[Any]:
        """Another world at the same moment; neither notices what is done in the other."""
        return answer(lambda: door.double(world))

    offered: list[Callable[..., list[Any]]] = [tasks, open_task, look, act, close]
    for tool in (*offered, *([score] if door.score else ()), *([fork] if door.fork else ())):
        # Without a schema of what is answered: it is text, pictures and sounds.
        server.tool(structured_output=False)(tool)
    return server


def serve_stdio(offer: Offer) -> None:
    """Serve over standard input and output, until the client closes them.

    Raises:
        MissingExtra: the SDK is not installed.
    """
    door = McpDoor(offer.suite, offer.world, score=offer.score, fork=offer.fork, guessable=True, guard=offer.guard)
    try:
        make_server(door).run()
    finally:
        door.close_all()


def serve_http(offer: Offer) -> None:
    """Serve over HTTP at /mcp, until told to end.

    Raises:
        ConfigError: the address is that of other machines. MissingExtra: the SDK or uvicorn is not installed.
    """
    if not is_loopback(offer.host):
        raise ConfigError(f"{offer.host}: tools are served on this machine alone; reach it by a tunnel, such as ssh -L")
    uvicorn: Any = require("uvicorn", EXTRA)
    door = McpDoor(offer.suite, offer.world, score=offer.score, fork=offer.fork, guard=offer.guard)
    try:
        app = http_app(door, offer.token)
        listener = socket.create_server((offer.host, offer.port))
        offer.say(f"http://{offer.host}:{listener.getsockname()[1]}/mcp")
        offer.say(f"header: Authorization: Bearer {offer.token}")
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
    finally:
        door.close_all()


def http_app(door: McpDoor, token: str) -> Any:
    """The server over HTTP at /mcp, as an ASGI application that answers only to who has the token.

    Raises:
        MissingExtra: the SDK is not installed.
    """
    return TokenGuard(make_server(door).streamable_http_app(), token)


def _sdk() -> tuple[Any, Any, Any, Any]:
    """The server's class, picture, sound and error of the SDK: version 2, else version 1."""
    package = require("mcp", EXTRA).__name__
    try:
        module, name = require(f"{package}.server.mcpserver", EXTRA), "MCPServer"
    except MissingExtra:
        module, name = require(f"{package}.server.fastmcp", EXTRA), "FastMCP"
    errors = require(f"{module.__name__}.exceptions", EXTRA)
    return getattr(module, name), module.Image, module.Audio, errors.ToolError


def _parts(name: str, seen: Observation, what: Collection[str]) -> list[Any]:
    parts: list[Any] = []
    if "elements" in what:
        parts.append(describe_elements(seen))
    for kind in ("screenshot", "audio"):
        if kind in what:
            medium = getattr(seen, kind)
            if isinstance(medium, Absent):
                parts.append(f"{name}: no {kind}: {medium.reason}")
            elif isinstance(medium, AudioClip) and not medium.pcm:
                parts.append(f"{name}: no time has passed since the last sound")
            else:
                parts += [f"{name}, {kind}:", medium]
    return parts
