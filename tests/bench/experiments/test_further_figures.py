"""Figures by name beside SR: in sweeps, ablations, grids and comparisons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_runs import a_run, episode
from toy_suite import toy_spec

from omnipilot.bench.experiments.ablation_results import ALL
from omnipilot.bench.experiments.ablation_results import rows_of as ablation_rows
from omnipilot.bench.experiments.cells import Cell, pending_cells
from omnipilot.bench.experiments.comparison import compare, narrow
from omnipilot.bench.experiments.grid_results import grid_results
from omnipilot.bench.experiments.sweep_results import rows_of as sweep_rows
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.figures_table import further_tables
from omnipilot.bench.run import run
from omnipilot.bench.scoring.run_figures import check_figures
from omnipilot.envs import ConfigError


def runs() -> list[Run]:
    """Twelve tasks in 4 turns each, and the same in 6 with half of them solved."""
    slow = [replace(episode(f"t{n}", 2 * (n % 2)), turns=6) for n in range(12)]
    return [a_run("fast", [episode(f"t{n}") for n in range(12)]), a_run("slow", slow, planner="noop")]


def test_a_sweep_shows_them_for_every_row_and_compares_with_its_reference() -> None:
    rows = sweep_rows(runs(), reference=1, resamples=200, figures=("turns", "cr"))
    assert [[one.figure.name for one in row.figures] for row in rows] == [["turns", "CR"]] * 2
    apart = rows[0].figures[0].difference
    assert apart is not None and apart.interval.estimate == -2.0 and rows[1].figures[0].difference is None
    shown, differences = further_tables(["fast", "slow"], [row.figures for row in rows], 1, label="cell")
    assert shown.columns[:3] == ("cell", "turns", "CR %") and [row[1][:3] for row in shown.rows] == ["4.0", "6.0"]
    assert differences.rows[0][:2] == ("turns", "fast")


def test_without_a_name_and_a_benchmark_there_are_none() -> None:
    rows = sweep_rows(runs(), resamples=200)
    assert [row.figures for row in rows] == [(), ()] and further_tables(["a", "b"], [row.figures for row in rows]) == ()


def test_an_ablation_shows_them_over_all_tasks() -> None:
    full, other = runs()
    rows = ablation_rows(full, {"slow": other, "gone": "it needs an extra"}, "", resamples=200, figures=("turns",))
    told = {row.condition: row.figures for row in rows if row.group == ALL}
    assert told["slow"][0].difference is not None and told["slow"][0].difference.interval.estimate == 2.0
    assert told["gone"] == () and len(told["fast"]) == 1


def test_a_grid_shows_them_for_every_cell() -> None:
    found = grid_results(["rules", "noop"], ["text"], runs(), figures=("turns",))
    assert [cell.figures[0].figure.value for cell in found.all_cells] == [4.0, 6.0]


def test_a_comparison_shows_them_as_rows_in_their_own_unit() -> None:
    a, b = runs()
    table = compare_table(compare(a, b, resamples=200, figures=("turns",)))
    (row,) = [row for row in table.rows if row[0] == "turns"]
    assert row[1].startswith("4.0") and row[2].startswith("6.0") and row[3].startswith("+2.0")
    assert narrow(replace(a, folder=None), None, 0).folder is None


def test_unknown_names_are_refused_before_anything_runs() -> None:
    check_figures(("sr", "turns"), "toy")
    with pytest.raises(ConfigError, match="no figure 'tuns'; did you mean turns"):
        check_figures(("tuns",), "toy")
    with pytest.raises(ConfigError, match="cannot be imported"):
        check_figures(("no_such_module_9:waits",), "omniact")


def test_a_cell_names_the_directory_that_a_benchmarks_rules_read(tmp_path: Path) -> None:
    cell = Cell("two", toy_spec("count", "far"), tmp_path / "cell")
    (due,) = pending_cells([cell])
    assert due.run.folder == cell.folder
    run(toy_spec("count", "far"), cell.folder)
    (due,) = pending_cells([cell])
    assert due.run.folder == cell.folder and len(due.run.episodes) == 2
    (due,) = pending_cells([replace(cell, spec=toy_spec("count"))])
    assert due.run.folder is None and len(due.run.episodes) == 1
