"""Cells of a table that are named by their row and column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from omnipilot.envs.describe import fold
from omnipilot.envs.observation import Element
from omnipilot.planners.rules_words import quoted

_CELLS = frozenset({"cell", "gridcell"})
_NAMED = re.compile(r"^(?:the\s+)?(?:cell\s+)?([A-Z]{1,2}\d{1,3})$")
_CROSSING = re.compile(r"\b(?:row|line|of|column|for)\b")


def cell_for(phrase: str, elements: Sequence[Element]) -> Element | None:
    """The cell that a phrase means: by its name, or where the named column crosses the named row."""
    cells = [element for element in elements if element.role in _CELLS]
    if named := _NAMED.match(phrase.strip()):
        return next((cell for cell in cells if cell.name == named[1]), None)
    names = quoted(phrase)
    if len(names) != 2 or not _CROSSING.search(phrase):
        return None
    column, row = (_holding(name, cells) for name in names)
    if column is None or row is None:
        return None
    crossing = [cell for cell in cells if cell.box.left <= column.box.center.x < cell.box.right]
    return next((cell for cell in crossing if cell.box.top <= row.box.center.y < cell.box.bottom), None)


def _holding(text: str, cells: Sequence[Element]) -> Element | None:
    return next((cell for cell in cells if fold(text) in (fold(cell.value), fold(cell.name))), None)
