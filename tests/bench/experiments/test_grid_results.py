"""The figures of a grid: cells, margins, and gains, also where cells are missing or void."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_grids import GROUNDERS, PLANNERS, made_grid

from omnipilot.bench.experiments.grid_results import GridResults, grid_results
from omnipilot.bench.journal.run import Run
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import difference, pair

RUNS = made_grid()


def results(runs: list[Run]) -> GridResults:
    return grid_results(list(PLANNERS), list(GROUNDERS), runs)


@pytest.fixture(scope="module")
def found() -> GridResults:
    return results(RUNS)


def rates() -> np.ndarray:
    shares = [sum(one.success for one in run.episodes) / len(run.episodes) for run in RUNS]
    return np.array(shares).reshape(2, 4)


def test_cells_and_margins_are_what_the_episodes_say(found: GridResults) -> None:
    shown = [[cell.solved.all.estimate if cell.solved else None for cell in row] for row in found.cells]
    assert shown == pytest.approx(rates())
    assert [one.estimate for one in found.row_margins if one] == pytest.approx(rates().mean(axis=1))
    assert [one.estimate for one in found.column_margins if one] == pytest.approx(rates().mean(axis=0))
    assert found.grand is not None and found.grand.estimate == pytest.approx(rates().mean())
    assert (found.units, found.tasks, found.void, found.complete) == (60, 60, 0, True)
    cell, episodes = found.cells[0][2], RUNS[2].episodes
    assert cell.right == sum(one.pointed_right for one in episodes) and cell.told == 120
    assert cell.accuracy is not None and cell.accuracy.estimate == pytest.approx(cell.right / cell.told)
    assert cell.false_completions == sum(not one.success for one in episodes) > 20


def test_each_part_is_compared_with_the_first_of_its_kind(found: GridResults) -> None:
    assert [(one.axis, one.old, one.new) for one in found.gains] == [
        ("grounder", "gold", "graded:0.9"),
        ("grounder", "gold", "graded:0.5"),
        ("grounder", "gold", "elements"),
        ("planner", "gold", "rules"),
    ]
    means = rates().mean(axis=0)
    assert found.gains[1].contrast.difference.estimate == pytest.approx(means[2] - means[0])
    assert found.gains[1].contrast.factor.estimate == pytest.approx(means[2] / means[0])
    assert [one.adjusted for one in found.gains] == list(holm([one.contrast.p or 0.0 for one in found.gains]))
    assert len(found.within) == 2 * 3 + 4 * 1
    alone = next(one for one in found.within if (one.within, one.new) == ("rules", "graded:0.5"))
    known = difference(pair(outcomes(RUNS[4].episodes), outcomes(RUNS[6].episodes))[0])
    assert alone.contrast.difference == known.interval and alone.contrast.p == known.p


def test_the_grounder_is_worth_more_where_it_was_made_so(found: GridResults) -> None:
    assert set(found.ranges) == {"grounder", "planner"}
    assert found.dominance is not None and found.dominance[0] == "grounder" and found.dominance[2]
    turned = made_grid({"good": 1.0, "bad": 0.3}, {"a": 0.95, "b": 0.9})
    other = grid_results(["good", "bad"], ["a", "b"], turned).dominance
    assert other is not None and other[0] == "planner" and other[2]


def test_success_rises_with_the_accuracy_of_graded_grounders() -> None:
    """The dose and the response: monotone, and every step is told."""
    doses = {f"graded:{p}": p for p in (1.0, 0.8, 0.6, 0.4)}
    found = grid_results(["gold"], list(doses), made_grid({"gold": 1.0}, doses, tasks=120))
    shares = [one.estimate for one in found.column_margins if one]
    assert shares == sorted(shares, reverse=True)
    assert all((one.contrast.difference.high or 0) < 0 for one in found.gains)


def test_an_unfinished_cell_takes_its_row_and_its_column_out() -> None:
    runs = list(RUNS)
    runs[5] = replace(runs[5], episodes=runs[5].episodes[:20])
    found = results(runs)
    assert not found.complete and found.grand is None and found.dominance is None and found.ranges == {}
    assert [one is None for one in found.row_margins] == [False, True]
    assert [one is None for one in found.column_margins] == [False, True, False, False]
    assert [(one.old, one.new) for one in found.gains] == [("gold", "graded:0.5"), ("gold", "elements")]
    assert found.units == 60


def test_the_reference_is_the_first_that_is_finished() -> None:
    runs = list(RUNS)
    runs[0] = replace(runs[0], episodes=(), planned=60)
    found = results(runs)
    assert found.cells[0][0].solved is None
    assert [one.old for one in found.gains] == ["graded:0.9", "graded:0.9"]


def test_without_a_finished_cell_there_are_no_figures() -> None:
    found = results([replace(run, episodes=(), planned=60) for run in RUNS])
    assert found.gains == found.within == () and found.units == 0
    assert found.row_margins == (None, None)


def test_void_episodes_count_as_zero() -> None:
    runs = list(RUNS)
    runs[0] = replace(runs[0], episodes=tuple(replace(one, reason="void") for one in runs[0].episodes))
    found = results(runs)
    assert found.complete and found.void == 60
    cell = found.cells[0][0]
    assert cell.solved is not None and cell.solved.all.estimate == 0.0 and cell.solved.valid is None


def test_a_single_row_or_column_has_one_margin() -> None:
    row = grid_results(["gold"], list(GROUNDERS), RUNS[:4])
    assert {one.axis for one in row.gains} == {"grounder"} and row.within == ()
    assert set(row.ranges) == {"grounder"} and row.dominance is None
    column = grid_results(list(PLANNERS), ["gold"], [RUNS[0], RUNS[4]])
    assert {one.axis for one in column.gains} == {"planner"} and set(column.ranges) == {"planner"}


def test_instances_are_paired_and_tasks_are_the_clusters() -> None:
    runs = made_grid(tasks=20, instances=3, templates=("a", "b"))
    found = results(runs)
    assert (found.units, found.tasks) == (60, 20)
    assert found.grand is not None and "2 groups of tasks with one template" in found.grand.method


def test_a_large_grid_is_fast() -> None:
    import time

    names = [f"p{number}" for number in range(4)], [f"g{number}" for number in range(8)]
    doses = [dict(zip(each, np.linspace(1, 0.4, len(each)), strict=True)) for each in names]
    runs = made_grid(doses[0], doses[1])
    start = time.process_time()
    found = grid_results(*names, runs)
    assert time.process_time() - start < 5
    assert len(found.within) == 4 * 7 + 8 * 3
