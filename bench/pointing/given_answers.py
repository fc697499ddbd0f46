"""Predictions for a benchmark's targets, from a run of `omnipilot ground` or a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.pointing_directory import ANSWERS, SPEC, read_spec
from omnipilot.bench.pointing.evaluation import STYLES, PointingAnswer, Style
from omnipilot.bench.pointing.place import ABSENT
from omnipilot.bench.pointing.run import DATA, read_answers
from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Given:
    """The prediction for one target; with nothing set, an unreadable reply.

    Attributes:
        numbers: x and y, or left, top, right, bottom, in 0..1 of the sides unless the benchmark's file has pixels.
        absent: it denies that the target exists. unsure: it abstained without denying the target.
        reply: the model's words, for benchmarks with their own parser.
    """

    numbers: tuple[float, ...] | None = None
    absent: bool = False
    unsure: bool = False
    reply: str | None = None


def given_by(answers: Iterable[PointingAnswer]) -> dict[str, Given]:
    """The answers of a run, by target."""
    return {answer.target: _given(answer) for answer in answers}


def _given(answer: PointingAnswer) -> Given:
    if answer.point is not None:
        return Given((answer.point.x, answer.point.y))
    return Given(absent=answer.reason in ABSENT, unsure=answer.reason == "ambiguous")


@dataclass(frozen=True, slots=True)
class PointedRun:
    """A directory of `omnipilot ground`: its settings, the version of its data, and the answers.

    Attributes:
        options: of the suite, without `data`, the location of its data at that time.
    """

    options: Mapping[str, Any]
    data: str
    version: str
    limit: int | None
    styles: tuple[Style, ...]
    answers: tuple[PointingAnswer, ...]


def read_pointed(folder: Path, suite: str) -> PointedRun:
    """The run in a directory.

    Raises:
        ConfigError: it contains no pointing run, or a run of another suite.
    """
    file = folder / SPEC
    if not file.is_file():
        raise ConfigError(
            f"{folder} contains no {SPEC}: it was not written by `omnipilot ground --suite {suite} --out DIR`"
        )
    spec = read_spec(folder)
    try:
        options = dict(spec["suite"])
        name, version = options.pop("name"), str(options.pop("version"))
        limit, styles = spec["limit"], tuple(style for style in STYLES if style in spec["styles"])
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{file} cannot be read ({error!r}); run it again with another --out") from None
    if name != suite:
        raise ConfigError(f"{folder} is a run of {name}, not of {suite}; score it with `omnipilot score {name}`")
    data = str(options.pop(DATA, "") or spec.get(DATA, ""))
    return PointedRun(options, data, version, limit, styles, tuple(read_answers(folder / ANSWERS)))
