"""Comma-separated values that others wrote; the format sets no limit to the length of a cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator


def read_rows(text: str) -> Iterator[list[str]]:
    """The rows of a table, cell by cell.

    Raises:
        csv.Error: the text is not valid.
    """
    _allow(text)
    return csv.reader(io.StringIO(text, newline=""))


def read_records(text: str) -> list[dict[str, str]]:
    """The rows below a header, each cell under its heading.

    Raises:
        csv.Error: the text is not valid, or its header is separated by semicolons or tabs.
    """
    _allow(text)
    head = text.split("\n", 1)[0].strip()
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if "," not in head and separator in head:
            raise csv.Error(f"its cells are separated by {name}; save it with commas, or as JSON lines (.jsonl)")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _allow(text: str) -> None:
    """Let cells be as long as the text. Python's limit, of 131,072 letters, is one for the whole process."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
