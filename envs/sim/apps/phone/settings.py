"""Settings, on the phone: networks, sounds, the screen, notifications, language, about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.phone.music_player import set_volume
from omnipilot.envs.sim.apps.phone.settings_wifi import join_screen, wifi_screen
from omnipilot.envs.sim.apps.phone.shared_parts import configure, fact, page, switch_row
from omnipilot.envs.sim.apps.question import ask, question, question_subject
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.phone_data import PhoneSettings
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.media_widgets import Slider
from omnipilot.envs.sim.ui.navigation import back, go
from omnipilot.envs.sim.ui.panels import card, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.words.phone import LANGUAGES

ALARM_SOUNDS = ("alarm", "buzz", "chime", "march", "jig")
RINGTONES = ("ringtone", "waltz", "blues", "canon", "lullaby")
NOTIFIERS = ("messages", "calendar", "tasks", "music", "gallery", "phone", "clock", "notes")
LANGUAGE, RESET = "settings/language/change", "settings/about/really"


def _main(ctx: Ctx) -> Widget:
    now = ctx.account.phone_settings
    network = ctx.account.find("networks", now.network)
    wifi = "Off" if not now.wifi else network.name if network else "Not connected"
    places = (
        ("wifi", "Wi-Fi", wifi, "wifi"),
        ("sound", "Sound", "Off" if now.quiet else f"Ringtone {now.ring} %", "volume"),
        ("display", "Display", f"{ctx.device.look.theme.capitalize()} theme", "sun"),
        ("notifications", "Notifications", f"{len(now.muted)} apps silenced", "bell"),
        ("language", "Language", now.language, "globe"),
        ("about", "About this phone", ctx.account.owner.name, "info"),
    )
    rows = [
        list_row(f"settings/main/{view}", name, go("phone", "settings", view), subtitle=text, icon=icon)
        for view, name, text, icon in places
    ]
    quick = Column(
        (
            switch_row("settings/main/airplane", "Flight mode", now.airplane, _airplane),
            switch_row("settings/main/bluetooth", "Bluetooth", now.bluetooth, configure(bluetooth=not now.bluetooth)),
            switch_row("settings/main/quiet", "Do not disturb", now.quiet, configure(quiet=not now.quiet)),
        ),
        4,
    )
    body = Column((*rows, PaddedBox(card(quick, 12), (16, 16))))
    return Column((top_bar("Settings"), ScrollView("settings/main/scroll", body)))


def _airplane(state: WorldState) -> WorldState:
    """Toggle flight mode, which turns the radios off; leaving it turns Wi-Fi back on."""
    on = not state.account.phone_settings.airplane
    return configure(airplane=on, wifi=not on, bluetooth=False)(state)


def _level(name: str, title: str, value: int, set: Callable[[int], Do]) -> Widget:
    slider = Slider(f"settings/sound/{name}", title, value, 100, set, step=10)
    return Column((Row((Label(title, 14, role=None, flex=1), Label(f"{value} %", 14, color=theme.MUTED))), slider))


def _tone(name: str, title: str, value: str, options: tuple[str, ...], gain: int) -> Widget:
    def choose(sound: str) -> Do:
        return lambda state: configure(**{name: sound})(state).sound("phone", sound, 2.0, gain)

    items = tuple((option.capitalize(), choose(option)) for option in options)
    box = Dropdown(f"settings/sound/{name.replace('_', '-')}", title, value.capitalize(), items)
    return Row((Label(title, 14, role=None, flex=1), box))


def _sound(ctx: Ctx) -> Widget:
    now = ctx.account.phone_settings
    levels = Column(
        (
            _level("media", "Media volume", now.media, set_volume),
            _level("ring", "Ring volume", now.ring, lambda value: configure(ring=value)),
            _level("alarm", "Alarm volume", now.alarm, lambda value: configure(alarm=value)),
        ),
        12,
    )
    tones = Column(
        (
            _tone("ringtone", "Ringtone", now.ringtone, RINGTONES, now.ring),
            _tone("alarm_sound", "Alarm sound", now.alarm_sound, ALARM_SOUNDS, now.alarm),
        ),
        12,
    )
    return page("settings", "sound", "Sound", [card(levels), card(tones)])


def _display(ctx: Ctx) -> Widget:
    look = ctx.device.look
    other = replace(look, theme="light" if look.theme == "dark" else "dark")

    def turn(state: WorldState) -> WorldState:
        return state.looking(other, "phone")

    level = ctx.account.phone_settings.brightness
    slider = Slider(
        "settings/display/brightness", "Brightness", level, 100, lambda value: configure(brightness=value), step=10
    )
    bright = Column((Row((Label("Brightness", 14, role=None, flex=1), Label(f"{level} %", 14))), slider))
    dark = switch_row("settings/display/dark", "Dark theme", look.theme == "dark", turn)
    return page("settings", "display", "Display", [card(dark, 12), card(bright)])


def _notifications(ctx: Ctx) -> Widget:
    muted = ctx.account.phone_settings.muted
    rows = []
    for app in NOTIFIERS:
        on = app not in muted
        others = tuple(sorted((*muted, app))) if on else tuple(name for name in muted if name != app)
        rows.append(switch_row(f"settings/notifications/{app}", app.capitalize(), on, configure(muted=others)))
    return page("settings", "notifications", "Notifications", [card(Column(rows, 8), 12)])


def _language(ctx: Ctx) -> Widget:
    now = ctx.account.phone_settings.language
    rows = [
        list_row(
            f"settings/language/{n}",
            name,
            ask("phone", LANGUAGE, name),
            icon="check" if name == now else "globe",
            selected=name == now,
        )
        for n, name in enumerate(LANGUAGES)
    ]
    arrow = IconButton("settings/language/back", "back", "Back", back("phone", "settings"))
    shown = Column((top_bar("Language", arrow), ScrollView("settings/language/scroll", Column(rows))))
    wanted = question_subject(ctx, LANGUAGE)
    text = "Apps that know this language will use it from their next start."
    return question(
        shown, ctx, LANGUAGE, f"Change to {wanted}?", text, "Change", configure(language=wanted), danger=False
    )


def _about(ctx: Ctx) -> Widget:
    owner = ctx.account.owner
    facts = [fact("Owner", owner.name), fact("Number", owner.phone, "settings/about/number"), fact("Mail", owner.email)]
    facts.append(fact("Pictures", str(len(ctx.account.photos))))
    reset = Button("settings/about/reset", "Reset all settings", ask("phone", RESET), style="outline")
    shown = page("settings", "about", "About this phone", [card(Column(facts, 14)), reset])

    def clear(state: WorldState) -> WorldState:
        fresh = PhoneSettings(network=state.account.phone_settings.network)
        state = state.own(replace(state.account, phone_settings=fresh))
        return state.looking(replace(state.phone.look, theme="light"), "phone")

    text = "Sounds, screen, language and notifications go back to how they were at first."
    return question(shown, ctx, RESET, "Reset all settings?", text, "Reset", clear)


VIEWS = {"main": _main, "wifi": wifi_screen, "join": join_screen, "sound": _sound, "display": _display}
SETTINGS = App(
    "settings",
    "Settings",
    "settings",
    (92, 100, 114),
    "phone",
    {**VIEWS, "notifications": _notifications, "language": _language, "about": _about},
)
