"""OmniGUI's steps: the screen before each action, the clip and the sound since the last one, the primitive and its box.

Only tasks of the phone alone can be told in OmniGUI's primitives; of those, the ones whose demonstration needs another
action (a key of a keyboard, an application that is opened without a tap) are left out as a whole, and counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.data import load
from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive
from omnipilot.bench.suites.omnigui.moves import primitive
from omnipilot.bench.suites.omnigui.sample.play import Corners
from omnipilot.bench.suites.omnigui.sample.play import PlayedStep as RecordedPrimitive
from omnipilot.bench.suites.omnigui.sample.tasks import SampleEpisode
from omnipilot.bench.suites.omnigui.sample.write import STEPS, episode_rows
from omnipilot.bench.suites.pool.export.omnibench import screen_of
from omnipilot.bench.suites.pool.export.playing import DemonstrationStep, PlayedTask
from omnipilot.bench.suites.pool.export.source import ExportSource, ExportTask
from omnipilot.envs import AudioClip, Point, Size, VideoClip

LEVELS = {"AV-critical": "AV-Critical", "AV-supportive": "AV-Supportive", "AV-present": "AV-Present"}
"""Our levels as OmniGUI writes them, from the one that needs sound and film most."""
DIMENSIONS = {
    "instant response": "Instant Response",
    "temporal reasoning": "Temporal Reasoning",
    "cross-modal discrimination": "Cross-modal Discrimination",
    "semantic understanding": "Semantic Understanding",
    "localisation": "Localization",
}
SUBSET = "en"
"""All instructions are English."""


@dataclass(slots=True)
class OmniGuiExport:
    """What was written: numbers of episodes and steps; tasks left out by reason; what our own reader complains of."""

    episodes: int = 0
    steps: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)


def export_omnigui(source: ExportSource, out: Path) -> OmniGuiExport:
    """Write `merged_sorted.json` and the folder `benchmark`, and read them back with the suite's own reader."""
    made = OmniGuiExport()
    rows: list[dict[str, Any]] = []
    for task in source.tasks:
        if any(source.templates[id].env != "phone" for id in task.graph.subtasks):
            made.left_out["tasks that need more than the phone"] += 1
            continue
        for played in source.play(task, clips=True):
            steps = primitives_of(played)
            if not played.solved:
                made.left_out["orders whose demonstration does not solve the task"] += 1
            elif steps is None:
                made.left_out["orders with an action that is no primitive"] += 1
            else:
                told = played.instruction
                rows += episode_rows(out, _episode(source, task, played), steps, told, told)
                made.episodes += 1
                made.steps += len(steps)
        source.forget(task)
    out.mkdir(parents=True, exist_ok=True)
    (out / STEPS).write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    made.bad = [str(bad) for bad in load(Source.open(str(out), "")).bad]
    return made


def _episode(source: ExportSource, task: ExportTask, played: PlayedTask) -> SampleEpisode:
    """The labels of an episode: critical if one of its subtasks is, else supportive if one is, else present."""
    records = [source.subtasks[id] for id in task.graph.subtasks]
    level = next(level for level in LEVELS if any(record.level == level for record in records))
    deciding = next(record for record in records if record.level == level)
    order = "-".join(map(str, played.order))
    app = source.templates[task.graph.subtasks[0]].app
    dimension = DIMENSIONS.get(deciding.dimension, deciding.dimension)
    return SampleEpisode(f"{task.id}_{order}", SUBSET, app, LEVELS[level], dimension, "")


def primitives_of(played: PlayedTask) -> Sequence[RecordedPrimitive] | None:
    """The steps in OmniGUI's primitives; None if one of them is none."""
    found = []
    for step in played.steps:
        said = primitive(step.action)
        if said is None:
            return None
        found.append(_recorded(step, Primitive(said["action_type"]), str(said.get("text", ""))))
    return found


def _recorded(step: DemonstrationStep, action: Primitive, text: str) -> RecordedPrimitive:
    seen = step.seen[step.env]
    touch = _touch(step, action, seen.size)
    audio = seen.audio if isinstance(seen.audio, AudioClip) else None
    video = seen.video if isinstance(seen.video, VideoClip) else None
    return RecordedPrimitive(
        screen_of(step), audio, video, action, touch, None, text, _words(action, touch, text, seen.size)
    )


def _touch(step: DemonstrationStep, action: Primitive, size: Size) -> Corners | None:
    """The rectangle that the finger may touch: the element's, or for a swipe a square around where it starts."""
    if step.target is not None:
        left, top, right, bottom = step.target.box.to_pixels(size)
        return (round(left), round(top)), (round(right), round(bottom))
    at = getattr(step.action, "at", None)
    if action in SWIPES or at is not None:
        x, y = (at or Point(0.5, 0.5)).to_pixels(size)
        half = size.width / 10
        return (round(x - half), round(y - half)), (round(x + half), round(y + half))
    return None


def _words(action: Primitive, touch: Corners | None, text: str, size: Size) -> str:
    if touch is None:
        return f'{action.name} text: "{text}"' if text else action.name
    (x1, y1), (x2, y2) = touch
    middle = [int((x1 + x2) / 2 / size.width * 1000), int((y1 + y2) / 2 / size.height * 1000)]
    return f"{action.name} at {middle}"
