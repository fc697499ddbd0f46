"""How recalled parts are shown to a model: each in its place, with when and where it was and why it is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from omnipilot.memory import Recalled
from omnipilot.memory.messages import Part

OWN_WORDS = frozenset({"thought", "action", "outcome"})
"""Sources of recalled parts that a model's own record of its turns contains anyway."""


def memory_parts(recalled: Iterable[Recalled], now: int) -> tuple[Part, ...]:
    """Recalled parts of turns before `now`, in their order, each after a line that says when and where it was and why
    it is shown; empty if there are none."""
    items = [item for item in recalled if item.turn != now]
    if not items:
        return ()
    times = [item.time for item in items]
    found: list[Part] = ["From your memory, oldest first:" if times == sorted(times) else "From your memory:"]
    for item in items:
        found += labelled(item, f"{_when(item)}, ")
    return join_words(found)


def join_words(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts, with adjacent texts merged."""
    out: list[Part] = []
    for words, group in groupby(parts, key=lambda part: isinstance(part, str)):
        pieces = list(group)
        out += ["\n".join(map(str, pieces))] if words else pieces
    return tuple(out)


def labelled(item: Recalled, when: str) -> tuple[Part, ...]:
    """A part after its label; a text on the same line."""
    why = f" ({item.why})" if item.why else ""
    label = f"- {when}{f'{item.env}, ' if item.env else ''}{item.source}{why}:"
    return (f"{label} {item.part}",) if isinstance(item.part, str) else (label, item.part)


def chosen(recalled: Iterable[Recalled], now: int, turns: Collection[int] = ()) -> tuple[Recalled, ...]:
    """The parts that a memory chose from before this turn, for a model that keeps a record of its turns itself.

    A part without a reason is one of the last turns, which such a record holds as the model's authors laid it out.

    Args:
        turns: in the record: the agent's own words of these are left out.
    """
    return tuple(
        item
        for item in recalled
        if item.why and item.turn != now and not (item.source in OWN_WORDS and item.turn in turns)
    )


def unseen(recalled: Sequence[Recalled], shown: Collection[object]) -> tuple[Recalled, ...]:
    """The parts without pictures that the model is shown anyway."""
    return tuple(item for item in recalled if isinstance(item.part, str) or item.part not in shown)


def _when(item: Recalled) -> str:
    when = "before the task began" if item.turn < 0 else f"turn {item.turn + 1}"
    return f"{when}, at {item.time:.1f} s" if item.why or item.turn < 0 else when
