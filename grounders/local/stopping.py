"""Stopping generation: at the end of the turn, at a stop string, or at the deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

_WIDEST = 4
"""Maximum tokens per character: one per byte."""


class StopCriterion:
    """A stopping criterion of `generate`, called after every token of a batch.

    Args:
        start: number of prompt tokens, the same for every row of a left-padded batch.
        stops: strings that end a row.
        decode: converts a row's tokens to text, including special ones.
        deadline: in `time.monotonic` seconds; ends every row.

    Attributes:
        late: whether it was ended by the deadline.
    """

    def __init__(
        self, start: int, stops: Collection[str], decode: Callable[[Sequence[int]], str], deadline: float
    ) -> None:
        self.start = start
        self.stops = tuple(stop for stop in stops if stop)
        self.decode = decode
        self.deadline = deadline
        self.late = False
        self._look = _WIDEST * max((len(stop) for stop in self.stops), default=0)

    def __call__(self, input_ids: Any, *_: Any, **__: Any) -> Any:
        """Which rows are finished: booleans of shape (rows,). `input_ids` has shape (rows, tokens so far)."""
        self.late = time.monotonic() >= self.deadline
        if self.late:
            return input_ids.new_ones(input_ids.shape[0]).bool()
        ends = input_ids.new_zeros(input_ids.shape[0]).bool()
        if self.stops:
            written = input_ids[:, max(self.start, input_ids.shape[1] - self._look) :].tolist()
            for row, tokens in enumerate(written):
                text = self.decode(tokens)
                ends[row] = any(stop in text for stop in self.stops)
        return ends


def upto_end(tokens: Sequence[int], ends: Collection[int]) -> tuple[Sequence[int], int]:
    """A row up to its end-of-turn token, and the number of generated tokens including that one.

    The rest is padding, added while other rows of the batch were still generating.
    """
    for place, token in enumerate(tokens):
        if token in ends:
            return tokens[:place], place + 1
    return tokens, len(tokens)


def upto_stop(text: str, stops: Collection[str]) -> str:
    """A reply cut before its first stop string, as servers return it."""
    places = [place for stop in stops if stop and (place := text.find(stop)) >= 0]
    return text[: min(places)] if places else text
