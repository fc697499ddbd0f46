"""Quality control of recordings: what is wrong in one, said for each step."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.annotation.answers import AnnotatorAnswer, AnswerFile, StepAnswer
from omnipilot.bench.annotation.levels import CRITICAL, corrected_steps
from omnipilot.bench.annotation.page_files import film_frames
from omnipilot.bench.annotation.recordings import (
    MIXED,
    CapturedEpisode,
    CapturedScreen,
    CapturedStep,
    RecordingFolder,
    chinese_share,
)
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.suites.omnigui.data import ANNOTATIONS
from omnipilot.bench.verification.verify import verify_run
from omnipilot.envs import EnvLost, MissingExtra
from omnipilot.envs.types import film_span, read_sound, sound_seconds

APART = 0.25
"""Seconds by which the lengths of a step's sound and film, or a length and what is stated of it, may differ."""
AUDIBLE_PEAK = 0.003
"""The least peak of a sound that is not silence, relative to full scale (-50 dB)."""
KINDS = ("replay", "box", "length", "silence", "language", "duplicate", "unreadable")


@dataclass(frozen=True, slots=True)
class RecordingProblem:
    """Something wrong in a recording.

    Attributes:
        kind: one of `KINDS`. episode: "" for the whole recording. step: from 0; None for the whole episode.
    """

    kind: str
    what: str
    episode: str = ""
    step: int | None = None

    def __str__(self) -> str:
        where = f" {self.episode}" if self.episode else ""
        return f"{self.kind}:{where}{'' if self.step is None else f', step {self.step + 1}'}: {self.what}"


@dataclass(frozen=True, slots=True)
class RecordingCheck:
    """What a check found; `notes` say what could not be checked."""

    problems: tuple[RecordingProblem, ...]
    notes: tuple[str, ...]


def check_recording(recording: RecordingFolder) -> RecordingCheck:
    """Check a recording.

    Replay: played again, a run comes to the end that it recorded. Box: each place lies in its box, and each box on the
    screen. Length: pictures have the stated size, sounds and films the stated length, and those of a step the same.
    Silence: where a sound decided a step by what annotators say, or the level is AV-critical and nothing moves, there
    is something to be heard. Language: instruction and screen are of one script. Duplicate: no two episodes have the
    same instruction and first picture.
    """
    notes: list[str] = []
    problems = [RecordingProblem("unreadable", text) for text in recording.problems]
    answers = AnswerFile(recording.folder).read()
    if recording.run:
        problems += _replay(recording, notes)
    else:
        problems += _stated_places(recording.folder)
        notes.append("not played again: a folder in OmniGUI's format does not say on which world")
    lengths = _Lengths()
    for episode in recording.episodes:
        steps = corrected_steps(episode, answers)
        for number, step in enumerate(steps):
            problems += _box_problems(episode.id, number, step)
            for screen in step.screens:
                problems += [RecordingProblem("length", what, episode.id, number) for what in lengths.of(screen)]
        problems += _silences(episode, answers)
        problems += _language(episode)
    notes += sorted(lengths.notes)
    return RecordingCheck((*problems, *_duplicates(recording)), tuple(notes))


def _replay(recording: RecordingFolder, notes: list[str]) -> Iterator[RecordingProblem]:
    found = verify_run(recording.folder, [one.id for one in recording.episodes])
    if found.impossible:
        notes.append(f"not played again: {found.impossible}")
    for difference in found.differences:
        yield RecordingProblem("replay", str(difference))


def _box_problems(id: str, number: int, step: CapturedStep) -> Iterator[RecordingProblem]:
    width, height = step.screens[0].size if step.screens else (1, 1)
    if step.point is not None and not (0 <= step.point[0] <= width and 0 <= step.point[1] <= height):
        yield RecordingProblem("box", f"the place {_pair(step.point)} is not on the screen", id, number)
    if step.box is None:
        return
    left, top, right, bottom = step.box
    if left < -1 or top < -1 or right > width + 1 or bottom > height + 1:
        words = ", ".join(f"{n:.0f}" for n in step.box)
        yield RecordingProblem("box", f"the box {words} is not on the screen of {width} x {height}", id, number)
    if step.point is not None and not (
        left - 1 <= step.point[0] <= right + 1 and top - 1 <= step.point[1] <= bottom + 1
    ):
        yield RecordingProblem("box", f"the place {_pair(step.point)} is outside its box", id, number)


def _stated_places(folder: Path) -> Iterator[RecordingProblem]:
    """Of OmniGUI's rows: the place in `result_action_json` lies in the box in `result_touch_xy`. It may be in pixels
    or in thousandths."""
    path = next(folder / name for name in ANNOTATIONS if (folder / name).exists())
    for row in json.loads(path.read_text(encoding="utf-8")):
        try:
            place = json.loads(row["result_action_json"])["coordinate"]
            (x1, y1), (x2, y2) = json.loads(row["result_touch_xy"])
            size = row["image_width"], row["image_height"]
            scaled = [place, [place[0] * size[0] / 1000, place[1] * size[1] / 1000]]
            inside = any(
                min(x1, x2) - 1 <= x <= max(x1, x2) + 1 and min(y1, y2) - 1 <= y <= max(y1, y2) + 1 for x, y in scaled
            )
        except (KeyError, TypeError, ValueError):
            continue
        if not inside:
            what = f"the place {_pair(place)} is outside its box"
            yield RecordingProblem("box", what, str(row.get("episode_id", "")), int(row.get("step_id", 0)))


def _pair(place: Sequence[float]) -> str:
    return f"({place[0]:.0f}, {place[1]:.0f})"


class _Lengths:
    """Compares lengths; a file that many steps share is looked at once."""

    def __init__(self) -> None:
        self.notes: set[str] = set()
        self._known: dict[Path, float | str] = {}

    def of(self, screen: CapturedScreen) -> Iterator[str]:
        """What is wrong with the sizes and lengths of a screen's media."""
        if screen.picture is not None:
            try:
                size = picture_size(screen.picture)
            except OSError as error:
                yield f"the picture of {screen.env} cannot be read: {error}"
            else:
                if (size.width, size.height) != screen.size:
                    yield f"the picture of {screen.env} is {size}, not {screen.size[0]}x{screen.size[1]}"
        spans: dict[str, float] = {}
        for name, file, stated in (
            ("sound", screen.sound, screen.sound_span),
            ("film", screen.film, screen.film_span),
        ):
            if file is None:
                continue
            found = self._seconds(file, stated)
            if isinstance(found, str):
                yield f"the {name} of {screen.env} {found}"
                continue
            if math.isnan(found):
                continue
            spans[name] = found
            if stated is not None and abs(found - stated) > APART:
                yield f"the {name} of {screen.env} lasts {found:.2f} s, not {stated:.2f} s"
        if len(spans) == 2 and abs(spans["sound"] - spans["film"]) > APART:
            yield f"of {screen.env}, the sound lasts {spans['sound']:.2f} s and the film {spans['film']:.2f} s"

    def _seconds(self, file: Path, stated: float | None) -> float | str:
        if file.suffix == ".json":
            frames = film_frames(file)
            if not frames:
                return "has no frame"
            # The last frame is seen until the end, which only the recording states.
            return max(float(frames[-1][0]), stated or 0.0)
        if file not in self._known:
            self._known[file] = self._look(file)
        return self._known[file]

    def _look(self, file: Path) -> float | str:
        try:
            return float(film_span(file).seconds) if file.suffix == ".mp4" else sound_seconds(file, file.name)
        except MissingExtra as error:
            self.notes.add(f"lengths of films were not compared: {error}")
            return math.nan
        except (EnvLost, OSError) as error:
            return f"cannot be read: {error}"


def _silences(episode: CapturedEpisode, answers: Iterable[AnnotatorAnswer]) -> Iterator[RecordingProblem]:
    claimed = {
        one.step
        for one in answers
        if isinstance(one, StepAnswer) and one.episode == episode.id and {"speech", "sound"} & set(one.by)
    }
    audible = [any(_is_audible(screen.sound) for screen in step.screens) for step in episode.steps]
    for number in sorted(claimed):
        # What decides a step may have been heard at an earlier one.
        if number < len(audible) and not any(audible[: number + 1]):
            what = "a sound is said to have decided it, and nothing is to be heard up to here"
            yield RecordingProblem("silence", what, episode.id, number)
    moving = any(_moves(screen.film) for step in episode.steps for screen in step.screens)
    if episode.level == CRITICAL and not any(audible) and not moving:
        what = "it is said to be AV-critical, and nothing is to be heard or moves"
        yield RecordingProblem("silence", what, episode.id)


def _is_audible(sound: Path | None) -> bool:
    if sound is None:
        return False
    try:
        samples, _ = read_sound(sound, sound.name)
    except (EnvLost, MissingExtra, OSError):
        return False
    return bool(len(samples)) and float(abs(samples).max()) >= AUDIBLE_PEAK


def _moves(film: Path | None) -> bool:
    if film is None:
        return False
    return film.suffix != ".json" or len({digest for _, digest in film_frames(film)}) > 1


def _language(episode: CapturedEpisode) -> Iterator[RecordingProblem]:
    """By script alone: Chinese, or not. It does not tell English from French."""
    if not episode.language:
        return
    share = chinese_share(episode.instruction)
    if share is not None and (episode.language == "zh") != (share > MIXED):
        has = "Chinese" if share > MIXED else "hardly any Chinese"
        what = f"the application's language is {episode.language}, and the instruction has {has} letters"
        yield RecordingProblem("language", what, episode.id)


def _duplicates(recording: RecordingFolder) -> Iterator[RecordingProblem]:
    known: dict[Any, str] = {}
    for one in recording.episodes:
        words = " ".join(one.instruction.casefold().split())
        pictures = tuple(_digest(screen.picture) for screen in one.steps[0].screens)
        other = known.setdefault((words, pictures), one.id)
        # Trials of a run repeat an instance on purpose.
        repeated = recording.run and other.rpartition(".")[0] == one.id.rpartition(".")[0]
        if other != one.id and not repeated:
            yield RecordingProblem("duplicate", f"the same instruction and first picture as {other}", one.id)


def _digest(path: Path | None) -> str:
    if path is None or not path.is_file():
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()
