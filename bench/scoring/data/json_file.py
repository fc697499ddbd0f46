"""Reads third-party JSON (data, predictions): any defect is a `ValueError` with a one-line message.

Python's own parser silently keeps the last value of a repeated name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text


class Doubled(dict[str, Any]):
    """An object in which a name appears more than once.

    Attributes:
        pairs: all its entries, in order; as a dictionary it has the last of each name.
    """

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    @property
    def twice(self) -> str:
        """The first repeated name."""
        seen: set[str] = set()
        return next(name for name, _ in self.pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def parse(text: str) -> Any:
    """Parse a JSON text; an object with a repeated name becomes a `Doubled`.

    Raises:
        ValueError: the text is not JSON, is nested too deeply, or has a number with thousands of digits.
    """
    return parse_json(text, pairs=_object)


def read_json(path: Path) -> Any:
    """Parse a JSON file; see `parse`. A byte order mark is skipped.

    Raises:
        ValueError: as `parse`, or the file cannot be read.
    """
    try:
        return parse(read_text(path))
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(pairs)
