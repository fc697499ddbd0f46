"""Tasks that people took out are not run, are in no denominator, and are told with the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from toy_suite import toy_spec

from omnipilot.agents import PartSpec
from omnipilot.bench.journal import load_run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run import run
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.filter import facets, select
from omnipilot.bench.tasks.review import Review, add_review, read_reviews
from omnipilot.bench.tasks.reviewed_tasks import every_listed_task, listed_tasks, taken_out
from omnipilot.envs import ConfigError


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.jsonl"
    add_review(path, Review("count", "taken out", "kim", "two answers are right"))
    add_review(path, Review("answer", "accepted", "lee"))
    add_review(path, Review("far", "taken out", "lee", "too far"))
    add_review(path, Review("far", "accepted", "kim", "near enough"))
    return path


def reviewed(path: Path, *tasks: str) -> RunSpec:
    spec = toy_spec(*tasks)
    return replace(spec, suite=spec.suite.with_options({"reviews": str(path)}))


def test_the_last_review_of_a_task_counts(reviews: Path) -> None:
    found = read_reviews(reviews)
    assert {task: review.state for task, review in found.items()} == {
        "count": "taken out",
        "answer": "accepted",
        "far": "accepted",
    }
    assert all(review.date for review in found.values())


def test_a_suite_lists_what_is_left_and_each_task_says_its_state(reviews: Path) -> None:
    plain, suite = load_suite(toy_spec().suite), load_suite(reviewed(reviews).suite)
    left = [info.id for info in listed_tasks(suite)]
    assert left == [info.id for info in plain.tasks() if info.id != "count"]
    assert taken_out(suite) == {"count": "taken out by kim: two answers are right"}
    states = {info.id: facets(info)["review"] for info in every_listed_task(suite)}
    assert states["count"] == ("taken out",) and states["answer"] == ("accepted",) and states["lost"] == ("draft",)
    assert {info.id for info in select(every_listed_task(suite), ["review=accepted"])} == {"answer", "far"}
    assert all(facets(info)["review"] == ("draft",) for info in plain.tasks())


def test_a_run_leaves_them_out_and_its_table_says_why(reviews: Path, tmp_path: Path) -> None:
    spec = reviewed(reviews)
    left = ("answer", "far")
    suite = load_suite(spec.suite)
    assert "count" not in [info.id for info in listed_tasks(suite)]
    result = run(replace(spec, tasks=left), tmp_path / "run")
    assert {episode.task for episode in result.episodes} == set(left)
    table = main_table([load_run(tmp_path / "run")])
    assert any("not among the tasks: count (taken out by kim: two answers are right)" in note for note in table.notes)


def test_a_task_taken_out_that_is_named_is_refused(reviews: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'count' was taken out by kim: two answers are right; leave it out"):
        run(reviewed(reviews, "count"), tmp_path / "run")


def test_where_the_file_lies_and_how_reasons_are_worded_change_no_identity(reviews: Path) -> None:
    spec = reviewed(reviews)
    out = {"count": "taken out by kim: two answers are right"}
    assert (
        replace(spec, taken_out=out).identity
        == replace(
            spec, suite=spec.suite.with_options({"reviews": "elsewhere"}), taken_out={"count": "taken out by lee: no"}
        ).identity
    )
    assert replace(spec, taken_out=out).identity != spec.identity


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"task": "a", "state": "fine", "by": "kim"}, "a state is one of draft, accepted, taken out"),
        ({"task": "a", "state": "taken out", "by": "kim"}, "taken out without a reason"),
        ({"task": "a", "state": "accepted", "by": " "}, "names nobody"),
        ({"task": "a", "state": "accepted"}, "the field 'by' is missing"),
        ({"task": "a", "state": "accepted", "by": "kim", "stars": "5"}, "unknown field 'stars'"),
        ({"task": 3, "state": "accepted", "by": "kim"}, "'task' must be a text"),
        (["a"], "it must be an object"),
    ],
)
def test_what_is_no_review_is_told(tmp_path: Path, line: object, told: str) -> None:
    path = tmp_path / "reviews.jsonl"
    path.write_text(json.dumps({"task": "b", "state": "accepted", "by": "kim"}) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(ConfigError, match=f"reviews.jsonl:2 is no review.*{told}"):
        read_reviews(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_suite(PartSpec("toy", {"reviews": str(tmp_path / "none.jsonl")}))
