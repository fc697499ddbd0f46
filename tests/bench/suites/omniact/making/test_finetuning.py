"""The recipe of the fine-tuned baselines: what is written, and that nothing is trained without a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact.data import load
from omnipilot.bench.suites.omniact.making import finetuning
from omnipilot.bench.suites.omniact.sample import write


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("omniact")
    write(folder)
    return folder


def test_samples_are_the_training_split_alone_as_list_task_and_script(data: Path, tmp_path: Path) -> None:
    told = omnipilot("make", "finetune", str(data), str(tmp_path), "--dry-run", "--model", "some/text-13b")
    assert told.returncode == 0, told.stderr
    assert "lora_r 64, lora_alpha 16, max_steps 300" in told.stdout and "needs a GPU" in told.stdout
    rows = [json.loads(line) for line in (tmp_path / "samples" / "train.jsonl").read_text().splitlines()]
    tasks = load(Source.open(str(data), ""), "train").items
    assert [row["completion"] for row in rows] == [task.script for task in tasks]
    for row, task in zip(rows, tasks, strict=True):
        assert f"Task: {task.instruction}\nScript:" in row["prompt"] and task.script not in row["prompt"]
    assert 'text "Start - Browser" at ' in rows[0]["prompt"]
    recipe = json.loads((tmp_path / "recipe.json").read_text())
    assert recipe["command"][:4] == ["trl", "sft", "--model_name_or_path", "some/text-13b"]
    assert str(tmp_path / "samples") in recipe["command"] and recipe["samples"] == len(rows)


def test_a_list_that_is_too_long_is_cut(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (task, *_) = load(Source.open(str(data), ""), "train").items
    whole, cut = finetuning.prompt_of(task)
    assert not cut
    monkeypatch.setattr(finetuning, "MOST_TOKENS", 60)
    short, cut = finetuning.prompt_of(task)
    assert cut and len(short) < len(whole) and short.endswith("Script:\n")


def test_without_a_gpu_nothing_is_trained(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finetuning.shutil, "which", lambda _: None)
    told = omnipilot("make", "finetune", str(data), str(tmp_path))
    assert told.returncode == 2 and "--dry-run writes the samples" in told.stderr
