"""What a fleet does, waits for, and will take and cost, from made-up journals and files of workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from toy_suite import toy_spec

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.commands.status import status_lines
from omnipilot.bench.journal.events import EpisodeStarted, ModelCalled
from omnipilot.bench.journal.journal import read
from omnipilot.bench.live.fleet import fleet
from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.live.status import run_status
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.executors.workers_file import FleetState, WorkerState
from omnipilot.bench.run.progress import Standing
from omnipilot.memory.models.broker.broker import Broker, EndpointStanding
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable

PRESS = '{"thought": "on", "actions": [{"kind": "press", "keys": ["enter"]}]}'


def begun(tmp_path: Path, ended: int) -> OngoingRun:
    """A run of four episodes, told up to the start of the one after so many that ended."""
    if not (tmp_path / "run").exists():
        run(toy_spec("count", trials=4), tmp_path / "run")
    found = OngoingRun()
    for number, event in enumerate(read(tmp_path / "run"), 1):
        found.take(number, event)
        if isinstance(event, EpisodeStarted) and found.ended == ended:
            break
    return found


def test_time_left_is_unknown_before_the_first_end_and_then_follows_from_durations_and_jobs(tmp_path: Path) -> None:
    none, two = begun(tmp_path, 0), begun(tmp_path, 2)
    assert none.figures(True, 0.0)["left"] is None and none.figures(True, 0.0)["expected"] is None
    # Two that ended took 60 s each; of the two that are left one has been played for 20 s.
    [playing] = two.doing.values()
    two.seconds, now = 120.0, playing.started.wall + 20.0
    assert two.figures(True, now)["left"] == pytest.approx(100.0)
    assert two.figures(True, now, jobs=2)["left"] == pytest.approx(50.0)
    assert two.figures(True, now, jobs=16)["left"] == pytest.approx(50.0), "more workers than episodes"
    assert two.figures(False, now)["left"] is None


def test_money_is_expected_from_what_ended_episodes_cost(tmp_path: Path) -> None:
    two = begun(tmp_path, 2)
    [playing] = two.doing.values()
    two.paid, playing.paid, two.spending.paid = 2.0, 0.25, 2.25
    assert two.figures(True, 0.0)["expected"] == pytest.approx(4.0)
    playing.paid, two.spending.paid = 3.0, 5.0
    assert two.figures(True, 0.0)["expected"] == pytest.approx(5.0), "one that costs more than two"


def test_each_worker_says_what_it_waits_for(tmp_path: Path) -> None:
    one = begun(tmp_path, 0)
    [(key, attempt)] = one.doing
    place = EndpointStanding("http://here/v1", 3, 5, 8, 600)
    said = (
        WorkerState("plays", key, attempt, 4.0, "http://here/v1", True),
        WorkerState("starts", "", 0, 1.0),
        WorkerState("waits", "", 0, 2.0),
    )
    told = fleet(one, FleetState(said, (place,)), True, 0.0)
    first, *others = told["workers"]
    assert (first["key"], first["turn"], first["quiet"]) == (key, 1, 4.0)
    assert first["waits"] == "waits to ask http://here/v1"
    assert [other["doing"] for other in others] == ["starts", "waits"] and "turn" not in others[0]
    assert fleet(one, None, True, 0.0)["workers"][0]["quiet"] is None
    assert fleet(one, FleetState(said, (place,)), False, 0.0)["endpoints"] == []
    lines = status_lines({**told, "run": "runs/a", "name": "toy", "shard": "", "state": "going", "seconds": 3.0})
    assert "how long is left is unknown until an episode ends" in lines[1]
    assert lines[2].endswith("waits to ask http://here/v1")
    assert lines[-1] == "  http://here/v1: 3 of 8 in flight, 5 waiting · 600 requests a minute"


@pytest.mark.slow
def test_a_run_that_goes_on_says_what_waits_for_which_endpoint_and_whose_price_is_unknown(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def look(_: Standing) -> None:
        if (tmp_path / "run/workers.json").exists():
            seen.append(run_status(tmp_path / "run"))

    def slow(_: object) -> Answer:
        server.pause(1.5)
        return Answer(PRESS)

    broker = Broker(LimitTable((("", EndpointLimits(in_flight=1)),)))
    with ChatServer(slow) as server:
        model = {"model": "openai-compatible/scripted", "url": server.url}
        spec = toy_spec("count", trials=2)
        spec = RunSpec(AgentSpec(planner=PartSpec("json", model)), spec.suite, tasks=spec.tasks, trials=2)
        run(spec, tmp_path / "run", RunExecution(2, on_progress=look, broker=broker))
    waiting = [{one["waits"].split(" http")[0] for one in told["workers"]} for told in seen]
    assert {"waits to ask", "waits for an answer of"} in waiting
    places = [place for told in seen for place in told["endpoints"]]
    assert any((one["in_flight"], one["waiting"], one["window"]) == (1, 1, 1) for one in places)
    told = run_status(tmp_path / "run")
    calls = sum(isinstance(event, ModelCalled) for event in read(tmp_path / "run"))
    assert told["unpriced"] == calls > 0 and "is unknown and in no sum" in status_lines(told)[1]
