"""Which worlds' states can be sent to judges elsewhere.

A state of plain values (numbers, texts, tuples, dictionaries, …) can be sent. So can one made of classes, if its world
declares what writes and reads them: a function in the table `states` of a plug-in, that makes a `RecordCodec` of its
states and snapshots. A state that holds any other object cannot: its judges have to run beside it.
"""

from __future__ import annotations

from typing import Any

from omnipilot.envs.installed_plugins import Declared, installed_plugins, load_declared
from omnipilot.envs.schema.records import RecordCodec
from omnipilot.envs.types.errors import ConfigError

PLAIN = "plain"
"""The form of states of plain values."""


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
    codec: RecordCodec = load_declared("form of states", _declared()[form])()
    return codec


def form_of(state: Any) -> str:
    """The form in which a state can be sent; "" if it cannot."""
    return next((form for form in state_forms() if _is_kept(state, form)), "")


def _is_kept(state: Any, form: str) -> bool:
    """Whether the state is the same after it was written and read back."""
    try:
        codec = codec_of(form)
        return bool(codec.read(codec.write(state)) == state)
    except (TypeError, ValueError, ImportError, ConfigError):
        return False


def _declared() -> dict[str, Declared]:
    """The forms that plug-ins declare; a name of ours is ours."""
    known: dict[str, Declared] = {}
    for one in installed_plugins().declared("states"):
        known.setdefault(one.name, one)
    return known
