"""The page on reinforcement: its loop is run, and its policy learns."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from page_commands import blocks
from shared_folders import ROOT

PAGE = (ROOT / "docs/train.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_loop_learns_the_task_and_a_price_shortens_it(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(
        next(one for one in blocks(PAGE, "python") if "def reinforce" in one), encoding="utf-8"
    )
    reinforce = runpy.run_path(str(tmp_path / "loop.py"))["reinforce"]
    free, priced = reinforce(seed=1)[-10:], reinforce(price=0.05, seed=1)[-10:]
    assert all(left == 5 for left, *_ in free + priced)
    assert sum(solved for _, solved, _ in free) > 9 and sum(solved for _, solved, _ in priced) > 9
    assert sum(moves for *_, moves in priced) < sum(moves for *_, moves in free) + 1
