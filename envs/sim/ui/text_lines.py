"""Lines of editable text: where each starts in the text, and which character is at a pixel."""

from __future__ import annotations

from functools import lru_cache

from omnipilot.envs.sim.render.text import Weight, measure

Line = tuple[int, str]
"""Index of its first character in the text, and its characters without the line break."""


@lru_cache(maxsize=4096)
def _wrap_paragraph(text: str, size: int, weight: Weight, width: int) -> tuple[Line, ...]:
    lines: list[Line] = []
    start = 0
    while True:
        rest = text[start:]
        if measure(rest, size, weight) <= width or not rest:
            return (*lines, (start, rest))
        low, high = 1, len(rest)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if measure(rest[:middle], size, weight) <= width else (low, middle - 1)
        blank = rest.rfind(" ", 0, low + 1)
        cut = blank + 1 if blank > 0 else low
        lines.append((start, rest[:cut]))
        start += cut


@lru_cache(maxsize=512)
def lines_of(text: str, size: int, weight: Weight, width: int) -> tuple[Line, ...]:
    """Wrap a text to `width` pixels; no character is lost except line breaks."""
    lines: list[Line] = []
    start = 0
    for paragraph in text.split("\n"):
        lines += [(start + at, line) for at, line in _wrap_paragraph(paragraph, size, weight, width)]
        start += len(paragraph) + 1
    return tuple(lines)


def row_of(lines: tuple[Line, ...], caret: int) -> int:
    """Index of the line with the caret."""
    return max(row for row, (start, _) in enumerate(lines) if start <= caret)


def column_at(line: str, x: int, size: int, weight: Weight = "regular") -> int:
    """The position between two characters of a line nearest to `x` pixels from its left."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if measure(line[: middle + 1], size, weight) <= x:
            low = middle + 1
        else:
            high = middle
    if low < len(line):
        left, right = measure(line[:low], size, weight), measure(line[: low + 1], size, weight)
        return low + (x - left > right - x)
    return low
