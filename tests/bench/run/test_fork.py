"""A recorded episode is played again as it was, and goes another way from a turn on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.experiments import compare
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.differences import RecordDifference, event_differences
from omnipilot.bench.journal.events import EpisodeStarted, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import FILE, read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.run.fork import ForkPoint, fork_spec
from omnipilot.bench.run.runner import run
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.session import Session
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunLimits, RunSpec
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import ConfigError, Thinking
from omnipilot.envs.toy import ToyPhone

SLOT = Slot(TASK, 0, 0)
RANDOM = AgentSpec(planner=PartSpec("random"))


def record(out: Path, suite: str = "toy", trials: int = 1, turns: int = 12, **how: Any) -> Path:
    run(RunSpec(RANDOM, PartSpec(suite), trials=trials, limits=RunLimits(turns=turns), **how), out)
    return out


def fork(
    origin: Path,
    out: Path,
    turn: int,
    slot: Slot = SLOT,
    times: int = 1,
    options: tuple[str, ...] = (),
    shadow: bool | None = None,
    loose: bool = False,
    **changes: Any,
) -> Path:
    point = ForkPoint(origin, slot, turn, shadow=shadow, loose=loose)
    run(fork_spec(point, RunSettings(**changes), options, times)[0], out)
    return out


def events_of(folder: Path, key: str = SLOT.key) -> list[Any]:
    return [one for one in attempt_events(folder, key) if one.event not in ("remembered", "model_called")]


def differences(a: Path, b: Path, before: int | None = None) -> list[RecordDifference]:
    """Where the episode differs in two runs, in all its turns or in those before one, counted from 1."""
    ours, theirs = events_of(a), events_of(b)
    if before is not None:
        ours, theirs = ([one for one in events if getattr(one, "turn", 99) + 1 < before] for events in (ours, theirs))
    assert len(ours) == len(theirs)
    return [found for one, other in zip(ours, theirs, strict=True) for found in event_differences(one, other)]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return record(tmp_path / "origin")


def test_an_agent_with_a_state_goes_on_as_it_did_if_it_was_asked_all_along(origin: Path, tmp_path: Path) -> None:
    again = fork(origin, tmp_path / "again", 7)
    assert differences(origin, again) == []
    turns = [one for one in events_of(again) if isinstance(one, TurnTaken)]
    assert [one.replayed for one in turns] == [True] * 6 + [False] * (len(turns) - 6)
    told = fork(origin, tmp_path / "told", 7, shadow=False)
    assert differences(origin, told, before=7) == []
    moves = [[one.moves for one in events_of(run) if isinstance(one, TurnTaken)] for run in (origin, told)]
    assert moves[0][:6] == moves[1][:6] and moves[0] != moves[1]


def test_forks_are_a_run_of_their_own_that_names_its_origin(origin: Path, tmp_path: Path) -> None:
    forks = fork(origin, tmp_path / "forks", 4, times=3, planner="noop")
    found = load_run(forks)
    assert [one.key for one in found.episodes] == [f"{TASK}#0.{number}" for number in range(3)]
    assert found.planned == 3 and not found.problems
    forked = found.spec.forked
    assert forked is not None and forked.identity == load_run(origin).spec.identity
    assert (forked.key, forked.attempt, forked.turn) == (SLOT.key, 1, 3) and forked.shadow
    assert RunSpec.from_json(found.spec.to_json()) == found.spec
    assert found.spec.identity != replace(found.spec, forked=None).identity
    assert found.spec.identity == replace(found.spec, forked=replace(forked, run="elsewhere")).identity
    # A further start plays what is missing, and nothing else.
    run(replace(found.spec, trials=4), forks)
    assert len(load_run(forks).episodes) == 4


def test_compare_pairs_forks_from_the_same_turn(origin: Path, tmp_path: Path) -> None:
    one = fork(origin, tmp_path / "one", 4, times=2, planner="noop")
    other = fork(origin, tmp_path / "other", 4, times=2)
    found = compare(load_run(one), load_run(other), resamples=100)
    assert found.pairs == 1 and [line.split(":")[0] for line in found.specs] == ["agent.planner.name"]


def test_another_trial_of_the_record_can_be_forked(tmp_path: Path) -> None:
    origin = record(tmp_path / "origin", trials=2)
    again = fork(origin, tmp_path / "again", 5, Slot(TASK, 0, 1))
    assert [one.key for one in load_run(again).episodes] == [f"{TASK}#0.1"]
    ours, theirs = events_of(origin, f"{TASK}#0.1"), events_of(again, f"{TASK}#0.1")
    assert [found for pair in zip(ours, theirs, strict=True) for found in event_differences(*pair)] == []


def test_the_whole_record_and_nothing_of_it(origin: Path, tmp_path: Path) -> None:
    assert differences(origin, fork(origin, tmp_path / "none", 1)) == []
    turns = len(RecordedAttempt.of_events(attempt_events(origin, SLOT.key)).turns)
    assert differences(origin, fork(origin, tmp_path / "whole", turns + 1)) == []
    for turn in (0, turns + 2):
        with pytest.raises(ConfigError, match=rf"--turn 1 \(all anew\) to --turn {turns + 1}"):
            fork(origin, tmp_path / "bad", turn)


def test_a_record_that_is_not_what_happened_stops_it(origin: Path, tmp_path: Path) -> None:
    lines = (origin / FILE).read_text(encoding="utf-8").splitlines()
    changed = [json.loads(line) for line in lines]
    turn = next(one for one in changed if one["event"] == "turn" and one["turn"] == 2)
    turn["observations"]["phone"]["screenshot"] = "0" * 64
    (origin / FILE).write_text("".join(json.dumps(one) + "\n" for one in changed), encoding="utf-8")
    words = r"cannot be played again: save-code#0\.0, turn 3, phone: screenshot is 000000000000… in the record, and"
    with pytest.raises(ConfigError, match=words):
        fork(origin, tmp_path / "forked", 5)
    fork(origin, tmp_path / "before", 2)
    fork(origin, tmp_path / "regardless", 5, loose=True)


def test_an_origin_that_became_another_run_is_refused(origin: Path, tmp_path: Path) -> None:
    spec = fork_spec(ForkPoint(origin, SLOT, 3), RunSettings())[0]
    assert spec.forked is not None
    with pytest.raises(ConfigError, match="is not the run that was forked"):
        run(replace(spec, forked=replace(spec.forked, identity="0" * 64)), tmp_path / "forked")


class Unrestored(ToyPhone):
    capabilities = ToyPhone.capabilities - {"snapshots", "forks"}


class UnrestoredSuite(ToySuite):
    def world(self, thinking: Thinking) -> ToyPhone:
        return Unrestored(thinking)


@pytest.mark.slow
def test_a_world_that_cannot_be_put_back_says_so_or_is_replayed_if_asked(tmp_path: Path) -> None:
    origin = record(tmp_path / "origin", f"{__name__}:UnrestoredSuite")
    with pytest.raises(
        ConfigError, match=r"cannot be put back into a recorded state; `omnipilot fork --replay` .*attribute --model"
    ):
        fork(origin, tmp_path / "forked", 5)
    again = fork(origin, tmp_path / "again", 5, loose=True)
    assert differences(origin, again) == []


def test_what_a_session_recorded_is_forked_with_its_misses(tmp_path: Path) -> None:
    with Session("toy", record=tmp_path / "origin") as session:
        session.open(TASK)
        for verb in (
            "nothing that could be read",
            {"kind": "click", "at": "Nowhere"},
            {"kind": "open_app", "app": "Maps"},
        ):
            assert session.act(verb).action is None
        session.act({"kind": "click", "at": "Voicemail"})
        session.act({"kind": "click", "at": "play"})
        session.act({"kind": "wait", "seconds": 1.5})
    again = fork(tmp_path / "origin", tmp_path / "again", 6, planner="noop")
    steps = [[one for one in events_of(run) if isinstance(one, StepTaken)] for run in (tmp_path / "origin", again)]
    assert [one.result for one in steps[1][:5]] == ["malformed", "not_found", "rejected", "done", "done"]
    assert [one.message for one in steps[1][:5]] == [one.message for one in steps[0][:5]]
    with pytest.raises(ConfigError, match="no planner 'session'"):
        fork(tmp_path / "origin", tmp_path / "bad", 3)


def test_time_passes_as_it_did(tmp_path: Path) -> None:
    for number, thinking in enumerate((Thinking("measured"), Thinking("fixed", 1.5))):
        origin = record(tmp_path / f"origin{number}", thinking=thinking)
        again = fork(origin, tmp_path / f"again{number}", 13)
        assert differences(origin, again) == []


def test_replayed_turns_are_not_paid_again(origin: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (origin / FILE).read_text(encoding="utf-8").splitlines()]
    for one in lines:
        if one["event"] == "turn":
            one["usage"]["cost"] = 1.0
    (origin / FILE).write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    forks = fork(origin, tmp_path / "forks", 7, planner="noop")
    replayed = sum(one.usage["cost"] or 0 for one in read(forks) if isinstance(one, TurnTaken))
    assert replayed == 6.0 and Spending.of_runs(100.0, [forks]).paid == 0.0


def test_options_and_parts_of_the_record_stay_unless_they_are_changed(origin: Path) -> None:
    spec = fork_spec(ForkPoint(origin, SLOT, 3), RunSettings(memory="none"), ("planner.answers=false",))[0]
    assert spec.agent.planner == PartSpec("random", {"answers": False}) or spec.agent.planner.name == "random"
    assert spec.agent.memory.name == "none" and spec.agent.grounder == RANDOM.grounder
    assert spec.limits.turns == 12 and spec.agent.modalities == RANDOM.modalities
    unchanged = fork_spec(ForkPoint(origin, SLOT, 3), RunSettings())[0]
    assert unchanged.agent == load_run(origin).spec.agent


def test_a_fork_stays_honest_and_does_not_become_so(tmp_path: Path) -> None:
    honest = tmp_path / "honest"
    run(RunSpec(replace(RANDOM, honest="parts"), PartSpec("toy")), honest)
    assert fork_spec(ForkPoint(honest, SLOT, 2), RunSettings())[0].agent.honest == "parts"
    with pytest.raises(ConfigError, match="readers gold knows the solution"):
        fork_spec(ForkPoint(honest, SLOT, 2), RunSettings(readers=PartSpec("gold")))
    told = tmp_path / "told"
    run(RunSpec(replace(RANDOM, readers=PartSpec("gold")), PartSpec("toy")), told)
    changes = RunSettings(readers=PartSpec("perception", {"what": "transcript"}), honest="parts")
    with pytest.raises(ConfigError, match="forks begin with what was done in .*told: .*readers gold knows"):
        fork_spec(ForkPoint(told, SLOT, 2), changes)


def test_the_start_of_a_fork_is_that_of_its_trial(origin: Path, tmp_path: Path) -> None:
    forks = fork(origin, tmp_path / "forks", 3, times=2)
    started = [one for one in read(forks) if isinstance(one, EpisodeStarted)]
    assert [one.trial for one in started] == [0, 1]
    moves = [
        [one.moves for one in events_of(forks, f"{TASK}#0.{trial}") if isinstance(one, TurnTaken)] for trial in (0, 1)
    ]
    assert moves[0][:2] == moves[1][:2] and moves[0] != moves[1], "each trial has a seed of its own"
