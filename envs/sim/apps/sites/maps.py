"""maps.example in the browser: places, nearby places, and routes as text."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.apps.sites import routes
from omnipilot.envs.sim.apps.sites.browsing import visit
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Account, fresh_id
from omnipilot.envs.sim.state.desktop_data import Mode, Place, Route
from omnipilot.envs.sim.state.world_state import Field, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton, TabBar
from omnipilot.envs.sim.ui.display_widgets import Divider, Label
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.media_widgets import Picture
from omnipilot.envs.sim.ui.navigation import both, forget, remember
from omnipilot.envs.sim.ui.panels import empty, list_row
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.sim.words.desktop import KINDS

SITE, KEY = "maps.example", "browser/maps"
FROM, TO, MODE, NEAR = f"{KEY}/from", f"{KEY}/to", f"{KEY}/mode", f"{KEY}/near"
REACH = 60
"""Maximum distance of a click from a pin, in thousandths of the map."""


def title(account: Account, path: str) -> str:
    """The title of a page."""
    place = routes.place_of(account, path) if path else None
    return place.name if place else {"": "Maps", "route": "Directions", "saved": "Saved"}.get(path, "Maps")


def _spot(place: Place) -> tuple[int, int]:
    return place.x * 1000 // routes.WIDTH, place.y * 1000 // routes.HEIGHT


def _map(ctx: Ctx, marked: tuple[Place, ...] = (), height: int = 300) -> Widget:
    def draw(p: Painter, x: int, y: int, w: int, h: int) -> None:
        p.rect(x, y, w, h, (228, 234, 224))
        for i in range(1, routes.WIDTH):
            p.rect(x + w * i // routes.WIDTH - 2, y, 5 if i % 5 else 9, h, (255, 255, 255))
        for i in range(1, routes.HEIGHT):
            p.rect(x, y + h * i // routes.HEIGHT - 2, w, 5 if i % 4 else 9, (255, 255, 255))
        p.rect(x, y + h - 14, w, 14, (150, 190, 226))
        for place in (*ctx.account.places, *marked):
            px, py = (x + _spot(place)[0] * w // 1000, y + _spot(place)[1] * h // 1000)
            chosen = place in marked
            p.circle(px, py, 9 if chosen else 6, (206, 52, 52) if chosen else theme.avatar_color(place.kind))
        if len(marked) == 2:
            (ax, ay), (bx, by) = ((x + _spot(one)[0] * w // 1000, y + _spot(one)[1] * h // 1000) for one in marked)
            p.rect(min(ax, bx), ay - 2, abs(ax - bx), 4, (206, 52, 52))
            p.rect(bx - 2, min(ay, by), 4, abs(ay - by), (206, 52, 52))

    def tap(state: WorldState, x: int, y: int) -> WorldState:
        def far(place: Place) -> int:
            return abs(_spot(place)[0] - x) + abs(_spot(place)[1] - y)

        place = min(state.account.places, key=far, default=None)
        return visit(f"{SITE}/{place.id}")(state) if place and far(place) < REACH else state

    return Picture(f"{KEY}/map", "Map", draw, height, tap_at=tap)


def _save(id: str, saved: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        place: Place | None = state.account.find("places", id)
        return state if place is None else state.own(state.account.put(replace(place, saved=saved)))

    return do


def _fill(key: str, text: str) -> Do:
    return lambda state: state.on("desktop", fields=state.desktop.fields.set(key, Field(text, len(text), len(text))))


def _row(place: Place, note: str = "") -> Widget:
    return list_row(
        f"{KEY}/item/{place.id}",
        place.name,
        visit(f"{SITE}/{place.id}"),
        subtitle=f"{place.kind}, {place.address}",
        note=note or ("saved" if place.saved else ""),
        icon="pin",
    )


def _index(ctx: Ctx, saved: bool = False) -> Widget:
    wanted, kind = ctx.typed(f"{KEY}/search").strip().lower(), str(ctx.value(f"{KEY}/kind", "All"))
    rows = [
        _row(place)
        for place in sorted(ctx.account.places, key=lambda place: place.name)
        if (place.saved or not saved)
        and wanted in f"{place.name} {place.address}".lower()
        and kind in ("All", place.kind)
    ]
    choices = [(one, remember("desktop", f"{KEY}/kind", one)) for one in KINDS]
    search = Row(
        (TextField(f"{KEY}/search", "Search places", flex=1), Dropdown(f"{KEY}/kind", "Kind", kind, choices)), 10
    )
    ways: list[Widget] = []
    for route in ctx.account.routes if saved else ():
        ends = [place.name for key in (route.start, route.end) if (place := routes.place_of(ctx.account, key))]
        text = f"{route.mode}: {' to '.join(ends)}, {routes.length(route.metres)}, {route.minutes} minutes"
        ways.append(Label(text, 14, id=f"{KEY}/saved/{route.id}"))
    if not rows and not ways:
        rows = [empty("No place was found")]
    return Column((search, *(() if saved else (_map(ctx),)), *ways, *rows), 10)


def _saved(ctx: Ctx) -> Widget:
    return _index(ctx, saved=True)


def _place(ctx: Ctx, place: Place) -> Widget:
    near = str(ctx.value(NEAR, "All"))
    choices = [(one, remember("desktop", NEAR, one)) for one in KINDS]
    star = _save(place.id, not place.saved)
    actions = Row(
        (
            Button(f"{KEY}/save", "Saved" if place.saved else "Save", star, "star", "outline"),
            Button(f"{KEY}/there", "Directions to here", both(_fill(TO, place.name), visit(f"{SITE}/route")), "pin"),
            Button(f"{KEY}/away", "Directions from here", both(_fill(FROM, place.name), visit(f"{SITE}/route"))),
        ),
        8,
    )
    facts = Column(
        (
            Label(place.name, 22, "bold", role="heading"),
            Label(f"{place.kind}, {place.address}", 14, id=f"{KEY}/address"),
            Label(f"Open {place.hours}", 14, id=f"{KEY}/hours"),
            actions,
        ),
        8,
    )
    head = Row((Label("Near here", 16, "bold", role="heading", flex=1), Dropdown(NEAR, "Kind", near, choices)), 8)
    rows = [_row(one, routes.length(routes.metres(place, one))) for one in routes.nearest(ctx.account, place, near)[:6]]
    return Column((facts, _map(ctx, (place,), 200), head, *rows), 10)


def _end(ctx: Ctx, key: str, name: str) -> list[Widget]:
    """A field for one end of the route, and suggested places below it."""
    text = ctx.typed(key)
    found: list[Widget] = [Row((PaddedBox(Label(name, 14, role=None), width=50), TextField(key, name, flex=1)), 8)]
    if text.strip() and routes.place_of(ctx.account, text) is None:
        maybe = [place for place in ctx.account.places if text.strip().lower() in place.name.lower()][:5]
        found += [Button(f"{key}/{place.id}", place.name, _fill(key, place.name)) for place in maybe]
        found += [] if maybe else [Label("There is no such place", 14, color=theme.DANGER, role="alert")]
    return found


def _route(ctx: Ctx) -> Widget:
    mode: Mode = next((one for one in routes.MODES if one == ctx.value(MODE)), "Walk")
    start, end = (routes.place_of(ctx.account, ctx.typed(key)) for key in (FROM, TO))
    swap = both(_fill(FROM, ctx.typed(TO)), _fill(TO, ctx.typed(FROM)))
    modes = [(f"{MODE}/{one.lower()}", one, remember("desktop", MODE, one)) for one in routes.MODES]
    tabs = TabBar(modes, f"{MODE}/{mode.lower()}")
    ends = (Column((*_end(ctx, FROM, "From"), *_end(ctx, TO, "To")), 6, flex=1),)
    parts: list[Widget] = [Row((*ends, IconButton(f"{KEY}/swap", "sort", "Swap", swap)), 8), tabs]
    if start is None or end is None or start.id == end.id:
        return Column((*parts, empty("Choose two places")), 10)
    way, time = routes.metres(start, end), routes.minutes(start, end, mode)

    def save(state: WorldState) -> WorldState:
        route = Route(fresh_id("route", state.account.routes), start.id, end.id, mode, way, time)
        return state.own(state.account.put(route))

    parts.append(
        Row(
            (
                Label(f"{routes.length(way)}, {time} minutes", 18, "bold", id=f"{KEY}/way", flex=1),
                Button(f"{KEY}/keep", "Save route", save, "bookmark", "outline"),
            )
        )
    )
    parts += [Label(f"{n}. {step}", 14) for n, step in enumerate(routes.steps(start, end), 1)]
    return Column((*parts, _map(ctx, (start, end), 220)), 10)


def page(ctx: Ctx, path: str) -> Widget:
    """A page of the maps."""
    head = Row(
        (
            Label("Maps", 22, "bold", role="heading", flex=1),
            Button(f"{KEY}/all", "Places", visit(SITE)),
            Button(f"{KEY}/saved", "Saved", visit(f"{SITE}/saved")),
            Button(f"{KEY}/route", "Directions", both(forget("desktop", FROM, TO), visit(f"{SITE}/route")), "forward"),
        ),
        8,
    )
    place: Place | None = ctx.account.find("places", path)
    pages = {"": _index, "route": _route, "saved": _saved}
    body = _place(ctx, place) if place else pages[path](ctx) if path in pages else empty("This page was not found")
    return Column((head, Divider(), body, Gap(4)), 12)
