"""Figures of paper tables: as wide as asked for, no text below seven points, none on another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from figure_checks import check_looked, look_at
from paper_tables import a_table, models, papers

from omnipilot.bench.report.paper.figure import TO_MILLIMETRES, save_paper_figure
from omnipilot.bench.report.paper.latex import COLUMN, PAGE
from omnipilot.bench.report.paper.record import PaperCell, PaperColumn, PaperRow, PaperTable
from omnipilot.envs import ConfigError


def looked_at(table: PaperTable, points: float) -> object:
    from omnipilot.bench.report.paper.panels import SIZE, draw_panels

    looked = look_at(lambda: draw_panels(table, points * TO_MILLIMETRES))
    check_looked(looked)
    from matplotlib.text import Text

    shown = [text for text in looked.drawing.findobj(Text) if text.get_text().strip() and text.get_visible()]
    assert SIZE == 7 and all(text.get_fontsize() >= SIZE for text in shown)
    assert looked.drawing.get_size_inches()[0] == pytest.approx(points / 72.27, abs=0.001)
    return looked


FAST = {("omnibench", PAGE), ("mmbench-l3", COLUMN), ("omnigui", COLUMN)}


@pytest.mark.parametrize(
    ("name", "points"),
    [
        pytest.param(name, points, marks=[] if (name, points) in FAST else [pytest.mark.slow])
        for name in papers()
        for points in (COLUMN, PAGE)
    ],
)
def test_the_papers_tables_are_drawn_so_that_all_is_read(name: str, points: float) -> None:
    table = papers()[name]
    looked = looked_at(table, points)
    words = looked.words  # type: ignore[attr-defined]
    assert words.count("Overall") == sum(column.head == "Overall" for column in table.columns)
    assert "GPT-4o (reference)" in words and "not told apart" in words


def test_what_is_not_tested_and_what_is_missing_are_shown_so() -> None:
    table = papers()["omnigui"]
    bare = tuple(tuple(replace(cell, delta=None) for cell in line) for line in table.cells)
    looked = looked_at(replace(table, cells=bare), COLUMN)
    assert "not tested" in looked.words  # type: ignore[attr-defined]
    without = replace(table, reference="", cells=tuple((PaperCell(), *line[1:]) for line in bare))
    looked = looked_at(without, COLUMN)
    assert not any("reference" in word for word in looked.words)  # type: ignore[attr-defined]


def test_long_names_keep_their_ends_and_stay_apart() -> None:
    rows = [PaperRow(f"a-very-long-name-of-a-model-that-never-ends-{number}") for number in range(3)]
    columns = [PaperColumn(f"A figure with a long name {number}", group="A group") for number in range(5)]
    looked_at(a_table(rows, columns), COLUMN)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".pdf", ".svg", ".png"])
def test_a_file_is_the_same_each_time(ending: str, tmp_path: Path) -> None:
    one, other = tmp_path / f"one{ending}", tmp_path / "in" / f"other{ending}"
    for path in (one, other):
        save_paper_figure(papers()["omnigui"], path, COLUMN)
    assert one.read_bytes() == other.read_bytes() and one.stat().st_size > 2000


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="SVG, PDF or PNG"):
        save_paper_figure(a_table(models(), [PaperColumn("SR")]), tmp_path / "a.jpg", COLUMN)
