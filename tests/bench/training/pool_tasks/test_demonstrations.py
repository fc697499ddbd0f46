"""Demonstrations of a pool's tasks: by the planner's own session, in words that its clauses are told apart in."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.synthesis.compose import Resource
from omnipilot.bench.training.pool_tasks.allowed import PoolRecord
from omnipilot.bench.training.pool_tasks.demonstrations import demonstrate_pool, kind_of, name_of_item
from omnipilot.bench.training.pool_tasks.lessons import FORMS, NotTold, PoolLessons
from omnipilot.bench.training.pool_tasks.samples import (
    TASKS_AN_INSTANCE,
    describe_samples,
    read_pool_samples,
    tasks_of_instance,
    write_pool_samples,
    write_record,
)
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.content.generate import initial_world
from tests.fixtures import export_pools

CHAIN = GraphRecord("chain", ("read-gate-code", "text-contact"), (Join(1, "text", 0),), ((0, 1),), seed=1)
APART = GraphRecord("apart", ("favourite-contact", "write-document"), seed=3)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_pools.write(tmp_path_factory.mktemp("pool"), (CHAIN, APART)).root


@pytest.mark.parametrize("form", FORMS)
def test_each_wording_has_a_clause_for_each_subtask(root: Path, form: str) -> None:
    lesson = PoolLessons(root).lesson("apart", 101, form)  # type: ignore[arg-type]
    assert lesson.counts == (1, 1) and sorted(lesson.order) == [0, 1]
    assert lesson.task().setup.__name__ and lesson.instruction.count(".") >= 2


def test_a_task_is_demonstrated_and_the_value_is_kept(root: Path) -> None:
    found = demonstrate_pool(PoolLessons(root), "chain", 100, slips=0.0)
    replies = [one.reply.split()[0] for one in found.samples]
    assert not found.why and replies[-1] == "done" and "keep" in replies
    assert {(one.suite, one.task, one.instance) for one in found.samples} == {("pool", "chain", 100)}
    assert {one.template for one in found.samples} == {"read-gate-code", "text-contact"}
    assert found == demonstrate_pool(PoolLessons(root), "chain", 100, slips=0.0)


def test_the_intent_is_in_the_prompt_where_it_is_told(root: Path) -> None:
    plain, told = (demonstrate_pool(PoolLessons(root, intents), "chain", 100, slips=0.0) for intents in (False, True))
    assert PoolLessons(root, True).lesson("chain", 100).intent
    assert [one.reply.split()[0] for one in plain.samples] == [one.reply.split()[0] for one in told.samples]
    assert all(" ( for " in one.prompt for one in told.samples)
    assert not any(" ( for " in one.prompt for one in plain.samples)


def test_instances_for_measuring_and_unknown_tasks_are_refused(root: Path) -> None:
    with pytest.raises(ConfigError, match="kept for measuring"):
        demonstrate_pool(PoolLessons(root), "chain", 99)
    with pytest.raises(ConfigError, match="no task nothing"):
        demonstrate_pool(PoolLessons(root), "nothing", 100)


def test_what_cannot_be_told_says_why(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NotTold("no content")

    monkeypatch.setattr(PoolLessons, "lesson", fail)
    found = demonstrate_pool(PoolLessons(root), "chain", 100)
    assert found.why == "no content" and not found.samples


@pytest.mark.parametrize(
    ("unshown", "kind"),
    [
        ("a: 'x y' to be kept", "a value to be kept is not shown"),
        ("a: Ref(id='b') is not shown", "an element is not shown"),
        ("a: '7' is not shown", "a text to be typed is not shown"),
        ("a: Move(env='x') cannot be said", "a move has no reply"),
        ("a: Move(env='x') fails", "a move fails"),
        ("a: who knows", "otherwise"),
    ],
)
def test_steps_that_are_left_out_are_counted_by_kind(unshown: str, kind: str) -> None:
    assert kind_of(unshown) == kind


def test_an_item_is_kept_by_the_name_that_screens_show() -> None:
    account = initial_world(0).account
    person, document = account.contacts[0], account.documents[0]
    assert name_of_item(Resource("contact/existing", person.id, ""), [account]) == person.name
    assert name_of_item(Resource("file", f"{document.folder}/{document.name}", ""), [account]) == document.name
    assert name_of_item(Resource("text/code", "K7", ""), [account]) == "K7"


def record(root: Path, tasks: tuple[str, ...] = ("apart", "chain")) -> PoolRecord:
    return PoolRecord(str(root), "1", tasks)


def test_samples_are_written_with_what_they_are_made_of(root: Path, tmp_path: Path) -> None:
    write_record(tmp_path, record(root))
    write_pool_samples(tmp_path, [101])
    path = tmp_path / "00101.jsonl"
    samples = read_pool_samples([path])
    assert {one.task for one in samples} == {"apart", "chain"}
    assert describe_samples([path])[0] == f"pool: {len(samples)} steps of 2 instances of 2 that were tried"
    with pytest.raises(ConfigError, match="choose another --out"):
        write_record(tmp_path, record(root, ("chain",)))
    (tmp_path / "allowed.json").unlink()
    write_record(tmp_path, record(root, ("chain",)))
    with pytest.raises(ConfigError, match="may be trained on"):
        read_pool_samples([path])
    with pytest.raises(ConfigError, match="kept for measuring"):
        write_pool_samples(tmp_path, [99])
    (tmp_path / "allowed.json").unlink()
    with pytest.raises(ConfigError, match="no record of a pool"):
        read_pool_samples([path])


def test_samples_go_on_with_their_pool_in_another_folder(tmp_path: Path) -> None:
    first, out = tmp_path / "pool", tmp_path / "samples"
    export_pools.write(first, (CHAIN, APART))
    moved, other = tmp_path / "elsewhere" / "moved", export_pools.write(tmp_path / "other", (CHAIN,)).root

    def told(pool: Path) -> PoolRecord:
        return PoolRecord(str(pool), PoolSuite(str(pool)).version, ("apart", "chain"))

    write_record(out, told(first))
    write_pool_samples(out, [101])
    moved.parent.mkdir()
    first.rename(moved)
    write_record(out, told(moved))
    write_pool_samples(out, [101, 102])
    assert {one.instance for one in read_pool_samples(sorted(out.glob("*.jsonl")))} == {101, 102}
    with pytest.raises(ConfigError, match=rf"another pool: version {told(moved).version}, and {other} has version"):
        write_record(out, told(other))
    assert told(moved).version != told(other).version
    (moved / "graphs.jsonl").write_text((other / "graphs.jsonl").read_text())
    with pytest.raises(ConfigError, match="another pool"):
        write_record(out, told(moved))


def test_every_task_has_its_turn() -> None:
    tasks = [f"t{at}" for at in range(100)]
    turns = [tasks_of_instance(tasks, instance) for instance in range(100, 105)]
    assert all(len(set(turn)) == TASKS_AN_INSTANCE for turn in turns)
    every = [task for turn in turns for task in turn]
    assert {every.count(task) for task in tasks} == {2}
    assert len(tasks_of_instance(tasks[:3], 100)) == 3
