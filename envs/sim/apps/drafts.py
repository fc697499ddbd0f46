"""Drafts of a stored text that may change in the meantime, on another device or in another app.

Besides the draft, an app stores the text it was started from, its base, under the field's id and "/base".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.ui.navigation import remember

Changed: TypeAlias = Callable[[WorldState, str], WorldState]


@dataclass(frozen=True, slots=True)
class Draft:
    """A text field's draft of a stored text.

    Attributes:
        text: content of the field: the typed text, or the stored one if nothing is unsaved.
        unsaved: whether there are unsaved edits.
        stale: whether the field's content was not typed and differs from the stored text.
        overtaken: whether the stored text has changed since typing started.
    """

    text: str
    unsaved: bool = False
    stale: bool = False
    overtaken: bool = False


def draft_of(state: WorldState, device: DeviceName, id: str, stored: str) -> Draft:
    """The draft in the text field `id` of the stored text."""
    field, base = state.device(device).fields.get(id), state.device(device).values.get(_base(id))
    if field is None or field.text == stored:
        return Draft(stored)
    if base is None or field.text == base:
        return Draft(stored, stale=True)
    return Draft(field.text, unsaved=True, overtaken=base != stored)


def begins(device: DeviceName, id: str, stored: str, draft: Draft) -> Changed:
    """Action after an edit of the field with `draft`: set the base to the stored text, unless it has one."""

    def changed(state: WorldState, _: str) -> WorldState:
        return state if draft.unsaved else remember(device, _base(id), stored)(state)

    return changed


def settle_draft(state: WorldState, device: DeviceName, id: str) -> WorldState:
    """The state after the field's text was stored: it has no base any more, and its caret stays."""
    return state.on(device, values=state.device(device).values.without(_base(id)))


def _base(id: str) -> str:
    return f"{id}/base"
