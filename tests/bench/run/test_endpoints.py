"""All workers of a run ask a server together: its limits hold for them all, and what they wait for is no work."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request, Status
from toy_suite import FOLDER, toy_spec, workers

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import ModelCalled
from omnipilot.bench.run import run
from omnipilot.bench.run.config import parse_settings, unasked_limits
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import ConfigError
from omnipilot.memory.models.broker.broker import Broker
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable

PRESS = '{"thought": "One more.", "actions": [{"kind": "press", "keys": ["enter"]}]}'


def played(
    folder: Path, urls: str, jobs: int, trials: int, broker: Broker | None = None, turns: int = 3, **options: object
) -> tuple[list[ModelCalled], list[str], float]:
    """The calls of a run of toy tasks, how its episodes ended, and the seconds between its first and its last call."""
    model = {"model": "openai-compatible/scripted", "url": urls, "price_in": 0.0, "price_out": 0.0, **options}
    spec = toy_spec("count", trials=trials)
    spec = RunSpec(
        AgentSpec(planner=PartSpec("json", model)), spec.suite, tasks=spec.tasks, trials=trials,
        limits=RunLimits(turns=turns, actions=0),
    )  # fmt: skip
    result = run(spec, folder, RunExecution(jobs, broker=broker or Broker()))
    calls = [event for event in read(folder) if isinstance(event, ModelCalled)]
    return calls, [episode.reason for episode in result.episodes], result.seconds


class Slow(ChatServer):
    """Takes so many seconds for an answer."""

    def __init__(self, seconds: float, answer: Behaviour | None = None) -> None:
        def script(request: Request) -> Behaviour:
            self.pause(seconds)
            return answer or Answer(PRESS)

        super().__init__(script)


@pytest.mark.slow
def test_no_more_requests_are_in_flight_than_allowed_and_waiting_is_told(tmp_path: Path) -> None:
    broker = Broker(LimitTable((("", EndpointLimits(in_flight=2)),)))
    with Slow(0.1) as server:
        calls, reasons, seconds = played(tmp_path / "run", server.url, 4, 4, broker)
        assert server.most_under_way == 2
    assert reasons == ["success"] * 4 and len(calls) == 12
    # Twelve calls of 0.1 s, two at a time: the others waited, which is in no usage.
    assert sum(call.waited for call in calls) > 0.3
    assert all(call.usage["seconds"] < 0.1 + seconds / 2 for call in calls)
    assert [(one.in_flight, one.waiting) for one in broker.standing()] == [(0, 0)]


@pytest.mark.slow
def test_a_server_that_is_asked_too_much_is_asked_less_and_no_episode_is_lost(tmp_path: Path) -> None:
    refused = threading.Event()
    lock, under_way = threading.Lock(), [0]

    def script(request: Request) -> Behaviour:
        with lock:
            under_way[0] += 1
            crowded = under_way[0] > 2
        time.sleep(0.1)
        with lock:
            under_way[0] -= 1
        if crowded:
            refused.set()
            return Status(429, headers={"Retry-After": "0"})
        return Answer(PRESS)

    broker = Broker()
    with ChatServer(script) as server:
        # Without a broker one attempt is not enough where more than two ask at once.
        calls, reasons, _ = played(tmp_path / "run", server.url, 4, 4, broker, retries=0)
    assert reasons == ["success"] * 4 and len([call for call in calls if not call.problem]) == 12
    (standing,) = broker.standing()
    assert (standing.in_flight, standing.waiting) == (0, 0)
    assert (standing.window is not None and standing.window <= 2) == refused.is_set()


@pytest.mark.slow
def test_a_worker_that_is_killed_gives_its_permit_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    broker = Broker(LimitTable((("", EndpointLimits(in_flight=1)),)))
    killed: list[int] = []
    asked = threading.Event()

    def script(request: Request) -> Behaviour:
        asked.set()
        server.pause(0.0 if killed else 60.0)
        return Answer(PRESS)

    def kill(standing: Standing) -> None:
        if asked.is_set() and not killed:
            # One of them has the only permit, and nobody knows which: with both, it is lost for sure.
            killed.extend(workers(tmp_path))
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    with ChatServer(script) as server:
        model = {"model": "openai-compatible/scripted", "url": server.url, "price_in": 0.0, "price_out": 0.0}
        spec = toy_spec("count", trials=4)
        spec = RunSpec(AgentSpec(planner=PartSpec("json", model)), spec.suite, tasks=spec.tasks, trials=4)
        result = run(spec, tmp_path / "run", RunExecution(2, on_progress=kill, broker=broker))
    reasons = sorted(episode.reason for episode in result.episodes)
    assert len(killed) == 2 and reasons == ["success", "success", "void", "void"]
    assert [(one.in_flight, one.waiting) for one in broker.standing()] == [(0, 0)]


def test_an_episode_asks_one_replica_and_all_replicas_are_asked(tmp_path: Path) -> None:
    with ChatServer([Answer(PRESS)]) as one, Slow(0.05) as other:
        calls, reasons, _ = played(tmp_path / "run", f"{one.url},{other.url}", 0, 12)
        asked = [sum(request.method == "POST" for request in server.requests) for server in (one, other)]
    # Each episode makes three calls, and makes them all at one of the two.
    assert set(reasons) == {"success"} and sum(asked) == len(calls) == 36
    assert all(number and not number % 3 for number in asked)


def test_an_endpoints_limit_is_a_setting() -> None:
    settings = parse_settings({"endpoint_limit": ["http://here/v1=rpm:60", "in-flight:3"]})
    assert isinstance(RunExecution.of(settings, []).broker, Broker)
    with pytest.raises(ConfigError, match="rpm:N"):
        parse_settings({"endpoint_limit": "60 a minute"})


def test_a_limit_of_a_place_where_no_model_is_asked_is_warned_of() -> None:
    urls = "http://one/v1,http://Two/v1/"
    model = {"model": "openai-compatible/scripted", "url": urls, "price_in": 0.0, "price_out": 0.0}
    spec = replace(toy_spec("count"), agent=AgentSpec(planner=PartSpec("json", model)))

    def warnings(*limits: str) -> list[str]:
        return unasked_limits(RunSettings(endpoint_limit=list(limits)), [spec])

    right = ["http://one/v1/=rpm:5", "HTTP://two/v1=rpm:5", "openai-compatible=rpm:5", "rpm:6"]
    assert warnings() == warnings(*right) == []
    (url, name) = warnings("http://one=rpm:5", "opanai=rpm:5", *right)
    asked = (
        "no model that is known beforehand is asked there; asked are http://one/v1, http://two/v1, openai-compatible"
    )
    assert url == f"--endpoint-limit http://one: {asked}" and name == f"--endpoint-limit opanai: {asked}"
