"""Runs that go on after success: what is counted, what budgets cut, what a rule is learned from, and the tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot
from made_settings import spec_of

from omnipilot.agents.wrappers.stopping import FEATURES, FittedRule
from omnipilot.bench.experiments import stopping
from omnipilot.bench.experiments.budget import TurnBudget, budget_notes, under_budget
from omnipilot.bench.experiments.stopping import compare_stops, fit_stop, judged_turns
from omnipilot.bench.journal.events import EpisodeEnded, StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.run.runner import run
from omnipilot.bench.scoring.metrics import load_metric
from omnipilot.bench.settings import axes
from omnipilot.bench.tasks import termination
from omnipilot.envs import ConfigError


def played(folder: Path, planner: str, stop: str = "none", **more: Any) -> Path:
    """A run on the toy phone that goes on after success, in its folder."""
    name = folder / f"{planner}-{stop.partition(':')[0]}".replace(":", "-")
    file = {"suite": "toy", "planner": planner, "stop": stop, "go_on": True, "instances": 3, **more}
    run(spec_of(file), name)
    return name


def figure(folder: Path, name: str) -> list[Any]:
    return [load_metric(name).of(one) for one in load_run(folder).episodes]


def test_an_episode_goes_on_after_success_only_if_the_run_says_so(tmp_path: Path) -> None:
    plain = played(tmp_path / "plain", "lingering:4", go_on=False)
    on = played(tmp_path / "on", "lingering:4")
    short, whole = load_run(plain).episodes, load_run(on).episodes
    assert all(one.success for one in (*short, *whole))
    assert figure(plain, "after-success") == [0, 0, 0] and figure(on, "after-success") == [5, 5, 5]
    assert [a.turns + 5 for a in short] == [b.turns for b in whole]
    assert [a.solved_turn for a in short] == [b.solved_turn for b in whole]


def test_a_stubborn_agent_is_stopped_and_the_end_is_told_apart(tmp_path: Path) -> None:
    never = load_run(played(tmp_path, "lingering:0")).episodes
    assert all(one.success and one.turns == one.turn_limit for one in never)
    gold = load_run(played(tmp_path, "lingering:0", "gold")).episodes
    assert [one.turns - (one.solved_turn or 0) for one in gold] == [1, 1, 1]
    assert {one.stopped for one in gold} == {"gold"} and {one.status for one in gold} == {"success"}
    early = load_run(played(tmp_path, "noop", "patience:2")).episodes
    assert {(one.reason, one.stopped) for one in early} == {("stopped", "patience")}
    assert {termination(one.reason, one.status, one.success) for one in early} == {"stopped"}
    assert "patience: nothing new" in early[0].detail


def test_a_budget_cuts_what_came_after_success_and_no_success_before_it(tmp_path: Path) -> None:
    whole = load_run(played(tmp_path, "lingering:0"))
    first = whole.episodes[0]
    assert first.solved_turn is not None
    kept = under_budget(whole, TurnBudget(first.solved_turn)).episodes[0]
    assert kept.success and kept.turns == first.solved_turn
    lost = under_budget(whole, TurnBudget(first.solved_turn - 1)).episodes[0]
    assert not lost.success and lost.reason == "turns"
    (said,) = budget_notes(whole, TurnBudget(max(one.solved_turn or 0 for one in whole.episodes)))
    assert "0 of 3 episodes took more turns and fail there; 3 were solved before and only went on" in said
    stopped = load_run(played(tmp_path, "lingering:0", "gold"))
    only = under_budget(stopped, TurnBudget(first.solved_turn)).episodes[0]
    assert stopped.episodes[0].stopped and only.success and not only.stopped


def test_figures_of_runs_with_and_without_a_rule_stand_side_by_side(tmp_path: Path) -> None:
    base, gold = played(tmp_path, "lingering:6"), played(tmp_path, "lingering:6", "gold")
    compared = [row for _, row in compare_stops(list(map(load_run, (base, gold))))]
    rows = {row.figure.name if row.figure else row.name: row for row in compared}
    assert list(rows) == ["SR", "after success", "ended early", "EQA", "EQ1", "EQ2"]
    assert (rows["after success"].a.estimate, rows["after success"].b.estimate) == (7, 1)
    assert rows["EQA"].difference.interval.estimate > 0 > rows["EQ2"].difference.interval.estimate
    told = omnipilot("stops", str(base), str(gold), "--turns", "10,30").stdout
    assert "after success" in told and "10 turns" in told and "30 turns" in told
    with pytest.raises(ConfigError, match="nothing to compare"):
        compare_stops([load_run(base)])


def test_turns_before_the_solution_lead_to_it_and_those_after_it_do_not(tmp_path: Path) -> None:
    folder = played(tmp_path, "lingering:6", "watch")
    turns = [one for one in judged_turns(folder) if one.key.endswith("#0.0")]
    solved = load_run(folder).episodes[0].solved_turn
    assert [one.solves for one in turns] == [True] * (solved or 0) + [False] * 7
    assert len(turns[0].numbers) == len(FEATURES)


def test_where_only_the_end_tells_each_turn_led_to_the_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(tmp_path, "lingering:6", "watch")
    late = [replace(one, completed=0) if isinstance(one, StepTaken) else one for one in read(folder)]
    monkeypatch.setattr(stopping, "read", lambda _: late)
    assert {one.solves for one in judged_turns(folder)} == {True}
    never = [replace(one, reason="turns") if isinstance(one, EpisodeEnded) else one for one in late]
    monkeypatch.setattr(stopping, "read", lambda _: never)
    assert {one.solves for one in judged_turns(folder)} == {False}


@pytest.mark.slow
def test_a_rule_is_fitted_by_a_command_and_used_by_its_file(tmp_path: Path) -> None:
    dev = played(tmp_path, "lingering:0", "watch")
    file = tmp_path / "rule.json"
    told = omnipilot("stops", str(dev), "--fit", str(file)).stdout
    rule = FittedRule.from_text(file.read_text())
    assert "led to a solution" in told and rule.fitted["episodes"] == 3
    assert rule.fitted["loss"] < rule.fitted["base"] and rule.weights["still"] < 0
    ended = load_run(played(tmp_path, "lingering:0", f"learned:{file}")).episodes
    assert {one.stopped for one in ended} == {"learned"} and all(one.success for one in ended)
    other = tmp_path / "moved.json"
    other.write_text(file.read_text())
    here, there = (
        load_run(played(tmp_path / where.stem, "lingering:0", f"learned:{where}")).spec for where in (file, other)
    )
    assert here.identity == there.identity, "the name of the file is no part of it"
    other.write_text(file.read_text().replace(str(rule.bias), str(rule.bias + 1)))
    assert load_run(played(tmp_path / "else", "lingering:0", f"learned:{other}")).spec.identity != here.identity


def test_nothing_is_fitted_on_a_test_split_or_on_a_run_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dev = played(tmp_path, "lingering:0", "watch")
    with pytest.raises(ConfigError, match="--stop watch --go-on"):
        fit_stop([played(tmp_path, "lingering:0")])
    ends = played(tmp_path / "ends", "lingering:0", "watch", go_on=False)
    with pytest.raises(ConfigError, match="ends each episode where it is solved"):
        fit_stop([ends])
    tested = load_run(dev)
    episodes = tuple(replace(one, tags={**one.tags, "split": "test"}) for one in tested.episodes)
    with monkeypatch.context() as patch:
        patch.setattr(stopping, "load_run", lambda _: replace(tested, episodes=episodes))
        with pytest.raises(ConfigError, match="nothing may be fitted"):
            fit_stop([dev])

    def suite(split: str = "test") -> None:
        """A suite whose split is that of the test unless one is asked for."""

    monkeypatch.setattr(stopping.SUITES, "load", lambda _: suite)
    with pytest.raises(ConfigError, match="nothing may be fitted"):
        fit_stop([dev])


def test_the_numbers_of_each_turn_are_in_the_journal(tmp_path: Path) -> None:
    folder = played(tmp_path, "noop", "patience:2")
    turns = [one for one in map(json.loads, (folder / "journal.jsonl").open()) if one["event"] == "turn"]
    assert [one["stopping"]["evidence"]["still"] for one in turns[:3]] == [0, 1, 2]
    assert "why" not in turns[0]["stopping"] and turns[2]["stopping"]["rule"] == "patience"


def test_both_settings_are_axes_and_off_by_default() -> None:
    assert {"stop", "go_on"} <= set(axes())
    plain = spec_of({"suite": "toy", "planner": "oracle"})
    assert plain.identity == spec_of({"suite": "toy", "planner": "oracle", "stop": "none", "go_on": False}).identity
    other = spec_of({"suite": "toy", "planner": "oracle", "stop": "patience:3", "go_on": True})
    assert other.identity != plain.identity
    assert [AXES[name](plain) for name in ("stop", "go_on")] == ["none", "until it is solved"]
    assert [AXES[name](other) for name in ("stop", "go_on")] == ["patience:3", "until the agent ends it"]
