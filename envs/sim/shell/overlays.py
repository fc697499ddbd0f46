"""Overlays in front of apps, windows and bars: system dialogs and tooltips."""

from __future__ import annotations

from functools import partial

from omnipilot.envs.sim.render.text import line_height, measure
from omnipilot.envs.sim.shell.arrivals import answer, slug
from omnipilot.envs.sim.state.world_state import Alert, DeviceName
from omnipilot.envs.sim.ui.controls import Button
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.panels import Dialog
from omnipilot.envs.sim.ui.scene import Control, Do


def place_alert(p: Painter) -> None:
    """The first pending dialog, over the whole screen."""
    if not p.device.alerts:
        return
    alert = p.device.alerts[0]
    last = len(alert.buttons) - 1
    buttons = [
        Button(
            f"alert/{alert.id}/{slug(text)}",
            text,
            _taken(p.device.name, alert, text),
            style="filled" if i == last else "plain",
        )
        for i, text in enumerate(alert.buttons)
    ]
    p.window = ""
    Dialog(alert.title, alert.text, buttons).place(p, 0, 0, p.device.size.width, p.device.size.height)


def _taken(device: DeviceName, alert: Alert, button: str) -> Do:
    return partial(answer, device=device, alert=alert, button=button)


def place_tooltip(p: Painter, under: Control) -> None:
    """The tooltip with the name of the control under a resting pointer."""
    size = p.device.size
    width, height = measure(under.hint, 12) + 20, line_height(12) + 10
    left = min(max(4, (under.rect[0] + under.rect[2] - width) // 2), size.width - width - 4)
    top = under.rect[3] + 6 if under.rect[3] + height + 10 < size.height else under.rect[1] - height - 6
    with p.literal():
        p.rect(left, top, width, height, (44, 50, 62), 6, (84, 92, 106))
        p.text(left + 10, top + 5, under.hint, (244, 246, 250), 12)
    p.element("tooltip", under.hint, p.seen(left, top, width, height), "tooltip")
