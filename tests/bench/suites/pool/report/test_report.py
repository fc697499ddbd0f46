"""The report of a pool: its figures are those that one counts by hand, and its page shows them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.compose.cells import cell_of
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import (
    Edge,
    GraphRecord,
    Operation,
    Rating,
    SubtaskRecord,
    TaskRecord,
    VerdictRecord,
)
from omnipilot.bench.suites.pool.report.examples import examples
from omnipilot.bench.suites.pool.report.figures import evenness, pool_figures

pytestmark = pytest.mark.exhibit("pool")
LOW = {"dependency": 0, "instruction": 1, "hierarchy": 1, "branch": 1, "knowledge": 1}
HIGH = {"dependency": 5, "instruction": 6, "hierarchy": 5, "branch": 2, "knowledge": 4}


@pytest.fixture
def pool(tmp_path: Path) -> PoolFolder:
    made = PoolFolder(tmp_path / "pool")
    click = (Operation("click", "phone", "notes/new"),)
    made.edges.write(
        [Edge("e1", "a", "b", click, effect=("+notes",)), Edge("e2", "a", "a", click)], stage="explore", seed=1
    )
    made.subtasks.write(
        [
            SubtaskRecord("note", "note {text}", "Notes", "phone", inputs={"text": "text"}, evidence=("e1",),
                          input_resources=("text",), output_resources=("note",)),
            SubtaskRecord("read", "read it", "Notes", "phone", output_resources=("text/code",), evidence=("e1",)),
            SubtaskRecord("mail", "mail </script>", "Mail", "desktop", made_by="hand:duet"),
        ],
        stage="subtasks",
        seed=1,
    )  # fmt: skip
    made.verdicts.write(
        [VerdictRecord("note", 1, False), VerdictRecord("note", 2, True), VerdictRecord("read", 1, False)],
        stage="verify",
        seed=1,
        seconds=0.5,
    )
    made.graphs.write(
        [
            GraphRecord("g0", ("read", "note"), edges=((0, 1),), figures=HIGH, scenario="Office", network=True),
            GraphRecord("g1", ("mail",), figures=LOW),
            GraphRecord("g2", ("mail",), figures=LOW, capabilities=("parallel planning",)),
        ],
        stage="compose",
        seed=1,
    )
    made.tasks.write(
        [
            TaskRecord("g0", "g0", "Do it.", low="one two three", high="one two", checked="kept"),
            TaskRecord("g2", "g2", "Do it.", low="one", high="one", checked="lost 1 of 1"),
        ],
        stage="tell",
        seed=1,
        model="openai/small",
        dollars=0.25,
    )
    return made


def test_the_figures_are_those_that_one_counts(pool: PoolFolder) -> None:
    found = pool_figures(pool)
    assert [(one.stage, one.given, one.kept) for one in found.stages] == [
        ("explore", 2, 1),
        ("subtasks", 2, 2),
        ("verify", 2, 1),
        ("compose", 3, 3),
        ("tell", 3, 2),
        ("check", 2, 1),
    ]
    assert found.counts == {
        "subtasks": 3,
        "applications": 2,
        "both take and yield": 1,
        "tasks": 3,
        "cells": 2,
        "apps a task": 1.0,
        "subtasks a task": pytest.approx(4 / 3),
        "scenarios": 1,
        "network": pytest.approx(1 / 3),
        "words, high": 1.5,
        "words, low": 2.0,
    }
    assert found.cells == {"easy-easy-easy-easy-easy": 2, "hard-hard-hard-easy-hard": 1}
    assert found.use == {"mail": 2, "read": 1, "note": 1} and found.capabilities == {"parallel planning": 1}
    assert found.costs == {"verify": {"seconds": 1.5}, "tell": {"dollars": 0.5, "models": ["openai/small"]}}
    assert found.ratings is None
    pool.ratings.write([Rating("g0", "kim", True), Rating("g2", "kim", False)], stage="rate", seed=0)
    rated = pool_figures(pool).ratings
    assert rated is not None and rated["accepted"] == 0.5


def test_evenness_is_one_where_all_are_used_alike() -> None:
    assert evenness({"a": 2, "b": 2}, 2) == pytest.approx(1.0)
    assert evenness({"a": 2, "b": 2}, 4) == pytest.approx(math.log(2) / math.log(4))
    assert evenness({"a": 4}, 2) == evenness({}, 5) == 0.0


def test_there_is_an_example_of_each_cell(pool: PoolFolder) -> None:
    found = examples(pool, most=2)
    assert {one["cell"] for one in found} == {cell_of(graph.figures) for graph in pool.graphs.read()}
    assert next(one for one in found if one["cell"].startswith("easy"))["id"] == "g2", "those in words come first"
    assert len(examples(pool)) == 3 and examples(pool, seed=4) == examples(pool, seed=4)


def test_the_page_holds_what_the_file_says_and_no_markup_of_the_data(pool: PoolFolder) -> None:
    done = CliRunner().invoke(synth, ["report", str(pool.root)])
    assert done.exit_code == 0, done.output
    assert "verify: 1 of 2: subtasks that hold" in done.output and "tasks: 3 (OmniBench 36,076)" in done.output
    told = json.loads((pool.root / "report.json").read_text())
    assert told["counts"]["tasks"] == 3 and told["paper"]["tasks"] == 36076
    page = (pool.root / "report.html").read_text()
    assert page.count("</script>") == 1 and "mail <\\/script>" in page


def test_a_pool_without_subtasks_is_told_what_to_run(tmp_path: Path) -> None:
    done = CliRunner().invoke(synth, ["report", str(tmp_path)])
    assert "omnipilot synth subtasks" in str(done.exception)
