"""What `omnipilot grid` runs, prints and writes, and what it refuses."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from figure_checks import svg_words
from page_commands import commands
from report_index import index_of
from typer.testing import CliRunner

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.commands.grid import GridOptions, grid_command
from omnipilot.bench.experiments.cells import Stopped
from omnipilot.bench.experiments.grid_results import GridResults, grid_results
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError

PAGE = (Path(__file__).resolve().parents[3] / "docs/comparing.md").read_text(encoding="utf-8")
TOY = {"suite": "toy_suite:ToySuite", "tasks": "count,answer"}
LISTS: dict[str, Any] = {"planner": ["oracle", "noop"], "grounder": ["elements", "ocr"]}


@pytest.mark.slow
def test_a_grid_runs_prints_writes_and_grows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "g"
    flags = RunSettings(**TOY, out=str(out))
    grid_command(None, LISTS, flags, how=GridOptions(dry=True))
    assert not out.exists() and capsys.readouterr().out.count(" 2        2 ") == 4
    grid_command(None, LISTS, flags)
    first = capsys.readouterr()
    assert "[1/4] oracle · elements: 2 of 2 episodes to run" in first.err
    for heading in ("all grounders", "pointed right %", "to − from"):
        assert heading in first.out
    assert first.out.count("Terms:") == 1
    assert first.out.startswith("2 tasks cannot show any difference: ")
    grid_command(None, LISTS, flags)
    again = capsys.readouterr()
    assert again.out == first.out and again.err == ""
    grid_command(None, {**LISTS, "planner": ["oracle", "noop", "random"]}, flags)
    larger = capsys.readouterr()
    assert "[5/6] random · elements: 2 of 2" in larger.err and "[1/6]" not in larger.err
    told = json.loads((out / "grid.json").read_text())
    assert told["planners"] == ["oracle", "noop", "random"] and told["grounders"] == ["elements", "ocr"]
    assert all((out / cell["folder"] / "spec.json").exists() for cell in told["cells"])
    assert any(
        words.startswith("Success against pointing accuracy on ") for words in svg_words((out / "grid.svg").read_text())
    )
    index = index_of(out / "report.html")
    assert [run["label"] for run in index["runs"]] == [cell["label"] for cell in told["cells"]]
    (section,) = index["sections"]
    assert section["title"] == "Grid" and section["svg"] == (out / "grid.svg").read_text()
    assert section["words"][0].startswith("2 tasks cannot show any difference") and section["words"][0] in larger.out
    stored = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert stored["conclusion"]["text"].startswith(section["words"][0]) and len(stored["tables"]) == 4
    assert len(section["tables"]) == 4


def test_what_cannot_be_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    flags = {**TOY, "out": str(tmp_path / "g")}
    for wrong, lists, level, message in (
        ({"tasks": "count,untold"}, LISTS, 0.95, "cells 'oracle · elements', 'oracle · ocr': planner 'oracle' plays"),
        ({}, {"planner": ["noop"]}, 0.95, "at least two planners or two grounders"),
        ({}, {**LISTS, "grounder": ["element", "ocr"]}, 0.95, "did you mean elements"),
        ({"jobs": -1}, LISTS, 0.95, "jobs must be 0"),
        ({}, LISTS, 1.5, "a confidence level or a power is from"),
        ({"calibrate": True}, LISTS, 0.95, "a grid does not calibrate"),
    ):
        with pytest.raises(ConfigError, match=message):
            grid_command(None, lists, RunSettings(**{**flags, **wrong}), how=GridOptions(level=level))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhibit("duet", "rules")
def test_the_command_line_takes_both_lists_and_no_other(tmp_path: Path) -> None:
    twice = ["--planner", "rules", "--planner", "noop", "--grounder", "elements", "--grounder", "ocr"]
    flags = ["--suite", "duet", "--tasks", "send-message", "--out", str(tmp_path / "g"), "--memory", "window"]
    done = CliRunner().invoke(app, ["grid", *flags, *twice, "--trials", "3", "-o", "memory.turns=2", "--dry-run"])
    assert done.exit_code == 0, done.output
    rows = [line.split()[:4] for line in done.stdout.splitlines() if line.startswith(("rules", "noop"))]
    assert rows == [[p, g, "3", "3"] for p in ("rules", "noop") for g in ("elements", "ocr")]
    assert list(tmp_path.iterdir()) == []
    shown = " ".join(CliRunner().invoke(app, ["grid", "--help"]).stdout.split())
    assert "--against" not in shown and len(re.findall(r"Default: [^.]+\. Repeatable", shown)) == 2


def test_a_stopped_grid_ends_with_130_and_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Stopped([])

    monkeypatch.setattr("omnipilot.bench.cli.commands.sweep.run_due", stop)
    flags = ["--suite", "toy_suite:ToySuite", "--tasks", "count", "--planner", "noop", "--planner", "oracle"]
    done = CliRunner().invoke(app, ["grid", *flags, "--out", str(tmp_path / "g")])
    assert done.exit_code == 130
    assert "run the same command again to resume" in done.stderr
    assert json.loads((tmp_path / "g/grid.json").read_text())["planners"] == ["noop", "oracle"]


def played(out: Path, tasks: str, *grounders: str) -> GridResults:
    """The gold planner with these grounders on tasks of duet."""
    lists: dict[str, Any] = {"planner": ["gold"], "grounder": list(grounders)}
    grid_command(None, lists, RunSettings(suite="duet", tasks=tasks, out=str(out), jobs=0))
    cells = json.loads((out / "grid.json").read_text())["cells"]
    runs = [replace(load_run(out / cell["folder"]), name=cell["label"]) for cell in cells]
    return grid_results(["gold"], list(grounders), runs)


@pytest.mark.exhibit("duet", "rules")
def test_gold_parts_reach_everything_and_graded_ones_what_they_point_at(tmp_path: Path) -> None:
    tasks = "send-message,add-alarm,move-file,dismiss-alarm,forget-old-network"
    found = played(tmp_path / "g", tasks, "gold", "graded:0.5")
    gold, graded = found.cells[0]
    assert gold.solved is not None and gold.solved.all.estimate == 1.0 and gold.right == gold.told > 10
    assert graded.solved is not None and graded.solved.all.estimate < 1.0
    assert graded.accuracy is not None and 0.2 < graded.accuracy.estimate < 0.8


@pytest.mark.slow
@pytest.mark.exhibit("duet", "pointing")
def test_the_dose_and_the_response_on_duet(tmp_path: Path) -> None:
    """Success is monotone in pointing accuracy within its intervals, and rises with it beyond them."""
    tasks = list(load_suite(PartSpec("duet")).tasks())
    doses = ("gold", "graded:0.95", "graded:0.85", "graded:0.6")
    found = played(tmp_path / "g", ",".join(task.id for task in tasks[:16]), *doses)
    accuracies = [cell.accuracy.estimate for cell in found.cells[0] if cell.accuracy is not None]
    assert accuracies == sorted(accuracies, reverse=True) and len(accuracies) == 4
    ends = [cell.solved.all for cell in found.cells[0] if cell.solved is not None]
    for more, less in itertools.pairwise(ends):
        assert more.high is not None and less.low is not None and more.high > less.low
    last = found.gains[-1].contrast.difference
    assert last.high is not None and last.high < 0


@pytest.mark.slow
def test_the_page_about_grids_tells_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = PAGE.partition("## Planner or grounder")[2].partition("\n## ")[0]
    monkeypatch.chdir(tmp_path)
    (settings,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    (tmp_path / "grid.toml").write_text(settings)
    for line in commands(section):
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.output)
        assert done.stdout.startswith("On these 8 tasks, ")
