"""`omnipilot memory`: what a recorded episode's memory answers, and its timeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import omnipilot

TASK = "spoken-code-to-log"
QUESTION = "what code was spoken on the phone"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for memory in ("window", "episodic"):
        command = ("run", "--suite", "duet", "--tasks", TASK, "--planner", "oracle", "--memory", memory)
        done = omnipilot(*command, "--out", str(folder / memory))
        assert done.returncode == 0, done.stderr
    return folder


def asked(run: Path, *more: str) -> list[dict[str, object]]:
    done = omnipilot("memory", str(run), TASK, "--json", *more)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def test_a_question_is_answered_with_parts_files_and_reasons(runs: Path) -> None:
    parts = asked(runs / "window", "--ask", QUESTION)
    (clip, *_) = (part for part in parts if part["source"] == "audio" and part["seconds"] > 1)  # type: ignore[operator]
    assert Path(str(clip["file"])).suffix == ".wav" and Path(str(clip["file"])).is_file()
    assert clip["env"] == "phone" and "the task asks for a sound" in str(clip["why"])
    told = omnipilot("memory", str(runs / "window"), TASK, "--ask", QUESTION)
    assert str(clip["file"]) in told.stdout and "because: " in told.stdout


def test_any_memory_can_be_asked_within_what_it_may_tell(runs: Path) -> None:
    shots = asked(runs / "window", "--ask", QUESTION, "--memory", "keyframes", "-o", "memory.images=2")
    assert {part["source"] for part in shots} >= {"screenshot", "action"}
    assert asked(runs / "window", "--ask", QUESTION, "--memory", "window")
    silent = asked(runs / "window", "--ask", QUESTION, "--modalities", "elements", "--envs", "phone")
    assert silent and {part["source"] for part in silent} <= {"text", "action", "thought"}
    assert {part["env"] for part in silent} <= {"phone", ""}


def test_the_timeline_is_printed_by_kind_and_time(runs: Path) -> None:
    events = asked(runs / "window", "--kinds", "audio,sound")
    assert events and {event["kind"] for event in events} == {"audio", "sound"}
    late = asked(runs / "window", "--kinds", "audio,sound", "--from", "1.9")
    assert 0 < len(late) < len(events)
    done = omnipilot("memory", str(runs / "window"), TASK)
    assert f"{TASK}#0.0, attempt 1: 7 turns" in done.stdout and "open_app" in done.stdout


def test_what_was_kept_is_read_from_the_journal(runs: Path) -> None:
    kept = asked(runs / "episodic")
    assert {event["kind"] for event in kept} >= {"text", "action", "thought"}
    assert not (runs / "episodic" / "memory").exists(), "nothing had to be made"


@pytest.mark.parametrize("state", ["missing", "damaged", "cut", "of another journal"])
def test_the_index_is_made_again(runs: Path, state: str) -> None:
    before = asked(runs / "window")
    (file,) = (runs / "window" / "memory").iterdir()
    lines = file.read_bytes().splitlines(keepends=True)
    if state == "missing":
        file.unlink()
    elif state == "damaged":
        file.write_bytes(b"{" + b"".join(lines))
    elif state == "cut":
        file.write_bytes(b"".join(lines[:-3]))
    else:
        file.write_bytes(b'{"journal": 1, "attempt": 1, "events": 0}\n')
    assert asked(runs / "window") == before
    assert file.read_bytes() == b"".join(lines)


def test_the_index_is_used_where_it_is_of_the_journal(runs: Path) -> None:
    asked(runs / "window")
    (file,) = (runs / "window" / "memory").iterdir()
    lines = file.read_bytes()
    file.write_bytes(lines.replace(b"open_app", b"open_jar"))
    assert "open_jar" in json.dumps(asked(runs / "window"))
    file.write_bytes(lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere", TASK), "there is no run in"),
        (("window", "spoken-code"), "did you mean spoken-code-to-log"),
        (("window", TASK, "--instance", "4"), "there are (instance.trial): 0.0"),
        (("window", TASK, "--envs", "watch"), "there is no environment 'watch' here; there are: phone, desktop"),
        (("window", TASK, "--modalities", "smell"), "there is no modality 'smell'"),
        (("window", TASK, "--kinds", "smell"), "there is no kind 'smell'"),
        (("window", TASK, "--ask", "x", "--kinds", "text"), "leave --ask out"),
        (("window", TASK, "--from", "5", "--to", "1"), "no span of time"),
        (("window", TASK, "--from", "nan", "--to", "1"), "no span of time"),
        (("window", TASK, "--ask", "x", "-o", "planner.turns=4"), "write -o memory.KEY=VALUE"),
        (("window", TASK, "--ask", "x", "--memory", "episodix"), "did you mean episodic"),
    ],
)
def test_what_there_is_not_is_told(runs: Path, arguments: tuple[str, ...], told: str) -> None:
    run, *more = arguments
    done = omnipilot("memory", str(runs / run), *more)
    assert done.returncode == 2 and told in done.stderr
