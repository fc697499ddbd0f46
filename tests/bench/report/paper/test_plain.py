"""Paper tables in Markdown, CSV and on the terminal, and text for LaTeX."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from paper_tables import a_table, models, papers

from omnipilot.bench.report.paper.abbreviations import abbreviate, legend
from omnipilot.bench.report.paper.latex_text import UNKNOWN, escape
from omnipilot.bench.report.paper.plain import NUMBERS, csv_table, markdown_table, terminal_table
from omnipilot.bench.report.paper.record import PaperCell, PaperColumn, number


def test_csv_has_a_line_for_each_cell_with_every_number_unrounded() -> None:
    table = papers()["mmbench-l3"]
    lines = list(csv.DictReader(io.StringIO(csv_table(table))))
    assert len(lines) == len(table.rows) * len(table.columns)
    first, cell = lines[len(table.columns)], table.cells[1][0]
    assert float(first["estimate"]) == cell.estimate and float(first["low"]) == cell.low
    assert cell.delta is not None
    assert float(first["p"]) == cell.delta.p and float(first["difference_high"]) == cell.delta.high
    assert (first["group"], first["column"], first["n"], first["unit"]) == ("Windows", "SR", "50", "episodes")
    assert lines[0]["p"] == "" and lines[0]["row"] == "GPT-4o"


def test_wide_csv_has_a_line_for_each_row() -> None:
    table = papers()["mmbench-l3"]
    lines = list(csv.DictReader(io.StringIO(csv_table(table, wide=True))))
    assert len(lines) == len(table.rows)
    assert len(lines[0]) == 3 + len(NUMBERS) * len(table.columns)
    assert float(lines[2]["Windows SR.estimate"]) == table.cells[2][0].estimate


def test_markdown_marks_the_best_and_escapes_stars() -> None:
    table = papers()["omnigui"]
    text = markdown_table(table)
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == len(table.rows) and all(line.count("|") == len(table.columns) + 2 for line in rows)
    assert text.count("**") == 2 * (len(table.columns) + 1)
    significant = sum(cell.delta is not None and cell.delta.significant for line in table.cells for cell in line)
    assert sum(line.count(r"\*") for line in rows) == significant
    assert "<ins>" in markdown_table(table, bold="second")
    assert "[" not in "".join(
        line for line in markdown_table(table, intervals=False).splitlines() if line.startswith("|")
    )


def test_the_terminal_shows_sections_and_notes() -> None:
    table = papers()["mmbench-l1"]
    shown = terminal_table(table)
    assert shown.columns[:2] == (" ", "Model") and shown.labels == 2
    assert [row[0] for row in shown.rows][::6] == ["Easy level", "Medium level", "Hard level"]
    assert any(note.startswith("brackets: 95% intervals") for note in shown.notes)
    assert not any("**" in cell for row in shown.rows for cell in row)


def test_a_missing_number_is_a_dash_and_units_that_differ_stand_in_the_heads() -> None:
    table = a_table(models(), [PaperColumn("SR"), PaperColumn("turns", unit="", better="lower")])
    cells = ((PaperCell(), *table.cells[0][1:]), *table.cells[1:])
    shown = terminal_table(replace(table, cells=cells))
    assert shown.columns[1:] == ("SR %", "turns") and shown.rows[0][1] == "—"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(62.5, 1, "62.5"), (-3.0, 1, "−3.0"), (-0.01, 1, "0.0"), (12345.6, 0, "12,346"), (-12345.0, 0, "−12,345")],
)
def test_numbers_are_written_as_papers_have_them(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% & $x_1 #2 {a}", r"50\% \& \$x\_1 \#2 \{a\}"),
        ("a~b^c\\d", r"a\textasciitilde{}b\textasciicircum{}c\textbackslash{}d"),
        ("[x] *", "{[}x] {*}"),
        ("−3 ± 2 → 5", r"$-$3 $\pm$ 2 $\rightarrow$ 5"),
        ("naïve Łódź ß", "naïve Łódź ß"),
        ("a\nb\tc", "a b c"),
        ("模型", UNKNOWN * 2),
        ("ﬁne", "fine"),
    ],
)
def test_special_characters_are_escaped(text: str, latex: str) -> None:
    assert escape(text) == latex


def test_short_forms_are_different_and_have_a_legend() -> None:
    names = ["Long-range planning", "Long Range Planning", "Windows 11", "Overall", "Desktop", "Smartphone", "SR"]
    short = abbreviate(names)
    assert len(set(short)) == len(names) and short[0] == "LRP" and short[3:5] == ["Overall", "Desktop"]
    assert short[-1] == "SR" and short[5] == "Smar."
    assert legend(names, short).startswith("LRP: Long-range planning") and "SR:" not in legend(names, short)
    assert legend(["SR"], ["SR"]) == ""
