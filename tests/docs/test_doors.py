"""The page on doors: its examples are run, and do what the page says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from page_commands import blocks
from shared_folders import ROOT

PAGE = (ROOT / "docs/doors.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.exhibit("duet")


@pytest.mark.needs("omnipilot[gym]")
def test_the_vector_of_gymnasium_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "example.py").write_text(blocks(PAGE, "python")[0], encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))
    said = capsys.readouterr().out
    assert "(4, 916, 412, 3)" in said and "malformed" not in said
