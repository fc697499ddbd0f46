"""Tools of an MCP server as verbs of the machine."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from osworld_server import OSWorldServer

from omnipilot.bench.suites.osworld.mcp_tools import offer_tools
from omnipilot.envs import ActionRejected, Custom, EnvLost, Modality, Thinking
from omnipilot.envs.remote.osworld import OSWorldWorld

mcpserver = pytest.importorskip("mcp.server.mcpserver", reason="the SDK of MCP, version 2, is not installed")
uvicorn: Any = pytest.importorskip("uvicorn")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    tools = mcpserver.MCPServer("tools")

    @tools.tool(name="os.add")
    def add(first: int, second: int = 1) -> str:
        """Add two numbers."""
        return f"the sum is {first + second}"

    @tools.tool(name="os.fail")
    def fail() -> str:
        """Fail."""
        raise ValueError("the disk is full")

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(tools.streamable_http_app(), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < until
        time.sleep(0.05)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join(10)


def test_a_tool_is_a_verb_and_its_answer_is_told(url: str, tmp_path: Path) -> None:
    machine = OSWorldServer(tmp_path)
    world = OSWorldWorld(machine.url, Thinking(), settle=0.0)
    try:
        assert "custom" not in world.desktop.verbs
        world.desktop.offer(offer_tools(url))
        assert set(world.desktop.custom) == {"os_add", "os_fail"}
        assert world.desktop.custom["os_add"].description == "Add two numbers."
        world.desktop.act(Custom("os_add", {"first": 2, "second": 3}))
        seen = world.desktop.observe({Modality.CONTEXT}, 0.0).context
        assert "os_add answered: the sum is 5" in seen.title
        with pytest.raises(ActionRejected, match="first"):
            world.desktop.act(Custom("os_add", {}))
        with pytest.raises(ActionRejected, match=r"os\.fail failed"):
            world.desktop.act(Custom("os_fail", {}))
        with pytest.raises(ActionRejected, match="no verb 'os_open'"):
            world.desktop.act(Custom("os_open", {}))
        assert "answered" not in world.desktop.observe({Modality.CONTEXT}, 0.0).context.title
    finally:
        world.close()
        machine.close()


def test_a_server_that_is_not_there_is_lost() -> None:
    with pytest.raises(EnvLost, match="MCP server"):
        offer_tools("http://127.0.0.1:9/mcp")
