"""The eight rows: who is in which, and what the proxies of a task are."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from drawn_graphs import write_pool
from typer.testing import CliRunner

from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.compose.playing import PlayedGraph
from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord, VerdictRecord
from omnipilot.bench.suites.pool.tell.ablation import (
    PROXIES,
    TaskProxies,
    ablation,
    ablation_table,
    task_proxies,
)


def proxies(verified: bool | None, intended: bool, kept: bool | None, **values: bool | None) -> TaskProxies:
    held = dict.fromkeys(PROXIES, True) | values
    return TaskProxies(f"{verified}{intended}{kept}", verified, intended, kept, **held)  # type: ignore[arg-type]


def test_a_row_leaves_out_what_its_parts_would_have_dropped() -> None:
    tasks = [proxies(*parts) for parts in product((True, False), repeat=3)] + [proxies(None, True, None)]
    rows = {row.parts: row for row in ablation(tasks)}
    assert len(rows) == 8
    assert rows[False, False, False].tasks == 9
    assert rows[True, False, False].tasks == 4
    assert rows[False, True, False].tasks == 5
    assert rows[True, True, True].tasks == 1
    assert rows[True, True, True].paper == 0.907
    assert rows[True, False, True].paper is None


def test_shares_are_of_what_was_looked_at() -> None:
    tasks = [
        proxies(True, True, True),
        proxies(True, True, True, executable=False),
        proxies(True, True, True, executable=None),
        proxies(True, True, True, connected=False, executable=None),
    ]
    row = ablation(tasks)[-1]
    assert row.shares["executable"] == 0.5
    assert row.shares["connected"] == 0.75
    assert row.accepted == 0.5
    assert "50.0" in ablation_table([row]).text()
    assert ablation([])[0].accepted is None


def test_proxies_come_from_the_files_of_the_pool(tmp_path: Path) -> None:
    pool = write_pool(tmp_path, 1, nodes=(2, 2))
    graphs = [
        GraphRecord("joined", ("a", "b"), (), ((0, 1),)),
        GraphRecord("apart", ("a", "c")),
        GraphRecord("unknown", ("a", "d"), (), ((0, 1),)),
    ]
    pool.graphs.write(graphs, stage="compose", seed=0)
    tasks = [
        TaskRecord("joined", "joined", "x", intent="Why.", frame="f", checked="kept"),
        TaskRecord("apart", "apart", "x", intent="Why.", frame="errands", checked="lost: 1 to 2; gives away: 4711"),
        TaskRecord("unknown", "unknown", "x"),
    ]
    pool.tasks.write(tasks, stage="check", seed=0)
    verdicts = [
        VerdictRecord("a", 1, False),
        VerdictRecord("a", 2, True, strict=True),
        VerdictRecord("b", 1, True, strict=True),
        VerdictRecord("c", 1, False),
    ]
    pool.verdicts.write(verdicts, stage="verify", seed=0)
    played = {"joined": PlayedGraph("joined", 3, 8), "apart": PlayedGraph("apart", 3, 8, idle=True)}
    joined, apart, unknown = task_proxies(pool, played, {"unknown": True})
    assert (joined.verified, joined.intended, joined.kept, joined.accepted) == (True, True, True, True)
    assert (apart.verified, apart.intended, apart.kept, apart.secret) == (False, False, False, False)
    assert (apart.discriminating, apart.connected, apart.unsolved) == (False, False, False)
    assert (unknown.verified, unknown.kept, unknown.executable, unknown.unsolved) == (None, None, None, False)


@pytest.mark.slow
def test_the_command_prints_the_eight_rows(tmp_path: Path) -> None:
    write_pool(tmp_path, 12, seed=3, nodes=(2, 3))
    for command in ("tell", "check"):
        assert CliRunner().invoke(synth, [command, str(tmp_path)]).exit_code == 0
    done = CliRunner().invoke(synth, ["ablate", str(tmp_path), "--sample", "4"], catch_exceptions=False)
    rows = [line.split() for line in done.output.splitlines() if line.startswith(("no ", "yes "))]
    assert len(rows) == 8
    assert rows[0][3] == "12"
    assert rows[-1][3] == "0"
    assert "of 4 played tasks can be done as shown" in done.output
    assert "of 12 tasks hang together" in done.output
