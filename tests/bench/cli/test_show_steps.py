"""Why an episode without a model failed: on the terminal after a run, by `show`, and on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_visit import Visit
from typer.testing import CliRunner

from omnipilot.bench import write_report
from omnipilot.bench.cli.app import app
from omnipilot.bench.journal.load_runs import load_checked
from omnipilot.bench.report.run_sentences import failure_lines
from omnipilot.bench.report.terms import FIGURES, SETTINGS, TERMS
from omnipilot.bench.tasks import NodeState

WORLD = """
[devices.phone]
kind = "toy"

[[tasks]]
id = "find"
instruction = "Find what is not there."
checks = ['text contains "Nobody wrote this"', 'not text contains "Nor that"']

[[tasks]]
id = "look"
instruction = "Have a look."
"""
CLUMSY = """
from omnipilot.envs import Click, Done
from omnipilot.memory import Move
from omnipilot.planners import Decision, Planner


class Clumsy(Planner):
    def begin(self, brief):
        pass

    def plan(self, request):
        return Decision((Move("phone", Click("Nowhere")) if request.turn == 0 else Move("", Done()),), thought="There.")
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run of an agent that misses what it clicks, and what its command printed."""
    folder = tmp_path_factory.mktemp("clumsy")
    (folder / "clumsy.py").write_text(CLUMSY)
    (folder / "world.toml").write_text(WORLD)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        arguments = ["--world", str(folder / "world.toml"), "--planner", "clumsy:Clumsy", "--jobs", "0"]
        done = CliRunner().invoke(app, ["run", *arguments, "--instances", "3", "--out", str(folder / "run")])
    assert done.exit_code == 0, done.output
    return folder / "run", done.stdout


def test_a_run_begins_with_its_sentence_and_says_why_it_failed(played: tuple[Path, str]) -> None:
    run, printed = played
    sentence, *rest = printed.strip().splitlines()
    assert (
        sentence.startswith("clumsy:Clumsy solved 0 of 3 episodes of one's own tasks") and "nobody judged" in sentence
    )
    assert rest[0].startswith("find#0.0: does not hold: ") and "Nobody wrote this" in rest[0]
    assert re.search(r"last refused, turn 1: .*Nowhere", rest[0])
    assert f"omnipilot show {run} find" in rest[3]
    assert "no model call" not in CliRunner().invoke(app, ["show", str(run), "find"]).output


def test_of_many_failures_a_few_are_told_and_the_rest_counted(played: tuple[Path, str]) -> None:
    lines = failure_lines([load_checked(played[0])], most=1)
    assert len(lines) == 2 and lines[1].startswith("2 more failed; the steps of one: ") and "--instance 1" in lines[1]


def test_without_a_call_of_a_model_show_has_the_steps_and_what_was_found(played: tuple[Path, str]) -> None:
    told = CliRunner().invoke(app, ["show", str(played[0]), "find"]).output.splitlines()
    assert told[0] == "turn 1: “There.”" and "Nowhere" in told[1] and "not_found" in told[1]
    (missed,) = [line for line in told if line.startswith("  ✕ ")]
    assert "Nobody wrote this" in missed and "letters, such as" in missed
    assert sum(line.startswith("  ✓ ") for line in told) == 1
    only = CliRunner().invoke(app, ["show", str(played[0]), "find", "--turn", "2"]).output
    assert only.startswith("turn 2:") and "✕" not in only


def test_what_an_ended_episode_missed_is_not_under_way(played: tuple[Path, str]) -> None:
    episodes = {one.task: one for one in load_checked(played[0]).episodes}
    states = episodes["find"].nodes
    assert sorted(states.values()) == [NodeState.COMPLETED, NodeState.MISSED]
    assert set(episodes["find"].found) == {name for name, state in states.items() if state is NodeState.MISSED}
    assert set(episodes["look"].nodes.values()) == {NodeState.EVALUATING}


def test_runs_that_nobody_judged_print_no_empty_table(played: tuple[Path, str], tmp_path: Path) -> None:
    arguments = ["--world", str(played[0].parent / "world.toml"), "--planner", "noop", "--jobs", "0", "--tasks", "look"]
    done = CliRunner().invoke(app, ["run", *arguments, "--out", str(tmp_path / "r")])
    assert done.exit_code == 0 and "interval by" not in done.stdout and "nobody judged" in done.stdout
    assert "does not hold" not in done.stdout


def test_terms_of_tables_are_listed_without_the_documents() -> None:
    told = CliRunner().invoke(app, TERMS.removeprefix("Terms: omnipilot ").split()).output
    assert {line.split("  ")[0] for line in told.splitlines()} == {*SETTINGS, *FIGURES}


@pytest.mark.web
def test_the_page_marks_what_was_missed_and_says_what_was_found(played: tuple[Path, str], visit: Visit) -> None:
    visit.open(write_report([played[0]], played[0] / "report.html"), "#0/find%230.0/0")
    visit.page.wait_for_selector(".node.evaluating")
    visit.page.keyboard.press("End")
    visit.page.wait_for_selector(".node.missed")
    missed = visit.page.locator(".node[data-state=missed]")
    assert missed.count() == 1 and missed.locator(".state").inner_text() == "✕"
    assert "Nobody wrote this" in missed.inner_text()
    assert re.search("not reached — text: .*letters, such as", visit.page.locator(".changes").inner_text())
    visit.open(played[0] / "report.html", "#0/look%230.0/0")
    visit.page.keyboard.press("End")
    visit.page.wait_for_selector("#place:text('3 / 3')")
    assert visit.page.locator(".node").count() and not visit.page.locator(".node.missed").count()
