"""Samples of a pool's records, drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def draw_sample(records: Sequence[T], sample: int, seed: int) -> list[T]:
    """So many records, the same whenever it is asked, in the order of the pool; all where `sample` is 0."""
    if not sample or sample >= len(records):
        return list(records)
    chosen = set(Random(seed).sample(range(len(records)), sample))
    return [record for number, record in enumerate(records) if number in chosen]
