"""What a part uses when it happens to be installed is asked for: no run gets other results in silence without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import omnipilot
from hide_packages import OCR, hidden, surroundings

from omnipilot.bench.cli.commands import demo

CURE = "'rapidocr' is not installed; run: pip install 'omnipilot[ocr]'; or do without: -o planner.ocr=false"
LACKS = "planner rules (ocr=false) reads no letters and numbers in films"
RUN = ("run", "--suite", "duet", "--planner", "rules", "--tasks", "send-message")
WITHOUT = ("-o", "planner.ocr=false")


def one_line(text: str) -> str:
    """A message as one line, however it was wrapped."""
    return " ".join(text.split())


def cut_after_first_episode(folder: Path) -> None:
    """Leave a run as if it had been killed when its first episode was over."""
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if "episode_ended" in line)
    (folder / "journal.jsonl").write_text("".join(lines[: first + 1]), encoding="utf-8")


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["run", "dry"])
def test_without_ocr_rules_is_refused_with_the_cure(dry: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot(*RUN, *dry, "--out", str(tmp_path / "x"))
    assert done.returncode == 2 and CURE in one_line(done.stderr)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("sweep", "--suite", "duet", "--tasks", "send-message", "--planner", "noop", "--planner", "rules"),
        ("ablate", "--suite", "duet", "--tasks", "send-message", "--planner", "rules"),
        ("grid", "--suite", "duet", "--tasks", "send-message", "--planner", "noop", "--planner", "rules"),
        (
            "run",
            "--suite",
            "duet",
            "--tasks",
            "send-message",
            "--planner",
            "noop",
            "--agent",
            "by-environment",
            "--tool-agent",
            "rules",
        ),
    ],
    ids=["sweep", "ablate", "grid", "tool agent"],
)
def test_every_command_that_plays_refuses_it(command: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot(*command, "--dry-run", "--out", str(tmp_path / "x"))
    assert done.returncode == 2 and CURE in one_line(done.stderr), done.stderr


@pytest.mark.parametrize(
    "asked",
    [
        ("--suite", "duet", "--tasks", "send-message", "--planner", "noop"),
        ("--suite", "duet", "--tasks", "send-message", "--planner-modalities", "screenshot,elements,audio"),
        ("--suite", "duet", "--tasks", "send-message", "--planner", "blind:rules"),
        ("--suite", "miniwob", "--tasks", "click-button"),
    ],
    ids=["noop", "no film granted", "blind", "a suite without films"],
)
def test_where_no_film_is_read_nothing_is_asked_for(asked: tuple[str, ...], tmp_path: Path) -> None:
    with hidden(*OCR):
        done = omnipilot("run", *asked, "--dry-run", "--out", str(tmp_path / "x"))
    assert done.returncode == 0 and LACKS not in done.stdout, done.stderr


def test_a_run_is_resumed_under_its_own_condition_alone(tmp_path: Path) -> None:
    command = (*RUN, "--instances", "2", "--out", str(tmp_path / "x"))
    assert omnipilot(*command).returncode == 0
    cut_after_first_episode(tmp_path / "x")
    kept = (tmp_path / "x" / "journal.jsonl").read_bytes()

    with hidden(*OCR):
        same, other = omnipilot(*command), omnipilot(*command, *WITHOUT)
    assert same.returncode == 2 and CURE in one_line(same.stderr)
    assert other.returncode == 2
    assert "agent.planner.options.ocr: not given there, false asked for" in one_line(other.stderr)
    assert (tmp_path / "x" / "journal.jsonl").read_bytes() == kept

    done = omnipilot(*command)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x" / "journal.jsonl").read_text(encoding="utf-8").count("episode_ended") == 2


def test_what_a_run_does_without_is_told(tmp_path: Path) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert omnipilot(*RUN, "--out", a).returncode == 0
    with hidden(*OCR):
        dry, alone = (omnipilot(*RUN, *WITHOUT, *more, "--out", b) for more in (("--dry-run",), ()))
        again = omnipilot(*RUN, "--out", b)
    assert dry.returncode == 0 and LACKS in dry.stdout
    assert alone.returncode == 0 and f"rules: {LACKS}" in one_line(alone.stdout)
    assert again.returncode == 2 and CURE in one_line(again.stderr)
    assert json.loads((tmp_path / "b" / "spec.json").read_text())["spec"]["agent"]["planner"]["options"] == {
        "ocr": False
    }

    begun = omnipilot(*RUN, "--out", b)
    assert begun.returncode == 2 and "ocr: false there, not given asked for" in one_line(begun.stderr)
    compared = omnipilot("compare", a, b, "--resamples", "100")
    assert "differs: agent.planner.options.ocr: not given in a, false in b" in one_line(compared.stdout)
    assert LACKS in one_line(omnipilot("report", a, b, "--out", str(tmp_path / "r.html")).stdout)


@pytest.mark.slow
def test_the_demo_says_what_a_core_installation_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "TASKS", ("send-message",))
    with hidden(*OCR, "playwright"):
        done = omnipilot("demo", "--out", str(tmp_path), "--jobs", "0")
    assert done.returncode == 0, done.stderr
    told = one_line(done.stderr)
    assert "rules without text in films, where it fails then: rapidocr is not installed; run: pip install" in told
    assert "without miniwob: playwright is not installed" in told
    assert LACKS in one_line(done.stdout)


@pytest.mark.slow
def test_in_processes_of_their_own_the_number_is_one_that_was_asked_for(tmp_path: Path) -> None:
    def run_without(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "omnipilot.bench.cli.app", *RUN[:-1], "ball-to-message", "--jobs", "1"]
        return subprocess.run(
            [*command, "--out", str(tmp_path / "x"), *more],
            env=surroundings(*OCR),
            capture_output=True,
            text=True,
            timeout=240,
        )

    refused, done = run_without(), run_without(*WITHOUT)
    assert refused.returncode == 2 and CURE in one_line(refused.stderr)
    assert done.returncode == 0 and "0/1" in done.stdout and LACKS in one_line(done.stdout), done.stderr
