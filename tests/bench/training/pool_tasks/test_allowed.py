"""Of a pool nothing is trained on that does what duet's test split does: what is planted is dropped, innocents stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, SubtaskRecord
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.bench.training.pool_tasks import allowed_tasks
from omnipilot.bench.training.pool_tasks.allowed import write_training_pool
from omnipilot.bench.training.pool_tasks.exclusion import EFFECT, HAND, READING, excluded_subtasks
from omnipilot.bench.training.pool_tasks.template_effects import effects_of_templates
from omnipilot.bench.training.pool_tasks.template_effects import test_templates as templates_of_the_test
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.apps.registry import find_app

INNOCENT = SubtaskRecord("innocent", "on the phone, in Settings, sing", "Settings", "phone", effect=("~phone.song",))


def template_where(found: object) -> str:
    """The first template of the test split, by id, of which something holds."""
    return next(id for id in sorted(templates_of_the_test()) if found(book("").templates[id]))  # type: ignore[operator]


def like(id: str, name: str, *, app: str = "", **more: object) -> SubtaskRecord:
    """A subtask in the application of a template."""
    template = book("").templates[id]
    device = template.env.split("+")[0]
    title = find_app(device, app or template.app).title  # type: ignore[arg-type]
    return SubtaskRecord(name, f"on the {device}, in {title}, do it", title, device, **more)  # type: ignore[arg-type]


NOTE = template_where(lambda one: one.app == "notes" and not one.output and "+" not in one.env)
TOLD = template_where(lambda one: one.output.startswith("text/") and one.env == "phone")


@pytest.fixture(autouse=True)
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two templates stand for all of the test, which take seconds to play."""
    if "slow" not in request.keywords:
        monkeypatch.setattr(
            "omnipilot.bench.training.pool_tasks.exclusion.test_templates", lambda: frozenset({NOTE, TOLD})
        )


@pytest.fixture(scope="module")
def planted() -> dict[str, SubtaskRecord]:
    """Subtasks with the effect of a template of the test, with its reading, and innocents."""
    note, told = NOTE, TOLD
    effect = sorted(effects_of_templates([note])[note].effects[0])
    assert effect
    type = book("").templates[told].output
    return {
        "effect": like(note, "effect", effect=tuple(effect)),
        "more": like(note, "more", effect=(*effect, "~owner.name")),
        "elsewhere": SubtaskRecord("elsewhere", "do it", "Calendar", "phone", effect=("~documents.nothing",)),
        "reading": like(told, "reading", output_resources=(type,), reveals=("notes.text",)),
        "special": like(told, "special", output_resources=(f"{type}/gate",), reveals=("notes.text",)),
        "other-fact": like(told, "other-fact", output_resources=("weight",), reveals=("notes.text",)),
        "innocent": INNOCENT,
    }


def write(root: Path, *more: SubtaskRecord) -> PoolFolder:
    """A pool of these subtasks and the hand-written ones, a graph for each."""
    pool = PoolFolder(root)
    pool.subtasks.write([*hand_written_subtasks(), *more], stage="subtasks", seed=0)
    return pool


def test_what_does_the_same_as_a_test_template_is_left_out(tmp_path: Path, planted: dict[str, SubtaskRecord]) -> None:
    found = excluded_subtasks(write(tmp_path, *planted.values()))
    ours = {id: found.get(id, "") for id in planted}
    assert ours == {
        "effect": EFFECT,
        "more": "",
        "elsewhere": "",
        "reading": READING,
        "special": READING,
        "other-fact": "",
        "innocent": "",
    }


@pytest.mark.slow
def test_hand_written_templates_of_the_test_are_left_out_by_their_ids(tmp_path: Path) -> None:
    found = excluded_subtasks(write(tmp_path))
    assert set(found) == templates_of_the_test() and set(found.values()) == {HAND}
    of_development = {id for info in Duet("dev").tasks() for id in Duet("dev").about(info.id).templates}
    (other, *_) = sorted(of_development - templates_of_the_test())
    assert found.get(other) is None and excluded_subtasks(PoolFolder(tmp_path), [other])[other] == HAND


@pytest.fixture
def two(tmp_path: Path) -> tuple[PoolFolder, str, str]:
    """A pool with a task of two innocents, and one in which one is of the test; and the innocents' ids."""
    pool = write(tmp_path / "pool")
    guilty = templates_of_the_test()
    innocent = [one.id for one in hand_written_subtasks() if one.id not in guilty and not one.inputs]
    graphs = [
        GraphRecord("good", (innocent[0], innocent[1]), figures={"branch": 2}),
        GraphRecord("bad", (innocent[0], NOTE)),
    ]
    pool.graphs.write(graphs, stage="compose", seed=0)
    return pool, innocent[0], innocent[1]


def test_whole_tasks_are_left_out_and_counted(
    two: tuple[PoolFolder, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omnipilot.bench.suites.pool.suite.held_out_subtasks", lambda _: frozenset())
    pool, *_ = two
    found = allowed_tasks(pool.root)
    (task,) = found.tasks
    assert (task.id, task.nodes, task.chain) == ("good", 2, False) and task.complexity["branch"]
    assert found.dropped == {HAND: 2} and found.dropped_tasks == {HAND: 1}
    assert any("2 subtasks left out" in line and "1 tasks" in line for line in found.describe())
    record = found.record(intents=True)
    assert record.tasks == ("good",) and record.dropped_tasks == {HAND: 1} and record.intents
    beside = allowed_tasks(pool.root, with_test_effects=True)
    assert {one.id for one in beside.tasks} == {"good", "bad"} and beside.record().with_test_effects
    assert "--with-test-effects" in " ".join(beside.describe())


def test_where_no_task_is_left_the_cure_is_named(two: tuple[PoolFolder, str, str]) -> None:
    pool, *_ = two
    pool.graphs.write([GraphRecord("bad", (TOLD,))], stage="compose", seed=0)
    with pytest.raises(ConfigError, match="omnipilot train pool"):
        allowed_tasks(pool.root)


def test_a_training_pool_has_the_innocents_alone(tmp_path: Path, planted: dict[str, SubtaskRecord]) -> None:
    source = write(tmp_path / "source", *planted.values())
    dropped = write_training_pool(source.root, tmp_path / "out")
    left = {one.id for one in PoolFolder(tmp_path / "out").subtasks.read()}
    assert {"innocent", "more", "other-fact"} <= left and not left & {"effect", "reading", NOTE, TOLD}
    assert dropped[EFFECT] == 1 and dropped[READING] == 2
    assert not excluded_subtasks(PoolFolder(tmp_path / "out"))
    with pytest.raises(ConfigError, match="not empty"):
        write_training_pool(source.root, tmp_path / "out")
