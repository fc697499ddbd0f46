"""`omnipilot synth compose` and `synth all` over a folder, and a run of a sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.run.task_selection import draw_sample
from omnipilot.bench.suites.pool.commands import stages
from omnipilot.bench.suites.pool.compose import stage as compose_stage
from omnipilot.bench.suites.pool.compose.instances import has_content
from omnipilot.bench.suites.pool.compose.playing import play_graph
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import VerdictRecord
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.envs import ConfigError


def call(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["synth", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    call("subtasks", str(tmp_path), "--hand-written")
    return tmp_path


@pytest.mark.slow
def test_graphs_of_a_cell_are_written_and_added_to(pool: Path) -> None:
    summary = json.loads(call("compose", str(pool), "--graphs", "6", "--cell", "mmeee", "--json"))
    assert summary["graphs"] == 6 and summary["cells"]["medium-medium-easy-easy-easy"] == 6
    more = call("compose", str(pool), "--graphs", "2", "--figures", "nodes=1", "--add")
    assert "8 graphs over 2 of 67 cells, from 142 subtasks of which 19 take and yield" in more
    graphs = PoolFolder(pool).graphs.read()
    assert len(graphs) == 8 and all(graph.scenario for graph in graphs)
    line = json.loads(PoolFolder(pool).graphs.path.read_text().splitlines()[0])
    assert line["made"] == {"stage": "compose", "version": "1", "seed": 0}


def test_subtasks_that_verification_rejected_are_left_out(pool: Path) -> None:
    folder = PoolFolder(pool)
    ids = [one.id for one in folder.subtasks.read()]
    folder.verdicts.write(
        [
            VerdictRecord(ids[0], 1, False),
            VerdictRecord(ids[1], 1, False),
            VerdictRecord(ids[1], 2, True),
        ],
        stage="verify",
        seed=0,
    )
    said = call("compose", str(pool), "--graphs", "141", "--figures", "nodes=1", "--no-content")
    assert "from 141 subtasks" in said and "1 subtasks were left out, as verification rejected them" in said
    assert {one for graph in folder.graphs.read() for one in graph.subtasks} == set(ids[1:])
    folder.verdicts.write([VerdictRecord(id, 1, False) for id in ids], stage="verify", seed=0)
    with pytest.raises(ConfigError, match="rejected all 142 subtasks"):
        CliRunner().invoke(
            app, ["synth", "compose", str(pool), "--graphs", "3"], catch_exceptions=False, standalone_mode=False
        )


@pytest.mark.slow
def test_pairs_and_series_are_named(pool: Path) -> None:
    call("compose", str(pool), "--graphs", "0", "--pairs", "2", "--dose", "branch=1")
    folder = PoolFolder(pool)
    sets = folder.matched.read()
    assert [one.id for one in sets] == ["pair-1", "pair-2", "dose-branch"]
    ids = {graph.id for graph in folder.graphs.read()}
    assert all(set(one.graphs) <= ids for one in sets)
    call("compose", str(pool), "--graphs", "0", "--pairs", "2", "--add")
    more = folder.matched.read()
    assert more[:3] == sets and [one.id for one in more[3:]] == ["pair-4", "pair-5"]
    assert not {id for one in more[3:] for id in one.graphs} & {id for one in sets for id in one.graphs}
    templates = templates_of(folder)
    assert all(has_content(graph, templates) for graph in folder.graphs.read() if graph.id in more[-1].graphs)
    call("compose", str(pool), "--graphs", "2", "--figures", "nodes=1")
    assert folder.matched.read() == [], "no set names a graph that is gone"


@pytest.mark.slow
def test_what_is_learnt_and_proved_is_said(pool: Path) -> None:
    summary = json.loads(
        call(
            "compose",
            str(pool),
            "--graphs",
            "3",
            "--figures",
            "nodes=2",
            "--play",
            "2",
            "--solvable",
            "--prove",
            "2",
            "--json",
        )
    )
    assert summary["learning"]["played"] == 2
    proof = summary["proof"]
    assert proof["played"] == proof["solved"] == 2 and proof["failed"] == [] and proof["solved_by_waiting"] == 0


def test_every_graph_is_played_and_keeps_its_content_unless_that_is_refused(pool: Path) -> None:
    folder = PoolFolder(pool)
    asked = ["compose", str(pool), "--graphs", "3", "--figures", "nodes=2,edges=1"]
    call(*asked)
    assert all(graph.draw is not None for graph in folder.graphs.read())
    templates = templates_of(folder)
    assert not any(play_graph(graph, templates, orders=2, blame=False).failed for graph in folder.graphs.read())
    call(*asked, "--no-solvable")
    assert all(graph.draw is None for graph in folder.graphs.read())


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(pool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joins that do not work are learnt in batches, whoever plays them; the graphs are the same to the byte."""
    monkeypatch.setattr(compose_stage, "BATCH", 5)
    written = []
    for jobs in ("1", "2", "3"):
        call("compose", str(pool), "--graphs", "16", "--prove", "4", "--jobs", jobs)
        written.append((PoolFolder(pool).graphs.path.read_bytes(), PoolFolder(pool).conflicts.path.read_bytes()))
        PoolFolder(pool).conflicts.path.unlink()
    assert written[0] == written[1] == written[2]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--cell", "eehee"], "no graph can be the cell easy-easy-hard-easy-easy: nodes ≥ depth"),
        (["--cell", "hhhhh", "--figures", "nodes=6"], "no graph can be .*: nodes ≥ depth"),
        (["--figures", "nodes=1", "--floor", "entropy=2"], "entropy is .* but at least 2"),
        (["--dose", "branch"], "--dose expects NAME=NUMBER"),
        (["--capability", "planning"], "parallel planning"),
    ],
)
def test_what_cannot_be_is_refused(pool: Path, arguments: list[str], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        CliRunner().invoke(
            app,
            ["synth", "compose", str(pool), "--graphs", "3", *arguments],
            catch_exceptions=False,
            standalone_mode=False,
        )


def test_all_stages_are_called_in_order_with_what_they_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, dict[str, object]]] = []

    def one(pool: Path, seed: int = 0, graphs: int = 0) -> None:
        called.append(("one", {"pool": pool, "seed": seed, "graphs": graphs}))

    def two(pool: Path, world: str = "") -> None:
        called.append(("two", {"pool": pool, "world": world}))

    monkeypatch.setattr(stages, "STAGES", ("one", "two"))
    monkeypatch.setattr(stages, "stage_command", {"one": one, "two": two}.__getitem__)
    said: list[str] = []
    stages.run_stages(tmp_path, {"world": "sim", "graphs": 7, "seed": 3}, "", said.append)
    assert called == [
        ("one", {"pool": tmp_path, "seed": 3, "graphs": 7}),
        ("two", {"pool": tmp_path, "world": "sim"}),
    ]
    assert [line.split(",")[0] for line in said[:2]] == ["== one", "== two"]
    called.clear()
    stages.run_stages(tmp_path, {"world": "sim", "graphs": 7}, "two", said.append)
    assert [name for name, _ in called] == ["two"]
    called.clear()
    stages.run_stages(tmp_path, {"world": "sim", "graphs": 7}, "", said.append, until="one")
    assert [name for name, _ in called] == ["one"]
    with pytest.raises(ConfigError, match="no stage has an option play"):
        stages.run_stages(tmp_path, {"play": 3}, "", said.append)
    with pytest.raises(ConfigError, match="two"):
        stages.run_stages(tmp_path, {}, "tow", said.append)
    with pytest.raises(ConfigError, match="two"):
        stages.run_stages(tmp_path, {}, "", said.append, until="tow")


def test_every_stage_has_a_command() -> None:
    for stage in stages.STAGES:
        assert stages.stage_command(stage).__name__ == stage


@pytest.mark.slow
def test_a_sample_is_run_by_the_oracle(pool: Path, tmp_path: Path) -> None:
    call("compose", str(pool), "--graphs", "30", "--figures", "nodes=2,edges=1")
    line = ["run", "--suite", "pool", "--data", str(pool), "--planner", "oracle", "--sample", "3", "--jobs", "0"]
    out = tmp_path / "run"
    result = CliRunner().invoke(app, [*line, "--out", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    spec = json.loads((out / "spec.json").read_text())
    ids = [graph.id for graph in PoolFolder(pool).graphs.read()]
    assert tuple(spec["spec"]["tasks"]) == draw_sample(ids, 3)


def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    ids = [f"task-{number}" for number in range(50)]
    small, large = draw_sample(ids, 5), draw_sample(ids, 20)
    assert len(small) == 5 and len(large) == 20 and set(small) < set(large)
    assert list(large) == sorted(large, key=ids.index) and draw_sample(ids, 99) == tuple(ids)
