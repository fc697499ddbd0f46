"""What is concluded from a grid is right in every case, and says so where nothing can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from made_grids import GROUNDERS, PLANNERS, made_grid

from omnipilot.bench.experiments.grid_results import grid_results
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.grid_conclusion import conclude_grid, factor_text
from omnipilot.bench.stats.crossed import Factor


def said(
    runs: list[Run], planners: Mapping[str, float] = PLANNERS, grounders: Mapping[str, float] = GROUNDERS
) -> tuple[str, ...]:
    return conclude_grid(grid_results(list(planners), list(grounders), runs)).sentences


def test_the_grounder_matters_more() -> None:
    worth, more, gold = said(made_grid())
    assert worth.startswith("On these 60 tasks, another grounder is worth up to +57.5 points (graded:0.5 → gold, [+4")
    assert "×2.7); another planner is worth up to +20.8 points (rules → gold, [+" in worth
    assert more.startswith("Here the grounder matters more than the planner: among those tried, its choice makes +36.7")
    assert gold.startswith(
        "The planner gold and the grounders gold, graded know the solution or the true screen: these"
    )


def test_the_planner_matters_more() -> None:
    planners, grounders = {"good": 1.0, "bad": 0.2}, {"a": 0.97, "b": 0.93}
    worth, more, *_ = said(made_grid(planners, grounders), planners, grounders)
    assert "another planner is worth up to +" in worth and "(bad → good, [+" in worth
    assert more.startswith("Here the planner matters more than the grounder")


def test_a_tie_is_not_told_apart() -> None:
    planners, grounders = {"a": 0.9, "b": 0.9}, {"x": 0.9, "y": 0.9}
    worth, more, *_ = said(made_grid(planners, grounders, seed=2), planners, grounders)
    assert "no difference between grounders can be told (at most " in worth
    assert "no difference between planners can be told (at most " in worth
    assert more.startswith("Whether grounder or planner matters more cannot be told")


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_nothing_solved_or_everything(rate: float) -> None:
    planners, grounders = {"a": rate, "b": rate}, dict.fromkeys(GROUNDERS, 1.0)
    worth, more, _ = said(made_grid(planners, grounders), planners, grounders)
    assert "no grounder solves more than another ([-10.4, +10.4] for each pair)" in worth
    assert more.startswith("Whether grounder or planner matters more cannot be told")


def test_a_part_that_solves_nothing_has_no_factor() -> None:
    planners = {"gold": 1.0, "none": 0.0}
    (worth, *_) = said(made_grid(planners), planners)
    assert "(none → gold, [+" in worth and "none solves nothing)" in worth


def test_a_single_row_or_column_says_nothing_of_the_other_part() -> None:
    row = said(made_grid({"gold": 1.0}), {"gold": 1.0})
    assert "with the one planner gold, nothing is said of what another planner is worth" in row[0]
    assert "another grounder is worth up to +65.0 points" in row[0] and len(row) == 2
    column = said(made_grid(PLANNERS, {"ocr": 0.8}), PLANNERS, {"ocr": 0.8})
    assert "with the one grounder ocr" in column[0]


def test_few_tasks_conclude_little() -> None:
    first, cure, gold = said(made_grid(tasks=3))
    assert first.startswith("3 tasks cannot show any difference: even if all of them changed alike, p would be 0.25.")
    assert cure.startswith("Take at least 6 tasks that share no template") and gold.startswith("The planner gold")
    assert said(made_grid(tasks=1))[0] == "1 task cannot show any difference: it takes at least 6."
    worth, more, *_ = said(made_grid(tasks=8))
    assert "no difference between planners can be told (at most " in worth and "cannot be told" in more
    names = conclude_grid(grid_results(list(PLANNERS), list(GROUNDERS), made_grid()))
    assert sorted(names.better) == ["grounder gold", "planner gold"]
    assert sorted(names.worse) == ["grounder graded:0.5", "planner rules"]
    assert names.untold == ()


def test_an_unfinished_grid_concludes_nothing() -> None:
    runs = made_grid()
    runs[3] = replace(runs[3], episodes=runs[3].episodes[:59])
    again = "not finished, so nothing is concluded; run the same command again to finish them."
    assert said(runs) == (f"1 of 8 cells is {again}",)
    assert said([replace(run, episodes=(), planned=60) for run in runs]) == (f"8 of 8 cells are {again}",)


def test_without_gold_parts_nothing_is_said_of_bounds() -> None:
    planners, grounders = {"rules": 0.9, "random": 0.2}, {"elements": 0.9, "ocr": 0.6}
    assert not any("bounds" in line for line in said(made_grid(planners, grounders), planners, grounders))
    one = said(made_grid({"oracle": 1.0}, grounders), {"oracle": 1.0}, grounders)
    assert one[-1].startswith("The planner oracle knows the solution or the true screen")


def test_void_episodes_are_pointed_out() -> None:
    last = said(made_grid(void=0.1))[-1]
    assert last.startswith("54 of 480 episodes are void and count as not solved") and "--rerun-void" in last


def test_quotients_in_words() -> None:
    assert factor_text(Factor(2.84, 1.9, 12.3)) == "×2.8 [1.90, 12]"
    assert factor_text(Factor(1.154, 0.0, float("inf"))) == "×1.15 [0.00, ∞]"
    assert factor_text(Factor(1.0, None, None)) == "×1.00 [—]" and factor_text(Factor(None, None, None)) == "—"
