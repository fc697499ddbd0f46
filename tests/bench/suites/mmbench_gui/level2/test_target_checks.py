"""Pointing targets checked against the true tree: planted faults are found, and ours have none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.pointing import Shot
from omnipilot.bench.suites.mmbench_gui.level2.target_checks import check_targets
from omnipilot.bench.suites.pointing.suite import PointingSuite


def first() -> Shot:
    """The first screen that has buttons with both wordings."""
    shots = PointingSuite(0, web=False).shots()
    return next(shot for shot in shots if sum(bool(one.advanced and one.role == "button") for one in shot.targets) > 1)


def test_planted_faults_are_found() -> None:
    shot = first()
    one, two = [target for target in shot.targets if target.advanced and target.role == "button"][:2]
    assert check_targets([shot]).wrong == {}

    def wrong(**changes: str) -> str:
        return check_targets([replace(shot, targets=(replace(one, **changes),))]).wrong[one.id]  # type: ignore[arg-type]

    assert "finds something else" in wrong(basic=two.basic)
    assert "finds nothing" in wrong(basic='the "Nowhere" button')
    assert "speaks of what marks" in wrong(advanced="the thing in the red box")
    assert "tells the name" in wrong(name="save it", advanced="where one can save it")


def test_our_own_targets_pass() -> None:
    told = omnipilot("questions", "targets", "--screens", "6")
    assert told.returncode == 0 and "(100.0 %)" in told.stdout


@pytest.mark.slow
def test_the_next_batch_is_written_from_a_run_of_our_own_targets(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "batch"
    options = ("--suite", "pointing", "-o", "suite.web=false", "--limit", "40", "--out", str(run))
    assert omnipilot("ground", "--grounder", "random-element", *options).returncode == 0
    told = omnipilot("questions", "hard", str(run), str(out), "--count", "12")
    assert told.returncode == 0, told.stderr
    targets = [json.loads(line) for line in (out / "targets.jsonl").read_text().splitlines()]
    negatives = [json.loads(line) for line in (out / "negatives.jsonl").read_text().splitlines()]
    assert len(targets) == 12 and len(negatives) > 10
    assert all((out / one["image"]).is_file() for one in (*targets, *negatives))
    assert all(one["negative"] != one["bbox"] for one in negatives)
    same = omnipilot("questions", "hard", str(run), str(out), "--seed", "0")
    assert same.returncode == 2 and "choose another" in same.stderr
