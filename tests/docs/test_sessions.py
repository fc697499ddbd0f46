"""The page on sessions: its examples are run, and do what the page says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from page_commands import blocks
from shared_folders import ROOT

PAGE = (ROOT / "docs/sessions.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.exhibit("duet")
def test_the_first_example_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "example.py").write_text(blocks(PAGE, "python")[0], encoding="utf-8")
    runpy.run_path("example.py")
    said = capsys.readouterr().out.splitlines()
    assert said[2:] == ["done 0.0", "unknown kind 'clik'; did you mean click?", "False"]


@pytest.mark.slow
@pytest.mark.exhibit("duet")
def test_the_pool_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "example.py").write_text(blocks(PAGE, "python")[1], encoding="utf-8")
    runpy.run_path("example.py")
    assert capsys.readouterr().out == f"{['done'] * 8}\n"
