"""What hearing and seeing motion is worth on `duet`, offline: what is withheld, and what the three controls show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from omnipilot.bench.cli.commands.ablate import AblationOptions, ablate_command
from omnipilot.bench.experiments.ablation_results import ALL
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.tables import Table

LEVELS = {
    "AV-critical": ("beeps-to-table", "tones-to-message", "ball-to-message", "stop-message-at-beep"),
    "AV-supportive": ("dismiss-alarm", "arriving-code-to-task"),
    "AV-present": ("move-file", "send-message", "add-alarm"),
}
"""Tasks that the planner `rules` solves."""
CONDITIONS = {
    "full set": "full",
    **{"no video, audio": "no-video-audio", "silence": "silence", "noise": "noise", "other": "other"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ablation") / "out"


@pytest.fixture(scope="module")
def tables(folder: Path) -> tuple[Table, Table]:
    """The tables of the command: of the conditions over all tasks, and by level."""
    tasks = ",".join(task for tasks in LEVELS.values() for task in tasks)
    flags = {"suite": "duet", "planner": "rules", "tasks": tasks, "out": str(folder)}
    every, by_level = ablate_command(None, RunSettings(**flags), (), AblationOptions(("no-video-audio", "control")))
    return every, by_level


def by_hand(run: Path) -> Mapping[str, bool]:
    """What a run solved, from nothing but the lines of its journal."""
    solved = {}
    for line in (run / "journal.jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "episode_ended":
            solved[event["key"].partition("#")[0]] = event["reason"] == "success"
    return solved


def cell(tables: tuple[Table, Table], condition: str, group: str, column: str) -> str:
    every, by_level = tables
    table, labels = (every, (condition,)) if group == ALL else (by_level, (condition, group))
    row = next(row for row in table.rows if row[: len(labels)] == labels)
    return row[table.columns.index(column)]


@pytest.mark.slow
def test_sound_and_video_are_worth_something_where_the_task_needs_them(
    folder: Path, tables: tuple[Table, Table]
) -> None:
    full = by_hand(folder / "full")
    assert all(full.values()) and len(full) == 9
    for condition, name in CONDITIONS.items():
        solved = by_hand(folder / name)
        # An agent that is given none of it, or any of the three in its place, does what needs it not at all.
        assert [solved[task] for task in LEVELS["AV-critical"]] == [condition == "full set"] * 4
        assert all(solved[task] for task in LEVELS["AV-present"])
        assert cell(tables, condition, "AV-present", "SR %").startswith("100.0 [")
    assert cell(tables, "silence", "AV-critical", "difference").startswith("-100.0 [")
    assert cell(tables, "noise", "AV-present", "difference").startswith("0.0 [")


@pytest.mark.slow
def test_the_tables_numbers_are_those_of_the_journals(folder: Path, tables: tuple[Table, Table]) -> None:
    groups = {ALL: tuple(task for tasks in LEVELS.values() for task in tasks), **LEVELS}
    assert [len(table.rows) for table in tables] == [len(CONDITIONS), len(CONDITIONS) * len(LEVELS)]
    full = by_hand(folder / "full")
    for condition, name in CONDITIONS.items():
        solved = by_hand(folder / name)
        for group, tasks in groups.items():
            count = sum(solved[task] for task in tasks)
            assert cell(tables, condition, group, "solved") == f"{count}/{len(tasks)}"
            if condition != "full set":
                apart = np.mean([solved[task] - full[task] for task in tasks])
                shown = float(cell(tables, condition, group, "difference").split()[0])
                assert shown == pytest.approx(100 * apart, abs=0.05)
    assert not any("void" in table.columns for table in tables) and "p Holm" not in tables[1].columns
    told = [
        (float(cell(tables, name, ALL, "p")), float(cell(tables, name, ALL, "p Holm"))) for name in list(CONDITIONS)[1:]
    ]
    assert [adjusted for _, adjusted in told] == pytest.approx(holm([p for p, _ in told]), rel=0.05)
