"""What stopped a run, in words: which part of somebody's own failed, in which line; and its traceback, in a file."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from omnipilot.agents.assembly.part_names import split_object
from omnipilot.bench.journal.run_directory import FAILURE
from omnipilot.bench.run.code import foreign_parts_of
from omnipilot.bench.spec import RunSpec
from omnipilot.envs.types.foreign_exits import ends_the_program, exit_words
from omnipilot.memory.secrets.scrub import scrub_error
from omnipilot.planners.base import WrongDecision


@dataclass(frozen=True, slots=True)
class RunFailure:
    """An exception that ended an episode.

    Attributes:
        words: a line, such as "planner mine:Mine failed in mine.py, line 9: KeyError: 'x'".
        trace: the whole traceback; "" where the line says all.
        named: whether the line names the part that failed, and where; otherwise only the traceback does.
    """

    words: str
    trace: str = ""
    named: bool = False


def failure_of(error: BaseException, spec: RunSpec | None) -> RunFailure:
    """What is told of an exception that ended an episode.

    Args:
        spec: of the run; None where it is not known yet.
    """
    trace = "".join(traceback.format_exception(error))
    if ends_the_program(error):
        return RunFailure(exit_words(error), trace)
    if isinstance(error, WrongDecision):
        return RunFailure(str(error))
    places = list(_places(error.__traceback__))
    parts = [] if spec is None else list(_owners(spec))
    for last in reversed(places):
        found = [one for one in parts if one.owns(last)]
        if found:
            # Several parts may be in one file.
            part = next((one for one in found if any(one.runs(place) for place in places)), found[0])
            what = " ".join("".join(traceback.format_exception_only(error)).split())
            return RunFailure(f"{part.name} failed in {_file(last)}, line {last.tb_lineno}: {what}", trace, True)
    return RunFailure(str(error), trace)


def stop_words(playing: str, failure: RunFailure, folder: Path) -> str:
    """The message of a run that a bug stopped, in a line if the line says where; the traceback goes into `FAILURE`.

    Args:
        playing: the episode. folder: of the run.
    """
    told = f"{playing}: {failure.words}"
    if not failure.trace:
        return told
    (folder / FAILURE).write_text(scrub_error(f"{told}\n\n{failure.trace}"), encoding="utf-8")
    if failure.named:
        return f"{told} (the whole traceback: {folder / FAILURE})"
    return f"{told}\n\n{failure.trace}"


class _Owner:
    """A part of somebody's own, and whether code is of it.

    Args:
        name: such as "planner mine:Mine". target: its "module:attribute", or a file.
    """

    def __init__(self, name: str, target: str) -> None:
        self.name = name
        self._target = target
        module, self._attribute = split_object(target)
        self._package = module.partition(".")[0]

    def owns(self, place: TracebackType) -> bool:
        """Whether a place is in its module, package or file."""
        module = str(place.tb_frame.f_globals.get("__name__", ""))
        return module.partition(".")[0] == self._package or place.tb_frame.f_code.co_filename == self._target

    def runs(self, place: TracebackType) -> bool:
        """Whether a place is in the class or function that it is."""
        return self.owns(place) and f"{place.tb_frame.f_code.co_qualname}.".startswith(f"{self._attribute}.")


def _owners(spec: RunSpec) -> Iterator[_Owner]:
    for name, target in foreign_parts_of(spec):
        yield _Owner(name, target)
    file = spec.suite.options.get("file")
    if spec.suite.name == "file" and file:
        yield _Owner(f"suite {file}", str(Path(str(file)).expanduser()))


def _places(began: TracebackType | None) -> Iterator[TracebackType]:
    while began is not None:
        yield began
        began = began.tb_next


def _file(place: TracebackType) -> str:
    """The file of a place, from the working directory if it lies there."""
    path = Path(place.tb_frame.f_code.co_filename)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
