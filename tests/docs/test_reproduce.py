"""docs/reproduce.md: each table has its command, what it needs, what is printed, and whether it was run."""

from __future__ import annotations

import re

from page_commands import commands
from shared_folders import ROOT

PAGE = (ROOT / "docs/reproduce.md").read_text(encoding="utf-8")
PAPER = (ROOT / "docs/paper.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| \[([^\]]+)\]\(#([\w-]+)\)[^|]*\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE
)
SECTIONS = {
    re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"): text
    for title, text in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}


def test_each_table_has_its_row_and_its_section_with_a_command() -> None:
    assert len(ROWS) == 19
    for name, anchor, *cells in ROWS:
        assert all(cells) and cells[-1] == "not run", name
        assert commands(SECTIONS[anchor]), name


def test_the_five_papers_are_there() -> None:
    papers = {re.sub(r" \d+$", "", name) for name, *_ in ROWS}
    assert papers == {"OmniBench", "CRAB", "MMBench-GUI", "OmniACT", "OmniGUI"}


def test_the_tables_of_the_page_on_papers_are_made_here_too() -> None:
    wanted = re.findall(r"\| `omnipilot table RUN… ([^`]*)` \|", PAPER)
    given = [re.sub(r"^omnipilot table (runs/\S+ )+", "", line) for line in commands(PAGE) if " table " in line]
    assert len(wanted) == 6 and set(wanted) <= set(given)
