"""What is typed over a stored text that may change meanwhile, on another device or in another app.

Beside the draft an app remembers the text that the draft was begun on, its base, under the field's id and "/base".
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
        text: what the field shows: what was typed, or what is stored where nothing of it is unsaved.
        unsaved: something was typed that is not stored.
        stale: what the field holds was not typed and is no longer what is stored.
        overtaken: what is stored has become another text since the typing began.
    """

    text: str
    unsaved: bool = False
    stale: bool = False
    overtaken: bool = False


def draft_of(state: WorldState, device: DeviceName, id: str, stored: str) -> Draft:
    """The draft in the text field `id`, over what is stored now."""
    field, base = state.device(device).fields.get(id), state.device(device).values.get(_base(id))
    if field is None or field.text == stored:
        return Draft(stored)
    if base is None or field.text == base:
        return Draft(stored, stale=True)
    return Draft(field.text, unsaved=True, overtaken=base != stored)


def begins(device: DeviceName, id: str, stored: str, draft: Draft) -> Changed:
    """What follows an edit of the field that showed `draft`: its base is what is stored, unless it has one already."""

    def changed(state: WorldState, _: str) -> WorldState:
        return state if draft.unsaved else remember(device, _base(id), stored)(state)

    return changed


def settle_draft(state: WorldState, device: DeviceName, id: str) -> WorldState:
    """The state in which the field's text is stored: it has no base any more. Its caret stays."""
    return state.on(device, values=state.device(device).values.without(_base(id)))


def _base(id: str) -> str:
    return f"{id}/base"
