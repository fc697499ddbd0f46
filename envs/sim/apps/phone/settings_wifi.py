"""Wi-Fi, in the phone's Settings: networks in range, and entering a password."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs.sim.apps.base import Ctx, typed_text
from omnipilot.envs.sim.apps.loading import load, when_loaded
from omnipilot.envs.sim.apps.phone.shared_parts import change, configure, page, switch_row
from omnipilot.envs.sim.apps.question import ask, question, question_subject
from omnipilot.envs.sim.state.phone_data import WirelessNetwork
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Glyph, Label
from omnipilot.envs.sim.ui.navigation import back, both, go, remember
from omnipilot.envs.sim.ui.panels import card, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

PASSWORD, WRONG = "settings/join/password", "settings/join/wrong"
JOINING, FORGET = "settings/wifi/joining", "settings/wifi/forget"
JOIN_SECONDS = 1.5


def wifi_screen(ctx: Ctx) -> Widget:
    """The networks, the connected one first, then by signal strength."""
    now = ctx.account.phone_settings
    rows: list[Widget] = []
    for one in sorted(ctx.account.networks, key=lambda one: (one.id != now.network, -one.strength, one.name)):
        used = one.id == now.network
        lock = (Glyph("lock", 16),) if one.password else ()
        do = configure(network=one.id) if one.known or not one.password else go("phone", "settings", "join", one.id)
        state = "Connected" if used else "Saved" if one.known else ""
        menu = (("Forget", ask("phone", FORGET, one.id)),) if one.known or used else ()
        note = " · ".join(part for part in (state, f"signal {one.strength} of 4") if part)
        row = list_row(f"settings/wifi/{one.id}", one.name, do, subtitle=note, icon="wifi", trailing=lock, menu=menu)
        rows.append(row)
    on = switch_row("settings/wifi/on", "Use Wi-Fi", now.wifi, configure(wifi=not now.wifi, airplane=False))
    parts: Sequence[Widget] = rows if now.wifi else ()
    arrow = IconButton("settings/wifi/back", "back", "Back", back("phone", "settings"))
    shown = when_loaded(ctx, JOINING, lambda: ScrollView("settings/wifi/scroll", Column(parts)), "Connecting…")
    whole = Column((top_bar("Wi-Fi", arrow), PaddedBox(card(on, 12), (16, 12)), shown))
    gone = ctx.account.find("networks", question_subject(ctx, FORGET))
    return (
        whole
        if gone is None
        else question(
            whole, ctx, FORGET, f"Forget {gone.name}?", "Its password will be needed again.", "Forget", _forget(gone)
        )
    )


def _forget(network: WirelessNetwork) -> Do:
    def do(state: WorldState) -> WorldState:
        if state.account.phone_settings.network == network.id:
            state = configure(network="")(state)
        return change("networks", network.id, known=False)(state)

    return do


def _connect(network: WirelessNetwork) -> Do:
    def do(state: WorldState) -> WorldState:
        if typed_text(state, "phone", PASSWORD) != network.password:
            return ask("phone", WRONG)(state)
        steps = change("networks", network.id, known=True), configure(network=network.id)
        return both(*steps, back("phone", "settings"), load("phone", JOINING, JOIN_SECONDS))(state)

    return do


def join_screen(ctx: Ctx) -> Widget:
    """The screen for entering a network's password."""
    network = ctx.account.find("networks", ctx.arg) or WirelessNetwork("", "?", 0)
    do = _connect(network)
    ready = len(ctx.typed(PASSWORD)) >= 4
    parts = [
        Label(f"Password of “{network.name}”", 16, wrapped=True),
        TextField(PASSWORD, "Password", submit=do, size=16),
        Button("settings/join/connect", "Connect", do, style="filled", enabled=ready),
    ]
    shown = page("settings", "join", "Join network", parts)
    retry = both(remember("phone", WRONG, ""), back("phone", "settings"))
    return question(
        shown,
        ctx,
        WRONG,
        "Wrong password",
        f"“{network.name}” did not accept it.",
        "Give up",
        retry,
        "Try again",
        False,
    )
