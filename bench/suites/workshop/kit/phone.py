"""What is on the phone at the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.sim.state.account import NOTES, Document
from omnipilot.envs.sim.state.world_state import WorldState


def with_note(title: str, text: str) -> Callable[[WorldState], WorldState]:
    """The phone with one more note, which replaces those of its title."""

    def change(state: WorldState) -> WorldState:
        kept = tuple(note for note in state.account.documents if not (note.folder == NOTES and note.name == title))
        note = Document("workshop-note", NOTES, title, text)
        return state.own(replace(state.account, documents=(*kept, note)))

    return change
