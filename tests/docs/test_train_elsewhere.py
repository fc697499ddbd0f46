"""The page on training elsewhere: its programs are run, and what is taught through Gymnasium is learnt."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest
from page_commands import blocks
from shared_folders import ROOT

PAGE = (ROOT / "docs/train-elsewhere.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.exhibit("duet")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(monkeypatch: pytest.MonkeyPatch, code: str, *arguments: str) -> None:
    """Run a program of the page as the reader does, with its seeds."""
    Path("learn.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["learn.py", *arguments])
    runpy.run_path("learn.py", run_name="__main__")


def learner(word: str) -> str:
    """The program of the page in which a word occurs."""
    (code,) = (block for block in blocks(PAGE, "python") if word in block)
    return code


@pytest.mark.needs("omnipilot[gym]")
def test_a_round_in_gymnasium(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shorter = learner("gymnasium").replace("16, 10, 0.5", "2, 3, 0.5").replace("range(20)", "range(2)")
    play(monkeypatch, shorter, "1")
    said = capsys.readouterr().out.splitlines()
    assert said == ["round 1: mean return 0.00", "instances 0 to 19, which it never saw: 0 of 20 solved"]


@pytest.mark.slow
@pytest.mark.needs("omnipilot[gym]")
def test_the_task_is_learnt_in_gymnasium(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play(monkeypatch, learner("gymnasium"))
    said = capsys.readouterr().out
    returns = [float(one) for one in re.findall(r"mean return (\d\.\d+)", said)]
    assert len(returns) == 25 and returns[0] < 0.1 and returns[-1] > 0.9
    assert int(re.findall(r"(\d+) of 20 solved", said)[0]) >= 19


@pytest.mark.slow
def test_the_program_for_trl_runs_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("trl")
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    play(
        monkeypatch,
        learner("GRPOTrainer").replace("batch_size=8, num_generations=8", "batch_size=2, num_generations=2"),
        "2",
        "1",
    )
    said = capsys.readouterr().out
    assert re.search(r"^cloned: loss \d+\.\d\d$", said, re.MULTILINE)
    (told,) = re.findall(r"^reward of each step: (.+)$", said, re.MULTILINE)
    assert all(0 <= float(one) <= 0.5 for one in told.split()) and len(told.split()) == 1
