"""Settings, on the desktop: appearance, sound, date and time, network, notifications, language, account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.question import ask, question, question_subject
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.desktop_data import DesktopSettings
from omnipilot.envs.sim.state.phone_data import WirelessNetwork
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, Switch, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Glyph, Label
from omnipilot.envs.sim.ui.media_widgets import Slider
from omnipilot.envs.sim.ui.navigation import both, forget, remember, show
from omnipilot.envs.sim.ui.panels import card
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.sim.words.desktop import LANGUAGES, ZONES

SECTIONS = (
    ("appearance", "Appearance", "sun"),
    ("sound", "Sound", "volume"),
    ("time", "Date and time", "clock"),
    ("network", "Network", "wifi"),
    ("notifications", "Notifications", "bell"),
    ("language", "Language", "globe"),
    ("account", "Account", "person"),
)
SCALES = tuple(range(80, 161, 10))
SLEEPS = {5: "5 minutes", 10: "10 minutes", 15: "15 minutes", 30: "30 minutes", 0: "Never"}
OUTPUTS = ("Speakers", "Headphones", "Headset", "Monitor", "Monitor 2")
NOTIFIERS = ("mail", "editor", "files", "sheets", "player", "browser", "terminal", "calendar", "updates")
NAME, PASSWORD, JOINING = "prefs/account/name", "prefs/network/password", "prefs/network/joining"
WRONG, LANGUAGE, RESET = "prefs/network/wrong", "prefs/language/change", "prefs/account/reset"


def put(**changes: Any) -> Do:
    """Change settings."""
    return lambda state: state.own(
        replace(state.account, desktop_settings=replace(state.account.desktop_settings, **changes))
    )


def _line(name: str, control: Widget) -> Widget:
    return Row((Label(name, 14, role=None, flex=1), control), 12)


def _look(theme_: Any) -> Do:
    return lambda state: state.looking(replace(state.desktop.look, theme=theme_), "desktop")


def _appearance(ctx: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    tabs = TabBar(
        [(f"prefs/appearance/{name}", name.capitalize(), _look(name)) for name in ("light", "dark")],
        f"prefs/appearance/{ctx.device.look.theme}",
    )
    step = SCALES.index(now.scale)
    scale = Slider(
        "prefs/appearance/scale",
        "Text size",
        step,
        len(SCALES) - 1,
        lambda n: put(scale=SCALES[n]),
        f"{now.scale} %",
    )
    sizes = (11, 12, 14, 14, 16, 18, 18, 22, 22)
    sleep = [(text, put(sleep=minutes)) for minutes, text in SLEEPS.items()]
    return (
        Label("Theme", 14, "bold"),
        tabs,
        Row((Label("Text size", 14, "bold", flex=1), Label(f"{now.scale} %", 14, id="prefs/appearance/percent"))),
        scale,
        Label("The quick brown fox reads the news.", sizes[step], color=theme.MUTED),
        _line("Turn the screen off after", Dropdown("prefs/appearance/sleep", "Screen off", SLEEPS[now.sleep], sleep)),
    )


def _sound(_: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    outputs = [(name, put(output=name)) for name in OUTPUTS]

    def test(state: WorldState) -> WorldState:
        return state.sound("desktop", "chime", 1.2)

    return (
        Row((Label("Volume", 14, "bold", flex=1), Label(f"{now.volume} %", 14, id="prefs/sound/percent"))),
        Slider("prefs/sound/volume", "Volume", now.volume, 100, lambda n: put(volume=n), f"{now.volume} %", step=5),
        _line("Silent", Switch("prefs/sound/silent", "Silent", now.silent, put(silent=not now.silent))),
        _line("Output", Dropdown("prefs/sound/output", "Output", now.output, outputs)),
        Row((Button("prefs/sound/test", "Play a test sound", test, "play", "outline"),)),
    )


def _option(id: str, name: str, on: bool, do: Do, note: str = "", icon: str = "") -> Widget:
    mark = Glyph("check", 18, theme.ACCENT) if on else Gap(18)
    lead = (Glyph(icon, 18),) if icon else ()
    line = Row((*lead, Label(name, 14, role=None, flex=1), Label(note, 12, color=theme.MUTED), mark), 10)
    return Tile(id, name, Column((PaddedBox(line, (12, 9)), Divider())), do, "radio", selected=on, value=note)


def _time(ctx: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    wanted = ctx.typed("prefs/time/search").strip().lower()
    zones = [
        _option(f"prefs/time/{name.lower().replace(' ', '-')}", name, name == now.zone, put(zone=name))
        for name in ZONES
        if wanted in name.lower()
    ]
    switch = Switch("prefs/time/clock24", "24-hour clock", now.clock24, put(clock24=not now.clock24))
    return (
        _line("24-hour clock", switch),
        Label(f"It is {now.clock(ctx.state.clock())}", 14, color=theme.MUTED, id="prefs/time/now"),
        Label(f"Time zone: {now.zone}", 14, "bold", id="prefs/time/zone"),
        TextField("prefs/time/search", "Search cities"),
        Column(zones),
    )


def _join(network: WirelessNetwork) -> Do:
    def do(state: WorldState) -> WorldState:
        if not network.known and network.password and typed_text(state, "desktop", PASSWORD) != network.password:
            return remember("desktop", WRONG, True)(state)
        joined = state.own(state.account.put(replace(network, known=True)))
        return both(forget("desktop", PASSWORD, JOINING, WRONG), put(network=network.id))(joined)

    return do


def _network(ctx: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    rows: list[Widget] = []
    for network in sorted(ctx.account.networks, key=lambda network: (-network.strength, network.name)):
        free = network.known or not network.password
        begin = both(forget("desktop", PASSWORD, WRONG), remember("desktop", JOINING, network.id))
        note = "Connected" if network.id == now.network else "Known" if network.known else "" if free else "Password"
        id = f"prefs/network/{network.id}"
        rows.append(
            _option(id, network.name, network.id == now.network, _join(network) if free else begin, note, "wifi")
        )
        if ctx.value(JOINING) == network.id:
            join = Button("prefs/network/join", "Join", _join(network), style="filled")
            rows.append(
                PaddedBox(Row((TextField(PASSWORD, "Password", submit=_join(network), flex=1), join), 10), (12, 8))
            )
            if ctx.value(WRONG, False):
                rows.append(Label("This password is wrong", 14, color=theme.DANGER, role="alert"))
    leave = Button("prefs/network/leave", "Disconnect", put(network=""), style="outline", enabled=bool(now.network))
    return (Row((leave,)), Column(rows))


def _notifications(_: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    rows: list[Widget] = []
    for name in NOTIFIERS:
        on = name not in now.muted
        muted = (*now.muted, name) if on else tuple(other for other in now.muted if other != name)
        title = "Spreadsheet" if name == "sheets" else "Video Player" if name == "player" else name.capitalize()
        rows.append(_line(title, Switch(f"prefs/notifications/{name}", title, on, put(muted=muted))))
    return rows


def _language(_: Ctx, now: DesktopSettings) -> Sequence[Widget]:
    rows = [
        _option(f"prefs/language/{n}", name, name == now.language, ask("desktop", LANGUAGE, name))
        for n, name in enumerate(LANGUAGES)
    ]
    return (Column(rows),)


def _rename(state: WorldState) -> WorldState:
    owner = state.account.owner
    name = " ".join(typed_text(state, "desktop", NAME, owner.name).split())
    return forget("desktop", NAME)(state.own(replace(state.account, owner=replace(owner, name=name or owner.name))))


def _reset(state: WorldState) -> WorldState:
    fresh = DesktopSettings(network=state.account.desktop_settings.network)
    return _look("light")(state.own(replace(state.account, desktop_settings=fresh)))


def _account(ctx: Ctx, _: DesktopSettings) -> Sequence[Widget]:
    owner = ctx.account.owner
    changed = ctx.typed(NAME, owner.name).strip() not in ("", owner.name)
    save = Button("prefs/account/save", "Save", _rename, "save", "filled", changed)
    return (
        Label("Name", 14, "bold"),
        Row((TextField(NAME, "Name", owner.name, flex=1), save), 10),
        Label(f"Address: {owner.email}", 14),
        Label(f"Telephone: {owner.phone}", 14),
        Gap(12),
        Row((Button("prefs/account/reset-all", "Reset all settings", ask("desktop", RESET), style="outline"),)),
    )


BODIES = {
    "appearance": _appearance,
    "sound": _sound,
    "time": _time,
    "network": _network,
    "notifications": _notifications,
    "language": _language,
    "account": _account,
}


def _view(ctx: Ctx) -> Widget:
    name = ctx.view.name
    rows: list[Widget] = []
    for key, title, icon in SECTIONS:
        glyph = Glyph(icon, 18, theme.ACCENT if key == name else theme.MUTED)
        line = PaddedBox(Row((glyph, Label(title, 14, role=None, flex=1)), 12), (16, 11))
        do = both(forget("desktop", PASSWORD, JOINING, WRONG), show("desktop", "prefs", key))
        rows.append(Tile(f"prefs/nav/{key}", title, line, do, "treeitem", selected=key == name))
    heading = Label(next(title for key, title, _ in SECTIONS if key == name), 22, "bold", role="heading")
    body = card(Column(tuple(BODIES[name](ctx, ctx.account.desktop_settings)), 12))
    main = ScrollView(f"prefs/{name}/scroll", PaddedBox(Column((heading, body), 14), (24, 18)))
    side = PaddedBox(Column(rows), (0, 10), theme.PAGE, width=200)
    page: Widget = Row((side, Divider(upright=True), Column((main,), flex=1)), align="fill")
    wanted, change = question_subject(ctx, LANGUAGE), "All apps will use it."
    page = question(page, ctx, LANGUAGE, f"Change to {wanted}?", change, "Change", put(language=wanted), danger=False)
    all_back = "Every choice here goes back to how it was."
    return question(page, ctx, RESET, "Reset all settings?", all_back, "Reset", _reset)


PREFS = App(
    "prefs",
    "Settings",
    "settings",
    (96, 104, 120),
    "desktop",
    dict.fromkeys(BODIES, _view),
    (220, 54, 840, 600),
)
