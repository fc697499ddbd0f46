"""`omnipilot attribute`: shares, evidence, the report's list, and a model's labels beside the experiments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.cli.commands.run import OVER_BUDGET
from omnipilot.bench.journal.attributions import FILE, FOLDER
from omnipilot.bench.journal.journal import FILE as JOURNAL
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec

pytestmark = pytest.mark.exhibit("duet", "rules")
TASKS = ("send-message", "write-document")
BOASTS = AgentSpec(planner=PartSpec("planted_failures:Boaster"))


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two failures by claims, attributed."""
    folder = tmp_path_factory.mktemp("attributed") / "run"
    run(RunSpec(BOASTS, PartSpec("duet"), tasks=TASKS), folder)
    done = omnipilot("attribute", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_shares_stand_beside_those_of_omnibench(failed: Path):
    done = omnipilot("attribute", str(failed))
    line = next(line for line in done.stdout.splitlines() if line.startswith("claimed success"))
    assert line.split()[2:] == ["2", "100", "[34,", "100]", "36"]
    assert "2 failures" in done.stdout


@pytest.mark.slow
def test_json_tells_each_experiment_with_its_run(failed: Path):
    found = json.loads(omnipilot("attribute", str(failed), "--format", "json").stdout)["episodes"]
    assert [one["cause"] for one in found] == ["claimed success"] * 2
    for one in found:
        played = [step for step in one["evidence"] if step["times"]]
        assert {step["experiment"] for step in played} >= {
            "oracle",
            "nothing exchanged",
            "gold grounder",
            "gold critic",
        }
        assert all((Path(step["run"]) / JOURNAL).exists() for step in played)
    assert json.loads((failed / FOLDER / FILE).read_text())["episodes"] == found


def test_what_was_played_is_not_played_again(failed: Path):
    journals = {path: path.stat().st_mtime_ns for path in (failed / FOLDER).rglob(JOURNAL)}
    assert omnipilot("attribute", str(failed)).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in (failed / FOLDER).rglob(JOURNAL)} == journals


def test_the_report_can_be_narrowed_by_cause(failed: Path):
    assert omnipilot("report", str(failed)).returncode == 0
    page = (failed / "report.html").read_text()
    index = json.loads(page.split('id="index">')[1].split("</script>")[0])
    assert [one["facets"]["cause"] for one in index["episodes"]] == [["claimed success"]] * 2
    assert all(one["facets"]["ended by"] for one in index["episodes"])


def test_a_model_reads_records_and_its_agreement_is_told(failed: Path, tmp_path: Path):
    answers = [
        Answer(json.dumps({"cause": "claimed success", "why": "It stopped in turn 2."})),
        Answer(json.dumps({"cause": "grounding", "why": "It missed in turn 1."})),
    ]
    with ChatServer(answers) as server:
        done = omnipilot("attribute", str(failed), "--model", "openai-compatible/scripted", "--url", server.url)
        asked = server.requests[0].json["messages"]
    assert done.returncode == 0, done.stderr
    assert "agree with the experiments on 1 of 2 failures" in done.stdout
    assert "2 labelled by openai-compatible/scripted from the trace" in done.stdout
    assert "Turn 2" in str(asked) and "It ended by: done success" in str(asked)
    # Labels never stand in the place of experiments.
    assert {one["by"] for one in json.loads((failed / FOLDER / FILE).read_text())["episodes"]} == {"experiment"}


def test_an_unknown_cause_is_asked_for_again(failed: Path, tmp_path: Path):
    answers = [
        Answer('{"cause": "bad luck", "why": "?"}'),
        Answer('{"cause": "memory", "why": "It forgot in turn 1."}'),
    ]
    with ChatServer(answers) as server:
        given = (
            "--model",
            "openai-compatible/scripted",
            "--url",
            server.url,
            "--out",
            str(tmp_path),
            "--task",
            TASKS[0],
        )
        done = omnipilot("attribute", str(failed), *given)
        assert len(server.requests) == 2
    assert done.returncode == 0, done.stderr
    (one,) = json.loads((tmp_path / FILE).read_text())["episodes"]
    assert (one["cause"], one["by"]) == ("memory", "openai-compatible/scripted")


def test_labels_that_were_paid_for_are_kept_where_the_budget_ends(failed: Path, tmp_path: Path):
    with ChatServer([Answer('{"cause": "memory", "why": "It forgot in turn 1."}')]) as server:
        given = ("--model", "openai-compatible/scripted", "--url", server.url, "--out", str(tmp_path))
        priced = ("--price-in", "1", "--price-out", "1", "--budget", "0.000001")
        done = omnipilot("attribute", str(failed), *given, *priced)
    assert done.returncode == OVER_BUDGET
    assert "not attributed: 1 of 2 failures" in done.stderr
    (one,) = json.loads((tmp_path / FILE).read_text())["episodes"]
    assert one["cause"] == "memory"


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        (("--task", "send-massage"), "omnipilot report"),
        (("--sample", "0"), "at least 1"),
        (("--times", "0"), "at least 1"),
        (("--format", "xml"), "table, json"),
    ],
)
def test_mistakes_say_the_cure(failed: Path, given: tuple[str, ...], cure: str):
    done = omnipilot("attribute", str(failed), *given)
    assert done.returncode == 2
    assert cure in done.stderr


def test_a_run_without_failures_says_so(tmp_path: Path):
    run(RunSpec(AgentSpec(planner=PartSpec("oracle")), PartSpec("duet"), tasks=TASKS[:1]), tmp_path / "run")
    done = omnipilot("attribute", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "no failure" in done.stderr
