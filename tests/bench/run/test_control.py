"""What a person asks of a run that is going on is done once, stands in the journal, and marks the run."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from command_line import omnipilot
from going_run import going_run, until
from toy_suite import FOLDER, held, toy_spec

from omnipilot.bench import RunSpec
from omnipilot.bench.journal import load_run, read, survey_of
from omnipilot.bench.journal.attempts import attempt_events
from omnipilot.bench.journal.control import CANCELLED, FILE, ControlFile, RunCommand, send_command
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    PersonActed,
    TurnTaken,
    event_to_json,
)
from omnipilot.bench.journal.journal import to_line
from omnipilot.bench.journal.lock import RunLock, is_locked
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.run_sentences import run_sentences
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.verification.verify import verify_run
from omnipilot.envs import ConfigError

Kind = TypeVar("Kind", bound=Event)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where episodes are held."""
    monkeypatch.setenv(FOLDER, str(tmp_path))


JOBS = pytest.mark.parametrize("jobs", [0, 1])


class Going:
    """A run that goes on beside the test."""

    def __init__(self, out: Path, spec: RunSpec, jobs: int, spending: Spending | None = None) -> None:
        self.out = out
        self._jobs = jobs
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(spec, jobs, spending), daemon=True)
        self._thread.start()

    def _run(self, spec: RunSpec, jobs: int, spending: Spending | None) -> None:
        try:
            run(spec, self.out, RunExecution(jobs, spending=spending or Spending()))
        except BaseException as error:
            self.failure = error

    def send(self, action: str, key: str = "", limit: str = "", value: float | None = None) -> str:
        """Send a command; its id."""
        command = RunCommand.of(action, "Ada", key, limit, value)
        send_command(self.out, command)
        return command.id

    def ask(self, action: str, key: str = "", limit: str = "", value: float | None = None) -> PersonActed:
        """Send a command, and wait until it is answered."""
        return self.answer(self.send(action, key, limit, value))

    def ask_held(self, hold: Path, *asked: tuple[Any, ...]) -> list[PersonActed]:
        """Send commands while an episode is held, let it go on, and wait until all are answered."""
        sent = [self.send(*one) for one in asked]
        if self._jobs:
            # The parent takes commands meanwhile; the last is refused, so that all are taken once it is answered.
            self.ask("cancel", "nobody#0.0")
        hold.unlink()
        return [self.answer(one) for one in sent]

    def answer(self, command: str) -> PersonActed:
        found: list[PersonActed] = []

        def answered() -> bool:
            found[:] = [act for act in self.events(PersonActed) if act.command == command]
            return bool(found)

        self.until(answered)
        assert len(found) == 1
        return found[0]

    def events(self, kind: type[Kind]) -> list[Kind]:
        if not (self.out / "journal.jsonl").exists():
            return []
        return [event for event in read(self.out) if isinstance(event, kind)]

    def until(self, condition: Callable[[], bool], seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.failure is None, self.failure
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def ends(self) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive() and self.failure is None, self.failure


@pytest.mark.slow
@JOBS
def test_a_pause_begins_no_further_episode_until_the_run_goes_on(tmp_path: Path, jobs: int) -> None:
    hold = held(tmp_path, "count")
    going = Going(tmp_path / "run", toy_spec("count", instances=6, delay=0.1), jobs)
    going.until(lambda: bool(going.events(TurnTaken)))
    first, second = going.ask_held(hold, ("pause",), ("pause",))
    assert first.refused == "" and "already" in second.refused
    going.until(lambda: len(going.events(EpisodeStarted)) == len(going.events(EpisodeEnded)))
    begun = len(going.events(EpisodeStarted))
    assert 0 < begun < 6
    time.sleep(1)
    assert len(going.events(EpisodeStarted)) == begun
    assert going.ask("resume").refused == ""
    going.ends()
    loaded = load_run(going.out)
    assert [episode.success for episode in loaded.episodes] == [True] * 6
    words = "a person interfered while it went on: paused it"
    assert any(words in note for note in main_table([loaded]).notes)
    assert any(words[2:] in sentence for sentence in run_sentences([loaded]))


@pytest.mark.slow
@JOBS
def test_a_cancelled_episode_is_void_and_is_played_once_more_on_demand(tmp_path: Path, jobs: int) -> None:
    hold, hold_other = held(tmp_path, "unsolved"), held(tmp_path, "guard")
    going = Going(tmp_path / "run", toy_spec("unsolved", "guard", delay=0.3), jobs)
    going.until(lambda: any(turn.key == "unsolved#0.0" for turn in going.events(TurnTaken)))
    [act] = going.ask_held(hold, ("cancel", "unsolved#0.0"))
    assert (act.refused, act.attempt, act.who) == ("", 1, "Ada")
    going.until(lambda: bool(going.events(EpisodeEnded)))
    [end] = going.events(EpisodeEnded)
    assert (end.key, end.reason, end.detail) == ("unsolved#0.0", "void", CANCELLED)
    going.until(lambda: going.events(TurnTaken)[-1].key == "guard#0.0")
    again, other = going.ask_held(hold_other, ("requeue", "unsolved#0.0"), ("requeue", "guard#0.0"))
    assert again.refused == "" and "no void episode" in other.refused
    going.ends()
    found = survey_of(going.out)
    assert {one.key: (one.attempt, one.void) for one in found.episodes} == {
        "unsolved#0.0": (2, False),
        "guard#0.0": (1, False),
    }
    [note] = [note for note in main_table([load_run(going.out)]).notes if "a person interfered" in note]
    assert "cancelled 1 episode (unsolved#0.0)" in note and "played again" in note


@pytest.mark.slow
def test_an_episode_that_hangs_can_be_cancelled_though_its_world_cannot_be_closed(tmp_path: Path) -> None:
    going = Going(tmp_path / "run", toy_spec("count", "stuck"), 1)
    going.until(lambda: any(turn.key == "stuck#0.0" for turn in going.events(TurnTaken)))
    began = time.monotonic()
    assert going.ask("cancel", "stuck#0.0").refused == ""
    assert time.monotonic() - began < 45, "it would have acted by then"
    going.ends()
    assert {one.key: one.reason for one in survey_of(going.out).episodes} == {
        "stuck#0.0": "void",
        "count#0.0": "success",
    }


@pytest.mark.slow
@JOBS
def test_a_raised_limit_holds_and_is_part_of_the_episodes_record(tmp_path: Path, jobs: int) -> None:
    hold = held(tmp_path, "far")
    going = Going(tmp_path / "run", toy_spec("far", instances=2, delay=0.25), jobs)
    going.until(lambda: bool(going.events(TurnTaken)))
    asked = [("far#0.0", "turns", 3), ("far#0.0", "tokens", 3), ("far#1.0", "turns", 10), ("far#0.0", "turns", 10)]
    *refused, act = going.ask_held(hold, *(("raise", *one) for one in asked))
    reasons = ("only be raised", "no limit on tokens", "not being played")
    assert all(why in one.refused for why, one in zip(reasons, refused, strict=True))
    assert (act.refused, act.before, act.after, act.attempt) == ("", 5, 10, 1)
    going.ends()
    first, *rest = attempt_events(going.out, "far#0.0")
    assert isinstance(first, EpisodeStarted) and first.limits["turns"] == 10 and isinstance(rest[-1], EpisodeEnded)
    raised, usual = survey_of(going.out).episodes
    assert (raised.success, raised.turn_limit, usual.reason, usual.turn_limit) == (True, 10, "turns", 5)
    [note] = [note for note in main_table([load_run(going.out)]).notes if "a person interfered" in note]
    assert "raised the turn limit of far#0.0 from 5 to 10" in note


def test_a_run_with_a_raised_limit_can_be_verified(tmp_path: Path) -> None:
    hold = held(tmp_path, "far")
    going = Going(tmp_path / "run", toy_spec("far", delay=0.25), 0)
    going.until(lambda: bool(going.events(TurnTaken)))
    [act] = going.ask_held(hold, ("raise", "far#0.0", "turns", 10))
    assert not act.refused
    going.ends()
    checked = verify_run(going.out)
    assert checked.impossible or checked.whole


@pytest.mark.slow
def test_what_is_asked_of_an_episode_whose_worker_ends_is_answered(tmp_path: Path) -> None:
    held(tmp_path, "far")
    going = Going(tmp_path / "run", toy_spec("far"), 1)
    going.until(lambda: bool(going.events(TurnTaken)))
    late = going.send("raise", "far#0.0", "turns", 10)
    assert going.ask("cancel", "far#0.0").refused == ""
    assert going.answer(late).refused == "the episode had ended"
    going.ends()


@pytest.mark.slow
def test_a_worker_without_an_episode_plays_what_is_wanted_again(tmp_path: Path) -> None:
    hold = held(tmp_path, "guard")
    going = Going(tmp_path / "run", toy_spec("lost", "guard"), 2)
    going.until(lambda: bool(going.events(EpisodeEnded)))
    going.until(lambda: any(turn.key == "guard#0.0" for turn in going.events(TurnTaken)))
    assert going.ask("requeue", "lost#0.0").refused == ""
    going.until(lambda: len(going.events(EpisodeEnded)) == 2)
    assert [(end.key, end.attempt) for end in going.events(EpisodeEnded)] == [("lost#0.0", 1), ("lost#0.0", 2)]
    hold.unlink()
    going.ends()


def test_a_budget_is_raised_where_there_is_one(tmp_path: Path) -> None:
    spending, hold = Spending(1.0), held(tmp_path, "count")
    going = Going(tmp_path / "run", toy_spec("count", instances=4, delay=0.15), 0, spending)
    going.until(lambda: bool(going.events(TurnTaken)))
    less, act = going.ask_held(hold, ("raise", "", "budget", 0.5), ("raise", "", "budget", 2.5))
    assert less.refused == "a budget can only be raised"
    assert (act.refused, act.before, act.after, spending.most) == ("", 1.0, 2.5, 2.5)
    going.ends()
    hold = held(tmp_path, "count")
    unlimited = Going(tmp_path / "other", toy_spec("count", instances=3, delay=0.15), 0)
    unlimited.until(lambda: bool(unlimited.events(TurnTaken)))
    [act] = unlimited.ask_held(hold, ("raise", "", "budget", 2.5))
    assert act.refused == "the run has no budget"
    unlimited.ends()


def test_what_is_asked_between_two_starts_waits_for_the_next_or_is_too_late(tmp_path: Path) -> None:
    spec, out = toy_spec("lost", "count"), tmp_path / "run"
    assert [one.void for one in run(spec, out).episodes] == [False, True]
    again, late = RunCommand.of("requeue", "Ada", "lost#0.0"), RunCommand.of("pause", "Ada")
    send_command(out, again)
    send_command(out, late)
    assert run(spec, out).ran == 1
    assert run(spec, out).ran == 0
    acts = {act.command: act.refused for act in survey_of(out).acts}
    assert acts == {again.id: "", late.id: "no run was going on"}
    assert max(survey_of(out).attempts.values()) == 2


@pytest.mark.slow
@JOBS
def test_a_requeue_survives_a_run_that_is_killed_before_it_plays(tmp_path: Path, jobs: int) -> None:
    out, hold = tmp_path / "run", held(tmp_path, "guard")
    with going_run(out, "lost,guard", jobs=jobs, delay=0.0):
        until(lambda: any(isinstance(event, TurnTaken) and event.key == "guard#0.0" for event in read(out)))
        assert is_locked(out)
        send_command(out, RunCommand.of("requeue", "Ada", "lost#0.0"))
        if jobs:
            until(lambda: any(isinstance(event, PersonActed) for event in read(out)))
    assert not is_locked(out)
    hold.unlink()
    # Whether it was taken by then or not, the next start plays the episode, and does so once.
    spec = toy_spec("lost", "guard")
    assert run(spec, out).ran == 2
    assert {one.key: one.attempt for one in survey_of(out).episodes} == {"lost#0.0": 2, "guard#0.0": 2}
    assert run(spec, out).ran == 0


def test_what_is_no_command_is_left_out_and_harms_nothing(tmp_path: Path) -> None:
    good = RunCommand.of("pause", "Ada")
    lines = [b"{", b"[]", b'{"id": 1}', b"\xff\xfe", b'{"action": "format"}', b"x" * 9_000, b"NaN"]
    (tmp_path / FILE).write_bytes(b"\n".join(lines) + b"\n")
    control = ControlFile(tmp_path)
    assert list(control.new()) == []
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"id": "half')
    assert list(control.new()) == []
    send_command(tmp_path, good)
    assert list(control.new()) == [good]
    assert list(control.new()) == []
    # Written twice, or seen by another start: it is one command.
    send_command(tmp_path, good)
    assert list(control.new()) == [] == list(ControlFile(tmp_path, [good.id]).new())


def test_a_pipe_or_a_shorter_file_in_its_place_stops_nothing(tmp_path: Path) -> None:
    control = ControlFile(tmp_path)
    send_command(tmp_path, RunCommand.of("pause", "Ada"))
    send_command(tmp_path, RunCommand.of("resume", "Ada"))
    assert len(list(control.new())) == 2
    (tmp_path / FILE).unlink()
    send_command(tmp_path, one := RunCommand.of("pause", "Ada"))
    assert list(control.new()) == [one]
    (tmp_path / FILE).unlink()
    os.mkfifo(tmp_path / FILE)
    assert list(control.new()) == []


def test_any_number_of_people_may_ask_at_once(tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=lambda: [send_command(tmp_path, RunCommand.of("pause", "Ada")) for _ in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(ControlFile(tmp_path).new())) == 200
    assert all(json.loads(line) for line in (tmp_path / FILE).read_text().split("\n") if line)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("dance",), "no such action"),
        (("cancel",), "one episode"),
        (("pause", "a#0.0"), "the whole run"),
        (("raise", "a#0.0", "idle", 3), "no such limit"),
        (("raise", "a#0.0", "turns", 2.5), "whole number"),
        (("raise", "a#0.0", "turns", -1), "above 0"),
        (("raise", "", "turns", 3), "one episode"),
        (("raise", "a#0.0", "budget", 3), "the whole run"),
        (("raise", "", "budget", float("nan")), "above 0"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(asked: tuple[str, ...], why: str) -> None:
    action, *rest = asked
    with pytest.raises(ConfigError, match=why):
        RunCommand.of(action, "Ada", *rest)  # type: ignore[arg-type]


def test_asking_whether_a_run_goes_on_keeps_no_run_from_starting(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            is_locked(tmp_path)

    with RunLock(tmp_path):
        assert is_locked(tmp_path)
    thread = threading.Thread(target=look)
    thread.start()
    try:
        for _ in range(50):
            with RunLock(tmp_path):
                pass
    finally:
        stop.set()
        thread.join()


def test_a_comparison_with_such_a_run_says_so(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(toy_spec("count", "far", instances=2), tmp_path / name)
    act = RunCommand.of("raise", "Ada", "far#0.0", "turns", 10).acted(1, 5)
    with (tmp_path / "b/journal.jsonl").open("ab") as file:
        file.write(to_line(event_to_json(act)))
    shown = " ".join(omnipilot("compare", str(tmp_path / "a"), str(tmp_path / "b")).stdout.split())
    assert "b: a person interfered while it went on: raised the turn limit of far#0.0 from 5 to 10" in shown
    assert "a: a person" not in shown
