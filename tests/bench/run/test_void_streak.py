"""A run of which no episode can be played is given up after a few, says why, and goes on once that is mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer, Status
from command_line import omnipilot

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, Interrupted
from omnipilot.bench.journal.results import SUCCESS, VOID
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.run.void_streak import VoidStreak
from omnipilot.bench.settings import MAX_VOIDS

TASKS = "send-message,add-alarm,move-file,total-expenses,tour-facts-filed,appointment-to-page"


@pytest.fixture
def broken() -> Iterator[str]:
    """The URL of a server of models that is there, and answers every request with a failure of its own."""
    with ChatServer([Status(503, "the model is not loaded")]) as server:
        yield server.url


def ended(reason: str, detail: str = "") -> EpisodeEnded:
    return EpisodeEnded("a/0/0", 1, reason, "", detail, 0, 1, 0, 0, 0, 0, {}, [], {}, 0.0, 0.0)


@pytest.mark.exhibit("duet")
@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "2"])
def test_it_stops_with_a_status_a_cause_and_a_cure_and_keeps_what_was_played(
    tmp_path: Path, broken: str, jobs: str
) -> None:
    out = tmp_path / "run"
    line = ["run", "--suite", "duet", "--tasks", TASKS, "--planner", "hosted_vllm/x", "--planner-url", broken]
    line += ["-o", "planner.retries=0", "--max-voids", "2", "--jobs", jobs, "--out", str(out)]
    done = omnipilot(*line)
    assert done.returncode == 4
    (said,) = [text for text in done.stderr.splitlines() if text.startswith("stopped: ")]
    assert "2 episodes in a row came out void for one cause, and " in said
    assert "HTTP 503: the model is not loaded" in said and "the same command with --rerun-void goes on" in said
    voids = [event.key for event in read(out) if isinstance(event, EpisodeEnded)]
    assert 2 <= len(voids) <= 2 + int(jobs) and f"and {6 - len(voids)} are left" in said
    assert [event.reason for event in read(out) if isinstance(event, Interrupted)][:1] in (["voids"], [])
    assert omnipilot(*line).returncode == 4
    later = [event.key for event in read(out) if isinstance(event, EpisodeEnded)]
    assert later[: len(voids)] == voids and len(set(later)) == len(later) >= len(voids) + 2
    # How many end a run is no part of what it is.
    assert "max_voids" not in str(read_spec(out))


@pytest.mark.exhibit("duet")
def test_a_run_too_short_to_be_given_up_fails_all_the_same(tmp_path: Path, broken: str) -> None:
    line = ["run", "--suite", "duet", "--tasks", "send-message", "--planner", "hosted_vllm/x", "--planner-url", broken]
    line += ["-o", "planner.retries=0", "--out", str(tmp_path / "run")]
    for said in ("1 episode came out void for one cause; once", "every episode is void"):
        done = omnipilot(*line)
        assert done.returncode == 4 and said in done.stderr


@pytest.mark.exhibit("duet")
@pytest.mark.slow
def test_the_cells_of_a_table_share_the_streak(tmp_path: Path, broken: str) -> None:
    line = [
        "sweep",
        "--suite",
        "duet",
        "--tasks",
        "send-message",
        "--planner",
        "hosted_vllm/x",
        "--planner-url",
        broken,
    ]
    line += ["--grounder", "elements", "--grounder", "gold", "--grounder", "centre", "--max-voids", "2"]
    done = omnipilot(*line, "-o", "planner.retries=0", "--out", str(tmp_path / "sweep"))
    assert done.returncode == 4 and "and 1 is left" in done.stderr


def test_a_row_is_of_one_cause_whatever_its_numbers() -> None:
    streak = VoidStreak()
    for seconds in range(MAX_VOIDS):
        assert not streak.reached
        streak.take(ended(VOID, f"no answer in {seconds} attempts"))
    assert streak.reached and streak.failing
    mixed = VoidStreak(2)
    for event in (ended(VOID, "a"), ended(VOID, "b"), ended(SUCCESS), ended(VOID, "b")):
        mixed.take(event)
        assert not mixed.reached
    assert not mixed.failing
    never = VoidStreak(0)
    for _ in range(99):
        never.take(ended(VOID, "a"))
    assert not never.reached and never.failing
