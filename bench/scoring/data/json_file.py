"""Reads JSON that others wrote (data, predictions): any defect is a `ValueError` with a one-line message.

Python's own parser keeps the last of two values under one name without a word, and passes on half characters that
nothing can print.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


class Doubled(dict[str, Any]):
    """An object in which a name appears more than once.

    Attributes:
        pairs: all that it holds, in order; as a dictionary it has the last of each name.
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
    """The value of a JSON text; an object with a repeated name is a `Doubled`.

    Half a character (a lone surrogate, as where a reply was cut within an emoji) becomes U+FFFD.

    Raises:
        ValueError: it is no JSON, is nested too deep to be read, or has a number of thousands of digits.
    """
    if _HALF.search(text):
        text = _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], text)
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise ValueError("it contains a number with thousands of digits") from None


def read_json(path: Path) -> Any:
    """The value of a JSON file; see `parse`. A byte order mark is skipped.

    Raises:
        ValueError: as `parse`, or the file cannot be read.
    """
    try:
        return parse(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(str(error)) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(pairs)
