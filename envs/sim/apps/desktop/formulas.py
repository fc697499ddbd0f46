"""Formulas of the spreadsheet: a small parser, and the values of all cells.

formula  = "=" sum            sum    = term (("+" | "-") term)*       term = factor (("*" | "/") factor)*
factor   = "-" factor | number | name "(" [argument ("," argument)*] ")" | reference | "(" sum ")"
argument = reference ":" reference | sum
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from omnipilot.envs.sim.state.table import FrozenTable

COLUMNS = "ABCDEFGH"
ROWS = 40
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|([A-Za-z]+\d+)|([A-Za-z]+)|([-+*/(),:]))")
NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)")
DEEPEST = 80
"""Maximum depth of references and parentheses; a deeper formula shows "#DEEP!"."""
Value = float | str
"""Displayed value of a cell: a number, a text, or an error such as "#REF!"."""


class Wrong(Exception):
    """A formula has no value; the message is shown in the cell."""


FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "SUM": lambda numbers: float(sum(numbers)),
    "AVERAGE": lambda numbers: sum(numbers) / len(numbers),
    "MIN": min,
    "MAX": max,
    "COUNT": lambda numbers: float(len(numbers)),
}


def place_of(reference: str) -> tuple[int, int]:
    """Column and row of a cell, counted from 0: "B3" is (1, 2).

    Raises:
        Wrong: there is no such cell.
    """
    column, row = COLUMNS.find(reference[:1].upper()), reference[1:]
    if column < 0 or len(reference) < 2 or not row.isdecimal() or not 1 <= int(row) <= ROWS:
        raise Wrong("#REF!")
    return column, int(row) - 1


def cell(column: int, row: int) -> str:
    """The reference of a cell, from its column and row counted from 0."""
    return f"{COLUMNS[column]}{row + 1}"


def _between(first: str, last: str) -> Iterable[str]:
    (left, top), (right, bottom) = place_of(first), place_of(last)
    for row in range(min(top, bottom), max(top, bottom) + 1):
        for column in range(min(left, right), max(left, right) + 1):
            yield cell(column, row)


class _Reader:
    """Parses one formula; `look` returns the value of another cell, `deep` levels further down."""

    def __init__(self, text: str, look: Callable[[str, int], Value], deep: int) -> None:
        self._look = look
        self._deep = deep
        self._tokens: list[str] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = TOKEN.match(text, at)
            if match is None:
                raise Wrong("#ERROR!")
            self._tokens.append(match.group(match.lastindex or 0).upper())
            at = match.end()
        self._at = 0

    def _next(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._next()
        if not token or (wanted and token != wanted):
            raise Wrong("#ERROR!")
        self._at += 1
        return token

    def value(self) -> float:
        """The value of the whole formula."""
        found = self._sum()
        if self._next():
            raise Wrong("#ERROR!")
        return found

    def _sum(self) -> float:
        found = self._term()
        while self._next() in ("+", "-"):
            found = found + self._term() if self._take() == "+" else found - self._term()
        return found

    def _term(self) -> float:
        found = self._factor()
        while self._next() in ("*", "/"):
            if self._take() == "*":
                found *= self._factor()
            else:
                by = self._factor()
                if by == 0:
                    raise Wrong("#DIV/0!")
                found /= by
        return found

    def _factor(self) -> float:
        self._deep += 1
        if self._deep > DEEPEST:
            raise Wrong("#DEEP!")
        token = self._take()
        if token == "-":
            found = -self._factor()
        elif token == "(":
            found = self._sum()
            self._take(")")
        elif token[0].isdigit() or token[0] == ".":
            found = float(token)
        elif token in FUNCTIONS:
            found = self._call(token)
        elif token[-1].isdigit():
            found = self._number(token)
        else:
            raise Wrong("#NAME?" if token.isalpha() else "#ERROR!")
        self._deep -= 1
        return found

    def _number(self, reference: str) -> float:
        place_of(reference)
        value = self._look(reference, self._deep)
        if isinstance(value, float):
            return value
        if value.startswith("#"):
            raise Wrong(value)
        if value:
            raise Wrong("#VALUE!")
        return 0.0

    def _call(self, name: str) -> float:
        self._take("(")
        numbers: list[float] = []
        while self._next() != ")":
            if self._next(1) == ":":
                first = self._take()
                self._take(":")
                for reference in _between(first, self._take()):
                    value = self._look(reference, self._deep)
                    if isinstance(value, str) and value.startswith("#"):
                        raise Wrong(value)
                    # Text among the numbers is skipped, as in every spreadsheet.
                    numbers += [value] if isinstance(value, float) else []
            else:
                numbers.append(self._sum())
            if self._next() != ")":
                self._take(",")
        self._take(")")
        if not numbers and name != "SUM" and name != "COUNT":
            raise Wrong("#DIV/0!")
        return FUNCTIONS[name](numbers)


@lru_cache(maxsize=64)
def values(cells: FrozenTable[str]) -> FrozenTable[Value]:
    """The displayed values of all non-empty cells."""
    known: dict[str, Value] = {}
    asked: list[str] = []

    def look(reference: str, deep: int) -> Value:
        text = cells.get(reference, "").strip()
        if reference in known:
            return known[reference]
        if reference in asked:
            raise Wrong("#CYCLE!")
        if not text.startswith("="):
            known[reference] = float(text) if NUMBER.fullmatch(text) else text
            return known[reference]
        asked.append(reference)
        try:
            known[reference] = _Reader(text[1:], look, deep).value()
        except Wrong as wrong:
            known[reference] = str(wrong)
        asked.pop()
        return known[reference]

    for reference in sorted(cells):
        look(reference, 0)
    return FrozenTable(known)


def format_value(value: Value) -> str:
    """A value formatted for its cell: at most two decimals."""
    return value if isinstance(value, str) else f"{round(value, 2):.2f}".rstrip("0").rstrip(".")


def sort_rows(cells: FrozenTable[str], column: int, down: bool, first: int) -> FrozenTable[str]:
    """Sort the rows from `first` (from 0) up to the first empty one by a column's values, numbers before text.

    A row with a formula, such as totals, ends the block.
    """
    last = first
    while last < ROWS:
        texts = [cells.get(cell(i, last), "") for i in range(len(COLUMNS))]
        if not any(texts) or any(text.startswith("=") for text in texts):
            break
        last += 1
    found = values(cells)

    def order(row: int) -> tuple[int, float, str]:
        value = found.get(cell(column, row), "")
        return (0, value, "") if isinstance(value, float) else (1, 0.0, value.lower())

    rows = sorted(range(first, last), key=order, reverse=down)
    kept = {key: text for key, text in cells.items() if not first <= place_of(key)[1] < last}
    for to, row in enumerate(rows, first):
        for i in range(len(COLUMNS)):
            if cells.get(cell(i, row), ""):
                kept[cell(i, to)] = cells[cell(i, row)]
    return FrozenTable(kept)
