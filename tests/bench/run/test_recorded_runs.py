"""Runs that version 0.1.0 made: they are still read, keep their identity, and made anew they are the same."""

from __future__ import annotations

import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench import RunSpec
from omnipilot.bench.report.terms import TERMS
from omnipilot.bench.run import run

RECORDED = Path(__file__).parents[2] / "fixtures" / "recorded"
RUNS = ("oracle", "rules", "omnigui")
MEASURED = {"wall", "wall_seconds"}
"""What every run has of its own; the seconds of calls, environments and judges too, see `repeatable`."""


def spec_of(name: str) -> tuple[str, RunSpec]:
    """The identity that was recorded, and the specification."""
    held = json.loads((RECORDED / name / "spec.json").read_text())
    return held["identity"], RunSpec.from_json(held["spec"])


def repeatable(event: dict[str, Any]) -> dict[str, Any]:
    """An event without the time that its making took."""
    kept = {name: value for name, value in event.items() if name not in MEASURED}
    if kept["event"] in ("turn", "step"):
        del kept["seconds"]
    if "usage" in kept:
        kept["usage"] = {name: value for name, value in kept["usage"].items() if name != "seconds"}
    return kept


def episodes(folder: Path) -> list[dict[str, Any]]:
    """The events of a journal that tell of its episodes."""
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [repeatable(event) for event in map(json.loads, lines) if event["event"] != "run_started"]


@pytest.mark.parametrize("name", RUNS)
def test_a_recorded_run_keeps_its_identity(name: str) -> None:
    identity, spec = spec_of(name)
    assert spec.identity == identity


def test_the_table_of_recorded_runs_is_the_one_that_was_printed(tmp_path: Path) -> None:
    folders = [str(shutil.copytree(RECORDED / name, tmp_path / name)) for name in RUNS]
    done = omnipilot("report", *folders, "--out", str(tmp_path / "report.html"))
    assert done.returncode == 0, done.stderr
    kept = (RECORDED / "table.txt").read_text(encoding="utf-8")
    # Printed before tables named the glossary.
    printed = done.stdout.replace(f"  {TERMS}\n", "")
    assert printed.strip().startswith(kept.strip()), done.stdout


@pytest.mark.parametrize("name", ["oracle", "rules", pytest.param("omnigui", marks=pytest.mark.slow)])
def test_made_anew_a_run_has_the_same_journal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, spec = spec_of(name)
    monkeypatch.chdir(tmp_path)
    if name == "omnigui":
        assert omnipilot("miniature", "mini", "omnigui").returncode == 0
    result = run(spec, tmp_path / "run")
    assert result.spec.identity == spec.identity
    assert episodes(tmp_path / "run") == episodes(RECORDED / name)


@pytest.mark.parametrize(
    "suite",
    [
        "android_control:AndroidControl",
        "crab:CrabSuite",
        "omniact:OmniAct",
        "omnibench:OmniBenchSuite",
        "omnigui:OmniGui",
    ],
)
def test_a_suite_that_an_old_run_names_by_its_module_is_found(suite: str) -> None:
    module, _, name = suite.partition(":")
    assert getattr(import_module(f"omnipilot.bench.suites.{module}"), name).__name__ == name
