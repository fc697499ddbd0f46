"""Which app of the desktop opens a file."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App
from omnipilot.envs.sim.apps.desktop.editor import EDITOR
from omnipilot.envs.sim.apps.desktop.sheets import SHEETS
from omnipilot.envs.sim.apps.desktop.video_player import PLAYER
from omnipilot.envs.sim.state.account import Document
from omnipilot.envs.sim.state.desktop_data import Clip, Sheet
from omnipilot.envs.sim.state.world_state import View
from omnipilot.envs.sim.ui.navigation import arrive, both, open_window
from omnipilot.envs.sim.ui.scene import Do


def open_file(file: Document | Sheet | Clip) -> Do:
    """The file's app comes to the front and shows it."""
    app, view = _opener(file)
    opened = open_window("desktop", app.name, next(iter(app.views)), app.at)
    return both(opened, arrive("desktop", app.name, *view))


def _opener(file: Document | Sheet | Clip) -> tuple[App, tuple[View, ...]]:
    if isinstance(file, Document):
        return EDITOR, (View("edit", file.id),)
    if isinstance(file, Sheet):
        return SHEETS, (View("list"), View("sheet", file.id))
    return PLAYER, (View("list"), View("clip", file.id))
