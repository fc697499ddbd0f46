"""A task without a check is unjudged wherever a run is counted, and never one that failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from omnipilot.bench import compare, load_run, run, task
from omnipilot.bench.annotation.ratings import draw_trajectories
from omnipilot.bench.annotation.recordings import read_recording
from omnipilot.bench.attribution.search import failures_of
from omnipilot.bench.cli.app import app
from omnipilot.bench.experiments.budget import read_budgets, under_budget
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.results.export import episode_records
from omnipilot.bench.report.run_sentences import count_sentences
from omnipilot.bench.scoring.efficiency import efficiency, has_eqa
from omnipilot.bench.verification.pack import _verdicts
from omnipilot.envs import ConfigError

HOW: dict[str, Any] = {"turns": 3, "progress": False}
TASKS = (
    task("Open Notes.", world={"phone": "toy"}, checks=["element textbox exists"]),
    task("Look around.", world={"phone": "toy"}),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """Two agents, on a task with a check and on one without."""
    folder = tmp_path_factory.mktemp("runs")
    return tuple(run(TASKS, planner=name, out=folder / name, **HOW).run for name in ("noop", "random"))  # type: ignore[return-value]


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """An agent on the task without a check alone."""
    return run(TASKS[1], planner="noop", out=tmp_path_factory.mktemp("runs") / "x", **HOW).run


def said(*words: str | Path) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


def test_tables_and_the_page_say_so(played: tuple[Run, Run], unjudged: Run, tmp_path: Path) -> None:
    assert played[0].folder is not None and unjudged.folder is not None
    text = said("report", played[0].folder, unjudged.folder, "--out", tmp_path / "page.html")
    assert "0/1" in text and "unjudged" in text and "0/2" not in text
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "unjudged" in page
    assert count_sentences([played[0]])[0].startswith("Of 1 episode of one's own tasks, solved")
    assert "Nobody judged" in count_sentences([unjudged])[0]


def test_exports_and_verdicts_hold_no_verdict(played: tuple[Run, Run]) -> None:
    assert {row["task"]: row["success"] for row in episode_records(played[0])} == {
        "open-notes": False,
        "look-around": None,
    }
    assert {one["key"]: one["success"] for one in _verdicts(played[0])} == {
        "open-notes#0.0": False,
        "look-around#0.0": None,
    }


def test_comparisons_gates_and_budgets_leave_it_out(played: tuple[Run, Run], tmp_path: Path) -> None:
    a, b = played
    found = compare(a, b)
    assert (found.pairs, found.tasks) == (1, 1)
    assert a.folder is not None and b.folder is not None
    said("compare", a.folder, b.folder, "--junit", tmp_path / "gate.xml", "--fail-if", "SR < -5")
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "1")
    cut = under_budget(b, read_budgets("1,2")[0])
    assert [one.unjudged for one in cut.episodes] == [False, True]


def test_nothing_to_compare_is_told_as_such(unjudged: Run) -> None:
    with pytest.raises(ConfigError, match="judged"):
        compare(unjudged, unjudged, turns="1,2")


def test_effort_and_failures_leave_it_out(played: tuple[Run, Run], unjudged: Run) -> None:
    assert has_eqa(played[0].episodes) and not has_eqa(unjudged.episodes)
    assert efficiency(played[0].episodes).eqa.units == 1
    assert [one.task for one in failures_of(played[0])] == ["open-notes"]


def test_raters_are_not_told_that_it_failed(played: tuple[Run, Run], unjudged: Run) -> None:
    a, b = (one.folder for one in played)
    assert a is not None and b is not None and unjudged.folder is not None
    assert {one.id for one in draw_trajectories([a, b], 0, 0)} == {"noop/open-notes#0.0", "random/open-notes#0.0"}
    with pytest.raises(ConfigError, match="no judged episode"):
        draw_trajectories([unjudged.folder], 0, 0)
    assert {one.id: one.solved for one in read_recording(b).episodes}["look-around#0.0"] is None


def test_the_status_counts_it_apart(unjudged: Run) -> None:
    assert unjudged.folder is not None
    assert "0 solved, 0 failed, 0 void, 1 unjudged" in said("status", unjudged.folder)
    assert load_run(unjudged.folder).episodes[0].reason == "unjudged"
