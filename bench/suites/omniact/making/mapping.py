"""From names to coordinates, and what is checked of every task before it is data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from omnipilot.bench.suites.omniact.making.records import WORDINGS, MadeScreen, NamedTask, check_boxes
from omnipilot.bench.suites.omniact.script import actions_of
from omnipilot.envs import ConfigError

POINTED = ("click", "rightClick", "doubleClick", "moveTo", "dragTo")
ALLOWED = (*POINTED, "scroll", "hscroll", "write", "press", "hotkey")
"""Functions that the paper's scripts call (table 1 and 2)."""
_CALL = re.compile(r"pyautogui\.(\w+)\((.*)\)")
_NAMED = re.compile(r"<([^<>\"]*)>")
SHORTEST, LONGEST = 2, 60
"""Words of an instruction."""


def map_names(task: NamedTask, screen: MadeScreen) -> tuple[str, ...]:
    """The script with the centre of each box in place of its name, in pixels.

    Raises:
        ConfigError: it names a box that the screen does not have.
    """
    named = screen.named

    def centre(found: re.Match[str]) -> str:
        if found[1] not in named:
            raise ConfigError(f"{task.id} names the box {found[1]!r}, which {screen.id} does not have")
        x, y = named[found[1]].center
        return f"{x:g},{y:g}"

    return tuple(_NAMED.sub(centre, line) for line in task.script)


def problems(task: NamedTask, screen: MadeScreen) -> list[str]:
    """What is wrong with a task, in words; empty if nothing is."""
    found: list[str] = []
    try:
        check_boxes(screen.boxes, screen.pixels)
        lines = map_names(task, screen)
    except ConfigError as error:
        return [str(error)]
    found += _form(task)
    for written, line in zip(task.script, lines, strict=True):
        found += _line(written, line, screen)
    if not found and actions_of("\n".join(lines), screen.pixels) is None:
        found.append(f"its script cannot be read: {' / '.join(lines)}")
    return found


def doubles(tasks: Sequence[NamedTask]) -> dict[str, str]:
    """Why tasks say or do again what an earlier one on the same screen does, by id."""
    said: dict[tuple[str, str], str] = {}
    found: dict[str, str] = {}
    for task in tasks:
        for key in ("\n".join(task.script), *(words.casefold() for words in task.wordings)):
            first = said.setdefault((task.screen, key), task.id)
            if first != task.id:
                found.setdefault(task.id, f"it repeats {first}")
    return found


def _form(task: NamedTask) -> Iterator[str]:
    if len(task.wordings) != WORDINGS or len(set(map(str.casefold, task.wordings))) != WORDINGS:
        yield f"it needs {WORDINGS} different wordings"
    for words in task.wordings:
        if not SHORTEST <= len(words.split()) <= LONGEST:
            yield f"a wording has {len(words.split())} words: {words!r}"
        if "<" in words or "pyautogui" in words:
            yield f"a wording tells the script: {words!r}"
    if not task.script:
        yield "its script is empty"


def _line(written: str, line: str, screen: MadeScreen) -> Iterator[str]:
    call = _CALL.fullmatch(line)
    if call is None:
        yield f"this is no call of pyautogui: {written!r}"
        return
    name, told = call.groups()
    if name not in ALLOWED:
        yield f"the function {name} is none of {', '.join(ALLOWED)}"
    elif name in POINTED:
        numbers = re.fullmatch(r"(-?[\d.]+),(-?[\d.]+)", told)
        names = _NAMED.findall(written)
        if numbers is None or len(names) != 1:
            yield f"{name} takes the name of one box: {written!r}"
            return
        left, top, right, bottom = screen.named[names[0]].corners
        x, y = float(numbers[1]), float(numbers[2])
        if not (left <= x <= right and top <= y <= bottom):
            yield f"{x:g},{y:g} is outside the box {names[0]}"
    elif _NAMED.search(written):
        yield f"{name} takes no box: {written!r}"
