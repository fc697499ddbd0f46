"""What stopped a run, in words: which part of somebody's own failed, in which line, and the traceback from there on."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from omnipilot.agents.assembly.part_names import split_object
from omnipilot.bench.run.code import foreign_parts_of
from omnipilot.bench.spec import RunSpec
from omnipilot.envs.types.foreign_exits import ends_the_program, exit_words
from omnipilot.planners.base import WrongDecision


def failure_words(error: BaseException, spec: RunSpec | None) -> tuple[str, str]:
    """An exception that ended an episode, in a line, and its traceback.

    Args:
        spec: of the run; None where it is not known yet.

    Returns:
        Such as "planner mine:Mine failed in mine.py, line 9: KeyError: 'x'". The traceback begins in the part that
        failed; "" where the line says all.
    """
    if ends_the_program(error):
        return exit_words(error), _format(error, error.__traceback__)
    if isinstance(error, WrongDecision):
        return str(error), ""
    places = list(_places(error.__traceback__))
    parts = [] if spec is None else list(_owners(spec))
    for last in reversed(places):
        found = [one for one in parts if one.owns(last)]
        if found:
            # Several parts may be in one file.
            part = next((one for one in found if any(one.runs(place) for place in places)), found[0])
            first = next(place for place in places if part.owns(place))
            what = traceback.format_exception_only(error)[-1].strip()
            return f"{part.name} failed in {_file(last)}, line {last.tb_lineno}: {what}", _format(error, first)
    return str(error), _format(error, error.__traceback__)


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


def _format(error: BaseException, first: TracebackType | None) -> str:
    return "".join(traceback.format_exception(type(error), error, first))
