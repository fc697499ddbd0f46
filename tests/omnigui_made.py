"""OmniGUI's data for tests: the miniature, written once, and small data by hand; and runs on them."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as pil

from omnipilot.agents.spec import AgentSpec, PartSpec
from omnipilot.bench.episodes import Episode
from omnipilot.bench.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites import mini_omnigui
from omnipilot.bench.suites.omnigui_data import EpisodeRecord, load
from omnipilot.bench.suites.records import Loaded
from omnipilot.bench.suites.source import Source

SUITE = "omnigui"
_MADE: list[Path] = []


def miniature(factory: pytest.TempPathFactory) -> Path:
    """The folder of the miniature, with its predictions; to be read only."""
    if not _MADE:
        folder = factory.mktemp("omnigui")
        mini_omnigui.write(folder)
        mini_omnigui.sample_predictions(folder)
        _MADE.append(folder)
    return _MADE[0]


def needs_video() -> None:
    """Skip without PyAV, which CI has."""
    if importlib.util.find_spec("av") is None:
        assert os.environ.get("CI") != "true", "CI installs the extra omnipilot[video]"
        pytest.skip("PyAV is not installed; run: pip install 'omnipilot[video]'")


def row(step: int, length: int, **changes: Any) -> dict[str, Any]:
    """A record of a tap in the rectangle (10, 20)-(30, 40) of a screen of 100 x 200; None takes a field away."""
    history = [{"step_index": number, "action_text": f"action {number}"} for number in range(step)]
    made = {
        "episode_id": "e",
        "episode_length": length,
        "step_id": step,
        "app": "taobao",
        "instruction": "点一下",
        "instruction_en": "Tap it.",
        "image_path": "a.png",
        "image_width": 100,
        "image_height": 200,
        "result_action_type": 0,
        "result_action_text": "",
        "result_touch_xy": "[[10, 20], [30, 40]]",
        "result_lift_xy": "",
        "action_history": history,
        **changes,
    }
    return {key: value for key, value in made.items() if value is not None}


def put(folder: Path, *rows: Any) -> Path:
    """Data of these records, with one picture, in a folder."""
    (folder / "benchmark").mkdir(exist_ok=True)
    pil.new("RGB", (100, 200), (1, 2, 3)).save(folder / "benchmark" / "a.png")
    (folder / "merged_sorted.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def loaded(folder: Path, **options: Any) -> Loaded[EpisodeRecord]:
    """The episodes of a folder."""
    return load(Source.open(str(folder), ""), **options)


def played(
    data: Path,
    out: Path,
    planner: str,
    options: Mapping[str, Any] | None = None,
    agent: Mapping[str, Any] | None = None,
    tasks: tuple[str, ...] = (),
    **suite: Any,
) -> list[Episode]:
    """The episodes of a run that a planner made on data."""
    parts: dict[str, Any] = {"grounder": PartSpec("elements"), **(agent or {})}
    spec = RunSpec(
        agent=AgentSpec(planner=PartSpec(planner, dict(options or {})), **parts),
        suite=PartSpec(SUITE, {"data": str(data), **suite}),
        tasks=tasks,
    )
    result = run(spec, out)
    assert not result.left
    return list(result.episodes)
