"""Training that begins with earlier weights: their vocabulary is kept, and they are what it begins with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.bench.training.data import READERS_FILE, write_readers
from omnipilot.bench.training.readers import GOLD
from omnipilot.envs import ConfigError
from omnipilot.planners.mini import MiniPlanner
from omnipilot.planners.mini.model_folder import read_config, read_vocabulary
from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

torch = pytest.importorskip(
    "torch",
    reason="torch and transformers are not in this environment; test_real_local.py runs this file where they are",
)

WATCHED = "gold:transcript+perception:motion"
SAMPLE = {"prompt": "task <r1> a recalled b <r2> ; did", "reply": "next", "instance": 100, "template": "x"}


def write(folder: Path) -> Path:
    for suite, task in (("", "send-message"), ("duet-memory", "changed-code-10")):
        (folder / suite).mkdir(parents=True, exist_ok=True)
        for instance in (100, 101):
            line = {**SAMPLE, "task": task, "instance": instance, "suite": suite or "duet"}
            (folder / suite / f"{instance:05d}.jsonl").write_text(3 * (json.dumps(line) + "\n"))
    return folder


def train(folder: Path, steps: int, suites: tuple[str, ...], start: Path = SHIPPED, readers: str = GOLD) -> Path:
    from omnipilot.bench.training.run import PlannerOrder, train_planner
    from omnipilot.bench.training.trainer import Schedule

    schedule = Schedule(steps=steps, rate=1e-5, bf16=False)
    samples = write(folder / "samples")
    (samples / READERS_FILE).write_text(readers)
    order = PlannerOrder(
        folder / "out", schedule, 2, samples=samples, measured=1, suites=suites, start=start, readers=readers
    )
    train_planner(order, lambda line: None)
    return order.model


def test_it_begins_with_the_given_weights_and_keeps_their_vocabulary(tmp_path: Path) -> None:
    from omnipilot.bench.training.export import load_model

    model = train(tmp_path, 1, ("duet", "duet-memory"))
    assert read_vocabulary(model).tokens == read_vocabulary(SHIPPED).tokens
    (shape, before, _), (after_shape, after, _) = load_model(SHIPPED), load_model(model)
    assert shape == after_shape and before.keys() == after.keys()
    changes = {name: float((before[name] - after[name]).abs().max()) for name in before}
    assert 0 < max(changes.values()) < 1e-3
    assert MiniNetwork(model).reply("task a")[0] == MiniNetwork(SHIPPED).reply("task a")[0]


def test_a_model_says_whether_it_is_told_what_memory_recalled(tmp_path: Path) -> None:
    assert read_config(SHIPPED).recalled == 0
    assert read_config(train(tmp_path / "a", 1, ("duet",))).recalled == 0
    told = train(tmp_path / "b", 1, ("duet-memory",))
    assert read_config(told).recalled == 6 and MiniPlanner(str(told))._most_recalled == 6


@pytest.mark.needs("omnipilot[ocr]")
def test_a_model_says_whether_it_is_told_what_moves_and_keeps_it_in_further_training(tmp_path: Path) -> None:
    assert read_config(SHIPPED).saw == 0
    told = train(tmp_path / "a", 1, ("duet",), readers=WATCHED)
    assert read_config(told).saw == 6 and MiniPlanner(str(told))._most_saw == 6
    assert read_config(train(tmp_path / "b", 1, ("duet",), start=told)).saw == 6


def test_another_vocabulary_in_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "vocabulary.json").write_text('["<pad>"]')
    with pytest.raises(ConfigError, match="choose another --out"):
        train(tmp_path, 1, ("duet",))


def test_a_model_goes_on_saying_what_its_first_weights_were_trained_on(tmp_path: Path) -> None:
    from omnipilot.bench.training.export import export_model, load_model, trained_on
    from omnipilot.bench.training.reinforce.mini_policy import MiniPolicy

    told = {"suites": ["pool"], "with_test_effects": True}
    export_model(tmp_path / "start", *load_model(SHIPPED), about=told)
    again = train(tmp_path, 1, ("duet",), start=tmp_path / "start")
    assert trained_on(again) == {"suites": ["duet"], "before": told}
    MiniPolicy(tmp_path / "start").export(tmp_path / "played")
    assert trained_on(tmp_path / "played") == told and trained_on(SHIPPED) == {}


def test_demonstrations_that_other_readers_told_are_refused(tmp_path: Path) -> None:
    samples = write(tmp_path)
    write_readers(samples, GOLD)  # those of a folder without a record
    with pytest.raises(ConfigError, match=r"told by gold:transcript; choose another"):
        write_readers(samples, WATCHED)
    write_readers(tmp_path / "new", WATCHED)
    with pytest.raises(ConfigError, match=r"told by gold:transcript\+perception:motion; choose another"):
        write_readers(tmp_path / "new", GOLD)
