"""Rows of CRAB's log, and the score of a log made of them."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.bench.scored import Scored
from omnipilot.bench.suites.crab_score import Crab
from omnipilot.bench.suites.mini_crab import LOG_COLUMNS

ROW: Mapping[str, Any] = {
    **{"time": "2026-03-02_10-00-00", "agent_policy": "SingleAgentPolicy", "model": "m", "total_nodes": 4},
    **{"complete_nodes": 0, "step_to_complete": 3, "longest_unfinished_path_length": 3, "token_usage": 500},
}


def row(task: str, reason: str, steps: int, completeness: float, **more: Any) -> dict[str, Any]:
    """A row of the log; its own figure an action is right unless said otherwise."""
    late = reason in ("success", "reach_max_step")
    known = {"task_id": task, "terminate_reason": reason, "total_steps": steps, "completeness": completeness}
    return {**ROW, **known, "completeness_per_action": completeness / (steps + late + 1), **more}


def scored(tmp_path: Path, *rows: Mapping[str, Any], variant: str = "paper", data: str = "") -> Scored:
    """A log with these rows, scored."""
    path = tmp_path / "main_log.csv"
    with path.open("w", newline="") as file:
        log = csv.DictWriter(file, LOG_COLUMNS)
        log.writeheader()
        log.writerows(rows)
    return Crab().score(data, path, variant)
