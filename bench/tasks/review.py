"""What people found when they looked at tasks: each is a draft, accepted, or taken out with a reason.

A file of reviews holds one JSON object a line, with the fields of `Review`. The last line on a task counts, so that
the file is its own history. A task that nobody looked at is a draft. One that was taken out is not run, and so it is
in no denominator; a run, its report and `omnipilot list tasks` name it with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.bench.json_lines import append_json_lines, read_json_lines
from omnipilot.envs import ConfigError

ReviewState: TypeAlias = Literal["draft", "accepted", "taken out"]
DRAFT: ReviewState = "draft"
ACCEPTED: ReviewState = "accepted"
TAKEN_OUT: ReviewState = "taken out"
TAG = "review"
"""The tag of a task that says its state; of a suite that has reviews."""
REVIEWS = "reviews"
"""The option of every suite that names a file of reviews, and the name of the file in a pool."""


@dataclass(frozen=True, slots=True)
class Review:
    """What was found about one task.

    Attributes:
        by: who looked at it. why: the reason; needed for one that is taken out. date: such as "2026-03-31".

    Raises:
        ConfigError: an unknown state, nobody's name, or a task taken out without a reason.
    """

    task: str
    state: ReviewState
    by: str
    why: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if self.state not in get_args(ReviewState):
            raise ConfigError(f"the review of {self.task}: a state is one of {', '.join(get_args(ReviewState))}")
        if not self.by.strip():
            raise ConfigError(f"the review of {self.task} names nobody; say in `by` who looked at it")
        if self.state == TAKEN_OUT and not self.why.strip():
            raise ConfigError(f"{self.task} is taken out without a reason; say it in `why`")

    def words(self) -> str:
        """Such as "taken out by kim: two answers are right"."""
        return f"{self.state} by {self.by}" + (f": {self.why}" if self.why else "")


def read_reviews(path: Path) -> dict[str, Review]:
    """The last review of each task of a file.

    Raises:
        ConfigError: there is no such file, or a line is no review; the message says which, and what is wrong.
    """
    if not path.exists():
        raise ConfigError(f"the file of reviews {path} cannot be read: there is none")
    return {review.task: review for review in read_json_lines(path, _review, "review", whole=True)}


def _review(values: Any) -> Review:
    if not isinstance(values, dict):
        raise TypeError("it must be an object, such as " + json.dumps(asdict(Review("task-1", "accepted", "kim"))))
    names = [field.name for field in fields(Review)]
    if strangers := [name for name in values if name not in names]:
        raise TypeError(f"unknown field {strangers[0]!r}; it has {', '.join(names)}")
    if missing := [name for name in ("task", "state", "by") if name not in values]:
        raise TypeError(f"the field {missing[0]!r} is missing")
    if wrong := [name for name, value in values.items() if not isinstance(value, str)]:
        raise TypeError(f"{wrong[0]!r} must be a text")
    return Review(**values)


def add_review(path: Path, review: Review) -> None:
    """Add a review at the end of a file, with today's date if it has none."""
    dated = review if review.date else replace(review, date=date.today().isoformat())
    append_json_lines(path, [asdict(dated)])


def state_of(reviews: Mapping[str, Review], task: str) -> ReviewState:
    """The state of a task: that of its last review; a draft where nobody looked at it."""
    return reviews[task].state if task in reviews else DRAFT
