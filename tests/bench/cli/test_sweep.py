"""What `omnipilot sweep` and `omnipilot compare --out` print and write, and what they refuse."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from figure_checks import svg_words
from page_commands import commands
from report_index import index_of
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.commands.compare import CompareOptions, compare_command
from omnipilot.bench.cli.commands.sweep import SweepOptions, sweep_command
from omnipilot.bench.experiments.cells import Stopped
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import RunStarted
from omnipilot.bench.report.figures.draw import SINGLE, FigureFiles
from omnipilot.bench.report.terminal_tables import ShownRows
from omnipilot.bench.run.labels import AXES
from omnipilot.bench.settings import LimitSettings, RunSettings
from omnipilot.envs import ConfigError

PAGE = (Path(__file__).resolve().parents[3] / "docs/comparing.md").read_text(encoding="utf-8")
TOY = {"suite": "toy_suite:ToySuite", "tasks": "count,answer"}


def starts(folder: Path) -> dict[str, int]:
    return {
        path.name: sum(isinstance(event, RunStarted) for event in read(path))
        for path in folder.iterdir()
        if (path / "spec.json").exists()
    }


@pytest.mark.slow
def test_a_sweep_runs_prints_writes_and_grows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s"
    flags = {**TOY, "out": str(out)}
    lists: dict[str, Any] = {"planner": ["oracle", "noop"]}
    sweep_command(None, lists, RunSettings(**flags), how=SweepOptions(dry=True))
    dry = capsys.readouterr().out
    assert not out.exists() and dry.count(" 2        2 ") == 2 and "nothing was run" in dry
    sweep_command(None, lists, RunSettings(**flags))
    first = capsys.readouterr()
    assert "[1/2] oracle: 2 of 2 episodes to run" in first.err and "2/2" in first.out and "reference" in first.out
    assert set(starts(out).values()) == {1}
    sweep_command(None, lists, RunSettings(**flags))
    again = capsys.readouterr()
    assert again.out == first.out and again.err == ""
    sweep_command(None, {**lists, "memory": ["window", {"name": "window", "turns": 1}]}, RunSettings(**flags, trials=2))
    larger = capsys.readouterr()
    assert "oracle · window: 2 of 4 episodes to run" in larger.err
    assert sorted(starts(out).values()) == [1, 1, 2, 2]
    told = json.loads((out / "sweep.json").read_text())
    assert [cell["folder"] in starts(out) for cell in told["cells"]] == [True] * 4 and told[
        "against"
    ] == "oracle · window"
    assert any(words.startswith("Success rate on ") for words in svg_words((out / "sweep.svg").read_text()))
    index = index_of(out / "report.html")
    assert [run["label"] for run in index["runs"]] == [cell["label"] for cell in told["cells"]]
    (section,) = index["sections"]
    assert section["title"] == "Sweep" and section["svg"] == (out / "sweep.svg").read_text()
    assert len(section["tables"][0]["rows"]) == 4 and any(
        "variant paper" in note for note in section["tables"][1]["notes"]
    )
    sweep_command(None, lists, RunSettings(**flags, trials=3), how=SweepOptions(dry=True))
    assert " 6        2 " in capsys.readouterr().out


def test_what_cannot_be_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    flags = {**TOY, "out": str(tmp_path / "s")}
    lists: dict[str, Any] = {"planner": ["noop", "oracle"]}
    for wrong, how, message in (
        ({"tasks": "count,untold"}, SweepOptions(), "cell 'oracle': planner 'oracle' plays a task's solution"),
        ({}, SweepOptions(against="rules"), "no cell 'rules'"),
        ({"jobs": -1}, SweepOptions(), "jobs must be 0"),
        ({}, SweepOptions(level=1.5), "a confidence level or a power is from"),
        ({"calibrate": True}, SweepOptions(), "does not calibrate"),
        ({"where": ["kind=count"]}, SweepOptions(), "no property of a task 'kind'"),
    ):
        with pytest.raises(ConfigError, match=message):
            sweep_command(None, lists, RunSettings(**{**flags, **wrong}), how=how)
    with pytest.raises(ConfigError, match=r"cell 'a/priced': a cost limit of \$1 cannot be enforced"):
        sweep_command(None, {"planner": ["noop", "a/priced"]}, RunSettings(**flags, limits=LimitSettings(cost=1.0)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_compare_writes_its_figure_and_page_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s"
    sweep_command(None, {"planner": ["oracle", "noop"]}, RunSettings(**TOY, out=str(out)))
    one, two = (path for path in sorted(out.iterdir()) if (path / "spec.json").exists())
    capsys.readouterr()
    compare_command(one, two)
    before = capsys.readouterr().out
    assert "figure:" not in before and "CR: CRAB, variant paper" not in before
    assert before.startswith("2 tasks cannot show any difference: ")
    compare_command(one, two, CompareOptions(shown=ShownRows(methods=True)))
    assert "CR: CRAB, variant paper" in capsys.readouterr().out
    compare_command(one, two, CompareOptions(out=tmp_path / "c"))
    assert capsys.readouterr().out.startswith(before)
    texts = svg_words((tmp_path / "c/compare.svg").read_text())
    assert {"Success rate, 95 % intervals", "SR", "CR", "2 pairs"} <= set(texts)
    index = index_of(tmp_path / "c/report.html")
    assert [run["label"] for run in index["runs"]] == [one.name, two.name]
    assert [len(table["rows"]) for table in index["sections"][0]["tables"]] == [4, 2]
    with pytest.raises(ConfigError, match="is a run directory"):
        compare_command(one, two, CompareOptions(out=one))
    compare_command(one, two, CompareOptions(figures=FigureFiles((tmp_path / "paper.pdf",), SINGLE)))
    assert f"figure: {tmp_path / 'paper.pdf'}" in capsys.readouterr().out
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.exhibit("duet", "rules")
def test_the_command_line_takes_lists_and_says_what_is_missing(tmp_path: Path) -> None:
    twice = [f"--modalities={granted}" for granted in ("all", "screenshot,elements,context")]
    flags = ["--suite", "duet", "--tasks", "send-message", "--planner", "rules", "--planner", "noop", *twice]
    more = ["--turns", "7", "-o", "memory.turns=3", "--against", "noop,all", "--out", str(tmp_path / "s")]
    done = CliRunner().invoke(app, ["sweep", *flags, *more, "--trials", "4", "--dry-run"])
    assert done.exit_code == 0, done.output
    rows = [
        line.split()[:1] + line.split()[-6:-4] for line in done.stdout.splitlines() if line[:5] in ("rules", "noop ")
    ]
    assert rows == [["rules", "4", "4"], ["rules", "4", "4"], ["noop", "4", "4"], ["noop", "4", "4"]]
    assert "--budget" not in done.stdout
    done = CliRunner().invoke(app, ["sweep", *flags, *more, "--budget", "7", "--dry-run"])
    assert "at most $7.00 by --budget, for all of it" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_stopped_sweep_ends_with_130_and_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Stopped([])

    monkeypatch.setattr("omnipilot.bench.cli.commands.sweep.run_due", stop)
    flags = ["--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "noop", "--planner", "oracle"]
    done = CliRunner().invoke(app, ["sweep", *flags, "--out", str(tmp_path / "s")])
    assert done.exit_code == 130
    assert "run the same command again to resume" in done.stderr
    assert json.loads((tmp_path / "s/sweep.json").read_text())["cells"][1]["label"] == "oracle"


def test_the_page_about_comparing_names_what_can_be_varied() -> None:
    assert [name for name in AXES if f"`{name}`" not in PAGE] == []


@pytest.mark.slow
def test_the_page_about_comparing_tells_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = re.sub(r"^## (Planner or grounder|Ablate)\n.*?(?=^## )", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"```(\w+)\n(.*?)```", without, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (settings,) = [text for kind, text in blocks if kind == "toml"]
    tables = [text for kind, text in blocks if kind == "text"]
    (tmp_path / "sweep.toml").write_text(settings)
    printed = ""
    for line in commands(without):
        # Nothing on the page is of what the varied sweep comes to: 240 episodes say no more of the command than 12.
        few = ["--tasks", "send-message,add-alarm"] if "--vary" in line else []
        done = CliRunner().invoke(app, shlex.split(line)[1:] + few)
        assert done.exit_code == 0, (line, done.output)
        printed += done.stdout
    assert len(tables) == 4 and [table for table in tables if table not in printed] == []
