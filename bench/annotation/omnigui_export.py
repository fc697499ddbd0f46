"""Runs in OmniGUI's format, with the labels of annotators where there are any.

OmniGUI knows one phone and thirteen primitives. Episodes on other devices, and episodes with an action that is no
primitive and that nobody corrected into one, are left out as a whole, and said.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import typer

from omnipilot.bench.annotation.answers import DIMENSIONS, AnnotatorAnswer, AnswerFile
from omnipilot.bench.annotation.levels import agreed_levels, corrected_steps, rater_levels, said_dimension
from omnipilot.bench.annotation.recordings import OTHER, CapturedEpisode, CapturedScreen, CapturedStep, read_recording
from omnipilot.bench.journal import MEDIA
from omnipilot.bench.suites.omnigui.metrics.actions import BARE, SWIPES, Primitive
from omnipilot.bench.suites.omnigui.sample.play import Corners, PlayedStep
from omnipilot.bench.suites.omnigui.sample.tasks import SampleEpisode
from omnipilot.bench.suites.omnigui.sample.write import STEPS, episode_rows
from omnipilot.envs import AudioClip, ConfigError, Image, VideoClip
from omnipilot.memory import MediaRef, MediaStore

_LEVELS = {"AV-critical": "AV-Critical", "AV-supportive": "AV-Supportive", "AV-present": "AV-Present"}
_DIMENSIONS = {**{name.lower(): name for name in DIMENSIONS}, "localisation": "Localization"}
_PLACELESS = BARE | {Primitive.NONE, Primitive.INPUT}


def export_omnigui_data(folders: Sequence[Path], out: Path) -> list[Path]:
    """Write the finished episodes of runs as `merged_sorted.json` and `benchmark/` with their media.

    Args:
        folders: run directories. out: a folder.

    Returns:
        The file with the steps; nothing where no episode can be told in OmniGUI's primitives.

    Raises:
        ConfigError: there is no run. JournalError: a journal is damaged.
    """
    rows: list[dict[str, Any]] = []
    left_out: Counter[str] = Counter()
    for folder in folders:
        recording = read_recording(folder)
        answers = AnswerFile(folder).read()
        levels = agreed_levels(recording.episodes, rater_levels(recording.episodes, answers))
        for episode in recording.episodes:
            steps = corrected_steps(episode, answers)
            if steps[-1].primitive != Primitive.TASK_COMPLETE.name:
                # In OmniGUI's files an episode ends by saying so.
                name = Primitive.TASK_COMPLETE.name
                steps.append(CapturedStep(name, name, "", None, None, episode.end))
            if why := _unsolved(episode) or _unfit(steps):
                left_out[why] += 1
                continue
            store = MediaStore(folder / MEDIA)
            label = _label(folder, episode, levels.get(episode.id, episode.level), answers, len(folders) > 1)
            played = [_played(store, one) for one in steps]
            rows += episode_rows(out, label, played, episode.instruction, episode.instruction)
    for why, count in left_out.items():
        typer.echo(f"left out, {why}: {count} episodes", err=True)
    if not rows:
        raise ConfigError("no episode of these runs can be told in OmniGUI's primitives; see above why")
    out.mkdir(parents=True, exist_ok=True)
    path = out / STEPS
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    return [path]


def _unsolved(episode: CapturedEpisode) -> str:
    """Why an episode is no recording of somebody who solved its task; "" if it is one."""
    return {True: "", False: "that were not solved", None: "that nobody judged"}[episode.solved]


def _unfit(steps: Sequence[CapturedStep]) -> str:
    """Why an episode cannot be told in OmniGUI's format; "" if it can."""
    for step in steps:
        screen = _screen(step)
        if screen is None:
            return "with steps on another device than a phone"
        if screen.picture is None:
            return "without pictures"
        if step.primitive == OTHER:
            return "with an action that is no primitive"
        if Primitive[step.primitive] not in _PLACELESS and step.box is None:
            return "with an action of which nobody knows the target"
    return ""


def _screen(step: CapturedStep) -> CapturedScreen | None:
    """The phone's screen; None if the step is another device's. The last step, which ends the task, has no device."""
    here = step.screens[:1] if step.primitive not in ("TASK_COMPLETE", "TASK_IMPOSSIBLE") else step.screens
    return next((one for one in here if one.env == "phone"), None)


def _label(
    folder: Path, episode: CapturedEpisode, level: str, answers: Sequence[AnnotatorAnswer], several: bool
) -> SampleEpisode:
    told = said_dimension(episode.id, answers) or _DIMENSIONS.get(episode.dimension.lower(), episode.dimension)
    # Both are folders: what a task is called must not lead out of them.
    id, app = (re.sub(r"[^\w.-]|^\.+", "_", name) for name in (episode.id, episode.id.partition("#")[0]))
    name = f"{folder.name}_{id}" if several else id
    return SampleEpisode(name, episode.language or "en", app, _LEVELS.get(level, level), told, "")


def _played(store: MediaStore, step: CapturedStep) -> PlayedStep:
    screen, action = _screen(step), Primitive[step.primitive]
    assert screen is not None and screen.picture is not None
    image = store.get(_ref(screen.picture, "image", screen))
    audio = None if screen.sound is None else store.get(_ref(screen.sound, "audio", screen))
    video = None if screen.film is None else store.get(_ref(screen.film, "video", screen))
    assert isinstance(image, Image) and not isinstance(audio, Image | VideoClip) and not isinstance(video, Image)
    assert not isinstance(video, AudioClip)
    text = step.text if action == Primitive.INPUT else ""
    touch = None if action in _PLACELESS or step.box is None else _corners(step)
    return PlayedStep(image, audio, video, action, touch, None, text, _words(action, touch, text, screen.size))


def _ref(path: Path, kind: Literal["image", "audio", "video"], screen: CapturedScreen) -> MediaRef:
    span = {"audio": screen.sound_span, "video": screen.film_span}.get(kind) or 0.0
    return MediaRef(path.stem, kind, screen.env, 0.0, span)


def _corners(step: CapturedStep) -> Corners:
    assert step.box is not None
    left, top, right, bottom = map(round, step.box)
    return (left, top), (right, bottom)


def _words(action: Primitive, touch: Corners | None, text: str, size: tuple[int, int]) -> str:
    if touch is None:
        return f'{action.name} text: "{text}"' if text else action.name
    (x1, y1), (x2, y2) = touch
    place = [int((x1 + x2) / 2 / size[0] * 1000), int((y1 + y2) / 2 / size[1] * 1000)]
    return f"{action.name} {'from' if action in SWIPES else 'at'} {place}"
