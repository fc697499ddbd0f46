"""Miniature results of MMBench-GUI levels 3 and 4: a tree of `result.txt` files and the list of tasks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.mmbench_gui.level3.data import RESULT, TASKS

RESULTS = "results"
_COUNTS = {"os_android": 8, "os_linux": 12, "os_web": 6}
_MOST = 50


def write(folder: Path, seed: int = 0) -> None:
    """Write `tasks.jsonl` and the tree `results/`: 26 tasks on three platforms, solved within 50 steps or not."""
    lines = [json.dumps({"task": task, "platform": platform}) for platform, task in _tasks()]
    (folder / TASKS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    rng = random.Random(f"mmbench-l3/{seed}")
    for number, (_, task) in enumerate(_tasks()):
        completed = rng.random() < 0.5
        steps = rng.randint(3, 30) if completed else rng.choice((_MOST, rng.randint(5, _MOST)))
        told: Any = {"completed": completed, "steps_used": steps, "max_steps": _MOST}
        if number % 13 == 7:
            told = 1.0 if completed else 0.0
        if number % 13 != 10:
            path = folder / RESULTS / task / RESULT
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(told), encoding="utf-8")


def sample_predictions(folder: Path) -> Path:
    """The tree from `write`: of every 13 tasks, one has the bare number of single_run.py, and one has no result."""
    return folder / RESULTS


def _tasks() -> list[tuple[str, str]]:
    return [
        (platform, f"{platform}/task-{number:02}") for platform, count in _COUNTS.items() for number in range(count)
    ]
