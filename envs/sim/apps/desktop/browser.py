"""Browser, on the desktop: the sites of this world, an address bar, bookmarks, a history."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.loading import when_loaded
from omnipilot.envs.sim.apps.sites import help as pages_help
from omnipilot.envs.sim.apps.sites import maps as pages_maps
from omnipilot.envs.sim.apps.sites import shop as pages_shop
from omnipilot.envs.sim.apps.sites.browsing import (
    ADDRESS,
    FORWARD,
    HISTORY,
    HOME,
    LOADING,
    Page,
    Title,
    current,
    go_back,
    go_forward,
    tidy,
    visit,
)
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import Bookmark
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, ScrollView, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import Button, IconButton, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.panels import card, empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin


def _start(_ctx: Ctx, _path: str) -> Widget:
    found: list[Widget] = [Label("Where would you like to go?", 22, "bold", role="heading")]
    for url, name, text, icon in (
        ("shop.example", "Lakeside Shop", "Lamps, kettles, bags and more", "cart"),
        ("maps.example", "Maps", "Places and ways in the town", "map"),
        ("help.example", "Help", "Answers, and a form for questions", "help"),
    ):
        lines = Column((Label(name, 16, "bold", role=None), Label(text, 14, color=theme.MUTED)), 2, flex=1)
        content = card(Row((Glyph(icon, 28, theme.ACCENT), lines, Label(url, 12, color=theme.MUTED)), 16))
        found.append(Tile(f"browser/start/{name.lower().split()[-1]}", name, content, visit(url), "link"))
    return Column(found, 14)


def _forget_visit(id: str) -> Do:
    def do(state: WorldState) -> WorldState:
        seen = state.account.find("visits", id)
        return state if seen is None else state.own(state.account.drop(seen))

    return do


def _clear(state: WorldState) -> WorldState:
    return state.own(replace(state.account, visits=()))


def _history(ctx: Ctx, _: str) -> Widget:
    wanted = ctx.typed("browser/history/search").strip().lower()
    rows: list[Widget] = []
    for seen in reversed(ctx.account.visits):
        name = title_of(ctx.account, seen.url)
        if wanted not in f"{name} {seen.url}".lower():
            continue
        row = f"browser/history/{seen.id}"
        line = (
            Label(ctx.state.clock(seen.time), 14, color=theme.MUTED),
            Label(name, 14, role=None, flex=1),
            Label(seen.url, 12, color=theme.MUTED, flex=1),
            IconButton(
                f"browser/history/{seen.id}/remove", "close", f"Remove {name}", _forget_visit(seen.id), glyph=14
            ),
        )
        rows.append(Tile(row, name, Row(line, 12), visit(seen.url), "link", value=seen.url))
    head = Row(
        (
            Label("History", 22, "bold", role="heading"),
            TextField("browser/history/search", "Search the history", flex=1),
            Button("browser/history/clear", "Clear all", _clear, "trash", "outline", bool(ctx.account.visits)),
        ),
        12,
    )
    return Column((head, *(rows or [empty("No pages here")])), 4)


SITES: dict[str, tuple[Page, Title]] = {
    HOME: (_start, lambda *_: "Start"),
    HISTORY: (_history, lambda *_: "History"),
    pages_shop.SITE: (pages_shop.page, pages_shop.title),
    pages_maps.SITE: (pages_maps.page, pages_maps.title),
    pages_help.SITE: (pages_help.page, pages_help.title),
}


def title_of(account: Account, url: str) -> str:
    """The title of the page at an address."""
    host, _, path = url.partition("/")
    return SITES[host][1](account, path) if host in SITES else "Not found"


def _go(state: WorldState) -> WorldState:
    url = tidy(typed_text(state, "desktop", ADDRESS, current(state)))
    return visit(url or HOME)(state)


def _star(url: str) -> Do:
    def do(state: WorldState) -> WorldState:
        mark = Bookmark(url, title_of(state.account, url))
        known = state.account.find("bookmarks", url) is not None
        return state.own(state.account.drop(mark) if known else state.account.put(mark))

    return do


def _page(ctx: Ctx) -> Widget:
    url = ctx.arg or HOME
    window = ctx.device.window("browser")
    marked = ctx.account.find("bookmarks", url) is not None
    bar = Row(
        (
            IconButton("browser/back", "back", "Back", go_back, enabled=window is not None and len(window.stack) > 1),
            IconButton("browser/forward", "forward", "Forward", go_forward, enabled=bool(ctx.value(FORWARD))),
            IconButton("browser/home", "home", "Start page", visit(HOME)),
            TextField(ADDRESS, "Address", url, submit=_go, flex=1),
            IconButton(
                "browser/star",
                "star",
                "Remove the bookmark" if marked else "Bookmark this page",
                _star(url),
                (214, 160, 20) if marked else theme.MUTED,
            ),
            IconButton("browser/history", "clock", "History", visit(HISTORY)),
        ),
        2,
    )
    marks = Row(
        [Button(f"browser/mark/{mark.id}", mark.title, visit(mark.id)) for mark in ctx.account.bookmarks[:6]], 2
    )
    host, _, path = url.partition("/")
    site = SITES.get(host)

    def body() -> Widget:
        inside: Widget = site[0](ctx, path) if site else empty(f"{url} was not found. Is the address right?")
        shown: Widget = ScrollView(f"browser/page/{url}/scroll", PaddedBox(inside, (28, 18)))
        shown = pages_shop.ordering(shown, ctx) if host == pages_shop.SITE else shown
        return WordsFrom(shown, write_origin("web", host)) if host not in (HOME, HISTORY) else shown

    view = when_loaded(ctx, LOADING, body)
    view.flex = 1
    return Column((PaddedBox(bar, (8, 4), theme.BAR), PaddedBox(marks, (8, 0), theme.BAR), Divider(), view))


def _heading(ctx: Ctx) -> str:
    return f"{title_of(ctx.account, ctx.arg or HOME)} - Browser"


BROWSER = App("browser", "Browser", "globe", (206, 106, 30), "desktop", {"page": _page}, (100, 24, 1060, 690), _heading)
