"""The table of `mini-pool` is that of its figures, and the shipped weights are those of the training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mini_pool import BEGIN, COLUMNS, END, FOUND, PICTURES, ROWS, main, table

from omnipilot.bench.training.export import trained_on
from omnipilot.planners.mini.model_folder import MINI, read_config

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "train.md").read_text(encoding="utf-8")
TOLD = json.loads(FOUND.read_text(encoding="utf-8"))
SHIPPED = MINI.folder("mini-pool")


def test_the_table_is_that_of_the_figures() -> None:
    shown = PAGE.partition(BEGIN)[2].partition(END)[0].strip()
    assert shown == table(TOLD["played"]), "run: python docs/figures/mini_pool.py docs/train.md"
    assert all((PICTURES / f"mini-pool-{name}.svg").exists() for name in ("cloned", "reinforced"))


@pytest.mark.parametrize("row", ROWS)
def test_the_columns_of_a_row_are_paired_by_episode(row: str) -> None:
    cells = TOLD["played"][row]
    assert {"mini", "mini-pool"} <= set(cells) <= set(COLUMNS)
    episodes = [cell["episodes"] for cell in cells.values()]
    assert all(one.keys() == episodes[0].keys() for one in episodes)
    assert all(
        0 <= reached <= goals and success <= (reached == goals)
        for one in episodes
        for success, reached, goals in one.values()
    )
    assert all(bool(cell["said"]) is (row == "demo") for cell in cells.values())


def test_the_shipped_weights_are_those_of_the_training() -> None:
    told = TOLD["reinforce"]
    assert told["weights"] == MINI.digest(SHIPPED)
    assert trained_on(SHIPPED) == {
        "suites": ["duet", "pool"],
        "pool": told["suite_version"],
        "with_test_effects": False,
        "readers": "mini-ears+perception:motion",
    }
    assert told["readers"] == "mini-ears+perception:motion" and read_config(SHIPPED).saw == 6
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 12e6


def test_a_part_that_the_page_has_not_got_is_refused() -> None:
    with pytest.raises(SystemExit, match="reinforce"):
        main(["docs/train.md", "rl=runs/mini-rl"])
