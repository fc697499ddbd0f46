"""The part of the page on scale that is about media: its commands are run, and print what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_commands import blocks
from shared_folders import ROOT
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.settings import MEDIA_KEPT

PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
MEDIA = PAGE.split("\n## Media\n")[1].split("\n## ")[0]


@pytest.mark.slow
def test_its_commands_bring_back_what_was_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = [CliRunner().invoke(app, block.split()[1:]) for block in blocks(MEDIA, "sh")]
    assert [one.exit_code for one in said] == [0, 0], [one.output for one in said]
    assert said[1].stdout == blocks(MEDIA, "text")[0]


def test_it_tells_of_every_choice() -> None:
    rows = [line.split("|")[1].strip() for line in MEDIA.split("\n### ")[0].splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == ["--media", *MEDIA_KEPT]
