"""Runs over questions of MMBench-GUI level 1: baselines, served models in every agent system, and their scores."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Request
from mmbench_l1_made import data, item
from served_duet import words
from served_roles import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec, load_run
from omnipilot.bench.run import run
from omnipilot.bench.suites.mmbench_gui.level1 import sample as mini_mmbench_l1
from omnipilot.bench.suites.mmbench_gui.level1.data import load
from omnipilot.bench.suites.mmbench_gui.level1.score import MMBenchL1Score
from omnipilot.bench.suites.mmbench_gui.level1.suite import question_prompt
from omnipilot.envs import ConfigError

SUITE = "omnipilot.bench.suites.mmbench_gui.level1.suite:MMBenchL1"


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mmbench-l1")
    mini_mmbench_l1.write(folder)
    return folder


def a_run(where: Path, out: Path, planner: str, **options: Any) -> float:
    """The share of questions that a planner gets right, by the harness itself."""
    suite = PartSpec(SUITE, {"data": str(where), **options})
    run(RunSpec(AgentSpec(planner=PartSpec(planner)), suite), out)
    episodes = load_run(out).episodes
    assert {(episode.turns, episode.total) for episode in episodes} == {(1, 1)}
    return sum(episode.success for episode in episodes) / len(episodes)


@pytest.mark.slow
def test_the_oracle_knows_all_doing_nothing_nothing_and_the_score_is_the_share_of_successes(
    mini: Path, tmp_path: Path
) -> None:
    always = {"planner": PartSpec("mmbench_l1_made:Guesses", {"says": "Bad idea"})}
    spec = RunSpec(AgentSpec(**always), PartSpec(SUITE, {"data": str(mini)}))
    run(spec, tmp_path / "guesses")
    assert a_run(mini, tmp_path / "oracle", "oracle") == 1
    assert a_run(mini, tmp_path / "noop", "noop", mode="hard") == 0
    rates = {"guesses": 0.0, "oracle": 1.0, "noop": 0.0}
    episodes = load_run(tmp_path / "guesses").episodes
    rates["guesses"] = sum(episode.success for episode in episodes) / len(episodes)
    assert 0 < rates["guesses"] < 0.5
    for name, rate in rates.items():
        found = MMBenchL1Score().score(str(mini), tmp_path / name)
        assert not found.missing and not found.bad and not found.extra
        figure = found.figures[-2]
        assert (figure.value, figure.of, figure.void) == (pytest.approx(rate), 14 if name == "noop" else 42, 0)
    # An oracle gets what can be got; the first letter of a word is no option when the parser is mended.
    assert MMBenchL1Score().score(str(mini), tmp_path / "oracle", "weighted-paper").figure("easy").value < 0.85
    fixed = MMBenchL1Score().score(str(mini), tmp_path / "guesses", "fixed")
    assert (fixed.figure("all levels").value, fixed.figure("unparsed").value) == (0, 1)


def test_a_run_of_some_questions_is_scored_over_those_and_other_data_is_refused(mini: Path, tmp_path: Path) -> None:
    spec = RunSpec(
        AgentSpec(planner=PartSpec("oracle")),
        PartSpec(SUITE, {"data": str(mini)}),
        tasks=("3-easy", "4-hard"),
        trials=2,
    )
    run(spec, tmp_path / "run")
    found = MMBenchL1Score().score(str(mini), tmp_path / "run")
    assert [(figure.name, figure.of) for figure in found.figures[:2]] == [("easy", 1), ("hard", 1)]
    assert any("2 trials" in note for note in found.notes)
    data(tmp_path / "other", [item(3), item(4)])
    with pytest.raises(ConfigError, match="was run on other annotations"):
        MMBenchL1Score().score(str(tmp_path / "other"), tmp_path / "run")


def model(where: Path, wrong: frozenset[str]) -> Any:
    """A model that knows the letters, for every role of every agent system; of some questions it does not."""
    questions = load(str(where)).loaded.items

    def answer(request: Request) -> Answer:
        text = words(request)
        known = [one for one in questions if question_prompt(one) in text]
        letter = "?" if not known or known[0].id in wrong else known[0].answer
        tools = {tool["function"]["name"] for tool in request.json.get("tools", ())}
        if not tools:
            return Answer(f"Next: answer <{letter}>.")
        told = re.findall(r"Next: answer <(.)>", text)
        if "answer" not in tools:
            return Answer("", (("noop", "{}"),))
        return Answer("", (("answer", json.dumps({"text": told[-1] if told else letter})),))

    return answer


@pytest.mark.slow
@pytest.mark.parametrize("system", ["single", "by-function", "by-environment"])
def test_agents_are_asked_over_http_and_shown_the_screenshot_alone(mini: Path, tmp_path: Path, system: str) -> None:
    with ChatServer(model(mini, frozenset({"0-easy", "7-easy"}))) as server:
        done = omnipilot(
            *("run", "--suite", SUITE, "-o", f"suite.data={mini}", "-o", "suite.mode=easy", "--agent", system),
            *("--planner", "openai/scripted", "--planner-url", server.url, "--modalities", "screenshot"),
            *("--out", str(tmp_path / "run")),
        )
    assert done.returncode == 0, done.stderr
    assert "12/14" in done.stdout
    explanations = [one["groups"][0]["explanation"] for one in json.loads((mini / "L1_annotations.json").read_text())]
    for request in server.requests:
        assert not any(text in words(request) for text in explanations)
        # What was right in the question before is known by now, and none of it may come along.
        assert [message["role"] for message in request.json["messages"]] == ["system", "user"]
    pictures = sum(request.body.count(b"image_url") > 0 for request in server.requests)
    assert pictures >= 14
    found = MMBenchL1Score().score(str(mini), tmp_path / "run")
    assert (found.figure("easy").value, found.figure("unparsed").value) == (
        pytest.approx(12 / 14),
        pytest.approx(2 / 14),
    )
