"""Recordings as annotators see them: step by step, from a run's journal or from a folder in OmniGUI's format."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes, screenshot_file
from omnipilot.bench.journal import MEDIA, StepTaken
from omnipilot.bench.journal.recorder import elements_from_text
from omnipilot.bench.report.action_words import action as action_words
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.data import ANNOTATIONS, EpisodeRecord, load
from omnipilot.bench.suites.omnigui.metrics.actions import SWIPES, Primitive
from omnipilot.bench.suites.omnigui.moves import primitive as primitive_of
from omnipilot.bench.suites.omnigui.steps import StepRecord
from omnipilot.envs import Action, Box, ConfigError, Element, OpenApp, Point, Size
from omnipilot.envs.schema import action_from_json
from omnipilot.memory import MediaRef

OTHER = "OTHER"
"""The primitive of an action that OmniGUI has none for."""
PRIMITIVES = (*(one.name for one in Primitive), OTHER)
PROVED_SUITES = frozenset({"duet", "duet-memory", "workshop"})
"""Suites whose tasks come with proofs of their level."""
PROVED_LEVELS = frozenset({"AV-critical", "AV-present"})
"""AV-supportive claims neither that sound and film are needed nor that they do not matter: nothing is proved of it."""
MIXED = 0.3
"""Share of the letters that are Chinese above which a text is taken for Chinese."""
Pixels: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a rectangle, in pixels."""


@dataclass(frozen=True, slots=True)
class CapturedScreen:
    """What a step saw and heard of one device.

    Attributes:
        size: width and height in pixels, as the recording states it.
        picture, sound, film: files; None where there is none. A film is a video, or the list of frames of a run's
            media store (`.json`).
        sound_span, film_span: seconds that the recording states; None where only the file says.
    """

    env: str
    size: tuple[int, int]
    picture: Path | None = None
    sound: Path | None = None
    film: Path | None = None
    sound_span: float | None = None
    film_span: float | None = None


@dataclass(frozen=True, slots=True)
class CapturedStep:
    """One step: the screens before it, and what was done.

    Attributes:
        words: the action, for people. primitive: one of `PRIMITIVES`. text: that was typed; "" for none.
        point: where it was done, in pixels of the first screen; None without a place.
        box: of the element that it was done at, in pixels; None where nobody knows it.
        screens: that of the action's device first.
    """

    words: str
    primitive: str
    text: str
    point: tuple[float, float] | None
    box: Pixels | None
    screens: tuple[CapturedScreen, ...]


@dataclass(frozen=True, slots=True)
class CapturedEpisode:
    """One recorded episode.

    Attributes:
        id: unique in its recording.
        language: of the application: "zh" for Chinese, "en" for any other; "" where nobody can say. That of a run is
            read from the names of what its first screens show.
        end: the screens after the last step, as far as they are recorded. solved: whether the task was, None
            where nobody judged it; a recording in OmniGUI's format is of a person who solved it.
        level: how far it depends on sound and film as the recording claims it, in our words ("AV-critical"); "" for
            nothing. proved: whether that claim is proved. dimension: as the recording claims it, or "".
    """

    id: str
    instruction: str
    steps: tuple[CapturedStep, ...]
    language: str = ""
    level: str = ""
    dimension: str = ""
    proved: bool = False
    end: tuple[CapturedScreen, ...] = ()
    solved: bool | None = True


@dataclass(frozen=True, slots=True)
class RecordingFolder:
    """A folder with recorded episodes.

    Attributes:
        folder: in which the answers of annotators are kept, too. run: whether it is a run directory.
        problems: what could not be read.
    """

    folder: Path
    run: bool
    episodes: tuple[CapturedEpisode, ...]
    problems: tuple[str, ...] = ()

    def episode(self, id: str) -> CapturedEpisode | None:
        """The episode of an id; None if there is none."""
        return next((one for one in self.episodes if one.id == id), None)


def read_recording(folder: Path, only: Collection[str] = ()) -> RecordingFolder:
    """The recorded episodes of a run directory, or of a folder in OmniGUI's format.

    Args:
        only: ids of episodes; none for all.

    Raises:
        ConfigError: it is neither, or holds no episode that came to an end. JournalError: its journal is damaged.
    """
    problems: tuple[str, ...] = ()
    if run := (folder / "journal.jsonl").exists():
        found = [captured_episode(folder, one) for one in played_episodes(folder)]
    elif any((folder / name).exists() for name in ANNOTATIONS):
        loaded = load(Source.open(str(folder), ""))
        found = [_omnigui_episode(one) for one in loaded.items]
        problems = tuple(map(str, loaded.bad))
    else:
        raise ConfigError(f"{folder} is neither a run directory nor a folder in OmniGUI's format ({ANNOTATIONS[0]})")
    kept = tuple(one for one in found if (not only or one.id in only) and one.steps)
    if not kept:
        raise ConfigError(f"{folder} holds no episode that came to an end")
    return RecordingFolder(folder, run, kept, problems)


def captured_episode(folder: Path, found: FinishedEpisode) -> CapturedEpisode:
    """An episode of a run directory. Steps that carried out nothing are left out."""
    start, tags = found.started, found.started.tags
    level = str(tags.get("level", ""))
    steps = [
        _journal_step(folder, turn.observations, step)
        for turn in found.turns
        for step in found.steps.get(turn.turn, ())
        if step.executed is not None
    ]
    proved = found.run.spec.suite.name in PROVED_SUITES and level in PROVED_LEVELS
    first = found.turns[0].observations if found.turns else {}
    names = [one.name for seen in first.values() for one in screen_elements(folder, seen)]
    share = chinese_share(" ".join(names))
    language = "" if share is None else "zh" if share > MIXED else "en"
    end = tuple(_journal_screen(folder, env, told) for env, told in sorted(found.ended.observations.items()))
    return CapturedEpisode(
        start.key,
        start.instruction,
        tuple(steps),
        language,
        level,
        str(tags.get("dimension", "")),
        proved,
        end,
        found.success,
    )


def screen_elements(folder: Path, observation: Mapping[str, Any]) -> list[Element]:
    """The elements of a journal's observation; none where they were not captured, or cannot be read."""
    if not (told := observation.get("elements")):
        return []
    path = folder / MEDIA / MediaRef(told["digest"], "json").path
    try:
        return list(elements_from_text(path.read_text(encoding="utf-8")).items)
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _journal_step(folder: Path, observations: Mapping[str, Any], step: StepTaken) -> CapturedStep:
    assert step.executed is not None
    seen = {**observations, step.env: step.look} if step.look and step.env else observations
    names = sorted(seen, key=lambda env: (env != step.env, env))
    screens = tuple(_journal_screen(folder, env, seen[env]) for env in names)
    done = action_from_json(step.executed)
    size = Size(*screens[0].size) if screens else Size(1, 1)
    said = primitive_of(done)
    kind = OTHER if said is None else Primitive(said["action_type"]).name
    at, box = getattr(done, "at", None) or getattr(done, "start", None), None
    elements = screen_elements(folder, seen.get(step.env, {}))
    if isinstance(done, OpenApp) and (icon := _icon(elements, done.app)) is not None:
        # On the screen on which its icon is, opening an application is to tap it.
        kind, box, at = Primitive.TAP.name, icon, icon.center
    elif step.pointed and step.pointed[-1].get("box"):
        told = step.pointed[-1]["box"]
        box = Box(told["left"], told["top"], told["right"], told["bottom"])
    elif isinstance(at, Point):
        box = _smallest_around(elements, at)
    name = _target_name(step) or (_name_around(elements, at) if isinstance(at, Point) else "")
    return CapturedStep(
        action_words({**step.executed, "at": name} if name and step.executed.get("at") else step.executed),
        kind,
        str(getattr(done, "text", "") or ""),
        at.to_pixels(size) if isinstance(at, Point) else None,
        box.to_pixels(size) if box is not None else _swipe_box(done, kind, size),
        screens,
    )


def _icon(elements: Sequence[Element], app: str) -> Box | None:
    return next((one.box for one in elements if one.name == app), None)


def _target_name(step: StepTaken) -> str:
    """What the element is called that the action hit; "" where nobody knows."""
    hit = step.pointing[-1].get("hit") if step.pointing else None
    return str((hit or {}).get("name") or "")


def _name_around(elements: Sequence[Element], at: Point) -> str:
    named = [one for one in elements if one.name and one.box.contains(at)]
    return min(named, key=lambda one: one.box.area).name if named else ""


def _smallest_around(elements: Sequence[Element], at: Point) -> Box | None:
    return min((one.box for one in elements if one.box.contains(at)), key=lambda box: box.area, default=None)


def _swipe_box(done: Action, kind: str, size: Size) -> Pixels | None:
    """Where a finger may start a swipe: a square a fifth of the screen wide, as in the suite's miniature."""
    if kind not in {one.name for one in SWIPES}:
        return None
    start = getattr(done, "start", None) or getattr(done, "at", None) or Point(0.5, 0.5)
    x, y = start.to_pixels(size)
    half = size.width / 10
    return x - half, y - half, x + half, y + half


def _journal_screen(folder: Path, env: str, told: Mapping[str, Any]) -> CapturedScreen:
    def clip(name: str, kind: Literal["audio", "video"]) -> tuple[Path | None, float | None]:
        media = told.get(name)
        if not media or media["end"] <= media["start"]:
            # Nothing had passed yet.
            return None, None
        return folder / MEDIA / MediaRef(media["digest"], kind).path, media["end"] - media["start"]

    width, height = told["size"]
    picture = told.get("screenshot")
    sound, film = clip("audio", "audio"), clip("video", "video")
    return CapturedScreen(
        env,
        (int(width), int(height)),
        None if picture is None else screenshot_file(folder, picture),
        sound[0],
        film[0],
        sound[1],
        film[1],
    )


def _omnigui_episode(episode: EpisodeRecord) -> CapturedEpisode:
    level = episode.level.replace("AV-Critical", "AV-critical").replace("AV-Supportive", "AV-supportive")
    return CapturedEpisode(
        episode.id,
        episode.instruction,
        tuple(map(_omnigui_step, episode.steps)),
        episode.subset,
        level.replace("AV-Present", "AV-present"),
        episode.dimension,
    )


def _omnigui_step(step: StepRecord) -> CapturedStep:
    box: Pixels | None = None
    point: tuple[float, float] | None = None
    if step.touch is not None and step.touch.rectangles:
        x1, y1, x2, y2 = step.touch.rectangles[0]
        box = min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        point = (x1 + x2) / 2, (y1 + y2) / 2
    elif step.touch is not None:
        point = step.touch.point
    screen = CapturedScreen("phone", step.size, step.image, step.audio, step.video)
    words = step.words or step.action.name + (f" {json.dumps(step.text, ensure_ascii=False)}" if step.text else "")
    return CapturedStep(words, step.action.name, step.text, point, box, (screen,))


def with_correction(step: CapturedStep, primitive: str, box: Pixels | None, text: str) -> CapturedStep:
    """The step as an annotator corrected it; its point moves to the middle of another box that does not hold it."""
    point = step.point
    if box is None:
        point = None
    elif point is None or not (box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]):
        point = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return replace(step, primitive=primitive, box=box, text=text, point=point)


def chinese_share(text: str) -> float | None:
    """The share of Chinese letters among all letters, outside quotation marks; None without letters."""
    outside, depth = [], 0
    for sign in text:
        if sign in "“《「‘":
            depth += 1
        elif sign in "”》」’":
            depth = max(0, depth - 1)
        elif sign == '"':
            depth = 0 if depth else 1
        elif depth == 0 and sign.isalpha():
            outside.append(sign)
    if not outside:
        return None
    # A Chinese letter says about as much as three Latin ones.
    chinese = 3 * sum("CJK" in unicodedata.name(sign, "") for sign in outside)
    return chinese / (chinese + sum("CJK" not in unicodedata.name(sign, "") for sign in outside))
