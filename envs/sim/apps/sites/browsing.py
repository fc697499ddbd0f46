"""Page navigation of the browser: pure steps. Its window's stack of views has the pages that Back returns to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.apps.loading import load
from omnipilot.envs.sim.state.account import Account, fresh_id
from omnipilot.envs.sim.state.desktop_data import Visit
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.navigation import arrive, both, forget, go
from omnipilot.envs.sim.ui.scene import Do

HOME, HISTORY = "home.example", "history"
FORWARD, ADDRESS, LOADING = "browser/forward", "browser/address", "browser/loading"
LOAD_SECONDS = 1.0
"""Seconds to load a page of another site; pages of the same site load at once."""

Page: TypeAlias = Callable[[Ctx, str], Widget]
Title: TypeAlias = Callable[[Account, str], str]
"""Both take the part of the address after the site's name."""


def current(state: WorldState) -> str:
    """The browser's current address, "" if it is not running."""
    window = state.desktop.window("browser")
    return window.view.arg or HOME if window else ""


def host_of(url: str) -> str:
    """The site of an address."""
    return url.partition("/")[0]


def tidy(text: str) -> str:
    """A typed address in the browser's canonical form."""
    return text.strip().lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")


def _arrived(url: str) -> Do:
    def do(state: WorldState) -> WorldState:
        visit = Visit(fresh_id("visit", state.account.visits), url, state.time)
        return state.own(state.account.put(visit))

    return both(forget("desktop", ADDRESS, "browser/page/"), do)


def visit(url: str) -> Do:
    """Show a page, dropping the forward history."""

    def do(state: WorldState) -> WorldState:
        far = host_of(url) not in (host_of(current(state)), HOME, HISTORY)
        wait = load("desktop", LOADING, LOAD_SECONDS if far else 0.0)
        return both(wait, forget("desktop", FORWARD), go("desktop", "browser", "page", url), _arrived(url))(state)

    return do


def go_back(state: WorldState) -> WorldState:
    """Go back one page."""
    window = state.desktop.window("browser")
    if window is None or len(window.stack) == 1:
        return state
    ahead = f"{window.view.arg}\n{state.desktop.values.get(FORWARD, '')}".rstrip("\n")
    state = state.on("desktop", values=state.desktop.values.set(FORWARD, ahead))
    return both(arrive("desktop", "browser", *window.stack[:-1]), _arrived(window.stack[-2].arg or HOME))(state)


def go_forward(state: WorldState) -> WorldState:
    """Go forward one page."""
    window = state.desktop.window("browser")
    url, _, rest = str(state.desktop.values.get(FORWARD, "")).partition("\n")
    if window is None or not url:
        return state
    state = state.on("desktop", values=state.desktop.values.set(FORWARD, rest))
    return both(arrive("desktop", "browser", *window.stack, View("page", url)), _arrived(url))(state)
