"""Formulas for values that an instruction wants computed from a table ("the sum of all its amounts")."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.planners.rules.matching.notes import words

_FUNCTIONS = {
    "sum": "SUM",
    "total": "SUM",
    "average": "AVERAGE",
    "mean": "AVERAGE",
    "highest": "MAX",
    "largest": "MAX",
    "maximum": "MAX",
    "lowest": "MIN",
    "smallest": "MIN",
    "minimum": "MIN",
}
_ASKED = re.compile(rf"^(?:the\s+)?({'|'.join(_FUNCTIONS)})\b(?:\s+of)?\s*(.*)$", re.IGNORECASE)
_CELL = re.compile(r"^([A-Z]{1,2})(\d+)$")


def formula(phrase: str, cells: Mapping[str, str]) -> str | None:
    """The formula over the column that a phrase names; None if it needs none, or the column is missing.

    Args:
        cells: what the table's cells hold, by name ("B4"); empty ones hold "".
    """
    asked = _ASKED.match(phrase.strip())
    if asked is None:
        return None
    sought = words(asked[2])
    placed = sorted(
        (int(found[2]), found[1], value) for name, value in cells.items() if value and (found := _CELL.match(name))
    )
    head = next(((row, column) for row, column, value in placed if words(value) and words(value) <= sought), None)
    if head is None:
        return None
    last = head[0]
    while _is_number(cells.get(f"{head[1]}{last + 1}", "")):
        last += 1
    if last == head[0]:
        return None
    return f"={_FUNCTIONS[asked[1].casefold()]}({head[1]}{head[0] + 1}:{head[1]}{last})"


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[-−]?[€$£]?\s?\d[\d .,]*(?:\s?[€$£%])?", text.strip()))
