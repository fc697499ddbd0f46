"""A study of a pool's tasks runs what is missing, and prints and stores its table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.contract import check_suite
from omnipilot.bench.journal import load_run
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, Join, MatchedSet, TaskRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld

pytestmark = pytest.mark.exhibit("pool", "duet")
PAIR = {"dependency": 1, "instruction": 2, "hierarchy": 2, "branch": 1, "knowledge": 1}
APART = {"dependency": 0, "instruction": 2, "hierarchy": 1, "branch": 2, "knowledge": 1}


def chain(number: int, intent: str = "") -> GraphRecord:
    """A code that is read and sent on."""
    subtasks = ("read-gate-code", "text-contact")
    return GraphRecord(f"chain{number}", subtasks, (Join(1, "text", 0),), ((0, 1),), PAIR, seed=number, intent=intent)


def apart(number: int) -> GraphRecord:
    """Two favourites, which need nothing of one another."""
    return GraphRecord(f"apart{number}", ("favourite-contact", "block-contact"), figures=APART, seed=number)


def write(root: Path, graphs: list[GraphRecord], told: bool = True) -> PoolFolder:
    """A pool of these graphs; those that are told say which text it is."""
    pool = PoolFolder(root)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    pool.graphs.write(graphs, stage="compose", seed=0)
    texts = [
        TaskRecord(
            graph.id,
            graph.id,
            f"{graph.id} as told",
            graph.intent,
            f"{graph.id} low",
            f"{graph.id} high",
            (f"{graph.id} first other", f"{graph.id} second other") if not graph.edges else (),
        )
        for graph in graphs
    ]
    if told:
        pool.tasks.write(texts, stage="tell", seed=0)
    return pool


def study(name: str, pool: PoolFolder, out: Path, *more: str) -> str:
    """What a study prints, on one line, of demonstrations."""
    asked = ["study", name, "--suite", "pool", "--data", str(pool.root), "--planner", "oracle", "--out", str(out)]
    done = CliRunner().invoke(app, [*asked, *more])
    assert done.exit_code == 0, done.output + str(done.exception)
    assert (out / "results.json").exists()
    return " ".join(done.output.split())


def instruction(suite: PoolSuite, task: str) -> str:
    return suite.instantiate(task, 0).setup(SimWorld())


def test_a_task_is_told_in_the_chosen_wording(tmp_path: Path) -> None:
    write(tmp_path, [chain(1), apart(1)])
    told = {
        name: instruction(PoolSuite(str(tmp_path), wording=name), "apart1")
        for name in ("", "low", "high", "order-0", "order-1", "order-2")
    }
    assert told == {
        "": "apart1 as told",
        "low": "apart1 low",
        "high": "apart1 high",
        "order-0": "apart1 low",
        "order-1": "apart1 first other",
        "order-2": "apart1 second other",
    }
    lows = {name: PoolSuite(str(tmp_path), wording=name).instantiate("apart1", 0).low for name in told}
    assert lows == dict.fromkeys(told, "") | {"high": "apart1 low"}, "told beside the high wording alone"
    for name in ("order-0", "order-1", "order-2"):
        assert [info.id for info in PoolSuite(str(tmp_path), wording=name).tasks()] == ["apart1"]
    with pytest.raises(ConfigError, match="chain1 has no wording order-0; such tasks are told in at least 3 orders"):
        PoolSuite(str(tmp_path), wording="order-0").instantiate("chain1", 0)
    with pytest.raises(ConfigError, match="told for instance 0 alone: leave out suite.wording"):
        PoolSuite(str(tmp_path), wording="high").instantiate("apart1", 1)
    check_suite(lambda: PoolSuite(str(tmp_path)))


def test_a_wording_that_no_task_has_is_refused_with_what_makes_it(tmp_path: Path) -> None:
    write(tmp_path / "untold", [chain(1)], told=False)
    with pytest.raises(ConfigError, match="no task of .*untold is told yet; run omnipilot synth tell"):
        PoolSuite(str(tmp_path / "untold"), wording="high")
    write(tmp_path / "chains", [chain(1)])
    with pytest.raises(ConfigError, match=r"no task of .* has a wording order-1; .* synth tell --orders 2 or more"):
        PoolSuite(str(tmp_path / "chains"), wording="order-1")
    with pytest.raises(ConfigError, match="no task of .* has a wording order-4; .*at least 5 orders"):
        PoolSuite(str(tmp_path / "chains"), wording="order-4")
    with pytest.raises(ConfigError, match="wording 'hihg'"):
        PoolSuite(str(tmp_path / "chains"), wording="hihg")


@pytest.mark.slow
def test_intents_are_compared_on_the_tasks_that_state_one(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [*(chain(n, "Let them in.") for n in range(3)), chain(9)], told=False)
    assert "intent minus no-intent: 0.0" in study("intent", pool, tmp_path / "study")
    assert {episode.task for episode in load_run(tmp_path / "study" / "intent").episodes} == {
        "chain0",
        "chain1",
        "chain2",
    }


@pytest.mark.slow
def test_chains_are_compared_with_the_graphs_of_their_sets(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [one for n in range(3) for one in (chain(n), apart(n))] + [apart(9)])
    sets = [
        MatchedSet(f"pair-{n}", "chain and graph", (f"chain{n}", f"apart{n}"), ("chain", "graph")) for n in range(3)
    ]
    series = MatchedSet("dose-branch", "dose", ("apart9",), ("branch=2",))
    pool.matched.write([*sets, series], stage="compose", seed=0)
    tags = {info.id: info.tags for info in PoolSuite(str(pool.root)).tasks()}
    assert (tags["chain1"]["match"], tags["chain1"]["form"]) == ("pair-1", "chain")
    assert (tags["apart1"]["match"], tags["apart1"]["form"]) == ("pair-1", "graph")
    assert "match" not in tags["apart9"] and "form" not in tags["apart9"]
    assert "graph minus chain: 0.0" in (said := study("chain", pool, tmp_path / "study")) and "over 3 pairs" in said
    assert len(load_run(tmp_path / "study" / "run").episodes) == 6, "what is not matched is not run"
    said = study("chain", pool, tmp_path / "sample", "--sample", "4")
    assert "over 2 pairs" in said, "a sample is of whole sets"


def test_a_pool_without_sets_says_how_they_are_made(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [chain(1)])
    asked = ["study", "chain", "--suite", "pool", "--data", str(pool.root), "--planner", "oracle"]
    done = CliRunner().invoke(app, [*asked, "--out", str(tmp_path / "study")])
    assert done.exit_code != 0
    assert "no task has the tag match" in done.output + str(done.exception)


@pytest.mark.slow
def test_the_same_graphs_are_told_in_three_orders(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [*(apart(n) for n in range(11)), chain(1)])
    said = study("orders", pool, tmp_path / "study", "--sample", "10")
    assert "standard deviation over 3 wordings, mean over 10 graphs: 0.0" in said
    runs = [load_run(tmp_path / "study" / f"order-{n}") for n in range(3)]
    assert len({frozenset(one.task for one in run.episodes) for run in runs}) == 1
    assert len({run.episodes[0].instruction for run in runs}) == 3


@pytest.mark.slow
def test_levels_are_those_of_the_graphs(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [*(apart(n) for n in range(2)), chain(1)])
    assert "dependency" in study("levels", pool, tmp_path / "study")


@pytest.mark.slow
def test_people_who_watched_the_episodes_are_compared_with_their_figures(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool", [*(apart(n) for n in range(3)), *(chain(n) for n in range(3))])
    unnamed = ["study", "people", "--suite", "pool", "--data", str(pool.root), "--planner", "oracle"]
    done = CliRunner().invoke(app, [*unnamed, "--out", str(tmp_path / "study")])
    assert "name the sheet" in done.output + str(done.exception)
    assert not (tmp_path / "study").exists(), "nothing is run first"
    sheet = tmp_path / "watched.csv"
    with sheet.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["episode", "rater", "completion", "logic"])
        for number, task in enumerate(["apart0", "apart1", "apart2", "chain0", "chain1", "chain2"]):
            rows.writerow([f"{task}#0.0", "kim", 10 * number, 100 - 10 * number])
    said = study("people", pool, tmp_path / "study", "--sheet", str(sheet))
    assert "never varies" in said, "demonstrations solve all"
