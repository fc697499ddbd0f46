"""Confirmation dialogs, usable on any screen."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.envs.sim.ui.containers import Layers, Widget
from omnipilot.envs.sim.ui.controls import Button
from omnipilot.envs.sim.ui.navigation import both, remember
from omnipilot.envs.sim.ui.panels import Dialog
from omnipilot.envs.sim.ui.scene import Do


def ask(device: DeviceName, key: str, about: str = "yes") -> Do:
    """Ask the question `key` ("files/delete") about something (an id)."""
    return remember(device, key, about)


def question_subject(ctx: Ctx, key: str) -> str:
    """The subject of the question, "" if it is not being asked."""
    return str(ctx.value(key))


def question(
    page: Widget,
    ctx: Ctx,
    key: str,
    title: str,
    text: str,
    yes: str,
    do: Do,
    no: str = "Cancel",
    danger: bool = True,
) -> Widget:
    """A screen and, while `key` is asked, a dialog in front of it with the buttons `<key>/no` and `<key>/yes`.

    Either button closes the dialog, and so does Back or Esc. Example, with a menu item
    `("Delete", ask("desktop", "files/delete", document.id))`:

        doomed = ctx.account.document(question_subject(ctx, "files/delete"))
        return question(page, ctx, "files/delete", "Delete it?", f"“{doomed.name}” will be gone.", "Delete",
                        delete(doomed.id)) if doomed else page
    """
    if not question_subject(ctx, key):
        return page
    close = remember(ctx.device.name, key, "")
    buttons = (
        Button(f"{key}/no", no, close),
        Button(f"{key}/yes", yes, both(close, do), style="danger" if danger else "filled"),
    )
    return Layers((page, Dialog(title, text, buttons)))
