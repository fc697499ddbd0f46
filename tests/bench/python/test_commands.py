"""The command line as functions: the same settings and directories, and records with numbers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from omnipilot.bench import Episode, Table, ablate, compare, grid, load_runs, metric, run, sweep
from omnipilot.bench.cli.app import app
from omnipilot.bench.python import ComparedRuns, RunRecord
from omnipilot.envs import ConfigError

TAGGED = """
from omnipilot.bench import task
notes = task("Open Notes.", world={"phone": "toy"}, checks=["element textbox exists"], tags={"place": "notes"})
maps = task("Open Maps.", world={"phone": "toy"}, checks=["text contains harbour"], tags={"place": "maps"})
"""
METRIC = """
from omnipilot.bench import metric

@metric("typed", better="lower")
def typed(episode):
    return episode.verbs.get("type", 0)
"""
TOY: dict[str, Any] = {"suite": "toy", "jobs": 0, "turns": 12, "progress": False}


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> ComparedRuns:
    """Two planners on the toy phone, two trials each."""
    out = tmp_path_factory.mktemp("runs") / "sweep"
    return sweep(**TOY, planner=["oracle", "noop"], trials=2, out=out)


def test_a_run_is_a_record_with_numbers(tmp_path: Path) -> None:
    record = run(**TOY, planner="oracle", out=tmp_path / "x")
    assert (record.solved, record.total, record.unjudged, record.void, record.planned) == (1, 1, 0, 0, 1)
    assert record.folder == tmp_path / "x" and record.planner == "oracle" and not record.interrupted
    assert record.sr is not None and record.sr.estimate == 1.0 and record.sr.low is None
    told = json.loads(json.dumps(record.to_dict()))
    assert (told["solved"], told["total"], told["text"]) == (1, 1, "1/1 solved, SR 100.0 [—] %")
    assert told["figures"]["sr"]["estimate"] == 1.0 and told["figures"]["ce"] is None
    again = run(**TOY, planner="oracle", out=tmp_path / "x")
    assert again.episodes == record.episodes


def test_keyword_arguments_are_the_options(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean planner"):
        run(suite="toy", plannner="oracle")
    with pytest.raises(ConfigError, match="must be a whole number"):
        run(**{**TOY, "turns": "two"}, planner="oracle")
    with pytest.raises(ConfigError, match="did you mean"):
        run(**TOY, planner="orcale", out=tmp_path / "x")
    record = run(**TOY, planner="noop", option=["planner.patience=0"], out=tmp_path / "y")
    assert record.episodes[0].turns == 1


def test_runs_are_loaded_and_found_by_name(cells: ComparedRuns) -> None:
    folder = cells[0].run.folder.parent
    found = load_runs(folder)
    assert len(found) == 2 and [one.total for one in found] == [2, 2]
    assert found[found[0].name] is found[0]
    assert {one["planner"]: one["solved"] for one in found.to_dict()["runs"]} == {"oracle": 2, "noop": 0}


def test_a_sweep_has_rows_with_differences(cells: ComparedRuns) -> None:
    first, second = cells
    assert (first.label, first.reference, first.difference) == ("oracle", True, None)
    assert second.difference is not None and second.difference.interval.estimate == -1.0
    assert cells["noop"] is second and second.pairs == 1
    assert "oracle" in cells.conclusion or "noop" in cells.conclusion
    assert json.loads(json.dumps(cells.to_dict()))["rows"][1]["difference"]["estimate"] == -1.0


def test_runs_are_compared_by_folder_and_by_record(cells: ComparedRuns) -> None:
    one = compare(cells["oracle"].run.folder, cells["noop"].run)
    assert one.difference.interval.estimate == -1.0 and one.rows[0].name == "SR"
    assert [(flip.task, flip.a, flip.b) for flip in one.flips] == [("save-code", (2, 2), (0, 2))]
    assert one.to_dict()["rows"][0]["a"]["estimate"] == 1.0
    with pytest.raises(ConfigError, match="is one run; give two different runs"):
        compare(cells["oracle"].run)
    budgets = compare(cells["oracle"].run, turns="2,12")
    assert budgets.difference.interval.estimate == 1.0


def test_an_ablation_has_a_row_for_each_condition(tmp_path: Path) -> None:
    settings = {name: value for name, value in TOY.items() if name != "progress"}
    found = ablate(**settings, planner="noop", conditions=["no-audio"], out=tmp_path / "a")
    assert [row.label for row in found] == ["full set", "no audio"]
    assert found[0].reference and found["no audio"].run.total == 1


def test_pages_are_written_as_by_the_command_line(cells: ComparedRuns, tmp_path: Path) -> None:
    folder = cells[0].run.folder.parent
    written = {path.name for path in folder.iterdir()}
    assert {"sweep.json", "results.txt", "results.json", "report.html"} <= written
    assert cells.conclusion in (folder / "results.txt").read_text(encoding="utf-8").replace("\n", " ")
    compare(cells[0].run, cells[1].run, out=tmp_path / "compared")
    assert {"compare.json", "results.txt", "report.html"} <= {one.name for one in (tmp_path / "compared").iterdir()}
    assert cells.tables[0].columns and compare(cells[0].run, cells[1].run).tables


def test_an_ablation_by_a_tag_has_a_table_of_its_groups_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "tagged.py").write_text(TAGGED, encoding="utf-8")
    how: dict[str, Any] = {"jobs": 0, "turns": 2, "progress": False}
    found = ablate(
        tmp_path / "tagged.py", planner="noop", by="place", conditions=["no-audio"], out=tmp_path / "a", **how
    )
    groups = found.tables[-1]
    assert {"notes", "maps"} <= {cell for row in groups.rows for cell in row}
    page = (tmp_path / "a" / "report.html").read_text(encoding="utf-8")
    assert "By place" in page and "Ablation" in page


def test_a_grid_crosses_planners_and_grounders(tmp_path: Path) -> None:
    found = grid(**TOY, planner=["oracle", "noop"], grounder=["elements", "centre"], out=tmp_path / "g")
    assert len(found) == 4 and found["oracle · elements"].run.solved == 1
    assert found.conclusion and found.tables
    assert "oracle" in found._repr_html_() and "<table>" in found._repr_html_()
    assert {"grid.json", "results.txt", "report.html"} <= {one.name for one in (tmp_path / "g").iterdir()}


@metric("typed", better="lower")
def typed(episode: Episode) -> float:
    """Actions that type."""
    return episode.verbs.get("type", 0)


def test_a_metric_of_ones_own_is_a_figure_with_an_interval(cells: ComparedRuns) -> None:
    found = cells["oracle"].run.figure(typed)
    assert found is not None and found.estimate == 1.0 and found.units == 2
    assert cells["noop"].run.to_dict([typed])["figures"]["typed"]["estimate"] == 0.0
    assert cells["oracle"].run.numbers(["sr", typed])["typed"] == 1.0


def test_a_metric_of_ones_own_is_a_column_of_tables_and_of_the_page(
    cells: ComparedRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_own_metrics.py").write_text(METRIC, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder, page = cells["oracle"].run.folder, tmp_path / "page.html"
    command = ["report", str(folder), "--columns", "sr,my_own_metrics:typed", "--out", str(page)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert re.search(r"SR.*typed", done.output) and re.search(r"100\.0.* 1\.0", done.output), done.output
    assert "typed" in page.read_text(encoding="utf-8")
    done = CliRunner().invoke(app, ["table", str(folder.parent), "--columns", "sr,my_own_metrics:typed"])
    assert done.exit_code == 0 and "typed" in done.output, done.output


@pytest.mark.needs("omnipilot[frames]")
def test_frames_hold_numbers(cells: ComparedRuns) -> None:
    frame = cells.to_frame(["sr", typed])
    assert list(frame["sr"]) == [1.0, 0.0] and list(frame["typed"]) == [1.0, 0.0]
    assert frame["solved"].dtype.kind == "i" and frame["difference"].iloc[1] == -1.0
    episodes = cells["oracle"].run.to_frame([typed])
    assert len(episodes) == 2 and list(episodes["typed"]) == [1, 1] and episodes["success"].all()
    assert compare(cells["oracle"].run, cells["noop"].run).to_frame()["figure"].iloc[0] == "SR"


def test_records_show_themselves_and_escape_what_they_show(cells: ComparedRuns) -> None:
    one = cells["oracle"].run
    assert "<td>2</td><td>2</td>" in one._repr_html_()
    strange = replace(one, name="<script>alert(1)</script>")
    assert "<script>" not in strange._repr_html_() and "&lt;script&gt;" in strange._repr_html_()
    assert "reference" in cells._repr_html_()
    assert "<table>" in compare(one, cells["noop"].run)._repr_html_()
    episode = replace(one.episodes[0], instruction="<b>Save</b>")
    assert "&lt;b&gt;Save" in episode._repr_html_() and "2/2 sub-goals" in episode._repr_html_()
    table = Table(("<i>",), (("<script>",),))._repr_html_()
    assert "&lt;i&gt;" in table and "<script>" not in table
    assert isinstance(one, RunRecord) and "2/2 solved" in repr(one)


@pytest.mark.slow
def test_importing_the_functions_loads_nothing_heavy() -> None:
    program = (
        "import sys; from omnipilot.bench import run, sweep, ablate, compare, load_runs, task, metric; "
        "import omnipilot.bench.run.labels; from omnipilot.bench import run as again; assert again is run; "
        "print([name for name in ('typer', 'playwright', 'pandas', 'matplotlib', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_cells_with_other_options_are_told_apart_in_the_order_of_the_sweep(tmp_path: Path) -> None:
    planners = [{"name": "random", "turns": turns} for turns in (2, 1)]
    sweep(**TOY, planner=planners, out=tmp_path / "sweep")
    loaded = load_runs(tmp_path / "sweep")
    assert [row.numbers(["sr"])["label"] for row in loaded.runs] == ["random(turns=2)", "random(turns=1)"]
