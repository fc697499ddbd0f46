"""docs/works-there.md: its tables are those of its figures, and those of the chain say that nothing gold is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from works_there import FOUND, PARTS, main, table

from omnipilot.agents.assembly.honesty import SAID

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "works-there.md").read_text(encoding="utf-8")
PLAYED = json.loads(FOUND.read_text(encoding="utf-8"))


def shown(part: str) -> str:
    return PAGE.partition(f"<!-- {part} -->")[2].partition(f"<!-- end of {part} -->")[0].strip()


def test_every_part_was_played() -> None:
    assert set(PLAYED) == set(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_the_tables_are_those_of_the_figures(part: str) -> None:
    cells = PLAYED[part]
    assert shown(part) == table(part, cells), "run: python docs/figures/works_there.py docs/works-there.md"
    for cell in cells:
        assert (cell["solved"], cell["played"]) == (sum(cell["episodes"].values()), len(cell["episodes"]))
        assert cell["episodes"].keys() == cells[0]["episodes"].keys(), "cells are paired by episode"


@pytest.mark.parametrize("part", PARTS)
def test_the_chain_and_nothing_else_is_said_to_have_nothing_gold_in_it(part: str) -> None:
    words = SAID["pixels"]
    assert (words[1:] in shown(part)) is part.endswith("-chain")


def test_a_part_that_the_page_has_not_got_is_refused() -> None:
    with pytest.raises(SystemExit, match="vary-chain"):
        main(["docs/works-there.md", "varied=runs/vary"])
