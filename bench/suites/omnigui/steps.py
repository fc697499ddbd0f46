"""Reads the steps of OmniGUI's official files field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.scoring.data.source import Source, media
from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.metrics.targets import TargetField, target

MEDIA = ("benchmark", "data/benchmark", "data", "")
"""Folders in which the files lie that a step names."""
_CLIPS = ("video_path", "audio_path")


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One recorded step.

    Attributes:
        number: its `step_id`. row: its place in the file, which the release's logs call `doc_id`.
        touch, lift: where the finger went down and up; None if missing or [-1, -1].
        text: the typed text, "" if missing. size: of the screenshot in pixels.
        image, video, audio: files; None if the data has none (or media were not requested).
        words: the wording of the action in the next step's history; "" if missing.
    """

    number: int
    row: str
    action: Primitive
    touch: TargetField | None
    lift: TargetField | None
    text: str
    size: tuple[int, int]
    image: Path | None = None
    video: Path | None = None
    audio: Path | None = None
    words: str = ""


def read_step(source: Source, row: Record, later: Record | None, files: bool) -> StepRecord:
    """One step.

    Args:
        later: the next step's record, whose history words this action. files: check the media too.

    Raises:
        BadRecord: a field is missing or wrong.
    """
    number = row.whole("result_action_type")
    if not Primitive.NONE <= number <= Primitive.TASK_IMPOSSIBLE:
        raise row.wrong("result_action_type", f"must be one of -1..11, not {number}")
    action = Primitive(number)
    touch, lift = (_target(row, name) for name in ("touch", "lift"))
    text = row.text("result_action_text", "")
    size = (row.whole("image_width", least=1), row.whole("image_height", least=1))
    image = video = audio = None
    if files:
        image = media(source, row, "image_path", *MEDIA)
        video, audio = (media(source, row, name, *MEDIA) if row.text(name, "") else None for name in _CLIPS)
        if row.text("history_screenshot_path", ""):
            media(source, row, "history_screenshot_path", *MEDIA)
    return StepRecord(
        row.whole("step_id"), row.record, action, touch, lift, text, size, image, video, audio, _words(later)
    )


def _words(later: Record | None) -> str:
    """The wording of the action before a step: the last line of the step's history."""
    if later is None or not later.has("action_history"):
        return ""
    told = later.items("action_history")
    if not told:
        return ""
    at = f"action_history[{len(told) - 1}]"
    last = told[-1]
    words = last.get("action_text") if isinstance(last, Mapping) else None
    if not isinstance(words, str):
        raise later.wrong(at, f"expected {{step_index, action_text}}, got {last!r:.80}")
    return words


def _target(row: Record, what: str) -> TargetField | None:
    for name, swapped in ((f"result_{what}_xy", False), (f"result_{what}_yx", True)):
        told = row.raw(name, None)
        if told is None:
            continue
        if told in ("", "[]", []):
            return None
        found = target(told, swapped)
        if found is None:
            raise row.wrong(name, f"expected a point or a rectangle in pixels, got {told!r:.80}")
        return None if found.point == (-1, -1) else found
    return None
