"""`omnipilot memory`: what a recorded episode's memory answers, and its timeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import omnipilot

TASK = "spoken-code-to-log"
QUESTION = "what code was spoken on the phone"
KEYPAD = "what does the keypad of the app Phone say"


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


@pytest.mark.exhibit("duet", "rules")
def test_a_question_is_answered_with_words_files_and_reasons(runs: Path) -> None:
    answers = asked(runs / "window", "--ask", QUESTION)
    assert 0 < len(answers) <= 5
    (best, *_) = answers
    assert best["env"] == "phone" and best["kind"] == "sound" and "the question asks for a sound" in str(best["why"])
    assert Path(str(best["file"])).suffix == ".wav" and Path(str(best["file"])).is_file() and best["seconds"]
    told = omnipilot("memory", str(runs / "window"), TASK, "--ask", QUESTION)
    assert str(best["file"]) in told.stdout and "why: " in told.stdout and "not put into words" in told.stdout
    assert (
        len(asked(runs / "window", "--ask", KEYPAD)) > 1 == len(asked(runs / "window", "--ask", KEYPAD, "--most", "1"))
    )


@pytest.mark.exhibit("duet", "rules")
def test_what_was_heard_is_answered_in_words_where_a_reader_told_it(tmp_path: Path) -> None:
    command = ("run", "--suite", "duet", "--tasks", TASK, "--planner", "rules", "--readers", "gold")
    done = omnipilot(*command, "--memory", "episodic", "--out", str(tmp_path / "told"))
    assert done.returncode == 0, done.stderr
    (best, *_) = asked(tmp_path / "told", "--ask", QUESTION)
    assert best["kind"] == "transcript" and "code is" in str(best["text"]) and str(best["file"]).endswith(".wav")
    assert float(str(best["end"])) > float(str(best["start"])), "it was when it was spoken, not when it was told"


@pytest.mark.exhibit("duet", "rules")
def test_any_memory_can_be_asked_within_what_it_may_tell(runs: Path) -> None:
    shots = asked(runs / "window", "--ask", QUESTION, "--memory", "keyframes", "-o", "memory.images=2", "--all")
    assert {part["source"] for part in shots} >= {"screenshot", "action"}
    assert asked(runs / "window", "--ask", QUESTION, "--memory", "window")
    every: tuple[tuple[str, ...], ...] = ((), ("--all",))
    for more in every:
        silent = asked(runs / "window", "--ask", KEYPAD, "--modalities", "elements", "--envs", "phone", *more)
        kinds = {part["source" if more else "kind"] for part in silent}
        assert kinds and kinds <= {"anchor", "text", "action", "thought", "context", "write"}
        assert {part["env"] for part in silent} <= {"phone", ""} and not any("file" in part for part in silent)


@pytest.mark.exhibit("duet", "rules")
def test_the_timeline_is_printed_by_kind_and_time(runs: Path) -> None:
    events = asked(runs / "window", "--kinds", "audio,sound")
    assert events and {event["kind"] for event in events} == {"audio", "sound"}
    late = asked(runs / "window", "--kinds", "audio,sound", "--from", "1.9")
    assert 0 < len(late) < len(events)
    done = omnipilot("memory", str(runs / "window"), TASK)
    assert f"{TASK}#0.0, attempt 1: 7 turns" in done.stdout and "open_app" in done.stdout


@pytest.mark.exhibit("duet", "rules")
def test_what_was_kept_is_read_from_the_journal(runs: Path) -> None:
    kept = asked(runs / "episodic")
    assert {event["kind"] for event in kept} >= {"text", "action", "thought"}
    assert not (runs / "episodic" / "memory").exists(), "nothing had to be made"


@pytest.mark.exhibit("duet", "rules")
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


@pytest.mark.exhibit("duet", "rules")
def test_the_index_is_used_where_it_is_of_the_journal(runs: Path) -> None:
    asked(runs / "window")
    (file,) = (runs / "window" / "memory").iterdir()
    lines = file.read_bytes()
    file.write_bytes(lines.replace(b"open_app", b"open_jar"))
    assert "open_jar" in json.dumps(asked(runs / "window"))
    file.write_bytes(lines)


@pytest.mark.exhibit("duet", "rules")
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
        (("window", TASK, "--ask", "x", "--most", "0"), "--most must be at least 1"),
        (("window", TASK, "--ask", "x", "--memory", "episodix"), "did you mean episodic"),
    ],
)
def test_what_there_is_not_is_told(runs: Path, arguments: tuple[str, ...], told: str) -> None:
    run, *more = arguments
    done = omnipilot("memory", str(runs / run), *more)
    assert done.returncode == 2 and told in done.stderr
