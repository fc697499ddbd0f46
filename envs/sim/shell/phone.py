"""The phone shell: status bar, home screen, navigation bar, banner, ringing alarm."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.phone.clock import ringing_screen
from omnipilot.envs.sim.apps.registry import APPS, apps_of, open_notice
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.shell.app_area import place_screen
from omnipilot.envs.sim.shell.launcher import place_home
from omnipilot.envs.sim.shell.overlays import place_alert
from omnipilot.envs.sim.state.events import NOTICE_SECONDS
from omnipilot.envs.sim.state.world_state import Notice, Ringing, View, WorldState
from omnipilot.envs.sim.ui.controls import IconButton
from omnipilot.envs.sim.ui.display_widgets import Avatar
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.navigation import back, home
from omnipilot.envs.sim.ui.scene import Control
from omnipilot.envs.types.words_origin import write_origin


def place_phone(p: Painter) -> None:
    """Place the whole screen."""
    w, h = p.device.size.width, p.device.size.height
    state, device = p.state, p.device
    window = device.front
    if window is None:
        p.part("home", _place_home, w, h, *apps_of("phone"))
    else:
        top, bottom = theme.STATUS_BAR, h - theme.NAV_BAR
        p.part("page", _place_page, w, h)
        place = (0, top, w, bottom - top)
        place_screen(p, window, APPS[window.app], place, place)
    p.part("bars", _place_bars, w, h)
    if device.alerts:
        p.part("alert", place_alert)
    if device.ringing is not None:
        p.part("ringing", _place_ringing, w, h, device.ringing)
    elif device.notice is not None and state.time < device.notice.time + NOTICE_SECONDS:
        p.part("banner", _place_banner, device.notice, w)


def _place_home(p: Painter, w: int, h: int, *apps: App) -> None:
    p.rect(0, 0, w, h, theme.WALL_PHONE)
    place_home(p, apps, w, theme.STATUS_BAR, h - theme.NAV_BAR)


def _place_page(p: Painter, w: int, h: int) -> None:
    p.rect(0, 0, w, h, theme.PAGE)
    p.rect(0, 0, w, theme.STATUS_BAR, theme.CARD)


def _place_ringing(p: Painter, w: int, h: int, ringing: Ringing) -> None:
    p.cover(0, 0, w, h, modal=True)
    ringing_screen(Ctx(p.state, p.state.phone, View("ringing"), w, h), ringing).place(p, 0, 0, w, h)


def _place_bars(p: Painter, w: int, h: int) -> None:
    p.text(20, 8, p.state.clock(), theme.INK, 14, "bold")
    p.element("time", p.state.clock(), (20, 8, 20 + measure(p.state.clock(), 14, "bold"), 28), "status/clock")
    p.rect(w - 46, 12, 24, 12, theme.INK, 3)
    p.rect(w - 44, 14, 20, 8, theme.PAGE, 2)
    p.rect(w - 44, 14, 14, 8, theme.INK, 2)
    p.rect(w - 22, 15, 2, 6, theme.INK)
    y = h - theme.NAV_BAR
    p.rect(0, y, w, theme.NAV_BAR, theme.CARD)
    p.rect(0, y, w, 1, theme.LINE)
    keys = (("system/back", "back", "Back", phone_back), ("system/home", "home", "Home", home))
    for i, (id, icon, name, do) in enumerate(keys):
        IconButton(id, icon, name, do, theme.MUTED, size=96).place(p, w // 4 - 48 + i * w // 2, y + 2, 96, 48)


def phone_back(state: WorldState) -> WorldState:
    """The phone's Back key: close a menu, or go back one view."""
    device = state.phone
    if device.popup is not None:
        return state.on("phone", popup=None)
    return state if device.front is None else back("phone", device.front.app)(state)


def _place_banner(p: Painter, notice: Notice, w: int) -> None:
    x, y, h = 12, theme.STATUS_BAR + 6, 72
    p.lasts(notice.time + NOTICE_SECONDS)
    p.cover(x, y, w - 2 * x, h)
    p.shadow(x, y, w - 2 * x, h, 16)
    p.rect(x, y, w - 2 * x, h, theme.CARD, 16, theme.LINE)
    control = Control("banner", (x, y, w - x, y + h), f"{notice.title}: {notice.text}", tap=open_notice(notice))
    with p.words_of(write_origin("notification", APPS[notice.app].title)):
        p.control(control, "button")
    Avatar(notice.title).place(p, x + 14, y, 40, h)
    p.text(x + 68, y + 14, notice.title, theme.INK, 14, "bold", w - 2 * x - 84)
    p.text(x + 68, y + 36, notice.text, theme.MUTED, 14, width=w - 2 * x - 84)
