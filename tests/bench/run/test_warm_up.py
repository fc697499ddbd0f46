"""What a worker does once is no episode's time: models are loaded and clients opened before the first clock runs."""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from chat_server import ChatServer
from slow_start import MARKS, SLOW, WarmPlanner
from toy_suite import toy_spec

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.bench import Episode
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import TurnTaken
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import ConfigError, Thinking
from omnipilot.grounders import CascadeGrounder, VoteGrounder, ZoomGrounder
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.warm_up import warm_up
from omnipilot.planners.chat import RelayThinker

QUICK = SLOW / 3
"""Seconds that no decision without a slow start takes."""


def played(tmp_path: Path, planner: PartSpec, jobs: int = 1, **changes: Any) -> tuple[list[float], tuple[Episode, ...]]:
    """Seconds of the first decision of each episode, and the episodes."""
    spec = replace(toy_spec("count", trials=2), thinking=Thinking("measured"), **changes)
    spec = replace(spec, agent=AgentSpec(planner=planner))
    episodes = run(spec, tmp_path / "run", RunExecution(jobs)).episodes
    turns = [event for event in read(tmp_path / "run") if isinstance(event, TurnTaken)]
    return [turn.seconds for turn in turns if turn.turn == 0], episodes


@pytest.mark.slow
def test_the_first_decision_of_a_worker_is_charged_no_more_than_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MARKS, str(tmp_path))
    first, episodes = played(tmp_path, PartSpec("slow_start:Prepared"), jobs=2)
    assert len(first) == 2 and max(first) < QUICK
    assert all(episode.success for episode in episodes)
    marks = [mark for mark in tmp_path.iterdir() if mark.name.endswith(("-0", "-1"))]
    assert 1 <= len(marks) <= 2 and all(mark.name.endswith("-0") for mark in marks), "once a worker"


@pytest.mark.slow
def test_without_warming_up_the_first_decision_is_slow(tmp_path: Path) -> None:
    first, _ = played(tmp_path, PartSpec("slow_start:Unprepared"))
    assert first[0] > SLOW > QUICK > first[1]


@pytest.mark.slow
def test_a_limit_of_seconds_does_not_count_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARKS, str(tmp_path))
    _, episodes = played(tmp_path, PartSpec("slow_start:Prepared"), limits=RunLimits(seconds=SLOW * 0.9))
    assert [episode.reason for episode in episodes] == ["success", "success"]


@pytest.mark.slow
def test_a_server_that_is_down_makes_episodes_void_and_no_run_fail(tmp_path: Path) -> None:
    _, episodes = played(tmp_path, PartSpec("slow_start:Down"))
    assert [episode.void for episode in episodes] == [True, True]
    assert "is the server running?" in episodes[0].detail


LITELLM = '''
"""Slow to import and slow at its first call, as litellm is; speaks to whoever answers at the address it is given."""

import json, os, socket, time, types, urllib.parse

time.sleep({slow})
model_cost = {{}}
provider_list = ["lm_studio"]
calls = []

async def acompletion(**asked):
    if not calls:
        time.sleep({slow})
    calls.append(asked)
    where = urllib.parse.urlparse(asked["api_base"])
    socket.create_connection((where.hostname, where.port)).close()
    with open({log!r}, "a") as file:
        file.write(json.dumps([os.getpid(), asked["api_key"]]) + "\\n")
    function = types.SimpleNamespace(name="press", arguments='{{"keys": ["enter"]}}')
    message = types.SimpleNamespace(content="", tool_calls=[types.SimpleNamespace(function=function)])
    usage = types.SimpleNamespace(prompt_tokens=1, completion_tokens=1)
    choice = types.SimpleNamespace(message=message, finish_reason="tool_calls")
    return types.SimpleNamespace(choices=[choice], usage=usage, model="slow")

def get_llm_provider(model, api_base=None):
    provider, _, name = model.partition("/")
    return name, provider, None, None

class UnsupportedParamsError(Exception):
    pass

utils = types.SimpleNamespace(get_optional_params=dict, UnsupportedParamsError=UnsupportedParamsError)

def validate_environment(*_, **__):
    return {{"missing_keys": []}}
'''


@pytest.mark.slow
def test_litellm_is_imported_and_its_client_open_before_the_first_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    from omnipilot.memory.models.litellm import library as llm_litellm

    library, log = tmp_path / "library", tmp_path / "asked"
    library.mkdir()
    (library / "litellm.py").write_text(LITELLM.format(slow=SLOW, log=str(log)))
    monkeypatch.syspath_prepend(str(library))
    # This process, too, asks it which providers there are; it must not stay for other tests.
    monkeypatch.setitem(sys.modules, "litellm", ModuleType("litellm"))
    del sys.modules["litellm"]
    request.addfinalizer(llm_litellm.library.cache_clear)
    llm_litellm.library.cache_clear()
    with ChatServer() as server:
        options = {"model": "lm_studio/slow", "url": server.url, "price_in": 0.0, "price_out": 0.0}
        first, episodes = played(tmp_path, PartSpec("function-calling", options))
    assert [episode.success for episode in episodes] == [True, True], [episode.detail for episode in episodes]
    assert max(first) < QUICK
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(asked) == sum(episode.usage.calls for episode in episodes), "only what is charged was asked"
    assert all(pid != os.getpid() and key != "rehearsal" for pid, key in asked)


@pytest.mark.needs("omnipilot[llm]")
def test_the_true_litellm_is_rehearsed_without_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.memory.models.litellm import library as llm_litellm

    asked: list[str] = []
    ask = llm_litellm.ask

    def noted(request: Any, seconds: float) -> Any:
        asked.append(request["api_base"])
        return ask(request, seconds)

    monkeypatch.setattr(llm_litellm, "ask", noted)
    with ChatServer() as server:
        model = ChatModel(LlmEndpoint("lm_studio/scripted", server.url, price_in=0, price_out=0))
        model.warm_up()
        assert len(asked) == 1 and asked[0].startswith("http://127.0.0.1:") and asked[0] != server.url
        assert server.connections == 0
        assert model.complete([Message("user", ("Where?",))]).text == "(500, 500)"


@pytest.mark.needs("omnipilot[llm]")
@pytest.mark.slow
def test_a_model_is_preloaded_without_a_request_and_without_a_thread() -> None:
    with ChatServer() as server:
        model = ChatModel(LlmEndpoint("lm_studio/scripted", server.url, price_in=0, price_out=0))
        before = threading.active_count()
        model.preload()
        assert "litellm" in sys.modules and threading.active_count() == before and server.connections == 0
        assert model.complete([Message("user", ("Where?",))]).text == "(500, 500)"


def test_a_connection_is_opened_and_nothing_asked_over_it() -> None:
    with ChatServer() as server:
        client = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url))
        client.warm_up()
        client.warm_up()
        assert server.wait_for(lambda it: it.connections == 1) and server.requests == []
        client.complete([Message("user", ("Where?",))])
        assert (server.connections, len(server.requests)) == (1, 1)
        client.close()
    gone = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, retries=0))
    gone.warm_up()
    with pytest.raises(ModelUnavailable, match="is the server running"):
        gone.complete([Message("user", ("Where?",))])


class Part:
    needs = reads = modalities = frozenset[Any]()
    annotates = False

    def __init__(self, error: Exception | None = None) -> None:
        self.warm, self.error = 0, error

    def warm_up(self) -> None:
        self.warm += 1
        if self.error is not None:
            raise self.error


def test_what_is_made_of_parts_warms_them_all_also_after_one_that_cannot() -> None:
    parts: list[Any] = [Part(ModelUnavailable("down")), Part(ConfigError("no key")), Part()]
    warm_up(object(), None, CascadeGrounder(parts), ZoomGrounder(parts[2]), VoteGrounder(parts[2]))
    warm_up(RelayThinker(parts[2]))
    assert [part.warm for part in parts] == [1, 1, 4]
    with pytest.raises(ZeroDivisionError):
        warm_up(Part(ZeroDivisionError("a bug")))


@pytest.mark.parametrize("system", ["single", "by-function", "by-environment"])
def test_an_agent_warms_up_all_of_its_parts(system: str) -> None:
    warmed = WarmPlanner.warmed
    warmed.clear()
    warm = PartSpec("slow_start:WarmPlanner")
    spec = AgentSpec(system, warm, tool_agent=None if system == "single" else warm, loops=PartSpec("repeats"))
    agent = build(spec)
    inner: Any = agent
    while hasattr(inner, "agent"):
        inner = inner.agent
    grounder, memory = Part(), Part()
    inner.grounder, inner.memory = grounder, memory
    warm_up(agent)
    workers = {"single": 0, "by-function": 1, "by-environment": 2}[system]
    assert len(warmed) == 1 + workers and (grounder.warm, memory.warm) == (1, 1)
    if system != "single":
        job = inner.jobs[0]
        assert inner._worker_for(*job) is warmed[1] and inner._worker_for(*job) is not warmed[1]
