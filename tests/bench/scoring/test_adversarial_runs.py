"""Runs on recorded episodes that go wrong: what counts as void, as wrong and as missing, and whose data it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_parts import make_part

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.spec import RunLimits
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omnigui.sample import write as mini_omnigui
from omnipilot.envs import Click, ConfigError, Point, Wait
from omnipilot.memory import MalformedReply, ModelUnavailable, Move, Usage
from omnipilot.planners import Brief, Decision, Planner, Request

KINDS = ("omnigui", "android-control")
TASKS = {"omnigui": ("clock_1", "messages_1"), "android-control": ("episode_140", "episode_1182")}


class Odd(Planner):
    """A planner that pays 100 tokens a turn, and from its second turn on does what it is told to do."""

    def __init__(self, then: str = "") -> None:
        self.then, self.turns = then, 0

    def begin(self, brief: Brief) -> None:
        self.turns = 0

    def plan(self, request: Request) -> Decision:
        self.turns += 1
        if self.turns > 1 and self.then == "gone":
            raise ModelUnavailable("the model is gone")
        if self.then == "unreadable":
            raise MalformedReply("so many words")
        if self.then == "nothing":
            return Decision(())
        env = next(iter(request.observations))
        return Decision((Move(env, Click(Point(0.5, 0.5))), Move(env, Wait(1.0))), usage=Usage(calls=1, tokens_out=100))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    mini_omnigui.write(folder / "omnigui")
    mini_android_control.write(folder / "all")
    (folder / "all" / "rows").rename(folder / "android-control")
    return folder


def played(data: Path, kind: str, then: str, out: Path, **more: Any) -> Scored:
    suite = PartSpec(kind, {"data": str(data / kind)})
    spec = RunSpec(AgentSpec(planner=PartSpec(f"{__name__}:Odd", {"then": then})), suite, tasks=TASKS[kind])
    run(replace(spec, **more), out)
    rules = make_part(BENCHMARKS, kind)
    found: Scored = rules.score(str(data / kind), out, rules.variants[0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_agent_brings_upon_itself_is_wrong_and_never_void(data: Path, tmp_path: Path, kind: str) -> None:
    every = played(data, kind, "unreadable", tmp_path / "unreadable")
    steps = every.figures[0].of
    for then, limits in (("nothing", RunLimits()), ("", RunLimits(tokens=100)), ("", RunLimits(turns=1, actions=1))):
        found = played(data, kind, then, tmp_path / f"{then}{limits.tokens}{limits.turns}", limits=limits)
        for figure in (*found.figures, *every.figures):
            assert figure.void == 0
        assert found.figures[0].of == steps and found.missing == found.extra == ()
    assert every.figures[0].value == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_lost_model_makes_the_whole_episode_void(data: Path, tmp_path: Path, kind: str) -> None:
    found = played(data, kind, "gone", tmp_path / "run")
    for figure in found.figures:
        assert figure.void == figure.of and not figure.value
    assert found.missing


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_of_several_trials_the_first_is_scored_and_the_report_says_so(data: Path, tmp_path: Path, kind: str) -> None:
    found = played(data, kind, "", tmp_path / "run", trials=2)
    assert "of its 2 trials, only the first is scored" in found.notes and found.missing == ()


@pytest.mark.slow
def test_a_run_is_scored_on_the_data_it_was_run_on(data: Path, tmp_path: Path) -> None:
    mini_omniact.write(tmp_path / "omniact")
    listed = tmp_path / "omniact" / "test.json"
    entries = json.loads(listed.read_text())
    listed.write_text(json.dumps(dict(list(entries.items())[:4])))
    suite = PartSpec("omniact", {"data": str(tmp_path / "omniact")})
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite), tmp_path / "run")
    names = ("omniact", "omniact-os-atlas")
    for name in names:
        assert make_part(BENCHMARKS, name).score(str(tmp_path / "omniact"), tmp_path / "run", "release").missing == ()
    listed.write_text(json.dumps(dict(list(entries.items())[:5])))
    for name in names:
        with pytest.raises(
            ConfigError, match="was run on version .* of the suite, but this data .* give the data that it was run on"
        ):
            make_part(BENCHMARKS, name).score(str(tmp_path / "omniact"), tmp_path / "run", "release")
    played(data, "android-control", "nothing", tmp_path / "ac")
    with pytest.raises(ConfigError, match="was run on version"):
        make_part(BENCHMARKS, "android-control").score(str(data / "all"), tmp_path / "ac", "release")
    for name in ("crab", "omnibench"):
        with pytest.raises(ConfigError, match=f"is a run of suite omniact, not of {name}"):
            make_part(BENCHMARKS, name).score("", tmp_path / "run", "paper")
