"""What annotators answered, and the file beside the recording in which each answer is written at once."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.bench import append_json_lines, read_json_lines

FOLDER, FILE = "annotation", "answers.jsonl"
"""Of a recording's folder."""
Decided: TypeAlias = Literal["yes", "guess", "no"]
"""Whether the right action is decided by what was shown."""
CHANNELS = ("screen", "speech", "sound", "motion")
"""What can decide it."""
MEDIA_CHANNELS = frozenset(CHANNELS) - {"screen"}
DIMENSIONS = (
    "Localization",
    "Semantic Understanding",
    "Cross-modal Discrimination",
    "Temporal Reasoning",
    "Instant Response",
)
"""OmniGUI's dimensions of episodes (§3.2), as it writes them."""


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """One pass of the two-pass question, of one step.

    Attributes:
        step: from 0. media: False in the first pass, with the still picture and history alone; True in the second.
        decided: see `Decided`. which: the action that the rater would take, in words; "" for none given.
        by: in the second pass, what decided it: some of `CHANNELS`.
        seconds: that it took; 0 where nobody measured.
    """

    rater: str
    episode: str
    step: int
    media: bool
    decided: Decided
    which: str = ""
    by: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class StepCorrection:
    """The recorded action of a step as an annotator corrected it.

    Attributes:
        primitive: see `omnipilot.bench.annotation.recordings.PRIMITIVES`. box: left, top, right, bottom in pixels; None
            for no target. text: the exact text.
    """

    rater: str
    episode: str
    step: int
    primitive: str
    box: tuple[float, float, float, float] | None
    text: str


@dataclass(frozen=True, slots=True)
class EpisodeAnswer:
    """What was said of a whole episode: its dimension, one of `DIMENSIONS`. Its level follows from the steps."""

    rater: str
    episode: str
    dimension: str


AnnotatorAnswer: TypeAlias = StepAnswer | StepCorrection | EpisodeAnswer
_KINDS = {"step": StepAnswer, "correction": StepCorrection, "episode": EpisodeAnswer}


class AnswerFile:
    """The answers of all annotators of one recording; JSON lines, appended one by one.

    Args:
        folder: of the recording. Nothing is written into its journal or annotation files.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / FILE
        self._writing = threading.Lock()

    def append(self, answer: AnnotatorAnswer) -> None:
        """Write an answer; it is on the disk when this returns."""
        kind = next(name for name, one in _KINDS.items() if isinstance(answer, one))
        with self._writing:
            append_json_lines(self.path, [{"kind": kind, **asdict(answer)}])

    def read(self) -> list[AnnotatorAnswer]:
        """All answers, in the order in which they were given; none where nobody answered. A last line that was cut off
        is left out.

        Raises:
            ConfigError: another line is no answer; the message names it.
        """
        return list(read_json_lines(self.path, answer_from_json, "answer"))


def answer_from_json(values: dict[str, Any]) -> AnnotatorAnswer:
    """The answer that a line tells of.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    told = dict(values)
    kind = _KINDS[told.pop("kind")]
    if kind is StepAnswer:
        told["by"] = tuple(told.get("by", ()))
        check_step_answer(told)
    if kind is StepCorrection and told["box"] is not None:
        told["box"] = read_box(told["box"])
    if kind is EpisodeAnswer and told["dimension"] not in DIMENSIONS:
        raise ValueError(f"a dimension is one of {', '.join(DIMENSIONS)}")
    made: AnnotatorAnswer = kind(**told)
    return made


def check_step_answer(told: dict[str, Any]) -> None:
    """Refuse what is no answer to the two-pass question.

    Raises:
        ValueError: the message says what is wrong.
    """
    if told["decided"] not in get_args(Decided):
        raise ValueError("whether the action is decided is yes, guess or no")
    if strange := set(told["by"]) - set(CHANNELS):
        raise ValueError(f"it is decided by some of {', '.join(CHANNELS)}, not by {', '.join(map(str, strange))}")
    if told["media"] and told["decided"] != "no" and not told["by"]:
        raise ValueError("say what decided it: screen, speech, sound or motion")
    if not isinstance(told.get("which", ""), str) or not 0 <= float(told.get("seconds", 0)) < 1e7:
        raise ValueError("an answer has a text, and a number of seconds")


def read_box(value: Any) -> tuple[float, float, float, float]:
    """A box from JSON: left, top, right and bottom.

    Raises:
        ValueError: it is none, or has no area.
    """
    if not isinstance(value, list | tuple) or len(value) != 4 or not all(isinstance(n, int | float) for n in value):
        raise ValueError("a box is a list of left, top, right and bottom, in pixels")
    left, top, right, bottom = (float(n) for n in value)
    if not (left < right and top < bottom):
        raise ValueError("a box has its left before its right, and its top above its bottom")
    return left, top, right, bottom
