"""The page on swapping planner and grounder shows what its command prints and draws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import omnipilot
from figure_checks import svg_words
from page_commands import blocks, commands
from shared_folders import ROOT

PAGE = (ROOT / "docs/swapping.md").read_text(encoding="utf-8")


def test_the_page_shows_the_command_of_its_tables() -> None:
    first = next(line for line in commands(PAGE) if line.startswith("omnipilot grid"))
    assert "--suite duet" in first and "--tasks" not in first
    assert len(blocks(PAGE, "text")) >= 4


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_command_prints_the_tables_of_the_page_and_draws_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, *arguments = next(line for line in commands(PAGE) if line.startswith("omnipilot grid")).split()
    done = omnipilot(*arguments)
    assert done.returncode == 0, done.stderr
    for shown in blocks(PAGE, "text"):
        assert _squeezed(shown) in _squeezed(done.stdout), f"not printed:\n{shown}\n\nprinted:\n{done.stdout}"
    drawn = (tmp_path / "runs/grid/grid.svg").read_text(encoding="utf-8")
    # Shapes differ between versions of matplotlib, words do not.
    assert svg_words(drawn) == svg_words((ROOT / "docs/pictures/grid.svg").read_text(encoding="utf-8"))


def _squeezed(text: str) -> str:
    """A text without the rules of tables and the widths of columns."""
    return " ".join(re.sub("─+", "", text).split())
