"""Samples to train on: read back by the planners and families they are for, and split by template."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import export_pools
import pytest
from command_line import omnipilot

from omnipilot.bench.suites.pool.export.dataset import picture_paths
from omnipilot.bench.suites.pool.export.files import PictureFolder
from omnipilot.bench.suites.pool.export.formats import export_pool
from omnipilot.bench.suites.pool.export.options import ExportOptions
from omnipilot.bench.suites.pool.export.pairs import pairs_of, recorded_runs
from omnipilot.bench.suites.pool.export.playing import PlayedTask, play_task
from omnipilot.bench.suites.pool.export.sft import FAMILIES, samples_of, why_not
from omnipilot.bench.suites.pool.export.source import ExportSource
from omnipilot.bench.suites.pool.export.syntaxes import NATIVE, same_action
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.templates import hand_written_subtasks, template_of
from omnipilot.envs import ConfigError, Done, Scroll, Size
from omnipilot.envs.types import Frame
from omnipilot.grounders.base import Grounding
from omnipilot.grounders.families.table import get as grounder_family
from omnipilot.planners.native.families.table import get as native_family

TEMPLATES = {record.id: template_of(record) for record in hand_written_subtasks()}


@pytest.fixture(scope="module")
def played() -> dict[str, PlayedTask]:
    """The tasks of the pool, played in reading order."""
    return {graph.id: play_task(graph, TEMPLATES) for graph in export_pools.GRAPHS}


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines; none where it is missing."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def text_of(message: dict[str, Any]) -> str:
    """The words of a message."""
    return "\n".join(part["text"] for part in message["content"] if part["type"] == "text")


def test_demonstrations_are_played_in_small_steps_and_solve_the_tasks(played: dict[str, PlayedTask]) -> None:
    for task in played.values():
        assert (task.solved, task.way) == (True, "steps")
        assert not {step.intent.kind for step in task.steps} & {"open_app", "swipe", "select"}
        assert all(getattr(step.intent, "at", None) is None for step in task.steps if step.intent.kind == "type")
        assert isinstance(task.steps[-1].intent, Done)


def test_what_a_subtask_has_shown_is_in_the_next_thought(played: dict[str, PlayedTask]) -> None:
    task = played["g1"]
    first = next(step for step in task.steps if step.node == 1)
    typed = next(step.intent for step in task.steps if step.intent.kind == "type")
    assert first.thought.startswith(f"The gate code from Victor Chen is {typed.text}. ")  # type: ignore[union-attr]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_step_of_a_chain_is_a_sample_whose_target_is_the_step(
    family: str, played: dict[str, PlayedTask], tmp_path: Path
) -> None:
    task, left_out = played["g1"], Counter[str]()
    assert why_not(task, family, ["AV-present"]) == ""
    samples = list(samples_of(task, family, PictureFolder(tmp_path), intent=True, history=1, left_out=left_out))
    assert left_out == {}
    assert [sample.step for sample in samples] == list(range(len(task.steps)))
    for sample in samples:
        said = "\n".join(map(text_of, sample.messages))
        assert task.instruction in said
        assert task.intent in said
        assert 1 <= len(list(picture_paths(sample.messages))) <= 2
        assert all((tmp_path / name).is_file() for name in picture_paths(sample.messages))


@pytest.mark.parametrize("family", list(NATIVE))
def test_targets_of_native_families_are_read_by_their_own_reader(
    family: str, played: dict[str, PlayedTask], tmp_path: Path
) -> None:
    record = native_family(family)
    for task in (played["g3"], played["g4"]):
        left_out = Counter[str]()
        for sample in samples_of(task, family, PictureFolder(tmp_path), False, 0, left_out):
            step = task.steps[sample.step]
            size = step.seen[step.env].size
            sent: Size = record.resize.size(size)
            read, _ = record.parse(text_of(sample.target), sent, size)
            frame = Frame(size, sent, record.space, record.order)
            action = step.action
            if isinstance(action, Scroll) and family == "os-atlas-pro":
                assert isinstance(read[0], Scroll)
                assert read[0].direction == action.direction
                continue
            assert same_action(action, read[0], frame), (sample.target, action)


def test_a_native_model_tells_the_other_device_what_it_needs(played: dict[str, PlayedTask], tmp_path: Path) -> None:
    """The code is read on the desktop here and typed there; the phone only says that it is done."""
    task = played["g2"]
    samples = list(samples_of(task, "ui-tars-1.5", PictureFolder(tmp_path), False, 1, Counter()))
    ends = [text_of(sample.target) for sample in samples if "finished(" in text_of(sample.target)]
    assert len(ends) == 3, "the phone before the desktop begins, and both at the end"
    assert "several devices" in why_not(task, "os-atlas-pro", ["AV-present"])


def test_tasks_that_are_decided_by_sound_have_no_samples_of_pictures(played: dict[str, PlayedTask]) -> None:
    assert "only heard" in why_not(played["g1"], "ui-tars", ["AV-present", "AV-critical"])


def test_an_unknown_syntax_is_refused_with_the_nearest(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool")
    with pytest.raises(ConfigError, match="ui-tars"):
        export_pool(tmp_path / "pool", "sft", tmp_path / "out", ExportOptions(family="ui-tras"))


@pytest.mark.slow
def test_what_is_held_out_is_in_no_row_to_train_on(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool")
    held_out = sorted(ExportSource.open(PoolFolder(tmp_path / "pool")).held_out)
    assert held_out, "a pool of all hand-written subtasks holds some out"
    mixed = [GraphRecord(f"m-{id}", ("delete-note", id)) for id in held_out[:2]]
    export_pools.write(tmp_path / "pool", (*export_pools.GRAPHS, *mixed))
    export_pool(tmp_path / "pool", "sft", tmp_path / "out", ExportOptions(orders=1, seed=3, family="json"))
    templates = {
        split: [set(row["templates"]) for row in rows(tmp_path / "out" / "data" / f"{split}.jsonl")]
        for split in ("train", "test")
    }
    assert templates["train"]
    assert templates["test"]
    assert not set().union(*templates["train"]) & set(held_out)
    assert all(ids & set(held_out) for ids in templates["test"])
    suite = PoolSuite(str(tmp_path / "pool"))
    for split, other in (("train", "dev"), ("test", "test")):
        for row in rows(tmp_path / "out" / "data" / f"{split}.jsonl"):
            assert suite.split_of(row["task"]) == other
    card = (tmp_path / "out" / "README.md").read_text()
    for words in ("license: apache-2.0", "--format sft", "--family json", "Seed 3", *held_out[:2]):
        assert words in card, words


def test_pointing_samples_are_found_by_their_family_in_the_box(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool")
    export_pool(tmp_path / "pool", "grounding", tmp_path / "out", ExportOptions(orders=1))
    family = grounder_family("uground-v1")
    found = rows(tmp_path / "out" / "data" / "train.jsonl")
    assert len(found) > 15
    for row in found:
        assert row["description"] in text_of(row["messages"][-2])
        size = Size(412, 916) if row["env"] == "phone" else Size(1280, 800)
        read = family.parse(text_of(row["messages"][-1]), family.sent_size(size), size)
        assert isinstance(read, Grounding)
        x, y = read.point.to_pixels(size)
        left, top, right, bottom = row["box"]
        assert left - 1 <= x <= right + 1, row
        assert top - 1 <= y <= bottom + 1, row
    assert len({(row["picture"], row["description"]) for row in found}) == len(found)


def test_the_shorter_order_is_preferred(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool")
    export_pool(tmp_path / "pool", "pairs", tmp_path / "out", ExportOptions(orders=3))
    found = rows(tmp_path / "out" / "data" / "train.jsonl")
    assert found
    for row in found:
        chosen, rejected = row["chosen"], row["rejected"]
        assert chosen["steps"] < rejected["steps"]
        assert chosen["reward"] == pytest.approx(1 - 0.5 * chosen["steps"] / chosen["limit"])
        assert chosen["reward"] > rejected["reward"]
        assert all((tmp_path / "out" / name).is_file() for name in picture_paths(row))


def test_recorded_runs_of_a_pool_are_compared_by_their_length(tmp_path: Path) -> None:
    export_pools.write(tmp_path / "pool", export_pools.GRAPHS[:1])
    run = ("run", "--suite", "pool", "--data", str(tmp_path / "pool"), "--planner", "oracle")
    done = omnipilot(*run, "--out", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    pictures = PictureFolder(tmp_path / "out")
    (solved,) = recorded_runs([tmp_path / "run"], pictures)
    assert (solved.task, solved.steps) == ("g1", len(solved.turns))
    assert len(pictures) > 2
    assert list(pairs_of([solved, solved], 0.5)) == [], "runs of one length teach nothing"
    longer = replace(solved, name="longer", steps=solved.steps + 5)
    (pair,) = pairs_of([longer, solved], 0.5)
    assert (pair["chosen"]["name"], pair["rejected"]["name"]) == (solved.name, "longer")
    other = replace(longer, instance=1)
    assert list(pairs_of([other, solved], 0.5)) == [], "another instance is another task"
    options = ExportOptions(runs=(tmp_path / "run", tmp_path / "run"))
    said = export_pool(tmp_path / "pool", "pairs", tmp_path / "pairs", options)
    assert said[0].startswith("0 rows to train on")


@pytest.mark.needs("omnipilot[hub]")
def test_the_folder_is_read_by_datasets_with_its_pictures(tmp_path: Path) -> None:
    datasets: Any = pytest.importorskip("datasets")
    export_pools.write(tmp_path / "pool", export_pools.GRAPHS[:1])
    export_pool(tmp_path / "pool", "sft", tmp_path / "out", ExportOptions(orders=1))
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))["train"]
    lines = rows(tmp_path / "out" / "data" / "train.jsonl")
    assert len(loaded) == len(lines)
    row = loaded[2]
    assert json.loads(row["messages"]) == lines[2]["messages"]
    assert len(row["images"]) == len(set(picture_paths(lines[2])))
    assert row["images"][0].size[0] > 100
