"""A budget for a whole run: it stops, says so, and goes on with a larger one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Request
from made_settings import spec_of
from served_roles import MOVES, TASK, brain
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import Interrupted, ModelCalled, StepTaken, TurnTaken
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.spending import Spending
from omnipilot.envs import ConfigError

CALL = (100 * 2 + 10 * 8) / 1e6
"""Dollars of one answer of the scripted model, at the prices below."""
PRICES = ("planner.price_in=2", "planner.price_out=8", "planner.tools=per-device", "planner.thought=text")


def forgetful() -> Callable[[Request], Any]:
    """The scripted model, which begins anew with each episode: with the first request that has no answer in it."""
    now = brain()

    def answer(request: Request) -> Any:
        nonlocal now
        if all(message["role"] != "assistant" for message in request.json["messages"]):
            now = brain()
        return now(request)

    return answer


def settings(server: ChatServer) -> dict[str, Any]:
    return {"suite": "duet", "tasks": TASK, "planner": "openai/scripted", "planner_url": server.url}


def asked(server: ChatServer, *more: str) -> list[str]:
    flags = [word for name, value in settings(server).items() for word in (f"--{name.replace('_', '-')}", value)]
    return [*flags, *(word for price in PRICES for word in ("-o", price)), "--jobs", "0", *more]


def invoke(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 1])
def test_a_run_stops_at_its_budget_and_goes_on_with_a_larger_one(tmp_path: Path, jobs: int) -> None:
    out = tmp_path / "run"
    with ChatServer(forgetful()) as server:
        spec = spec_of({}, settings(server), PRICES)
        first = run(spec, out, RunExecution(jobs, spending=Spending.of_runs(3 * CALL, [out])))
        # Whole calls are paid: the third one used it up. A worker may have begun the next before it heard of it.
        assert 3 <= len(server.requests) <= 3 + jobs
        assert (first.over_budget, first.interrupted, first.left, first.episodes) == (True, False, 1, ())
        calls = len(server.requests)
        spent = Spending.of_runs(3 * CALL, [out])
        assert spent.paid >= 3 * CALL - 1e-12 and spent.used_up
        assert not run(spec, out, RunExecution(jobs, spending=spent)).episodes and len(server.requests) == calls
        larger = Spending.of_runs(1.0, [out])
        again = run(spec, out, RunExecution(jobs, spending=larger))
        assert [episode.success for episode in again.episodes] == [True] and not again.over_budget
        # What was cut off was paid, too.
        assert larger.paid == pytest.approx(CALL * (spent.paid / CALL + len(MOVES)))
    stops = [event.reason for event in read(out) if isinstance(event, Interrupted)]
    assert stops == ["budget"]


def test_the_command_says_what_was_spent_and_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with ChatServer(forgetful()) as server:
        code, said = invoke("run", *asked(server, "--out", str(out), "--budget", "0.0005"))
        assert code == 3 and "stopped at the budget: $0.0006 of $0.0005" in said and "1 episode is left" in said
        code, said = invoke("run", *asked(server, "--out", str(out), "--budget", "0.1"))
        assert code == 0 and "1/1  100.0" in said and "stopped" not in said


@pytest.mark.slow
def test_a_sweep_has_one_budget_for_all_its_cells(tmp_path: Path) -> None:
    with ChatServer(forgetful()) as server:
        most = f"{CALL * (len(MOVES) + 2):.6f}"
        cells = ("--memory", "none", "--memory", "window", "--out", str(tmp_path / "sweep"))
        code, said = invoke("sweep", *asked(server, *cells, "--budget", most))
        assert code == 3 and "stopped at the budget" in said
        assert len(server.requests) == len(MOVES) + 2
        code, said = invoke("sweep", *asked(server, *cells, "--budget", "0.1"))
        assert code == 0 and len(server.requests) == 2 * len(MOVES) + 2


def test_replayed_calls_cost_nothing_and_older_journals_count_by_turns() -> None:
    usage = {"tokens_in": 1, "tokens_out": 1, "cost": 0.25, "seconds": 0.0}
    spending = Spending(1.0)
    for replayed in (False, True):
        spending.take(ModelCalled("a#0.0", 1, 0, 0, 0, "planner", "m", {}, "", {}, "", usage, replayed))
    assert spending.paid == 0.25
    spending.take(TurnTaken("a#0.0", 1, 0, {}, "", [], [], usage, 0.0))
    assert spending.paid == 0.25, "counted by its call already"
    spending.take(TurnTaken("b#0.0", 1, 0, {}, "", [], [], usage, 0.0))
    step = StepTaken("b#0.0", 1, 0, 0, "", None, None, "done", "", True, None, [], 0, 0, usage, [], 0, {})
    spending.take(step)
    assert spending.paid == 0.75 and not spending.used_up
    spending.take(ModelCalled("a#0.0", 1, 0, 1, 0, "planner", "m", {}, "", {}, "", {**usage, "cost": None}))
    assert spending.paid == 0.75


def test_a_budget_needs_known_prices() -> None:
    flags = {"suite": "duet", "planner": "openai-compatible/mine", "planner_url": "http://127.0.0.1:1/v1"}
    with pytest.raises(ConfigError, match=r"a budget of \$2 cannot be enforced: the price of openai-compatible/mine"):
        check_cost(spec_of({}, flags), budget=2.0)
    check_cost(spec_of({}, flags), waived=True, budget=2.0)
    with pytest.raises(ConfigError, match="budget must be more than 0"):
        spec_of({}, {**flags, "budget": 0.0})


def test_messages_are_all_or_none() -> None:
    with pytest.raises(ConfigError, match="messages must be all or none"):
        spec_of({}, {"suite": "duet", "messages": "some"})
    kept, bare = (spec_of({}, {"suite": "duet", "messages": which}) for which in ("all", "none"))
    assert json.dumps(kept.to_json()) == json.dumps(bare.to_json()), "no part of a run's identity"
