"""Ratings: sheets, the page, what they come to, and the reviews that follow."""

from __future__ import annotations

import csv
import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.journal import load_run
from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.rate.agreement import acceptance, acceptance_lines, reviews_of
from omnipilot.bench.suites.pool.rate.page import RatingPage
from omnipilot.bench.suites.pool.rate.sheet import read_sheet, write_sheet
from omnipilot.bench.suites.pool.records import GraphRecord, Join, Rating, TaskRecord, Trajectory
from omnipilot.bench.suites.pool.sampling import draw_sample
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.bench.tasks.reviewed_tasks import listed_tasks, taken_out
from omnipilot.envs import ConfigError

pytestmark = pytest.mark.exhibit("pool", "duet")


@pytest.fixture
def pool(tmp_path: Path) -> PoolFolder:
    made = PoolFolder(tmp_path / "pool")
    made.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    graphs = [
        GraphRecord(f"g{n}", ("read-gate-code", "text-contact"), (Join(1, "text", 0),), ((0, 1),), seed=n)
        for n in range(4)
    ]
    made.graphs.write(graphs, stage="compose", seed=0)
    tasks = [TaskRecord(graph.id, graph.id, f"Send the gate code number {n}.") for n, graph in enumerate(graphs)]
    made.tasks.write(tasks, stage="tell", seed=0)
    return made


def rated(task: str, rater: str, accepted: bool, *reasons: str, seconds: float = 10.0) -> Rating:
    return Rating(task, rater, accepted, reasons, seconds)


def test_acceptance_is_the_mean_over_raters_and_the_last_word_counts() -> None:
    ratings = [
        rated("g0", "kim", False, "clear"),
        rated("g0", "kim", True),
        rated("g1", "kim", False, "possible"),
        rated("g0", "lee", True),
        rated("g1", "lee", False, "possible", "clear"),
        rated("g2", "lee", True, seconds=30.0),
    ]
    found = acceptance(ratings)
    assert found.by_rater == {"kim": 0.5, "lee": pytest.approx(2 / 3)}
    assert found.accepted == pytest.approx((0.5 + 2 / 3) / 2) and found.tasks == 3
    assert found.kappa == 1.0 and found.common == 2 and found.seconds == 10.0
    assert found.reasons == {"possible": 2, "clear": 1}
    assert "Fleiss' κ 1.00 over 2 tasks that all 2 rated" in "\n".join(acceptance_lines(found))


def test_what_cannot_be_said_of_agreement_is_said() -> None:
    one = acceptance([rated("g0", "kim", True)])
    assert one.kappa is None and "agreement needs a second rater" in acceptance_lines(one)
    apart = acceptance([rated("g0", "kim", True), rated("g1", "lee", True)])
    assert "no task was rated by all, so agreement is unknown" in acceptance_lines(apart)
    alike = acceptance([rated("g0", "kim", True), rated("g0", "lee", True)])
    assert "all gave one answer to every task, so κ is not defined" in acceptance_lines(alike)
    with pytest.raises(ConfigError, match="nobody has rated"):
        acceptance([])


def test_a_tie_takes_a_task_out_with_the_reasons_of_those_who_refuse() -> None:
    ratings = [rated("g0", "kim", True, "clear"), rated("g0", "lee", False, "possible"), rated("g1", "kim", True)]
    reviews = {review.task: review for review in reviews_of(ratings)}
    assert reviews["g0"].state == "taken out" and reviews["g0"].why == "possible" and reviews["g0"].by == "kim, lee"
    assert reviews["g1"].state == "accepted"


def test_a_sheet_comes_back_as_it_was_filled_in(pool: PoolFolder, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    assert write_sheet(sheet, pool.tasks.read(), "kim") == 4
    rows = list(csv.DictReader(sheet.open(encoding="utf-8")))
    rows[0] |= {"accepted": "Yes", "clear": "yes", "seconds": "12,5"}
    rows[1] |= {"accepted": "no", "possible": "no", "one goal": "no"}
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert read_sheet(sheet, ["g0", "g1", "g2", "g3"]) == [
        Rating("g0", "kim", True, (), 12.5),
        Rating("g1", "kim", False, ("one goal", "possible"), 0.0),
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("g9,yes,kim,", "no task 'g9'"),
        ("g0,maybe,kim,", "must be yes or no, not 'maybe'"),
        ("g0,yes,,", "who rated"),
        ("g0,yes,kim,long", "seconds must be a number"),
    ],
)
def test_a_wrong_line_of_a_sheet_is_named(tmp_path: Path, line: str, told: str) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"task,accepted,rater,seconds\n{line}\n")
    with pytest.raises(ConfigError, match=f"sheet.csv:2.*{told}"):
        read_sheet(sheet, ["g0"])


def test_samples_are_alike_for_all_raters() -> None:
    assert draw_sample(range(100), 10, 3) == draw_sample(range(100), 10, 3) != draw_sample(range(100), 10, 4)
    assert draw_sample([1, 2], 5, 0) == draw_sample([1, 2], 0, 0) == [1, 2]


def send(page: RatingPage, values: object, **headers: str) -> int:
    told = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(f"{page.url}ratings", json.dumps(values).encode(), told)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_the_page_shows_tasks_and_writes_each_answer_at_once(pool: PoolFolder) -> None:
    pool.trajectories.write([Trajectory("t", "", ("a.png",), (), task_id="g0")], stage="verify", seed=0)
    pool.media.mkdir()
    (pool.media / "a.png").write_bytes(b"picture")
    with RatingPage(pool, pool.tasks.read(), "kim") as page:
        with urllib.request.urlopen(f"{page.url}tasks", timeout=10) as answer:
            shown = json.loads(answer.read())
        assert [one["id"] for one in shown["tasks"]] == ["g0", "g1", "g2", "g3"]
        assert shown["tasks"][0]["edges"] == [[0, 1]] and shown["tasks"][0]["pictures"] == ["a.png"]
        with urllib.request.urlopen(f"{page.url}media/a.png", timeout=10) as answer:
            assert answer.read() == b"picture"
        good = {"task": "g0", "accepted": False, "reasons": ["clear"], "seconds": 4.5}
        assert send(page, good) == 200
        assert pool.ratings.read() == [Rating("g0", "kim", False, ("clear",), 4.5)]
        for bad in (
            {**good, "task": "g9"},
            {**good, "accepted": 1},
            {**good, "reasons": ["taste"]},
            [],
            {"task": "g0"},
        ):
            assert send(page, bad) == 400
        assert send(page, good, Host="evil.example") == 421
        assert send(page, good, **{"Content-Type": "text/plain"}) == 400
        for path in ("media/../tasks.jsonl", "media/%2e%2e/tasks.jsonl", "tasks.jsonl"):
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(page.url + path, timeout=10)
        assert len(pool.ratings.read()) == 1 and page.tasks_shown()["tasks"][0]["rated"]["reasons"] == ("clear",)


def test_ratings_become_reviews_and_the_suite_leaves_out_what_was_refused(pool: PoolFolder, tmp_path: Path) -> None:
    runner, sheet = CliRunner(), tmp_path / "sheet.csv"
    asked = runner.invoke(synth, ["rate", str(pool.root), "--sheet", str(sheet), "--rater", "kim"])
    assert asked.exit_code == 0 and "4 tasks to rate" in asked.output
    rows = list(csv.DictReader(sheet.open(encoding="utf-8")))
    for row, said in zip(rows, ("yes", "no", "yes", ""), strict=True):
        row["accepted"] = said
    rows[1]["clear"] = "no"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    read = runner.invoke(synth, ["rate", str(pool.root), "--read", str(sheet), "--settle"])
    assert read.exit_code == 0, read.output
    assert "3 ratings read" in read.output and "accepted 66.7 %" in read.output
    assert "2 tasks accepted, 1 taken out" in read.output
    suite = PoolSuite(str(pool.root))
    assert [info.id for info in listed_tasks(suite)] == ["g0", "g2", "g3"]
    assert taken_out(suite) == {"g1": "taken out by kim: clear"}


@pytest.mark.slow
def test_a_run_plays_what_raters_left_and_its_table_says_what_they_took_out(pool: PoolFolder, tmp_path: Path) -> None:
    ratings = [rated(task, "kim", task != "g1", *([] if task != "g1" else ["clear"])) for task in ("g0", "g1", "g2")]
    pool.ratings.write(ratings, stage="rate", seed=0)
    runner = CliRunner()
    settled = runner.invoke(synth, ["rate", str(pool.root), "--settle"])
    assert settled.exit_code == 0 and "2 tasks accepted, 1 taken out" in settled.output
    asked = ["run", "--suite", "pool", "--data", str(pool.root), "--planner", "oracle", "--out", str(tmp_path / "run")]
    done = runner.invoke(app, asked)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert {episode.task for episode in load_run(tmp_path / "run").episodes} == {"g0", "g2", "g3"}
    assert "not among the tasks: g1 (taken out by kim: clear)" in " ".join(done.output.split())
    named = runner.invoke(app, [*asked[:-1], str(tmp_path / "named"), "--tasks", "g1"])
    assert named.exit_code != 0 and "'g1' was taken out by kim: clear" in named.output + str(named.exception)
    listed = runner.invoke(app, ["list", "tasks", "--suite", "pool", "--data", str(pool.root)])
    assert "taken out by kim: clear" in listed.output and "accepted by kim" in listed.output
