"""The command `table`: formats, widths, files, and what it refuses."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import omnipilot
from latex_checks import check_latex

from omnipilot.bench.cli.commands.table import read_length
from omnipilot.bench.report.paper.latex import COLUMN, PAGE
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two runs of the toy suite, named as rows."""
    out = tmp_path_factory.mktemp("runs")
    for planner in ("oracle", "noop"):
        done = omnipilot("run", "--suite", "toy", "--planner", planner, "--out", f"{out}/{planner}")
        assert done.returncode == 0, done.stderr
    return [f"Known 100%={out}/oracle", f"Nothing_done={out}/noop"]


def test_the_terminals_table_is_the_default(runs: list[str]) -> None:
    done = omnipilot("table", *runs, "--columns", "sr,eqa")
    assert done.returncode == 0, done.stderr
    assert "Model" in done.stdout and "Known 100%" in done.stdout and "n = 1 episode" in done.stdout


def test_latex_is_printed_alone_and_fits(runs: list[str], tmp_path: Path) -> None:
    done = omnipilot("table", *runs, "--format", "latex", "--caption", "Toys & 50 %", "--label", "tab:toys")
    assert done.returncode == 0 and not done.stderr
    assert r"Toys \& 50 \%." in done.stdout and r"\label{tab:toys}" in done.stdout and r"Known 100\%" in done.stdout
    check_latex(done.stdout, tmp_path, COLUMN)


def test_a_table_and_figures_are_written_to_files(runs: list[str], tmp_path: Path) -> None:
    out, figure = tmp_path / "new" / "table.tex", tmp_path / "figure.pdf"
    done = omnipilot("table", *runs, "--format", "latex", "--width", "page", "--out", str(out), "--figure", str(figure))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"table: {out}", f"figure: {figure}"]
    assert r"\begin{table*}" in out.read_text(encoding="utf-8") and figure.read_bytes().startswith(b"%PDF")


def test_csv_and_markdown_are_for_other_programs(runs: list[str]) -> None:
    lines = list(csv.DictReader(io.StringIO(omnipilot("table", *runs, "--format", "csv", "--columns", "sr").stdout)))
    assert [(line["row"], line["estimate"]) for line in lines] == [("Known 100%", "100.0"), ("Nothing_done", "0.0")]
    assert omnipilot("table", *runs, "--format", "csv-wide", "--columns", "sr").stdout.count("SR.p_holm") == 1
    text = omnipilot("table", *runs, "--format", "markdown", "--columns", "sr", "--no-intervals").stdout
    assert "| Known 100% | **100.0** |" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "latx"], "did you mean latex"),
        (["--width", "wide"], "--width is column, page or a length"),
        (["--bold", "bset"], "did you mean best"),
        (["--label", "a}b"], "letters, digits and"),
        (["--figure", "a.jpg"], "SVG, PDF or PNG"),
        (["--columns", "srr"], "did you mean sr"),
        (["--level", "95"], "confidence level"),
        (["--reference", "Known"], "did you mean Known 100%"),
    ],
)
def test_typing_mistakes_are_answered_with_what_was_meant(runs: list[str], arguments: list[str], words: str) -> None:
    done = omnipilot("table", *runs, *arguments)
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


def test_widths_are_names_or_lengths() -> None:
    assert (read_length("column"), read_length("page")) == (COLUMN, PAGE)
    assert read_length("5.5in") == pytest.approx(397.485) and read_length("219 pt") == 219
    assert read_length("84mm") == pytest.approx(239.0, abs=0.1)
    for words in ("5.5", "10pt", "1.2.3in", "huge"):
        with pytest.raises(ConfigError, match="--width is"):
            read_length(words)
