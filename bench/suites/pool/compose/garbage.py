"""Keeps Python's collector of garbage from going through all that composing and playing thousands of graphs holds.

Rehearsals leave cycles, as each world and its devices know one another; looking for them as often as Python does by
default takes a third of the time of playing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

COLLECT_EVERY = 400
"""Orders that are played before what they left in memory is collected: some hundred megabytes."""
_PLAYED = count(1)


def collect_seldom() -> None:
    """Collect only when `note_played` says so from now on, and never what is there; for a process of its own."""
    gc.freeze()
    gc.disable()


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """`collect_seldom` for as long as the block lasts."""
    if not gc.isenabled():
        yield
        return
    collect_seldom()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def note_played() -> None:
    """An order was played: collect, if it is time to and Python does not do it by itself."""
    if next(_PLAYED) % COLLECT_EVERY == 0 and not gc.isenabled():
        gc.collect()
