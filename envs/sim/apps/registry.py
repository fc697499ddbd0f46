"""All apps, in the order of the launchers."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App
from omnipilot.envs.sim.apps.desktop.browser import BROWSER
from omnipilot.envs.sim.apps.desktop.editor import EDITOR
from omnipilot.envs.sim.apps.desktop.files import FILES
from omnipilot.envs.sim.apps.desktop.mail import MAIL
from omnipilot.envs.sim.apps.desktop.settings import PREFS
from omnipilot.envs.sim.apps.desktop.sheets import SHEETS
from omnipilot.envs.sim.apps.desktop.signals import SIGNALS
from omnipilot.envs.sim.apps.desktop.terminal import TERMINAL
from omnipilot.envs.sim.apps.desktop.video_player import PLAYER
from omnipilot.envs.sim.apps.phone.calendar import CALENDAR
from omnipilot.envs.sim.apps.phone.clock import CLOCK
from omnipilot.envs.sim.apps.phone.contacts import CONTACTS
from omnipilot.envs.sim.apps.phone.gallery import GALLERY
from omnipilot.envs.sim.apps.phone.messages import MESSAGES
from omnipilot.envs.sim.apps.phone.music import MUSIC
from omnipilot.envs.sim.apps.phone.notes import NOTES
from omnipilot.envs.sim.apps.phone.phone import PHONE
from omnipilot.envs.sim.apps.phone.settings import SETTINGS
from omnipilot.envs.sim.apps.phone.tasks import TASKS
from omnipilot.envs.sim.state.world_state import DeviceName, Notice, WorldState
from omnipilot.envs.sim.ui.navigation import both, open_window
from omnipilot.envs.sim.ui.scene import Do

APPS: dict[str, App] = {
    app.name: app
    for app in (
        MESSAGES,
        CLOCK,
        NOTES,
        CONTACTS,
        TASKS,
        CALENDAR,
        PHONE,
        MUSIC,
        GALLERY,
        SETTINGS,
        MAIL,
        EDITOR,
        SIGNALS,
        FILES,
        SHEETS,
        PLAYER,
        BROWSER,
        TERMINAL,
        PREFS,
    )
}

PINNED = ("mail", "editor", "files", "browser", "signals")
"""Apps of the desktop that the task bar always shows, by name."""


def apps_of(device: DeviceName) -> tuple[App, ...]:
    """The apps of one device."""
    return tuple(app for app in APPS.values() if app.device == device)


def find_app(device: DeviceName, name: str) -> App | None:
    """An app of a device by its name or title, ignoring case."""
    wanted = name.strip().lower()
    return next((app for app in apps_of(device) if wanted in (app.name, app.title.lower())), None)


def launch(app: App) -> Do:
    """Bring the app to the front."""
    return open_window(app.device, app.name, next(iter(app.views)), app.at)


def open_notice(notice: Notice) -> Do:
    """Open the subject of a banner and close the banner."""
    app = APPS[notice.app]

    def gone(state: WorldState) -> WorldState:
        return state.on(app.device, notice=None)

    return (
        both(launch(app), app.opens(notice.view), gone) if app.opens and notice.view.name else both(launch(app), gone)
    )
