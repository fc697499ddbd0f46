"""Tasks of a pool in other words still say their graphs, and are solved in other looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from drawn_graphs import write_pool

from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.tell.clauses import TaskClause
from omnipilot.bench.suites.pool.tell.readers import RuleReader
from omnipilot.bench.suites.pool.tell.telling import told_tasks
from omnipilot.bench.suites.pool.tell.validator import validate
from omnipilot.bench.suites.pool.tell.wordings import plain_wording
from omnipilot.bench.synthesis.rewording import reword
from omnipilot.envs import Thinking

TASKS = 12


def reworded(clauses: Sequence[TaskClause]) -> list[TaskClause]:
    """What a reader is given, in the words of the variation."""
    return [replace(one, template=reword(one.template), place=reword(one.place)) for one in clauses]


def test_the_reader_reads_the_same_graph_from_other_words(tmp_path: Path) -> None:
    pool = write_pool(tmp_path / "pool", TASKS, seed=4)
    for clauses, edges in islice(told_tasks(pool), TASKS):
        text = plain_wording(clauses).text(clauses)
        assert validate(text, clauses, edges, RuleReader()).accepted
        other = reword(text)
        assert other != text
        found = validate(other, reworded(clauses), edges, RuleReader())
        assert found.accepted, (found.describe(), other)


def test_a_task_of_a_pool_is_solved_varied(tmp_path: Path) -> None:
    pool = write_pool(tmp_path / "pool", 2, seed=4)
    plain = PoolSuite(str(pool.root))
    suite = plain.vary(("dark", "reworded", "zoom"))
    task = plain.tasks()[0].id
    one = suite.instantiate(task, 0)
    trial = Rehearsal(one, suite.world(Thinking()))  # type: ignore[arg-type]
    assert trial.start.phone.look.theme == "dark"
    assert trial.instruction != Rehearsal(plain.instantiate(task, 0)).instruction
    assert one.solution is not None
    assert trial.play(one.solution(trial.world)).missing == []
    assert Rehearsal(suite.instantiate(task, 0)).missing
