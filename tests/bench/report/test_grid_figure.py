"""A grid as a picture: every cell with its numbers, and nothing on top of anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from figure_checks import check, look
from made_grids import GROUNDERS, PLANNERS, made_grid

from omnipilot.bench.experiments.grid_results import grid_results
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.figures.records import FigureSpec, Scatter
from omnipilot.bench.report.figures.sheet import HUES
from omnipilot.bench.report.grid_figure import grid_figure

LONG = "hosted_vllm/Qwen/Qwen2.5-VL-72B-Instruct-AWQ"
MANY = {"gold": 1.0, "rules": 0.9, LONG: 0.8, f"{LONG}-2": 0.7}
WIDE = {**GROUNDERS, "graded:0.7": 0.7, "graded:0.3": 0.3, LONG: 0.6, "cascade:ocr,elements,vllm": 0.8}
NONE = {"a": 0.0, "b": 0.0}
ALL = {"x": 1.0, "y": 1.0}


def drawn(
    runs: list[Run], planners: Mapping[str, float] = PLANNERS, grounders: Mapping[str, float] = GROUNDERS
) -> FigureSpec:
    return grid_figure(grid_results(list(planners), list(grounders), runs), "duet")


def lacking(*which: int) -> list[Run]:
    return [replace(run, episodes=(), planned=60) if n in which else run for n, run in enumerate(made_grid())]


CASES = {
    "2 by 4": (made_grid(), PLANNERS, GROUNDERS),
    "4 by 8, long names": (made_grid(MANY, WIDE), MANY, WIDE),
    "nothing solved": (made_grid(NONE), NONE, GROUNDERS),
    "all solved": (made_grid(ALL, ALL), ALL, ALL),
    "one cell missing": (lacking(5), PLANNERS, GROUNDERS),
    "all cells missing": (lacking(*range(8)), PLANNERS, GROUNDERS),
    "void": (made_grid(void=0.2), PLANNERS, GROUNDERS),
    "three tasks": (made_grid(tasks=3), PLANNERS, GROUNDERS),
    "one row": (made_grid({"gold": 1.0}), {"gold": 1.0}, GROUNDERS),
    "one column": (made_grid(MANY, {"ocr": 0.8}), MANY, {"ocr": 0.8}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_nothing_lies_on_anything_else(case: str) -> None:
    runs, planners, grounders = CASES[case]
    texts = check(drawn(runs, planners, grounders))
    assert sum("[" in text or "—" in text for text in texts) >= 2 * len(planners) * len(grounders)


def test_every_cell_stands_in_both_views_and_in_the_plot() -> None:
    figure = drawn(made_grid())
    shown = look(figure).words
    assert shown.count("81.7 [70.1, 89.4]") == 2
    assert "gold, mean 80.0 [76.2, 83.8]" in shown and "graded:0.5, mean 33.3 [24.2, 43.3]" in shown
    plot = figure.rows[1][0]
    assert isinstance(plot, Scatter) and len(plot.spots) == 8
    (spot,) = [spot for spot in plot.spots if spot.label == "graded:0.5" and spot.series == 0]
    assert (spot.x, spot.y) == pytest.approx((0.533, 0.35), abs=0.001)


def test_a_planner_has_one_colour_everywhere() -> None:
    colours = look(drawn(made_grid())).colours
    # Two views of four cells, the plot, and the legend.
    assert [colours.count(hue) for hue in HUES[:2]] == [13, 13]


@pytest.mark.slow
def test_without_accuracies_it_says_why_there_is_no_plot() -> None:
    runs = [
        replace(run, episodes=tuple(replace(one, pointed_told=0, pointed_right=0) for one in run.episodes))
        for run in made_grid()
    ]
    assert "not drawn: the pointing accuracy of no cell is known" in check(drawn(runs))
    assert "not drawn: no cell is finished" in check(drawn(lacking(*range(8))))
