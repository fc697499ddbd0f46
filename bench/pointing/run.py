"""A pointing run in a directory: its specification, one line per answer, and resuming."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.lock import FILE as LOCK
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.pointing_directory import ANSWERS, SPEC, read_spec
from omnipilot.bench.journal.recorder import usage_from_json
from omnipilot.bench.json_lines import mend_last_line, read_json_lines
from omnipilot.bench.pointing.call_log import CallLog
from omnipilot.bench.pointing.evaluation import PointingAnswer, Shot, Style, Target, Unasked, evaluate
from omnipilot.bench.pointing.place import place_from_json, place_to_json
from omnipilot.envs import ConfigError, Point
from omnipilot.envs.schema import parse_json
from omnipilot.grounders import Grounder
from omnipilot.memory.secrets import scrub_values

DATA = "data"
"""What of a specification changes no answer: where the data lies. Which data it is, the suite's version says."""


def point_run(
    folder: Path,
    spec: Mapping[str, Any],
    shots: Iterable[Shot],
    grounder: Grounder,
    limit: int | None,
    concurrency: int,
    styles: Collection[Style],
    on_answer: Callable[[PointingAnswer], None],
    on_unasked: Callable[[Unasked], None] | None = None,
    asking: Callable[[Shot, Target, Style], None] | None = None,
    messages: bool = True,
) -> list[PointingAnswer]:
    """Answer the remaining instructions, one line each; returns all answers in the order they were given.

    Args:
        spec: everything that can change an answer; a directory with another specification is rejected.
        on_unasked: as in `evaluate`; nothing is written for these, so the same call retries them.
        asking: as in `evaluate`.
        messages: whether what models are sent and answer is kept, or only what their calls cost.

    Raises:
        ConfigError: the directory belongs to another run or something else, or another process is writing it.
        ModelUnavailable: the grounder's model did not answer; earlier answers are kept, and the same call resumes.
        EnvLost: a screen cannot be shown, and there is no `on_unasked`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with RunLock(folder):
        _claim(folder, spec)
        answers = list(read_answers(folder / ANSWERS))
        with (folder / ANSWERS).open("a", encoding="utf-8") as file, closing(CallLog(folder, messages)) as calls:
            done = {answer.key for answer in answers}
            for answer in evaluate(
                shots, grounder, done, styles, limit, concurrency, on_unasked, asking, calls.listener
            ):
                file.write(json.dumps(scrub_values(to_json(answer)), ensure_ascii=False) + "\n")
                file.flush()
                answers.append(answer)
                on_answer(answer)
    return answers


def check_folder(folder: Path, spec: Mapping[str, Any]) -> None:
    """Check that a directory can be used for this pointing run, without writing anything.

    Raises:
        ConfigError: it belongs to another run, or to something else.
    """
    ours = parse_json(json.dumps(spec))
    if (folder / SPEC).exists():
        theirs = read_spec(folder)
        different = ", ".join(sorted(k for k in {*ours, *theirs} - {DATA} if ours.get(k) != theirs.get(k)))
        if different:
            raise ConfigError(f"{folder} contains a pointing run with another {different}; choose another --out")
    elif folder.is_dir() and (strangers := sorted(path.name for path in folder.iterdir() if path.name != LOCK)):
        raise ConfigError(f"{folder} is not empty and contains no pointing run ({strangers[0]}); choose another --out")


def _claim(folder: Path, spec: Mapping[str, Any]) -> None:
    check_folder(folder, spec)
    if (folder / SPEC).exists():
        mend_last_line(folder / ANSWERS)
    else:
        (folder / SPEC).write_text(json.dumps(scrub_values(spec), indent=1))


def read_answers(file: Path) -> Iterator[PointingAnswer]:
    """The answers in a file; none if there is no file. An incomplete last line is not an answer yet.

    Raises:
        ConfigError: another line cannot be read; the message names it.
    """
    return read_json_lines(file, from_json, "answer", "run it again with another --out")


def read_pointing_run(folder: Path) -> tuple[Mapping[str, Any], list[PointingAnswer]]:
    """The specification and the answers of a pointing run.

    Raises:
        ConfigError: the folder holds none, or an answer that cannot be read.
    """
    if not (folder / SPEC).is_file():
        raise ConfigError(f"{folder} contains no pointing run; make one: omnipilot ground … --out {folder}")
    return read_spec(folder), list(read_answers(folder / ANSWERS))


def to_json(answer: PointingAnswer) -> dict[str, Any]:
    """An answer as plain JSON values; coordinates in 0..1."""
    data = asdict(answer)
    data["box"] = place_to_json(answer.box)
    data["point"] = None if answer.point is None else [answer.point.x, answer.point.y]
    data["hit"] = answer.hit
    return data


def from_json(data: Mapping[str, Any]) -> PointingAnswer:
    """The inverse of `to_json`."""
    fields = {key: value for key, value in data.items() if key != "hit"}
    point = fields["point"]
    fields["box"] = place_from_json(fields["box"])
    fields["point"] = None if point is None else Point(*point)
    fields["usage"] = usage_from_json(fields["usage"])
    return PointingAnswer(**fields)
