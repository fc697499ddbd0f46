"""The page on tables for papers prints what its commands print, and names the options that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import blocks, check_options, commands
from PIL import Image
from shared_folders import ROOT

from omnipilot.bench.report.paper.latex import COLUMN

TEXT = (ROOT / "docs/paper.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs/pictures/paper-figure.png"


def test_the_commands_of_the_papers_tables_are_understood() -> None:
    found = re.findall(r"\| `(omnipilot table RUN… [^`]*)` \|", TEXT)
    assert len(found) == 6
    for line in found:
        check_options(line)


def test_the_picture_is_as_wide_as_a_column() -> None:
    assert Image.open(PICTURE).width == pytest.approx(COLUMN / 72.27 * 300, abs=1)
    assert PICTURE.stat().st_size < 120_000


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_what_is_printed_is_what_the_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = []
    for line in commands(TEXT):
        done = omnipilot(*shlex.split(line)[1:])
        assert done.returncode == 0, done.stderr
        if " table " in line:
            printed.append(done.stdout.strip("\n"))
    assert len(printed) == 3
    assert printed[0] == blocks(TEXT, "text")[0].strip("\n") and printed[1] == blocks(TEXT, "tex")[0].strip("\n")
    assert Image.open("figure.png").size == Image.open(PICTURE).size
