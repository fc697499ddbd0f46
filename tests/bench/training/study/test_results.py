"""The study's table is made of the files of its arms alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.bench.training.study.results import study_table
from omnipilot.envs import ConfigError


def write(folder: Path, arm: str, seed: int, solved: int, split: str = "dev") -> None:
    """An arm that has solved the first ones of ten tasks."""
    episodes = [
        {
            "task": f"t{at}",
            "instance": 0,
            "success": at < solved,
            "completed": 1,
            "total": 2,
            "templates": [f"s{at}"],
            "void": False,
        }
        for at in range(10)
    ]
    told = {"arm": arm, "seed": seed, "split": split, "tasks": 7, "episodes": episodes}
    (folder / "arms").mkdir(exist_ok=True)
    (folder / "arms" / f"{arm}-{seed}-{split}.json").write_text(json.dumps(told))


def test_arms_are_compared_with_the_first_by_pairs(tmp_path: Path) -> None:
    for seed in (0, 1):
        write(tmp_path, "hand", seed, 2)
        write(tmp_path, "graph", seed, 8)
    write(tmp_path, "hand", 0, 10, split="test")
    hand, graph = study_table(tmp_path).rows
    assert hand[:4] == ("hand", "7", "2", "4/20") and hand[5] == "reference"
    assert graph[:4] == ("graph", "7", "2", "16/20") and graph[5].startswith("+60.0 [")
    assert hand[6].startswith("50.0 [") and graph[7].startswith("0.0 ["), "every episode reaches half of its sub-goals"
    assert study_table(tmp_path, "test").rows[0][3] == "10/10"


def test_without_a_finished_arm_there_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="omnipilot train study"):
        study_table(tmp_path)
