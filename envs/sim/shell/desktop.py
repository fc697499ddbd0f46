"""The desktop shell: wallpaper, windows with title bars, task bar, banner."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.apps.registry import APPS, apps_of, open_notice
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import line_height
from omnipilot.envs.sim.shell.app_area import place_screen
from omnipilot.envs.sim.shell.launcher import place_launcher, place_task_bar
from omnipilot.envs.sim.shell.overlays import place_alert
from omnipilot.envs.sim.state.events import NOTICE_SECONDS
from omnipilot.envs.sim.state.world_state import Notice, View, Window, WorldState
from omnipilot.envs.sim.ui.controls import IconButton
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import close_window, hide_window, move_window
from omnipilot.envs.sim.ui.scene import Control, Motion
from omnipilot.envs.types.words_origin import write_origin


def place_desktop(p: Painter) -> None:
    """Place the whole screen, windows from back to front."""
    w, h = p.device.size.width, p.device.size.height
    p.part("wall", _place_wall)
    front = p.device.front
    for window in p.device.windows:
        if not window.hidden:
            place = window.x, window.y, window.w, window.h
            of = window.app, window.view.name, window.view.arg
            # Windows change focus more often than their frames change, so both variants are cached.
            name = f"{window.app}/{'front' if window is front else 'behind'}"
            p.part(name, _place_frame, *of, *place, window is front)
            _place_inside(p, window)
    apps = apps_of("desktop")
    ahead = front.app if front is not None else ""
    p.part(f"bar/{ahead}/{p.device.launcher}", place_task_bar, w, h, ahead, *apps)
    if p.device.launcher:
        p.part("launcher", place_launcher, w, h, *apps)
    notice = p.device.notice
    if notice is not None and p.state.time < notice.time + NOTICE_SECONDS:
        p.part("banner", _place_banner, notice, w, h)
    if p.device.alerts:
        p.part("alert", place_alert)


def _place_wall(p: Painter) -> None:
    p.rect(0, 0, p.device.size.width, p.device.size.height, theme.WALL_DESKTOP)


def _place_frame(p: Painter, id: str, view: str, arg: str, x: int, y: int, w: int, h: int, front: bool) -> None:
    app = APPS[id]
    bar = theme.TITLE_BAR
    p.alone()
    p.window = id
    if not p.push_clip(0, 0, p.device.size.width, p.device.size.height - theme.TASK_BAR):
        return
    p.cover(x, y, w, h)
    p.shadow(x, y, w, h, 8)
    p.rect(x, y, w, 40, theme.CARD, 8, theme.BORDER)
    p.rect(x, y + bar, w, h - bar, theme.CARD, 0, theme.BORDER)
    ctx = Ctx(p.state, p.state.desktop, View(view, arg), w - 2, h - bar - 1)
    title = app.heading(ctx) if app.heading else app.title
    p.rect(x + 1, y + 1, w - 2, bar - 1, theme.BAR if front else theme.PAGE, 7)
    p.rect(x + 1, y + bar - 8, w - 2, 8, theme.BAR if front else theme.PAGE)
    p.rect(x + 1, y + bar - 1, w - 2, 1, theme.LINE)
    r = p.seen(x, y, w - 76, bar)
    if r is not None:
        # It holds names of files and pages.
        with p.words_of("screen"):
            p.control(Control(f"window/{id}/title", r, title, drag=_mover(id)), "titlebar")
    p.icon(app.icon, x + 12, y + 11, 16, app.color)
    ink = theme.INK if front else theme.FAINT
    p.text(x + 38, y + (bar - line_height(14)) // 2, title, ink, 14, "bold", w - 130)
    for i, (icon, name, do) in enumerate(
        (("minus", "Minimise", hide_window(id)), ("close", "Close", close_window(id)))
    ):
        button = IconButton(f"window/{id}/{name.lower()}", icon, f"{name} {app.title}", do, ink, size=34, glyph=14)
        button.place(p, x + w - 76 + i * 37, y + 2, 34, 34)
    p.pop_clip()
    p.window = ""


def _place_inside(p: Painter, window: Window) -> None:
    bar, size = theme.TITLE_BAR, p.device.size
    within = (window.x + 1, window.y + bar, window.w - 2, window.h - bar - 1)
    place_screen(p, window, APPS[window.app], within, (0, 0, size.width, size.height - theme.TASK_BAR))


def _mover(app: str) -> Callable[[WorldState, Motion], WorldState]:
    def drag(state: WorldState, motion: Motion) -> WorldState:
        return move_window(state, app, motion.dx, motion.dy)

    return drag


def _place_banner(p: Painter, notice: Notice, w: int, h: int) -> None:
    width, height = 340, 76
    x, y = w - width - 16, h - theme.TASK_BAR - height - 16
    p.lasts(notice.time + NOTICE_SECONDS)
    p.cover(x, y, width, height)
    p.shadow(x, y, width, height, 10)
    p.rect(x, y, width, height, theme.CARD, 10, theme.BORDER)
    name = f"{notice.title}: {notice.text}"
    with p.words_of(write_origin("notification", APPS[notice.app].title)):
        p.control(Control("banner", (x, y, x + width, y + height), name, tap=open_notice(notice)), "button")
    p.rect(x + 16, y + 20, 36, 36, APPS[notice.app].color, 8)
    p.icon(APPS[notice.app].icon, x + 24, y + 28, 20, theme.ON_ACCENT)
    p.text(x + 66, y + 16, notice.title, theme.INK, 14, "bold", width - 82)
    p.text(x + 66, y + 38, notice.text, theme.MUTED, 14, width=width - 82)
