"""The journal: a torn tail costs one line and is reported, one writer, and tables as a fold over it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_suite import toy_spec

from omnipilot.bench.journal import Event, Journal, JournalError, RunLock, Slot, attempts, read
from omnipilot.bench.journal.attempts import attempt_events
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Interrupted,
    Remembered,
    Repaired,
    RunStarted,
    StepTaken,
    TurnTaken,
    Unreadable,
)
from omnipilot.bench.journal.journal import FILE, encode, to_line
from omnipilot.bench.journal.results import pending, survey
from omnipilot.bench.journal.tally import Tally
from omnipilot.bench.tasks import NodeState
from omnipilot.envs import ConfigError
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import CheckDetail

USAGE = {"calls": 1, "tokens_in": 30, "tokens_out": 4, "cost": 0.25, "seconds": 0.5}
NONE = {"calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": 0.0, "seconds": 0.0}
SPEC = toy_spec("count", "far", instances=2)


def started(key: str, attempt: int = 1) -> EpisodeStarted:
    task, _, rest = key.partition("#")
    instance, _, trial = rest.partition(".")
    nodes = [{"name": name, "env": "toy", "when": "step"} for name in "abc"]
    edges = [["a", "b"], ["b", "c"]]
    return EpisodeStarted(
        key, attempt, task, int(instance), int(trial), f"do {key}", nodes, edges, {"level": "1"}, {"turns": 5}, 1.5
    )


def turn(key: str, attempt: int = 1, index: int = 0) -> TurnTaken:
    return TurnTaken(key, attempt, index, {}, "a thought", [], [], USAGE, 0.1)


def step(key: str, attempt: int = 1, index: int = 0, node: str = "", result: str = "done") -> StepTaken:
    changes = [{"node": node, "progress": 1.0, "reason": "", "completed": True}] if node else []
    counts = result == "done"
    return StepTaken(
        key, attempt, index, index, "toy", None, None, result, "", counts, None, [], 0.0, 0.3, NONE, changes, 0, {}
    )


def attempt_of(key: str, attempt: int = 1, reason: str = "done", nodes: str = "a") -> list[Event]:
    events: list[Event] = [started(key, attempt)]
    for index, node in enumerate(nodes):
        events += [turn(key, attempt, index), step(key, attempt, index, node)]
    tally = Tally(started(key, attempt))
    for event in events:
        tally.take(event)
    return [*events, tally.ended(reason, "failure", "why", wall_seconds=2.0)]


def run_started() -> RunStarted:
    return RunStarted(SPEC.identity, SPEC.to_json(), {"python": "3"}, 2.5, ["far", "count"])


def write(folder: Path, events: list[Event]) -> Path:
    with Journal.open(folder) as journal:
        for event in events:
            journal.append(event)
    return folder / FILE


def test_events_come_back_as_they_were(tmp_path: Path) -> None:
    events = [run_started(), *attempt_of("count#0.0"), Interrupted(3.25, ["count#1.0"])]
    write(tmp_path, events)
    assert list(read(tmp_path)) == events


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(JSON)
def test_any_value_is_one_line_and_comes_back_bit_for_bit(value: Any) -> None:
    line = to_line(value)
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert repr(json.loads(line)) == repr(value)


def test_half_a_surrogate_pair_is_kept() -> None:
    assert json.loads(to_line({"text": "a\ud83d"})) == {"text": "a\ud83d"}
    with pytest.raises(ValueError, match="JSON"):
        to_line(float("nan"))


@pytest.mark.slow
def test_torn_at_every_byte_of_the_last_two_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    events = [run_started(), *attempt_of("count#0.0"), *attempt_of("count#1.0", nodes="ab")]
    path = write(tmp_path, events)
    whole = path.read_bytes()
    starts = [0]
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    assert starts.pop() == len(whole)
    for cut in range(starts[-2], len(whole)):
        path.write_bytes(whole[:cut])
        kept = sum(start < cut and whole[:cut].find(b"\n", start) >= 0 for start in starts)
        lost = whole[starts[kept] : cut]

        # Reading alone changes nothing, and says what is torn.
        seen = list(read(tmp_path))
        assert seen[:kept] == events[:kept]
        assert [(e.lost, e.bytes) for e in seen[kept:] if isinstance(e, Repaired)] == (
            [(lost.decode(), len(lost))] if lost else []
        )
        assert path.read_bytes() == whole[:cut]

        with Journal.open(tmp_path) as journal:
            assert (journal.repaired.lost if journal.repaired else "") == lost.decode()
        again = list(read(tmp_path))
        assert again[:kept] == events[:kept]
        repairs = again[kept:]
        assert len(repairs) == bool(lost)
        assert all(isinstance(event, Repaired) and event.lost == lost.decode() for event in repairs)
        whole_episodes = [episode.key for episode in survey(again).episodes]
        assert whole_episodes == (["count#0.0"] if kept < len(events) else ["count#0.0", "count#1.0"])

        # What is lost is made again, and the table is as if nothing had been.
        write(tmp_path, attempt_of("count#1.0", 2, nodes="ab"))
        table = [(e.key, e.completed, e.actions, e.tokens) for e in survey(read(tmp_path)).episodes]
        assert table == [("count#0.0", 1, 1, 34), ("count#1.0", 2, 2, 68)]


def test_a_line_that_the_kernel_takes_in_pieces_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_some = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write_some(handle, data[:7]))
    events = [run_started(), *attempt_of("count#0.0")]
    write(tmp_path, events)
    assert list(read(tmp_path)) == events


def test_what_is_synced_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")))
    path = str(tmp_path / FILE)
    journal = Journal.open(tmp_path)
    journal.append(run_started())
    assert synced == [str(tmp_path)], "its name"
    journal.sync()
    assert synced[1:] == [path]
    journal.close()
    journal.close()
    assert synced[1:] == [path, path]


def test_a_torn_first_line_and_a_long_one(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b'{"event":"run_st')
    with Journal.open(tmp_path) as journal:
        assert journal.repaired is not None and journal.repaired.bytes == 16
    line = encode(run_started())
    path.write_bytes(line + b"x" * 200_000)
    with Journal.open(tmp_path) as journal:
        assert journal.repaired is not None and journal.repaired.bytes == 200_000
    assert path.read_bytes().startswith(line) and len(path.read_bytes()) < 5_000


@pytest.mark.parametrize(
    "bad", [b"{not json}\n", b"\n", b"[]\n", b'{"event":3}\n', b'{"event":"turn"}\n', b"\xff\xfe\n"]
)
def test_a_bad_line_in_the_middle_is_told_and_costs_itself_alone(tmp_path: Path, bad: bytes) -> None:
    path = write(tmp_path, [run_started()])
    path.write_bytes(path.read_bytes() + bad + encode(started("count#0.0")))
    first, lost, last = read(tmp_path)
    assert isinstance(lost, Unreadable) and lost.line == 2 and lost.reason
    assert isinstance(first, RunStarted) and isinstance(last, EpisodeStarted)
    assert [one.line for one in survey(read(tmp_path)).unreadable] == [2]


def test_what_a_later_version_writes_is_skipped_and_what_is_known_is_still_checked(tmp_path: Path) -> None:
    path = write(tmp_path, [run_started(), *attempt_of("count#0.0")])
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    known = list(read(tmp_path))
    later = [{**line, "later": {"a": [1]}} for line in lines]
    later[1:1] = [{"event": "unheard", "key": "count#0.0"}]
    path.write_bytes(b"".join(map(to_line, later)))
    assert list(read(tmp_path)) == known
    assert survey(read(tmp_path)).unreadable == () and len(survey(read(tmp_path)).episodes) == 1
    path.write_bytes(to_line({**later[-1], "turns": "2"}) + to_line({"event": "turn", "later": 1}))
    first, second = read(tmp_path)
    assert isinstance(first, Unreadable) and "turns is str, not int" in first.reason
    assert isinstance(second, Unreadable) and "missing" in second.reason


def test_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        list(read(tmp_path))


def test_an_attempt_is_found_without_reading_the_others_and_anew_once_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = [started("b#0.0"), turn("b#0.0")]
    again = attempt_of("b#0.0", 2)
    write(tmp_path, [run_started(), *attempt_of("a#0.0"), *cut, *again, *attempt_of("c#0.0"), started("d#0.0")])
    assert attempt_events(tmp_path, "a#0.0") == attempt_of("a#0.0")
    monkeypatch.setattr(attempts, "positions", lambda _: pytest.fail("the journal has not changed"))
    assert attempt_events(tmp_path, "b#0.0") == again and attempt_events(tmp_path, "b#0.0", 1) == cut
    assert attempt_events(tmp_path, "d#0.0") == [started("d#0.0")], "the last that began, where none ended"
    with pytest.raises(ConfigError, match="b#0.0 has no attempt 3; there are 1, 2"):
        attempt_events(tmp_path, "b#0.0", 3)
    with pytest.raises(ConfigError, match="there is no episode 'e#0.0'"):
        attempt_events(tmp_path, "e#0.0")
    monkeypatch.undo()
    write(tmp_path, attempt_of("d#0.0", 2))
    assert attempt_events(tmp_path, "d#0.0") == attempt_of("d#0.0", 2)
    assert attempt_events(tmp_path, "c#0.0") == attempt_of("c#0.0")


def test_an_attempt_whose_start_is_damaged_is_none(tmp_path: Path) -> None:
    write(tmp_path, [run_started(), turn("a#0.0"), *attempt_of("a#0.0", 2), turn("b#0.0")])
    assert attempt_events(tmp_path, "a#0.0") == attempt_of("a#0.0", 2)
    with pytest.raises(ConfigError, match="a#0.0 has no attempt 1; there are 2"):
        attempt_events(tmp_path, "a#0.0", 1)
    with pytest.raises(ConfigError, match="there is no episode 'b#0.0'"):
        attempt_events(tmp_path, "b#0.0")


def test_the_fold_is_sorted_and_takes_the_last_complete_attempt(tmp_path: Path) -> None:
    events: list[Event] = [
        run_started(),
        *attempt_of("count#1.0"),
        *attempt_of("count#0.0", 1, "void", ""),
        *attempt_of("far#1.0", 1, "success", "abc"),
        *attempt_of("count#0.0", 2, "done", "ab"),
        *attempt_of("count#0.0", 3)[:3],
        started("far#0.0"),
        Interrupted(4.0, ["far#0.0"]),
    ]
    write(tmp_path, events)
    episodes = survey(read(tmp_path)).episodes
    assert [(e.key, e.attempt) for e in episodes] == [("far#1.0", 1), ("count#0.0", 2), ("count#1.0", 1)]
    far, count, _ = episodes
    assert far.success and not far.void and far.completed == far.total == 3
    assert (count.turns, count.steps, count.actions, count.tokens, count.cost) == (2, 2, 2, 68, 0.5)
    assert count.nodes == {"a": NodeState.COMPLETED, "b": NodeState.COMPLETED, "c": NodeState.MISSED}
    assert (count.status, count.detail, count.world_seconds, count.wall_seconds) == ("failure", "why", 0.3, 2.0)
    told = survey(read(tmp_path))
    assert told.episodes == tuple(episodes)
    assert told.unfinished == ("far#0.0",) and told.cut == 2 and told.planned == 4
    assert (told.starts, told.interruptions, told.repaired) == (1, 1, ())


def test_what_is_pending() -> None:
    spec, tasks = toy_spec("count", instances=2, trials=2), ["count"]
    events = [*attempt_of("count#0.0"), *attempt_of("count#1.1", 1, "void"), started("count#0.1")]
    todo = pending(spec, tasks, survey(events))
    assert todo == [(Slot("count", 0, 1), 2), (Slot("count", 1, 0), 1)]
    assert pending(spec, tasks, survey(events), rerun_void=True) == [*todo, (Slot("count", 1, 1), 2)]


def test_invalid_steps_and_an_end_of_the_judges_are_counted() -> None:
    tally = Tally(started("count#0.0"))
    for event in (turn("count#0.0"), step("count#0.0", result="rejected"), step("count#0.0", index=1, node="a")):
        tally.take(event)
    end = tally.ended("turns", changes=[{"node": "b", "progress": 1.0, "reason": "", "completed": True}])
    assert (end.steps, end.invalid, end.actions, end.completed, end.world_seconds) == (2, 1, 1, 2, 0.3)
    assert isinstance(end, EpisodeEnded)


def test_what_holds_no_more_is_not_counted() -> None:
    tally = Tally(started("count#0.0"))
    lost = {"node": "a", "progress": 0.0, "reason": "it was undone", "completed": False}
    for event in (turn("count#0.0"), step("count#0.0", node="a"), step("count#0.0", index=1, node="b")):
        tally.take(event)
    assert tally.ended("turns", changes=[lost]).completed == 1
    assert (tally.solved_turn, tally.found) == (None, {"a": "it was undone"})


def test_what_checks_found_is_counted() -> None:
    tally = Tally(started("count#0.0"))
    for number, status in enumerate(("stated", "kept", "violated", "repaired", "violated", "untold")):
        found = TimelineEvent("check", "toy", 1.0, 1.0, number, "…", detail=CheckDetail(status)).to_json()
        tally.take(Remembered("count#0.0", 1, number, [found, TimelineEvent("note", "", 1.0, 1.0, 0, "x").to_json()]))
    assert (tally.checked, tally.violated, tally.repaired) == (3, 2, 1)


def test_two_writers(tmp_path: Path) -> None:
    with RunLock(tmp_path), pytest.raises(ConfigError, match=rf"process {os.getpid()} on \S+"):
        RunLock(tmp_path)
    with RunLock(tmp_path) as lock:
        assert isinstance(lock, RunLock)


def test_a_refused_lock_leaves_no_file_open(tmp_path: Path) -> None:
    with RunLock(tmp_path):
        before = os.listdir("/proc/self/fd")
        with pytest.raises(ConfigError):
            RunLock(tmp_path)
        assert len(os.listdir("/proc/self/fd")) == len(before)


def test_a_lock_dies_with_its_holder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from omnipilot.bench.journal.lock import RunLock; "
        "lock = RunLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    with pytest.raises(ConfigError, match=f"process {holder.pid} "):
        RunLock(tmp_path)
    holder.send_signal(signal.SIGKILL)
    holder.communicate(timeout=10)
    RunLock(tmp_path).release()
