"""Model servers are looked for before the first episode, and only where a part would ask one."""

from __future__ import annotations

import socket

import pytest
from chat_server import ChatServer

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.run.servers import server_mistakes


def agent(url: str, **options: object) -> AgentSpec:
    return AgentSpec(planner=PartSpec("function-calling", {"model": "hosted_vllm/tiny", "url": url, **options}))


@pytest.fixture
def dead() -> str:
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{once.getsockname()[1]}/v1"


def test_nobody_who_answers_is_told_once_with_the_command(dead: str) -> None:
    planner = agent(dead).planner
    (mistake,) = server_mistakes(AgentSpec(planner=planner, critic=planner))
    port = dead.removesuffix("/v1").rpartition(":")[2]
    assert f"no server answers at {dead} (connection refused)" in str(mistake)
    assert f"`vllm serve tiny --port {port}`, or correct --planner-url" in str(mistake)


def test_a_part_that_replays_needs_no_server_and_one_without_a_url_is_not_asked_for(dead: str) -> None:
    assert server_mistakes(agent(dead, cassette="calls", replay=True)) == []
    assert server_mistakes(agent("")) == server_mistakes(AgentSpec(planner=PartSpec("noop"))) == []


def test_a_server_is_asked_for_its_models_only_where_its_url_has_no_path() -> None:
    with ChatServer() as server:
        assert server_mistakes(agent(server.url)) == [] and server.requests == []
        (mistake,) = server_mistakes(agent(server.url.removesuffix("/v1")))
        assert str(mistake).endswith(f"did you mean --planner-url {server.url}?")
        pointing = PartSpec("vllm", {"model": "tiny", "url": server.url.removesuffix("/v1")})
        (mistake,) = server_mistakes(AgentSpec(planner=PartSpec("noop"), grounder=pointing))
        assert str(mistake).endswith(f"did you mean -o grounder.url={server.url}?")


def test_where_a_proxy_asks_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert server_mistakes(agent("http://models.invalid:8000/v1")) == []
