"""`omnipilot figure`: files, the numbers beside them, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.report.figure_kinds.kind import FIGURES

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'omnipilot[figures]'")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the smallest suite."""
    folder = tmp_path_factory.mktemp("runs")
    for planner in ("oracle", "noop"):
        done = omnipilot("run", "--suite", "toy", "--planner", planner, "--out", str(folder / planner))
        assert done.returncode == 0, done.stderr
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_files_of_each_format_and_the_tables_numbers_beside(runs: Path, tmp_path: Path) -> None:
    names = [str(runs / "oracle"), str(runs / "noop")]
    files = [str(tmp_path / "new" / f"f.{ending}") for ending in ("svg", "pdf", "png")]
    done = omnipilot("figure", "levels", *names, "--by", "task", *[word for file in files for word in ("--out", file)])
    assert done.returncode == 0, done.stderr
    heads = [Path(file).read_bytes()[:5] for file in files]
    assert heads[0] == b"<?xml" and heads[1] == b"%PDF-" and heads[2] == b"\x89PNG\r"
    assert done.stdout.count("figure: ") == 3 and done.stdout.count("numbers: ") == 1
    assert "caption: " in done.stdout and "a bound by parts that know" in done.stdout.lower()
    table = omnipilot("table", *names, "--columns", "sr/task,sr", "--format", "csv")
    assert (tmp_path / "new" / "f.csv").read_text(encoding="utf-8").strip() == table.stdout.strip()


def test_a_graph_and_a_strip_of_a_task_are_what_the_journal_says(runs: Path, tmp_path: Path) -> None:
    task = "save-code"
    both = [str(runs / "oracle"), str(runs / "noop")]
    for kind in ("graph", "strip"):
        done = omnipilot("figure", kind, *both, "--task", task, "--out", str(tmp_path / f"{kind}.svg"), "--no-title")
        assert done.returncode == 0, done.stderr
    graph = rows(tmp_path / "graph.csv")
    assert {one["state"] for one in graph if one["run"] == "oracle"} == {"completed"}
    assert all(one["turn"] for one in graph if one["state"] == "completed")
    assert not any(one["turn"] for one in graph if one["state"] != "completed")
    steps = [one for one in rows(tmp_path / "strip.csv") if one["run"] == "oracle"]
    assert [one["step"] for one in steps] == [str(n) for n in range(1, len(steps) + 1)]
    assert steps[-1]["reached"], "the last step reached the last sub-goal"
    assert sum(int(one["shown"]) for one in steps) == min(8, len(steps))
    done = omnipilot(
        "figure", "strip", both[0], "--task", task, "--steps", "1", "--out", str(tmp_path / "one.png"), "--no-title"
    )
    assert done.returncode == 0 and [one["shown"] for one in rows(tmp_path / "one.csv")][:2] in (["1"], ["1", "0"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["levels", "--out", "f.jpg"], "a figure is an SVG, PDF or PNG file"),
        (["levels", "--by", "task", "--out", "f.svg", "--width", "wide"], "--width is column, page or a length"),
        (["levles", "--out", "f.svg"], "did you mean levels"),
        (["strip", "--task", "x", "--steps", "1,two", "--out", "f.svg"], "--steps takes numbers from 1"),
        (["eqa", "--by", "task", "--out", "f.svg"], "takes no --by"),
        (["graph", "--out", "f.svg"], "name the task with --task"),
    ],
)
def test_mistakes_are_refused_with_the_cure(runs: Path, tmp_path: Path, words: list[str], said: str) -> None:
    words = [str(tmp_path / word) if word.startswith("f.") else word for word in words]
    done = omnipilot("figure", words[0], str(runs / "noop"), *words[1:])
    assert done.returncode != 0 and said in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left"


def test_every_kind_is_listed_by_name() -> None:
    done = omnipilot("list", "figures")
    assert all(name in done.stdout for name in FIGURES.names())
