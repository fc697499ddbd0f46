"""The page on which a person labels what decided each step of recorded episodes.

An episode is gone through twice. In the first pass there are still pictures and the history alone: sound and film of
the whole episode, the action of the step at hand and all later steps are withheld by the server, not only hidden, until
every step has its first answer. (Were each step's media shown right after its first answer, what was heard at one step
would be known at the next.) In the second pass everything is shown. A first answer stands; a second may be changed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.annotation.answers import (
    CHANNELS,
    DIMENSIONS,
    AnswerFile,
    EpisodeAnswer,
    StepAnswer,
    StepCorrection,
    check_step_answer,
    read_box,
)
from omnipilot.bench.annotation.levels import episode_level, step_level
from omnipilot.bench.annotation.page_files import describe_screens, screen_media, screens_by_name, static_file
from omnipilot.bench.annotation.recordings import PRIMITIVES, CapturedEpisode, RecordingFolder, with_correction
from omnipilot.envs import ConfigError


class AnnotationPage(PersonalPage):
    """Serves the page. Use it as a context manager, or call `close`.

    Args:
        episodes: those to be labelled, in order. rater: who labels. port: 0 for a free one.

    Attributes:
        url: of the page.
    """

    def __init__(
        self, recording: RecordingFolder, episodes: Sequence[CapturedEpisode], rater: str, port: int = 0
    ) -> None:
        self.recording = recording
        self.episodes = list(episodes)
        self.rater = rater
        self.answers = AnswerFile(recording.folder)
        self._answering = threading.Lock()
        # Read once: from now on this page alone writes for this rater.
        self._first: dict[tuple[str, int], StepAnswer] = {}
        self._second: dict[tuple[str, int], StepAnswer] = {}
        self._corrections: dict[tuple[str, int], StepCorrection] = {}
        self._dimensions: dict[str, str] = {}
        for one in self.answers.read():
            if one.rater == rater:
                self._keep(one)
        super().__init__(port)

    def content(self, path: str) -> PageContent | None:
        """The page, its episodes, and what a pass may see of their media."""
        if path == "":
            return static_file("annotate.html")
        if path in ("annotate.js", "annotation.css", "clips.js"):
            return static_file(path)
        if path == "recording":
            return PageContent.json(self.overview())
        kind, _, rest = path.partition("/")
        if kind == "episodes" and (episode := self._episode_at(rest)) is not None:
            return PageContent.json(self.episode_view(episode))
        return self._media(rest) if kind == "media" else None

    def take(self, path: str, values: Any) -> object:
        """Write what was answered, and return the episode as it is then shown.

        Raises:
            ConfigError: it is no answer to what is asked now.
        """
        episode = self.recording.episode(values.get("episode", "")) if isinstance(values, dict) else None
        if episode is None or episode not in self.episodes:
            raise ConfigError("this is no answer about one of the episodes")
        try:
            # One at a time: of two first answers to a step, sent at once, the second is refused.
            with self._answering:
                if path == "dimension":
                    self._take_dimension(episode, values)
                elif path in ("first", "second"):
                    self._take_step(episode, values, path == "second")
                elif path == "correction":
                    self._take_correction(episode, values)
                else:
                    raise ConfigError("this page has no such question")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"this is no answer: {error}") from None
        return self.episode_view(episode)

    def overview(self) -> dict[str, Any]:
        """What the page shows of the whole recording, as JSON values."""
        return {
            "rater": self.rater,
            "primitives": PRIMITIVES,
            "dimensions": DIMENSIONS,
            "channels": CHANNELS,
            "episodes": [{"id": one.id, "steps": len(one.steps), "done": self._is_done(one)} for one in self.episodes],
        }

    def episode_view(self, episode: CapturedEpisode) -> dict[str, Any]:
        """What the page may show of an episode now, as JSON values."""
        at, number = self._reached(episode), self.episodes.index(episode)
        second = at == len(episode.steps)
        steps = []
        for step in range(min(at + 1, len(episode.steps))):
            recorded, answered = episode.steps[step], step < at
            if (mended := self._corrections.get((episode.id, step))) is not None:
                recorded = with_correction(recorded, mended.primitive, mended.box, mended.text)
            screens = describe_screens(recorded.screens, f"media/{number}/{step}", second)
            if not answered:
                # The device of the action stands first, which would tell it.
                screens.sort(key=lambda one: str(one["env"]))
            told: dict[str, Any] = {
                "screens": screens,
                "first": _values(self._first.get((episode.id, step))),
                "second": _values(self._second.get((episode.id, step))),
            }
            if answered:
                told["action"] = {
                    "words": recorded.words,
                    "primitive": recorded.primitive,
                    "text": recorded.text,
                    "box": recorded.box,
                    "point": recorded.point,
                }
            steps.append(told)
        levels = self._levels(episode)
        return {
            "id": episode.id,
            "number": number,
            "instruction": episode.instruction,
            "total": len(episode.steps),
            "second": second,
            "steps": steps,
            "levels": levels,
            "level": episode_level(levels) if len(levels) == len(episode.steps) else "",
            "dimension": self._dimensions.get(episode.id, ""),
            "done": self._is_done(episode),
        }

    def _reached(self, episode: CapturedEpisode) -> int:
        """The first step without a first answer; the number of steps where there is none."""
        numbers = range(len(episode.steps))
        return next((step for step in numbers if (episode.id, step) not in self._first), len(episode.steps))

    def _levels(self, episode: CapturedEpisode) -> list[str]:
        """The levels of the first steps, as far as both passes have been answered."""
        found = []
        for step in range(len(episode.steps)):
            passes = self._first.get((episode.id, step)), self._second.get((episode.id, step))
            if passes[0] is None or passes[1] is None:
                break
            found.append(step_level(passes[0], passes[1]))
        return found

    def _is_done(self, episode: CapturedEpisode) -> bool:
        return len(self._levels(episode)) == len(episode.steps) and episode.id in self._dimensions

    def _episode_at(self, number: str) -> CapturedEpisode | None:
        known = number.isdecimal() and len(number) < 9 and int(number) < len(self.episodes)
        return self.episodes[int(number)] if known else None

    def _media(self, path: str) -> PageContent | None:
        number, step, place, name, digest = [*path.split("/", 4), "", "", "", ""][:5]
        episode = self._episode_at(number)
        if episode is None or not (step.isdecimal() and place.isdecimal()) or len(step + place) > 12:
            return None
        reached = self._reached(episode)
        if int(step) >= len(episode.steps) or int(step) > reached:
            return None
        if name != "picture" and reached < len(episode.steps):
            raise ConfigError("sound and film are shown once every step of the episode has its first answer")
        screens = screens_by_name(episode.steps[int(step)].screens)
        if int(place) >= len(screens):
            return None
        return screen_media(screens[int(place)], name, digest, self.recording.folder)

    def _take_step(self, episode: CapturedEpisode, values: dict[str, Any], second: bool) -> None:
        step, reached = _step_of(values, episode), self._reached(episode)
        if not second and step != reached:
            raise ConfigError("a first answer stands once the step's action was shown; answer the next step")
        if second and reached < len(episode.steps):
            raise ConfigError("the second pass begins once every step has its first answer")
        told = {
            "decided": values["decided"],
            "which": values.get("which", "").strip()[:500],
            "by": tuple(name for name in CHANNELS if name in values.get("by", ())) if second else (),
            "seconds": round(float(values.get("seconds", 0)), 1),
            "media": second,
        }
        check_step_answer(told)
        self._write(StepAnswer(self.rater, episode.id, step, **told))

    def _take_correction(self, episode: CapturedEpisode, values: dict[str, Any]) -> None:
        step = _step_of(values, episode)
        if step >= self._reached(episode):
            raise ConfigError("an action is corrected once it was shown")
        primitive, text, box = values["primitive"], values["text"], values["box"]
        if primitive not in PRIMITIVES or not isinstance(text, str) or len(text) > 10_000:
            raise ConfigError(f"an action has a text, and is one of {', '.join(PRIMITIVES)}")
        if box is not None:
            box = read_box(box)
            width, height = episode.steps[step].screens[0].size
            if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
                raise ConfigError(f"the box does not lie on the screen of {width} x {height} pixels")
        self._write(StepCorrection(self.rater, episode.id, step, primitive, box, text))

    def _take_dimension(self, episode: CapturedEpisode, values: dict[str, Any]) -> None:
        if values["dimension"] not in DIMENSIONS:
            raise ConfigError(f"a dimension is one of {', '.join(DIMENSIONS)}")
        self._write(EpisodeAnswer(self.rater, episode.id, values["dimension"]))

    def _write(self, answer: StepAnswer | StepCorrection | EpisodeAnswer) -> None:
        self.answers.append(answer)
        self._keep(answer)

    def _keep(self, answer: StepAnswer | StepCorrection | EpisodeAnswer) -> None:
        if isinstance(answer, StepAnswer):
            (self._second if answer.media else self._first)[answer.episode, answer.step] = answer
        elif isinstance(answer, StepCorrection):
            self._corrections[answer.episode, answer.step] = answer
        else:
            self._dimensions[answer.episode] = answer.dimension


def _values(answer: StepAnswer | None) -> dict[str, Any] | None:
    return None if answer is None else asdict(answer)


def _step_of(values: dict[str, Any], episode: CapturedEpisode) -> int:
    step = values["step"]
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step < len(episode.steps):
        raise ConfigError(f"the episode has steps 0 to {len(episode.steps) - 1}")
    return step
