"""However a run is played, its table is the same, times apart: with two jobs, with many, or in merged shards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from toy_suite import table, toy_spec

from omnipilot.bench import load_run
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.shards.merge import merge_runs
from omnipilot.bench.shards.shard import Shard

SPEC = toy_spec("count", "far", "answer", "lost", "guard", "unsolved", instances=4, trials=3)
COUNT = 72
SHARDS = 8


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_jobs_sixty_four_and_eight_shards_give_one_table(tmp_path: Path) -> None:
    run(SPEC, tmp_path / "two/run", RunExecution(2))
    run(SPEC, tmp_path / "many/run", RunExecution(64))
    parts = [tmp_path / f"parts/{number}" for number in range(1, SHARDS + 1)]
    for number, part in enumerate(parts, 1):
        run(SPEC, part, shard=Shard(number, SHARDS))
    merge_runs(parts, tmp_path / "merged/run")
    two, *others = (load_run(tmp_path / name / "run") for name in ("two", "many", "merged"))
    assert len(two.episodes) == COUNT and {one.reason for one in two.episodes} >= {"success", "turns", "void"}
    for other in others:
        assert table(other.episodes) == table(two.episodes)
        assert main_table([other]).rows == main_table([two]).rows
    for name in ("two", "many", "merged"):
        ends = Counter(event.key for event in read(tmp_path / name / "run") if isinstance(event, EpisodeEnded))
        assert len(ends) == COUNT and set(ends.values()) == {1}
