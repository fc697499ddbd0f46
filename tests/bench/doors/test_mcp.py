"""The official SDK as client: in this process, over standard input, and over HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import subprocess
import sys
import wave
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from demonstrations import Demonstration, demonstrate
from PIL import Image as Pictures

from omnipilot.bench.doors.mcp_server import McpDoor, make_server
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError, Image
from omnipilot.envs.sim import SimWorld

pytestmark = [pytest.mark.exhibit("duet"), pytest.mark.needs("omnipilot[mcp]")]
SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())
SERVE = (sys.executable, "-m", "omnipilot.bench.cli.app", "env", "serve")


def texts(answer: Any) -> list[str]:
    """The texts of an answer."""
    return [part.text for part in answer.content if part.type == "text"]


async def play(client: Any, demonstration: Demonstration) -> None:
    """Play a demonstration, and hold that it comes to what the command line came to."""
    opened = texts(await client.call_tool("open_task", {"task": demonstration.task, "instance": 0}))
    handle = opened[0].removeprefix("world: ")
    assert opened[1].startswith(demonstration.instruction)
    for verb in demonstration.verbs:
        acted = await client.call_tool("act", {"world": handle, "device": "", "verb": verb})
        assert texts(acted)[0].startswith(("done", "control")), acted
    assert "(the episode is over: success)" in texts(acted)[0]
    score = json.loads(texts(await client.call_tool("score", {"world": handle}))[0])
    assert score["success"] and (score["completed"], score["total"]) == (demonstration.completed, demonstration.total)
    seen = await client.call_tool("look", {"world": handle, "what": ["screenshot"]})
    names = [text.removesuffix(", screenshot:") for text in texts(seen)]
    pictures = [Image.encoded(b64decode(part.data)) for part in seen.content if part.type == "image"]
    assert {name: _pixels(one) for name, one in zip(names, pictures, strict=True)} == demonstration.digests
    await client.call_tool("close", {"world": handle})


def _pixels(picture: Image) -> str:
    return Image.from_array(picture.array()).digest


def within(work: Any) -> None:
    """Run, for half a minute at most."""

    async def bounded() -> None:
        await asyncio.wait_for(work, 120)

    asyncio.run(bounded())


@pytest.mark.parametrize("tasks", [TASKS[:3], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_demonstrations_come_to_what_the_run_comes_to(tasks: tuple[str, ...], tmp_path: Path) -> None:
    from mcp import Client

    async def main() -> None:
        async with Client(make_server(McpDoor(SUITE, score=True))) as client:
            await asyncio.gather(*(play(client, one) for one in demonstrate("duet", tasks, tmp_path)))

    within(main())


@pytest.mark.slow
def test_a_coding_agents_settings_are_enough_over_standard_input(tmp_path: Path) -> None:
    from mcp import Client, stdio_client
    from mcp.client.stdio import StdioServerParameters

    arguments = [*SERVE[1:], "--mcp", "--world", "sim", "--score"]

    async def main() -> None:
        server = stdio_client(StdioServerParameters(command=SERVE[0], args=arguments, cwd=str(tmp_path)))
        async with Client(server) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names == ["tasks", "open_task", "look", "act", "close", "score"]
            await play(client, *demonstrate("duet", ["send-message"], tmp_path / "run"))
            plain = texts(await client.call_tool("open_task", {}))
            assert plain[0] == "world: w2" and "device phone" in plain[1] and "custom" not in plain[1].split("\n")[0]

    within(main())


@pytest.fixture
def http_server(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Address and token of a server in a process of its own."""
    server = subprocess.Popen(
        [*SERVE, "--door", "mcp-http", "--suite", "duet", "--port", "0", "--score"],
        stderr=subprocess.PIPE, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert server.stderr is not None
    url, header = server.stderr.readline().strip(), server.stderr.readline().strip()
    yield url, header.rpartition(" ")[2]
    server.terminate()
    server.wait(20)
    server.stderr.close()


@pytest.mark.slow
def test_over_http_with_the_token_and_not_without(http_server: tuple[str, str], tmp_path: Path) -> None:
    import httpx
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    url, token = http_server
    assert url.startswith("http://127.0.0.1:")
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": token}):
        refused = httpx.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
        assert refused.status_code == 401 and "Authorization: Bearer" in refused.json()["error"]

    demonstrations = demonstrate("duet", ["send-message", "add-alarm"], tmp_path / "run")

    async def one(demonstration: Demonstration) -> None:
        async with authorized(token) as http, Client(streamable_http_client(url, http_client=http)) as client:
            opened = texts(await client.call_tool("open_task", {"task": demonstration.task}))
            assert len(opened[0]) > len("world: ") + 10, "a handle can be guessed"
            await play(client, demonstration)

    async def main() -> None:
        await asyncio.gather(*map(one, demonstrations))

    within(main())


def authorized(token: str) -> Any:
    """An HTTP client, of the kind that the SDK takes, that sends a token."""
    from mcp.client import streamable_http

    for name in ("httpx2", "httpx"):
        if hasattr(streamable_http, name):
            return getattr(streamable_http, name).AsyncClient(headers={"Authorization": f"Bearer {token}"})
    raise AssertionError("the SDK uses another HTTP client")


def test_sounds_and_pictures_are_passed_on() -> None:
    from mcp import Client

    async def main() -> None:
        async with Client(make_server(McpDoor(SUITE, SimWorld, guessable=True))) as client:
            await client.call_tool("open_task", {"task": "dismiss-alarm"})
            await client.call_tool("act", {"world": "w1", "device": "", "verb": {"kind": "wait", "seconds": 2}})
            what = ["elements", "screenshot", "audio"]
            seen = await client.call_tool("look", {"world": "w1", "what": what})
            kinds = [part.type for part in seen.content]
            assert kinds.count("image") == 2 and kinds.count("audio") == 2
            for part in seen.content:
                if part.type == "image":
                    assert (
                        part.mime_type == "image/png" and Pictures.open(io.BytesIO(b64decode(part.data))).size[0] > 400
                    )
                if part.type == "audio":
                    with wave.open(io.BytesIO(b64decode(part.data))) as sound:
                        assert sound.getnframes() / sound.getframerate() == pytest.approx(2)
            listed = texts(seen)[0].split("\n")
            assert listed[0] == "phone, elements:" and json.loads(listed[1])["role"]

    within(main())


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("open_task", {"task": "send-mesage"}, "send-message"),
    ("look", {"world": "w9"}, "there is no world 'w9'; open one first, with open_task"),
    ("look", {"world": "w1", "what": ["smell"]}, "what: 'smell' cannot be passed on; choose from elements"),
    ("act", {"world": "", "device": "phone", "verb": {}}, "there is no world ''"),
    ("close", {"world": "w9"}, "there is no world 'w9'"),
)


@pytest.mark.parametrize(("tool", "arguments", "said"), WRONG)
def test_wrong_calls_are_told_with_the_cure(tool: str, arguments: dict[str, Any], said: str) -> None:
    from mcp import Client

    async def main() -> None:
        async with Client(make_server(McpDoor(SUITE, guessable=True))) as client:
            await client.call_tool("open_task", {"task": "send-message"})
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error and said in texts(answer)[0]

    within(main())


def test_wrong_verbs_change_nothing() -> None:
    door = McpDoor(SUITE, guessable=True)
    door.open("send-message", 0)
    before = hashlib.sha256(repr(door.look("w1", ["elements"])).encode()).hexdigest()
    for verb in ({}, [], None, 3, {"kind": "clik"}, {"kind": "click"}, {"kind": "click", "at": {"x": "left"}}, "{"):
        told = door.act("w1", "phone", verb)
        assert told.startswith(("malformed: ", "rejected: ", "not_found: ")), (verb, told)
    assert hashlib.sha256(repr(door.look("w1", ["elements"])).encode()).hexdigest() == before


def test_worlds_are_limited_and_closed_when_nobody_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.bench.doors import mcp_server

    now = [0.0]
    monkeypatch.setattr(mcp_server.time, "monotonic", lambda: now[0])
    door = McpDoor(SUITE, worlds=2, idle=100.0, fork=True)
    first = door.open("send-message", 0)[0].removeprefix("world: ")
    now[0] = 50.0
    second = door.double(first)[0].removeprefix("world: ")
    assert first != second and len(first) > 8
    with pytest.raises(ConfigError, match="2 worlds are open; close one first, such as"):
        door.open("add-alarm", 0)
    now[0] = 149.0
    door.look(second, ["elements"])
    now[0] = 151.0
    door.open("add-alarm", 0)
    with pytest.raises(ConfigError, match="there is no world"):
        door.look(first, ["elements"])
    door.look(second, ["elements"])
    assert door.close(second) == f"{second} is closed"
    door.close_all()


def test_forks_go_ways_of_their_own() -> None:
    door = McpDoor(SUITE, fork=True, guessable=True)
    door.open("send-message", 0)
    assert door.double("w1") == ["world: w2"]
    door.act("w2", "phone", {"kind": "open_app", "app": "Messages"})
    assert door.look("w1", ["elements"]) != door.look("w2", ["elements"])


@pytest.mark.slow
def test_what_cannot_be_served_is_refused() -> None:
    for arguments, said in (
        (["--door", "mpc"], "there is no door 'mpc'; did you mean mcp"),
        (["--mcp", "--door", "mcp-http"], "--mcp means --door mcp"),
        (["--suite", "duet"], "add --mcp or --door NAME"),
        (["--door", "mcp-http", "--host", "0.0.0.0"], "served on this machine alone"),
    ):
        done = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode and said in " ".join(done.stderr.replace("│", " ").split()), done.stderr


def test_the_verbs_of_the_description_are_verbs() -> None:
    import re

    from mcp import Client

    from omnipilot.envs.schema import from_json

    async def described() -> str:
        async with Client(make_server(McpDoor(SUITE))) as client:
            return next(tool.description for tool in (await client.list_tools()).tools if tool.name == "act")

    verbs = re.findall(r'\{"kind"(?:[^{}]|\{[^}]*\})*\}', asyncio.run(described()))
    assert len(verbs) >= 7 and all(from_json(json.loads(" ".join(verb.split()))) for verb in verbs)
