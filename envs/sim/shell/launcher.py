"""Launchers: the phone's home screen, the desktop's task bar and start menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from omnipilot.envs.sim.apps.base import App
from omnipilot.envs.sim.apps.registry import PINNED, launch
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.state.dependency_tracking import ask
from omnipilot.envs.sim.state.world_state import DAY, DeviceState, WorldState
from omnipilot.envs.sim.ui.containers import ScrollView, Widget
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import hide_window
from omnipilot.envs.sim.ui.scene import Control

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MENU = (560, 440)
GLOW = (58, 68, 88)
RUNNING = (120, 170, 255)


def weekday(state: WorldState) -> str:
    """Name of the current weekday."""
    return DAYS[int(state.start + state.time) // DAY % 7]


@dataclass(slots=True, eq=False)
class AppIcon(Widget):
    """An app's icon with its title below, and a dot if it has something new."""

    id: str
    app: App
    side: int = 60

    def _measure(self, width: int) -> tuple[int, int]:
        return width, self.side + 52

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """One control with the icon and title centred in it."""
        r = p.seen(x, y, w, h - 8)
        if r is None:
            return
        app, left, glyph = self.app, x + (w - self.side) // 2, self.side * 8 // 15
        p.control(Control(self.id, r, app.title, tap=launch(app)), "button")
        p.rect(left, y + 8, self.side, self.side, app.color, 16)
        inset = (self.side - glyph) // 2
        p.icon(app.icon, left + inset, y + 8 + inset, glyph, theme.ON_ACCENT)
        length = min(measure(app.title, 12), w - 4)
        p.text(x + (w - length) // 2, y + self.side + 16, app.title, theme.INK, 12, width=w - 4)
        if app.news is not None and app.news(p.state):
            p.circle(left + self.side - 4, y + 10, 8, theme.DANGER)


def place_home(p: Painter, apps: Sequence[App], w: int, top: int, bottom: int) -> None:
    """The phone's home screen: time, day, and a grid of apps that scrolls if necessary."""
    clock, day = p.state.clock(), ask(p.state, weekday)
    p.text((w - measure(clock, 40, "bold")) // 2, top + 56, clock, theme.INK, 40, "bold")
    p.text((w - measure(day, 16)) // 2, top + 108, day, theme.MUTED, 16)
    p.element("heading", day, (w // 2 - 80, top + 108, w // 2 + 80, top + 132), "home/day")
    icons = [AppIcon(f"home/{app.name}", app) for app in apps]
    ScrollView("home/scroll", Wall(icons, 4, 0)).place(p, 16, top + 220, w - 32, bottom - top - 220)


def place_task_bar(p: Painter, w: int, h: int, front: str, *apps: App) -> None:
    """The start button, pinned apps as icons, running apps with titles, the time; `front` is the foreground app."""
    top = h - theme.TASK_BAR
    p.cover(0, top, w, theme.TASK_BAR)
    p.rect(0, top, w, theme.TASK_BAR, theme.DARK)
    start = Control("taskbar/start", (8, top + 4, 52, h - 4), "Start", tap=toggle_launcher, hint="Start")
    p.control(start, "button", frozenset({"expanded"}) if p.device.launcher else frozenset())
    if p.device.launcher:
        p.rect(8, top + 4, 44, theme.TASK_BAR - 8, GLOW, 6)
    p.icon("grid", 20, top + 14, 20, theme.ON_ACCENT)
    x = 60
    running = [app for app in apps if app.name not in PINNED and ask(p.device, _runs, app.name)]
    pinned = [app for app in apps if app.name in PINNED]
    titled = measure("".join(app.title for app in (*pinned, *running)), 14) + 70 * len((*pinned, *running)) < w - 160
    for app in (*pinned, *running):
        x += _task(p, app, x, top, h, front == app.name, titled) + 6
    clock = p.state.account.desktop_settings.clock(p.state.clock())
    length = measure(clock, 14, "bold")
    p.text(w - 20 - length, top + 14, clock, theme.ON_ACCENT, 14, "bold")
    p.element("time", clock, (w - 20 - length, top + 14, w - 20, top + 34), "taskbar/clock")


def _runs(device: DeviceState, app: str) -> bool:
    return device.window(app) is not None


def _task(p: Painter, app: App, x: int, top: int, h: int, active: bool, titled: bool) -> int:
    """Place one app in the task bar and return its width; apps that are not running are only an icon."""
    runs = ask(p.device, _runs, app.name)
    titled = titled and runs
    width = measure(app.title, 14) + 56 if titled else 44
    do = hide_window(app.name) if active else launch(app)
    control = Control(f"taskbar/{app.name}", (x, top + 4, x + width, h - 4), app.title, tap=do, hint=app.title)
    p.control(control, "button", frozenset({"expanded"}) if runs else frozenset())
    if active:
        p.rect(x, top + 4, width, theme.TASK_BAR - 8, GLOW, 6)
    p.rect(x + 10, top + 12, 24, 24, app.color, 6)
    p.icon(app.icon, x + 14, top + 16, 16, theme.ON_ACCENT)
    if titled:
        p.text(x + 44, top + 14, app.title, theme.ON_ACCENT, 14)
    if runs:
        p.rect(x + width // 2 - 8, h - 7, 16, 2, RUNNING, 1)
    return width


def toggle_launcher(state: WorldState) -> WorldState:
    """Open or close the start menu."""
    return state.on("desktop", launcher=not state.desktop.launcher, popup=None)


def close_launcher(state: WorldState) -> WorldState:
    """Close the start menu."""
    return state.on("desktop", launcher=False)


def place_launcher(p: Painter, w: int, h: int, *apps: App) -> None:
    """The open start menu with all apps of the desktop; a click outside closes it."""
    width, height = MENU
    x, y = 8, h - theme.TASK_BAR - height - 8
    p.cover(0, 0, w, h - theme.TASK_BAR, close_launcher, modal=True)
    p.shortcuts["esc"] = close_launcher
    p.cover(x, y, width, height)
    p.shadow(x, y, width, height, 12)
    p.rect(x, y, width, height, theme.CARD, 12, theme.BORDER)
    p.text(x + 28, y + 20, "All apps", theme.INK, 16, "bold")
    p.element("menu", "All apps", (x, y, x + width, y + height), "launcher")
    icons = [AppIcon(f"launcher/{app.name}", app, 52) for app in sorted(apps, key=lambda app: app.title)]
    ScrollView("launcher/scroll", Wall(icons, 5, 0)).place(p, x + 16, y + 56, width - 32, height - 64)
