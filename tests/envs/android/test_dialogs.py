"""Dialogs of the system, told from the window in front and its tree."""

from __future__ import annotations

import android_texts as told
import pytest
from android_texts import dump, node

from omnipilot.envs import ConfigError, Elements, Size
from omnipilot.envs.android.dialogs import ANSWERS, DialogKind, answers, choose, may_be_dialog, recognise
from omnipilot.envs.android.foreground import parse_foreground
from omnipilot.envs.android.hierarchy import elements, parse_hierarchy
from omnipilot.envs.android.screen import Display, screen_map

SIZE = Size(1080, 2400)


def tree(text: str, *buttons: str) -> Elements:
    nodes = node("[0,0][900,90]", text=text, class_="android.widget.TextView")
    for number, name in enumerate(buttons, 1):
        bounds = f"[0,{number * 100}][900,{number * 100 + 90}]"
        nodes += node(bounds, text=name, class_="android.widget.Button", clickable="true")
    return elements(parse_hierarchy(dump(nodes)), screen_map(SIZE, Display(SIZE, SIZE)))


ALLOW = tree("Allow Contacts to access your contacts?", "Allow", "Don't allow")
SYSTEM = "  mCurrentFocus=Window{1 u0 com.android.systemui}\n"
UPDATE = "  mCurrentFocus=Window{1 u0 com.google.android.gms/.update.SystemUpdateActivity}\n"


@pytest.mark.parametrize(
    ("window", "shown", "kind", "pressed"),
    [
        (told.PERMISSION_9, ALLOW, "permission", None),
        (told.PERMISSION_14, ALLOW, "permission", None),
        (told.NOT_RESPONDING, tree("Mail isn't responding", "Close app", "Wait"), "not_responding", "Wait"),
        (
            "  mCurrentFocus=Window{1 u0 Application Error: com.a}\n",
            tree("Mail keeps stopping", "App info", "Close app"),
            "stopped",
            "Close app",
        ),
        (SYSTEM, tree("Battery is low. 15% left", "Turn on Battery Saver", "Got it"), "battery", "Got it"),
        (UPDATE, tree("System update available", "Download", "LATER"), "update", "LATER"),
    ],
)
def test_dialogs_are_recognised_and_answered(
    window: str, shown: Elements, kind: DialogKind, pressed: str | None
) -> None:
    front = parse_foreground(window)
    assert may_be_dialog(front)
    dialog = recognise(front, shown)
    assert dialog is not None
    assert dialog.kind == kind
    button = choose(dialog, ANSWERS[kind])
    assert (button.name if button else None) == pressed


def test_an_application_is_no_dialog_whatever_it_says() -> None:
    assert not may_be_dialog(parse_foreground(told.WINDOW_7))
    assert not may_be_dialog(parse_foreground(told.WINDOW_14_OVERRIDE))
    front = parse_foreground(SYSTEM)
    assert recognise(front, tree("Good morning", "Got it")) is None
    assert recognise(parse_foreground(told.PERMISSION_14), tree("Allow?")) is None


def test_what_is_pressed_can_be_chosen() -> None:
    chosen = answers({"permission": ["While using the app", "Allow"]})
    dialog = recognise(parse_foreground(told.PERMISSION_14), ALLOW)
    assert dialog is not None
    button = choose(dialog, chosen["permission"])
    assert button is not None and button.name == "Allow"
    assert chosen["not_responding"] == ANSWERS["not_responding"]
    with pytest.raises(ConfigError, match="permission, not_responding"):
        answers({"permissions": ["Allow"]})
