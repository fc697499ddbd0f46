"""Which worlds' states can be sent to judges elsewhere.

A state of plain values (numbers, texts, tuples, dictionaries, …) can be sent, and so can that of the embedded world.
A state that holds any other object cannot: its judges have to run beside it.
"""

from __future__ import annotations

from typing import Any

from omnipilot.envs.schema.records import RecordCodec

PLAIN = "plain"
SIM = "sim"


def codec_of(form: str) -> RecordCodec:
    """What reads and writes states of a form: `plain` or `sim`.

    Raises:
        KeyError: no such form.
    """
    if form == SIM:
        # Loaded where such a world is served or judged, and nowhere else.
        from omnipilot.envs.sim.records import state_codec

        return state_codec()
    if form == PLAIN:
        return RecordCodec()
    raise KeyError(form)


def form_of(state: Any) -> str:
    """The form in which a state can be sent; "" if it cannot."""
    form = SIM if type(state).__module__.startswith("omnipilot.envs.sim.") else PLAIN
    try:
        return form if codec_of(form).read(codec_of(form).write(state)) == state else ""
    except (TypeError, ValueError):
        return ""
