"""OmniACT scripts read line by line, as the two public descendants of the released evaluator read them.

The released evaluator itself could not be opened; what both descendants share is taken for its rule. Where they raise
on a prediction that they cannot read, the part is None here.
"""

from __future__ import annotations

import math
import re
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omniact.metrics.script_actions import PREFIX, UNREADABLE, Act

Descendant: TypeAlias = Literal["release", "uground"]
"""`release`: the evaluator in waynchi/gui-agent. `uground`: the one in OSU-NLP-Group/UGround."""

_QUOTE = re.compile("[\"']")


def gold_lines(task: str, descendant: Descendant) -> tuple[str, ...]:
    """The gold script's lines, lower-cased, from a task file ("Task: …", "Output Script:", the script).

    `release` keeps what begins with `pyautogui` after the first line, `uground` everything from the third line on.
    """
    lines = task.strip().split("\n")
    if descendant == "uground":
        return tuple(line.lower() for line in lines[2:])
    return tuple(line for line in map(str.lower, lines[1:]) if line.strip().startswith(PREFIX))


def predicted_lines(script: str, descendant: Descendant) -> tuple[str, ...]:
    """The lines of a prediction that start with `pyautogui`, indented or not; `release` lower-cases them."""
    text = script.strip().lower() if descendant == "release" else script
    lines = (line for line in text.split("\n") if line.strip().startswith(PREFIX))
    # An indented line is kept, and counts, but `release` finds no function in it.
    return tuple(line if descendant == "release" else line.strip() for line in lines)


def read_gold(line: str) -> Act:
    """A gold line as an Act: its text is between double quotes (or any quotes if there are none)."""
    return _read(line.strip(), line.split('"') if '"' in line else _QUOTE.split(line), None)


def read_predicted(line: str, descendant: Descendant) -> Act:
    """A predicted line as an Act: its text ends at the first quote or apostrophe, whichever character opened it.

    `uground` takes a click at (0, 0) for one that it cannot read.
    """
    return _read(line, _QUOTE.split(line), (0.0, 0.0) if descendant == "uground" else None)


def _read(line: str, quoted: list[str], nowhere: tuple[float, float] | None) -> Act:
    if not line.startswith(PREFIX + "."):
        return Act(UNREADABLE)
    name, bracket, rest = line.split(PREFIX + ".")[1].partition("(")
    inside = rest.split("(")[0]
    text = quoted[1] if len(quoted) > 1 else None
    if name == "click":
        return Act(name, point=_point(inside, lenient=nowhere is not None) or nowhere)
    if name == "press":
        return Act(name, keys=None if text is None else frozenset((text.strip(),)))
    if name == "hotkey":
        # Cut off blindly at both ends: a space before a quote makes another key of it.
        keys = frozenset(key[1:-1] for key in inside.split(")")[0].split(",") if len(key) > 2)
        return Act(name, keys=keys if bracket else None)
    return Act(name, text=text if name == "write" else None)


def _point(inside: str, lenient: bool) -> tuple[float, float] | None:
    across, *others = inside.split(",")
    if not others:
        return None
    down = others[0].split(")")[0]
    if lenient:
        down = (down.split() or [""])[0].split("'")[0]
    try:
        x, y = float(across), float(down)
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None
