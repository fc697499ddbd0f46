"""The records that a state of the embedded world is made of, for sending it elsewhere."""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import cache
from types import ModuleType

from omnipilot.envs.schema.records import RecordCodec
from omnipilot.envs.sim.apps.phone import calls, music_player, timer
from omnipilot.envs.sim.audio import sound
from omnipilot.envs.sim.shell import arrivals
from omnipilot.envs.sim.state import account, desktop_data, display, events, phone_data, world_state
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.world import Snapshot
from omnipilot.envs.types.geometry import Size

STATES = (world_state, account, phone_data, desktop_data, display)
"""Modules whose records are the state itself."""
EFFECTS = (events, arrivals, calls, music_player, timer)
"""Modules with the effects of pending events."""


@cache
def state_codec() -> RecordCodec:
    """Writes and reads `WorldState` and `Snapshot`. A pending event with an effect defined elsewhere, such as a task's
    own, cannot be written: `TypeError` names it."""
    records = [record for module in (*STATES, *EFFECTS) for record in _records_of(module)]
    return RecordCodec([*records, sound.Sound, Size, Snapshot], [FrozenTable])


def _records_of(module: ModuleType) -> list[type]:
    return [
        made
        for made in vars(module).values()
        if isinstance(made, type) and is_dataclass(made) and made.__module__ == module.__name__
    ]
