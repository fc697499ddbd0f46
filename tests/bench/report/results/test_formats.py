"""Tables in the formats that other programs read."""

from __future__ import annotations

import csv
import io
import json

import pytest

from omnipilot.bench.report.results.formats import cell_numbers, check_format, format_tables
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

TABLE = Table(("task", "SR %"), (('a|"b"', "50.0"), ("x_1 & y\\z", "—")), ("100 % of it",))
OTHER = Table(("only",), (("1",),))


def test_csv_is_one_table_that_a_reader_gives_back() -> None:
    text = format_tables([TABLE, OTHER], "csv")
    assert tuple(map(tuple, csv.reader(io.StringIO(text)))) == (TABLE.columns, *TABLE.rows)


def test_json_has_rows_by_column_and_the_notes() -> None:
    first, second = json.loads(format_tables([TABLE, OTHER], "json"))
    assert first["rows"] == [{"task": 'a|"b"', "SR %": 50.0}, {"task": "x_1 & y\\z", "SR %": None}]
    assert first["text"][0] == {"task": 'a|"b"', "SR %": "50.0"} and first["notes"] == ["100 % of it"]
    assert second["columns"] == ["only"] and second["rows"] == [{"only": "1"}]


@pytest.mark.parametrize(
    ("column", "cell", "numbers"),
    [
        ("solved", "32/40", {"solved": 32, "total": 40}),
        ("pointed right", "3/4", {"pointed right": 3, "pointed right total": 4}),
        ("SR %", "62.5 [41.0, 80.1]", {"SR %": 62.5, "SR % low": 41.0, "SR % high": 80.1}),
        ("SR %", "62.5 [—]", {"SR %": 62.5, "SR % low": None, "SR % high": None}),
        ("difference", "−7.5 [−12.0, +1.5]", {"difference": -7.5, "difference low": -12.0, "difference high": 1.5}),
        ("tokens", "1,234", {"tokens": 1234}),
        ("turns", "·", {"turns": None}),
        ("oracle", "unjudged", {"oracle": "unjudged"}),
    ],
)
def test_json_holds_the_numbers_of_a_cell(column: str, cell: str, numbers: dict[str, object]) -> None:
    assert cell_numbers(column, cell) == numbers


def test_markdown_escapes_what_would_end_a_cell() -> None:
    lines = format_tables([TABLE], "markdown").splitlines()
    assert lines[:3] == ["| task | SR % |", "| --- | ---: |", '| a\\|"b" | 50.0 |']
    assert lines[-1] == "- 100 % of it"


def test_latex_escapes_its_signs() -> None:
    text = format_tables([TABLE], "latex")
    assert r"\begin{tabular}{lr}" in text and r"task & SR \% \\" in text
    assert r"x\_1 \& y\textbackslash{}z & --- \\" in text
    assert text.startswith("% 100 % of it")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean markdown"):
        check_format("markdwn")
