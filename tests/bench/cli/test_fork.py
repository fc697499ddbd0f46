"""`omnipilot fork`: what it prints, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_index import index_of
from report_visit import Visit
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.toy import TASK
from omnipilot.envs import ConfigError


def invoke(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False, standalone_mode=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    invoke("run", "--suite", "toy", "--planner", "random", "--turns", "6", "--out", "runs/x", "--jobs", "0")
    return tmp_path / "runs/x"


def test_it_prints_how_each_fork_ended_beside_the_record(run: Path) -> None:
    said = invoke("fork", str(run), TASK, "--turn", "3", "--times", "2", "--planner", "oracle", "--jobs", "0", "--told")
    rows = [line.split() for line in said.splitlines()]
    assert ["record", "turns", "0/2", "6"] in [row[:4] for row in rows]
    assert [row[:2] for row in rows if row[:1] == ["fork"]] == [["fork", "1"], ["fork", "2"]]
    assert "solved from turn 3 on; the record was not solved" in said
    folder = next(path for path in (run.parent).iterdir() if path != run)
    assert (
        folder.name.startswith(f"{TASK}-turn-3-toy")
        and f"omnipilot compare {folder.relative_to(run.parents[1])}" in said
    )
    found = load_run(folder).spec
    assert found.forked is not None and not found.forked.shadow and found.agent.planner.name == "oracle"


def test_it_goes_on_as_it_was_unless_something_is_named(run: Path) -> None:
    said = invoke("fork", str(run), TASK, "--turn", "4", "-o", "memory.turns=2", "--out", "runs/y", "--jobs", "1")
    assert "forks: runs/y" in said
    assert load_run(run.parent / "y").spec.agent.memory.options == {"turns": 2}


@pytest.mark.slow
@pytest.mark.web
def test_a_page_shows_the_forks_beside_the_record(run: Path, visit: Visit) -> None:
    invoke("run", "--suite", "toy", "--planner", "random", "--turns", "6", "--trials", "2", "--out", "runs/z")
    words = ("--turn", "3", "--planner", "oracle", "--out", "runs/y", "--jobs", "0")
    said = invoke("fork", "runs/z", TASK, *words)
    assert "runs/y/report.html, view Beside" in said
    visit.open(run.parent / "y" / "report.html", f"#0/{TASK}%230.0/0/beside")
    page = visit.page
    page.wait_for_selector(".beside-view")
    first = page.locator(".parting option").first.inner_text()
    assert first == "forks #0.0, a fork from turn 3"
    assert len(index_of(run.parent / "y" / "report.html")["episodes"]) == 2, "the record's other trial is not shown"
    assert page.locator(".column-of > header b").all_inner_texts() == ["record #0.0", first]
    page.keyboard.press("d")
    page.wait_for_selector(".first-difference[aria-pressed=true]")
    assert page.locator(".first-difference").inner_text() == "≠ first difference: step 3"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((TASK, "--turn", "0"), "6 turns; fork it with --turn 1"),
        ((TASK, "--turn", "2", "--times", "0"), "--times must be at least 1"),
        (("save-cod", "--turn", "2"), "no episode 'save-cod#0.0'"),
        ((TASK, "--turn", "2", "--trial", "3"), "no episode 'save-code#0.3'"),
        ((TASK, "--turn", "2", "--planner", "nop"), "did you mean noop"),
    ],
)
def test_what_cannot_be_is_refused_with_its_cure(run: Path, words: tuple[str, ...], told: str) -> None:
    with pytest.raises(ConfigError, match=told.replace("(", r"\(")):
        invoke("fork", str(run), *words)
    assert sorted(path.name for path in run.parent.iterdir()) == ["x"]
