"""A pool's files are read as they were written, and its graphs are tasks that can be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.contract import check_suite
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import Edge, GraphRecord, Join, Operation, TaskRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks, templates_of
from omnipilot.envs import ConfigError

EDGE = Edge("e1", "s1", "s2", (Operation("click", "phone", "notes/new"),), {"note": "note-1"}, ("+notes",))


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    assert pool.edges.write([EDGE], stage="explore", seed=1) == 1
    assert pool.edges.read() == [EDGE]


def test_a_torn_line_is_dropped_when_a_stage_goes_on(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.edges.write([EDGE, EDGE], stage="explore", seed=1)
    pool.edges.path.write_bytes(pool.edges.path.read_bytes()[:-5])
    assert pool.edges.read() == [EDGE]
    pool.edges.append([EDGE], stage="explore", seed=1)
    assert pool.edges.read() == [EDGE, EDGE]


def test_what_is_no_record_is_named_with_its_line(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.edges.path.write_text('{"id": 3}\n')
    with pytest.raises(ConfigError, match=r"edges\.jsonl:1 is no Edge"):
        pool.edges.read()


def test_a_missing_stage_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="run omnipilot synth compose first"):
        PoolSuite(str(tmp_path))


def test_a_graph_of_hand_written_subtasks_is_a_task(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    assert len(templates_of(pool)) == len(pool.subtasks.read())
    graph = GraphRecord("g1", ("read-gate-code", "text-contact"), (Join(1, "text", 0),), ((0, 1),))
    pool.graphs.write([graph], stage="compose", seed=0)
    check_suite(lambda: PoolSuite(str(tmp_path)))


def test_a_pool_that_is_told_anew_is_another_version(tmp_path: Path) -> None:
    pool = PoolFolder(tmp_path)
    pool.subtasks.write(hand_written_subtasks(), stage="subtasks", seed=0)
    pool.graphs.write([GraphRecord("g1", ("write-note",))], stage="compose", seed=0)
    before = PoolSuite(str(tmp_path)).version
    assert before == PoolSuite(str(tmp_path)).version
    pool.tasks.write([TaskRecord("g1", "g1", "Write it.")], stage="tell", seed=0)
    assert PoolSuite(str(tmp_path)).version != before


def test_a_revised_line_says_who_made_it_before_and_others_stay(tmp_path: Path) -> None:
    tasks = PoolFolder(tmp_path).tasks
    tasks.append([TaskRecord(id, id, "Wait.") for id in "abc"], stage="tell", seed=3, by="rule")
    lines = tasks.path.read_text().splitlines()
    # An empty line, which an editor may leave, is no record.
    tasks.path.write_text("\n" + tasks.path.read_text())
    tasks.revise({0: None, 2: (TaskRecord("c", "c", "Go."), {"by": "somebody"})}, stage="check", seed=4)
    assert [task.instruction for task in tasks.read()] == ["Wait.", "Go."]
    assert tasks.path.read_text().splitlines()[0] == lines[1]
    before = {"stage": "tell", "version": "1", "seed": 3, "by": "rule"}
    assert list(tasks.made())[1] == {"stage": "check", "version": "1", "seed": 4, "by": "somebody", "before": before}
