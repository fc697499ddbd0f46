"""Tables in LaTeX: what is written is read back by a parser, set by pdflatex where it is installed, and fits."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from latex_checks import check_latex, check_tabular, tabulars
from paper_tables import a_table, models, papers

from omnipilot.bench.report.paper.latex import (
    COLUMN,
    HIGHEST,
    PAGE,
    LatexLayout,
    LatexOptions,
    choose_layout,
    latex_table,
    layouts,
    table_height,
    table_width,
)
from omnipilot.bench.report.paper.record import PaperColumn, PaperRow
from omnipilot.envs import ConfigError

IN_A_COLUMN = ("omniact", "omnigui", "mmbench-l3")
"""Those that fit a column with their intervals; the others span a page there, as in the papers."""


@pytest.mark.parametrize("name", papers())
def test_the_papers_tables_fit_the_page(name: str, tmp_path: Path) -> None:
    table = papers()[name]
    options = LatexOptions(PAGE, wide=True, label="tab:main")
    widths = check_latex(latex_table(table, options), tmp_path, PAGE)
    reckoned = table_width(table, choose_layout(table, options))
    assert all(0.85 * reckoned <= wide <= reckoned for wide in widths[:1]), (widths, reckoned)


@pytest.mark.parametrize("name", IN_A_COLUMN)
def test_tables_of_few_columns_fit_a_column(name: str, tmp_path: Path) -> None:
    options = LatexOptions(COLUMN)
    check_latex(latex_table(papers()[name], options), tmp_path, COLUMN)


@pytest.mark.parametrize("name", papers())
def test_every_table_fits_a_column_without_intervals(name: str, tmp_path: Path) -> None:
    options = LatexOptions(COLUMN, intervals=False)
    text = latex_table(papers()[name], options)
    assert "\\ci" not in text
    check_latex(text, tmp_path, COLUMN)


def test_every_layout_is_sound_and_as_wide_as_reckoned(tmp_path: Path) -> None:
    table = papers()["omnigui"]
    seen = set()
    for number, layout in enumerate(layouts(table, LatexOptions())):
        assert layout not in seen
        seen.add(layout)
        for block in tabulars(_written(table, layout)):
            check_tabular(block)
        if number % 5 == 0:
            wide = table_width(table, layout)
            widths = check_latex(_written(table, layout), tmp_path / str(number), max(PAGE, wide))
            assert not widths or 0.85 * wide <= max(widths) <= wide, (layout, widths, wide)
    assert len(seen) > 15


def _written(table: object, layout: LatexLayout) -> str:
    from omnipilot.bench.report.paper import latex

    return "\n".join(latex._float(table, layout, LatexOptions()))  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_table_that_cannot_fit_is_refused_with_what_to_leave_out() -> None:
    wide = a_table(models(), [PaperColumn(f"Figure {number}") for number in range(40)])
    with pytest.raises(ConfigError, match=r"narrowest way .* takes \d+ pt\. Try --width page, or --no-intervals"):
        latex_table(wide)
    high = a_table([PaperRow(f"model {number}") for number in range(60)], [PaperColumn("SR"), PaperColumn("CR")])
    with pytest.raises(ConfigError, match=rf"pt high, and a page has {HIGHEST:.0f}"):
        latex_table(high)
    layout = choose_layout(replace(high, rows=high.rows[:20], cells=high.cells[:20]), LatexOptions())
    assert table_height(high, layout, LatexOptions()) > HIGHEST


def test_what_is_chosen_gets_less_readable_step_by_step() -> None:
    table = papers()["omniact"]
    page = choose_layout(table, LatexOptions(PAGE))
    assert (page.intervals, page.short, page.transposed) == ("beside", False, False)
    column = choose_layout(table, LatexOptions(COLUMN))
    assert column.intervals == "below" and column.blocks == 1
    few = choose_layout(table.part([0, 1]), LatexOptions(COLUMN))
    assert few.intervals == "beside"


def test_best_and_significant_numbers_are_marked_and_the_caption_says_how() -> None:
    table = papers()["omniact"]
    text = latex_table(table, LatexOptions(PAGE, bold="second", caption="Ours & theirs, 100 %"))
    assert text.count(r"\textbf{") == len(table.columns) == text.count(r"\underline{")
    significant = sum(cell.delta is not None and cell.delta.significant for line in table.cells for cell in line)
    stars = len(re.findall(r"(?<!phantom\{)\$\^\{\*\}\$", text))
    assert stars == significant > 0
    caption = next(line for line in text.splitlines() if line.startswith(r"\caption"))
    assert r"Ours \& theirs, 100 \%." in caption
    assert r"95\% intervals" in caption and "differs from GPT-4o (paired by task" in caption
    assert r"$^\dagger$ not finished" in caption and "n = 50 episodes." in caption
    for row, line in zip(table.ranks(), table.cells, strict=True):
        for rank, cell, column in zip(row, line, table.columns, strict=True):
            others = [other[table.columns.index(column)].estimate for other in table.cells]
            best = (max if column.better == "higher" else min)(value for value in others if value is not None)
            assert (rank == 1) == (round(cell.estimate or 0, 1) == round(best, 1))
    none = latex_table(table, LatexOptions(PAGE, bold="none"))
    assert r"\textbf" not in none and "Bold" not in none


def test_no_name_can_break_a_table(tmp_path: Path) -> None:
    odd = ["50% of $x_1 & y#2", "[first] *star*", r"C:\new~^{}", "naïve Łódź 模型 Δα", '"quoted" <a|b> `c`', "—–…’“x”"]
    rows = [PaperRow(name, section="a_b & [c]" if at < 3 else "50 %") for at, name in enumerate(odd)]
    table = a_table(rows, [PaperColumn("SR_1 &"), PaperColumn("[x]", "a%b")], about="100 % of {all} \\ways")
    text = latex_table(table, LatexOptions(PAGE))
    assert "% ? stands for letters" in text
    check_latex(text, tmp_path, PAGE)


def test_a_whole_document_is_set_as_it_is(tmp_path: Path) -> None:
    text = latex_table(papers()["omnigui"], LatexOptions(standalone=True))
    assert text.startswith(r"\documentclass") and text.rstrip().endswith(r"\end{document}")
    assert r"\usepackage{booktabs}" in text


def test_a_page_wide_table_spans_both_columns_and_has_its_label() -> None:
    text = latex_table(papers()["omnigui"], LatexOptions(PAGE, wide=True, label="tab:x"))
    assert r"\begin{table*}[t]" in text and r"\label{tab:x}" in text
    assert text.startswith(r"% Needs \usepackage{booktabs}.")
