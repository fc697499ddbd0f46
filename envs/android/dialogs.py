"""Dialogs of the system that come up over an application: told from the tree, and answered as configured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from omnipilot.envs.android.foreground import Foreground
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.observation import Element, Elements

DialogKind: TypeAlias = Literal["permission", "not_responding", "stopped", "update", "battery"]

LEFT_ALONE: tuple[str, ...] = ()
ANSWERS: Mapping[DialogKind, tuple[str, ...]] = {
    "permission": LEFT_ALONE,
    "not_responding": ("Wait",),
    "stopped": ("Close app", "Close", "OK"),
    "update": ("Later", "Not now", "Remind me later", "No thanks", "Cancel"),
    "battery": ("Got it", "OK", "Close", "Dismiss"),
}
"""What is pressed by default, the first that the dialog has. A permission is the agent's to decide: nothing."""

_PERMISSIONS = re.compile(r"permissioncontroller|packageinstaller", re.IGNORECASE)
_UPDATES = re.compile(r"systemupdate|\bupdater?\b|\.ota\b|wssyncmldm|soagent", re.IGNORECASE)
_SYSTEM = ("android", "com.android.systemui", "com.google.android.gms", "com.android.settings")
_SAYS: dict[DialogKind, re.Pattern[str]] = {
    "not_responding": re.compile(r"isn.t responding|is not responding|reagiert nicht", re.IGNORECASE),
    "stopped": re.compile(r"keeps? stopping|has stopped|unfortunately, .* stopped", re.IGNORECASE),
    "update": re.compile(r"(?:system|software|security) update|update available|ready to install", re.IGNORECASE),
    "battery": re.compile(r"battery (?:is )?low|low battery|battery saver", re.IGNORECASE),
    "permission": re.compile(r"\b(?:allow|permission)\b", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class SystemDialog:
    """A dialog of the system.

    Attributes:
        text: what it says. buttons: its buttons, in order.
    """

    kind: DialogKind
    text: str
    buttons: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class AnsweredDialog:
    """A dialog that was in the way: what it said, and what was pressed ("" if it was left alone)."""

    kind: DialogKind
    text: str
    pressed: str

    def __str__(self) -> str:
        done = f"{self.pressed!r} was pressed for you" if self.pressed else "it is yours to answer"
        return f"a dialog of the system came up: {self.text!r}; {done}"


def answers(own: Mapping[str, Sequence[str]]) -> dict[DialogKind, tuple[str, ...]]:
    """What is pressed by kind of dialog, with one's own answers in place of the default ones.

    Raises:
        ConfigError: there is no such kind.
    """
    if unknown := sorted(set(own) - set(get_args(DialogKind))):
        raise ConfigError(f"no dialogs of the kind {', '.join(unknown)}; there are {', '.join(get_args(DialogKind))}")
    return {kind: tuple(own.get(kind, usual)) for kind, usual in ANSWERS.items()}


def may_be_dialog(front: Foreground) -> bool:
    """Whether the window in front may be a dialog of the system, so that its tree is worth reading."""
    title = front.window
    if title.startswith(("Application Not Responding", "Application Error", "AppErrorDialog")):
        return True
    where = f"{front.package}/{front.activity}"
    if _PERMISSIONS.search(where) or _UPDATES.search(where):
        return True
    # Windows of the system that belong to no application: battery sheets, for one.
    return bool(title) and "/" not in title and title in _SYSTEM


def recognise(front: Foreground, tree: Elements) -> SystemDialog | None:
    """The dialog in front, from its window and its words; None if it is none that is known."""
    texts = [element.name for element in tree if element.role in ("text", "heading") and element.name]
    buttons = tuple(element for element in tree if element.role == "button" and element.name)
    if not buttons:
        return None
    said = ". ".join(texts) or front.window
    title, where = front.window, f"{front.package}/{front.activity}"
    kind: DialogKind | None = None
    if title.startswith("Application Not Responding"):
        kind = "not_responding"
    elif title.startswith(("Application Error", "AppErrorDialog")):
        kind = "stopped"
    elif _PERMISSIONS.search(where):
        kind = "permission"
    else:
        kind = next((kind for kind, words in _SAYS.items() if kind != "permission" and words.search(said)), None)
    return SystemDialog(kind, said[:300], buttons) if kind is not None else None


def choose(dialog: SystemDialog, pressed: Sequence[str]) -> Element | None:
    """The button to press: the first of these names that the dialog has, whatever its case; None if it has none."""
    for name in pressed:
        for button in dialog.buttons:
            if button.name.casefold() == name.casefold():
                return button
    return None
