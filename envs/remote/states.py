"""Which worlds' states can be sent to judges elsewhere.

A state of plain values (numbers, texts, tuples, dictionaries, …) can be sent. So can one made of classes, if its world
declares what writes and reads them: a function in the entry points `omnipilot.states` that makes a `RecordCodec` of
its states and snapshots. A state that holds any other object cannot: its judges have to run beside it.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from omnipilot.envs.schema.records import RecordCodec

PLAIN = "plain"
"""The form of states of plain values."""
GROUP = "omnipilot.states"
"""The entry points with codecs of other forms."""


def state_forms() -> list[str]:
    """The forms that can be read here: `plain`, and those of installed worlds."""
    return [PLAIN, *_declared()]


def codec_of(form: str) -> RecordCodec:
    """What reads and writes states of a form, one of `state_forms`. Its world is loaded only now.

    Raises:
        KeyError: no such form.
    """
    if form == PLAIN:
        return RecordCodec()
    codec: RecordCodec = _declared()[form].load()()
    return codec


def form_of(state: Any) -> str:
    """The form in which a state can be sent; "" if it cannot."""
    return next((form for form in state_forms() if _is_kept(state, form)), "")


def _is_kept(state: Any, form: str) -> bool:
    """Whether the state is the same after it was written and read back."""
    try:
        codec = codec_of(form)
        return bool(codec.read(codec.write(state)) == state)
    except (TypeError, ValueError, ImportError):
        return False


@cache
def _declared() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
