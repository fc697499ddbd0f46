"""Table cells, named by row and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from omnipilot.envs import Element
from omnipilot.envs.types import fold
from omnipilot.planners.rules.words import quoted_texts

_CELLS = frozenset({"cell", "gridcell"})
_NAME = re.compile(r"^([A-Z]{1,2})(\d{1,3})$")
_NAMED = re.compile(r"^(?:the\s+)?(?:cell\s+)?([A-Z]{1,2}\d{1,3})$")
_CROSSING = re.compile(r"\b(?:row|line|of|column|for)\b")


def cells_of(elements: Iterable[Element]) -> dict[str, str]:
    """Contents of the visible cells, by cell name."""
    return {e.name: e.value for e in elements if e.role in _CELLS and _NAME.match(e.name)}


def cell_named(phrase: str, cells: Mapping[str, str]) -> str | None:
    """The name of the cell that a phrase refers to: given directly, or by named column and row.

    Args:
        cells: what is known of the table, in view or not.
    """
    if named := _NAMED.match(phrase.strip()):
        return named[1]
    names = quoted_texts(phrase)
    if len(names) != 2 or not _CROSSING.search(phrase):
        return None
    column, row = (_holding(name, cells) for name in names)
    return f"{column[0]}{row[1]}" if column and row else None


def is_cell(phrase: str) -> bool:
    """Whether a phrase may refer to a cell: by its name, or by row and column."""
    return bool(_NAMED.match(phrase.strip())) or (len(quoted_texts(phrase)) == 2 and bool(_CROSSING.search(phrase)))


def cell_for(phrase: str, elements: Iterable[Element], cells: Mapping[str, str]) -> Element | None:
    """The visible cell that a phrase refers to."""
    name = cell_named(phrase, cells)
    return next((e for e in elements if e.role in _CELLS and e.name == name), None) if name else None


def _holding(text: str, cells: Mapping[str, str]) -> tuple[str, str] | None:
    found = next((name for name, value in cells.items() if fold(text) == fold(value)), None)
    split = _NAME.match(found) if found else None
    return (split[1], split[2]) if split else None
