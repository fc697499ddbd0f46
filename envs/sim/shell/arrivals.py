"""Interruptions: system dialogs and banners of apps."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.envs.sim.state.world_state import Alert, DeviceName, Notice, View, WorldState


@dataclass(frozen=True, slots=True)
class PopupArrives:
    """A dialog appears in front of everything on a device and waits for one of its buttons.

    Its controls are `alert/<id>/<button>` ("alert/update/later"); the chosen one is kept in the device's values under
    `alert/<id>`. Back or Esc is the first button. An open menu is closed. Example:

        state.later(6, PopupArrives("phone", "Update", "Install it now?", ("Later", "Install"), id="update"))

    Attributes:
        id: default: the title in lower case with hyphens.
    """

    device: DeviceName
    title: str
    text: str
    buttons: tuple[str, ...] = ("OK",)
    id: str = ""

    def __call__(self, state: WorldState) -> WorldState:
        device = state.device(self.device)
        alert = Alert(self.id or slug(self.title), self.title, self.text, self.buttons)
        others = tuple(other for other in device.alerts if other.id != alert.id)
        return state.on(self.device, alerts=(*others, alert), popup=None, launcher=False, grab=None)


@dataclass(frozen=True, slots=True)
class NoticeArrives:
    """An app shows a banner for a few seconds, with a sound; a tap opens the app (at `view`, if possible)."""

    device: DeviceName
    app: str
    title: str
    text: str
    view: View = View("")

    def __call__(self, state: WorldState) -> WorldState:
        settings = state.account.phone_settings
        if self.device == "phone" and (settings.quiet or self.app in settings.muted):
            return state
        if self.device == "desktop" and self.app in state.account.desktop_settings.muted:
            return state
        sound, seconds = ("ding", 0.6) if self.device == "phone" else ("chime", 1.2)
        banner = Notice(self.title, self.text, state.time, self.app, self.view)
        return state.sound(self.device, sound, seconds).on(self.device, notice=banner)


def dialog_answer(state: WorldState, device: DeviceName, id: str) -> str:
    """The button that was chosen in a system dialog; "" until then."""
    return str(state.device(device).values.get(f"alert/{id}", ""))


def answer(state: WorldState, device: DeviceName, alert: Alert, button: str) -> WorldState:
    """Press a button of a dialog, which closes it."""
    record = state.device(device)
    left = tuple(other for other in record.alerts if other.id != alert.id)
    return state.on(device, alerts=left, values=record.values.set(f"alert/{alert.id}", button))


def slug(text: str) -> str:
    """The words in lower case, joined with hyphens."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
