"""The table verb by platform, as `omnipilot list verbs --matrix` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from omnipilot.agents.verbs.translations import translate
from omnipilot.envs import (
    Browser,
    Click,
    Custom,
    Drag,
    Intent,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    OpenUrl,
    Platform,
    Press,
    Scroll,
    Select,
    Swipe,
    System,
    TypeText,
)
from omnipilot.planners import Verbs

PLATFORMS: tuple[Platform, ...] = get_args(Platform)
EXAMPLES: tuple[Intent, ...] = (
    Click("A"),
    Click("A", "right"),
    Click("A", "back"),
    Click("A", "forward"),
    LongPress("A"),
    MouseMove("A"),
    MouseDown("A"),
    MouseUp("A"),
    Drag("B", "A"),
    Swipe("up"),
    Swipe(None, "A", "B"),
    Scroll("down", "A"),
    TypeText("hi", "A"),
    Press(("enter",)),
    KeyDown(("shift",)),
    KeyUp(("shift",)),
    Select("A", "x"),
    OpenApp("Notes"),
    OpenUrl("https://example.org"),
    Browser("back"),
    Browser("forward"),
    Browser("reload"),
    Browser("new_tab"),
    Browser("close_tab"),
    Browser("focus_tab", 1),
    System("back"),
    System("home"),
    System("recents"),
    System("menu"),
    System("power"),
    System("volume_up"),
    Custom("copy", {"at": "A"}),
    Custom("paste", {"at": "A"}),
)
"""An example of each verb, and of each of its forms that a platform may lack; A and B are places."""


def typical_devices() -> Mapping[Platform, Verbs]:
    """What a phone over adb, an X11 desktop and a Chromium can do, which the table is about."""
    from omnipilot.envs import android, desktop, web

    return {
        "phone": Verbs("phone", android.VERBS),
        "desktop": Verbs("desktop", desktop.VERBS),
        "browser": Verbs("browser", web.POINTING_VERBS | web.TYPING_VERBS | web.BROWSING_VERBS),
    }


def verb_matrix(devices: Mapping[Platform, Verbs] | None = None) -> Iterator[tuple[str, ...]]:
    """The rows of the table: an example in words, and for each platform "native", the program, or "no: …" with the
    reason.

    Args:
        devices: what the device of each platform can do; None for `typical_devices`.
    """
    devices = typical_devices() if devices is None else devices
    for example in EXAMPLES:
        yield intent_words(example), *(cell(example, devices[platform]) for platform in PLATFORMS)


def cell(example: Intent, device: Verbs) -> str:
    """What stands for an example on a device, in words."""
    found = translate(example, device)
    if isinstance(found, str):
        return f"no: {found.partition(': ')[2]}"
    return "native" if found == (example,) else "; ".join(map(intent_words, found))


def intent_words(intent: Intent) -> str:
    """An intent in a few words: "press ctrl+t", "drag B from A"."""
    if isinstance(intent, Custom):
        return " ".join((intent.name, *map(str, intent.arguments.values())))
    told = [_value_words(getattr(intent, spec.name)) for spec in fields(intent) if _is_told(intent, spec)]
    return " ".join((intent.kind, *told))


def _is_told(intent: Intent, spec: Any) -> bool:
    value = getattr(intent, spec.name)
    return value is not None and value != () and value != spec.default and value is not False


def _value_words(value: Any) -> str:
    if value is True:
        return "and enter"
    return "+".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
