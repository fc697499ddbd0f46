"""The tables of a grid: what stands in them, and what their notes say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_grids import GROUNDERS, PLANNERS, made_grid

from omnipilot.bench.experiments.grid_results import GridResults, grid_results
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.grid_table import (
    cells_table,
    matrix_table,
    within_table,
    worth_table,
)
from omnipilot.bench.tables import Table

RUNS = made_grid()


def results(runs: list[Run]) -> GridResults:
    return grid_results(list(PLANNERS), list(GROUNDERS), runs)


@pytest.fixture(scope="module")
def found() -> GridResults:
    return results(RUNS)


def notes(table: Table) -> str:
    return "\n".join(table.with_methods().notes)


def test_the_matrix_has_both_margins_and_the_mean_of_all(found: GridResults) -> None:
    table = matrix_table(found)
    assert table.columns == ("planner", *GROUNDERS, "all grounders")
    assert [row[0] for row in table.rows] == ["gold", "rules", "all planners"]
    assert table.rows[0][1] == "100.0 [94.0, 100.0]"
    assert found.grand is not None and table.rows[2][5] == found.grand.text()
    assert "every cell with planner gold or grounders gold, graded" in notes(table)
    assert "60 instances of 60 tasks" in notes(table) and "95 % confidence" in notes(table)


@pytest.mark.slow
def test_a_planner_that_asks_no_grounder_is_named(found: GridResults) -> None:
    assert "no place was asked" not in notes(cells_table(found))
    silent = {"pointed_right": 0, "pointed_told": 0}
    runs = [replace(one, episodes=tuple(replace(e, **silent) for e in one.episodes)) for one in RUNS[:4]] + RUNS[4:]
    assert "gold: no place was asked of a grounder" in notes(cells_table(results(runs)))
    told = tuple(replace(one, pointed_asked=1) for one in runs[0].episodes)
    assert "no place was asked" not in notes(cells_table(results([replace(runs[0], episodes=told), *runs[1:]])))


def test_void_and_unfinished_cells_are_marked() -> None:
    runs = list(RUNS)
    runs[1] = replace(runs[1], episodes=tuple(replace(one, reason="void") for one in runs[1].episodes))
    runs[4] = replace(runs[4], episodes=runs[4].episodes[:20])
    runs[5] = replace(runs[5], episodes=())
    runs[5] = replace(runs[5], planned=60)
    table = matrix_table(results(runs))
    assert table.rows[0][2].endswith(", 60 void") and table.rows[1][1].endswith(", 20 of 60")
    assert table.rows[1][2] == table.rows[1][5] == table.rows[2][1] == table.rows[2][5] == "—"
    assert table.rows[0][5] != "—" and table.rows[2][3] != "—"
    assert "not finished: rules · gold, 20 of 60 episodes" in table.notes
    assert "only for rows and columns in which all cells are finished" in notes(table)
    assert "60 void" in notes(table) and "--rerun-void" in notes(table)


def test_one_row_per_cell(found: GridResults) -> None:
    table = cells_table(found)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert len(rows) == 8
    cell = found.cells[0][2]
    assert rows[2] == {
        **{"planner": "gold", "grounder": "graded:0.5"},
        **{"solved": f"{60 - cell.false_completions}/60", "SR %": cell.solved.all.text() if cell.solved else ""},
        **{"pointed right": f"{cell.right}/120", "pointed right %": cell.accuracy.text() if cell.accuracy else ""},
        **{"EQA %": cell.efficiency.text() if cell.efficiency else "", "false completion": str(cell.false_completions)},
        "void": "0",
    }


def test_what_nobody_knows_is_a_dash() -> None:
    runs = [
        replace(run, episodes=tuple(replace(one, pointed_right=0, pointed_told=0) for one in run.episodes))
        for run in RUNS
    ]
    table = cells_table(results(runs))
    assert table.rows[0][4:6] == ("0/0", "—") and "there is no place for which it can be told" in notes(table)


def test_what_either_part_is_worth(found: GridResults) -> None:
    table = worth_table(found)
    assert [row[:3] for row in table.rows] == [
        ("grounder", "gold", "graded:0.5"),
        ("grounder", "gold", "graded:0.9"),
        ("grounder", "gold", "elements"),
        ("planner", "gold", "rules"),
        ("grounder, largest", "graded:0.5", "gold"),
    ]
    assert table.rows[0][3].startswith("-57.5 [") and table.rows[0][4].startswith("×0.37 [")
    assert table.rows[4][3].startswith("+57.5 [") and table.rows[4][5:] == ("", "")
    assert "chosen after seeing the data" in notes(table) and "corrected for the 4 rows" in notes(table)
    assert "99.58 %" in notes(table)


def test_single_cells(found: GridResults) -> None:
    within = within_table(found)
    assert len(within.rows) == 10 and within.rows[3][:4] == ("grounder", "rules", "gold", "graded:0.9")


def test_a_quotient_by_nothing_is_a_dash() -> None:
    runs = made_grid({"none": 0.0, "gold": 1.0})
    table = worth_table(grid_results(["none", "gold"], list(GROUNDERS), runs))
    assert next(row for row in table.rows if row[0] == "planner")[4] == "—"
