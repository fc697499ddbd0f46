"""A study of a pool's tasks runs what is missing, and prints and stores its table."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.bench.suites.pool.templates import hand_written_subtasks


@pytest.mark.exhibit("pool", "duet")
def test_the_command_runs_what_is_missing_and_prints_the_table(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path / "pool")
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    figures = {"dependency": 1, "instruction": 2, "hierarchy": 2, "branch": 1, "knowledge": 1}
    graphs = [
        GraphRecord(
            f"g{n}",
            ("read-gate-code", "text-contact"),
            (Join(1, "text", 0),),
            ((0, 1),),
            figures,
            seed=n,
            intent="Let them in.",
        )
        for n in range(3)
    ]
    pool.graphs.write(graphs, stage="compose", seed=0)
    asked = ["study", "intent", "--suite", "pool", "--data", str(pool.root), "--planner", "oracle"]
    asked += ["--out", str(tmp_path / "study")]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert "intent minus no-intent: 0.0" in " ".join(done.output.split())
    assert (tmp_path / "study" / "results.json").exists()
