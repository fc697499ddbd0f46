"""Phone, on the phone: dial pad, recent calls, voicemail, the current call, and the incoming-call screen."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.apps.phone.calls import answer, caller, decline, dial, hang_up, press, shown_name
from omnipilot.envs.sim.apps.phone.shared_parts import Ticking, buttons, clock_time, fact, jump, page, remove, when
from omnipilot.envs.sim.apps.phone.voicemail import message_screen, voicemail_screen
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.world_state import Ringing, View, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, TabBar, Tile
from omnipilot.envs.sim.ui.display_widgets import Avatar, Glyph, Label
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.navigation import back, both, forget, go, remember, show
from omnipilot.envs.sim.ui.panels import card, empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do

NUMBER, MISSED, PAD = "phone/keypad/number", "phone/recents/missed", "phone/call/pad"
KEYS = {**{key: key for key in "123456789"}, "*": "star", "0": "0", "#": "hash"}
KINDS = {"out": "Outgoing", "in": "Incoming", "missed": "Missed", "declined": "Declined"}


def _tabs(ctx: Ctx, current: str) -> Widget:
    unheard = sum(not message.heard for message in ctx.account.voicemails)
    names = {
        "keypad": "Keypad",
        "recents": "Recents",
        "voicemail": f"Voicemail ({unheard})" if unheard else "Voicemail",
    }
    tabs = tuple((f"phone/tab/{view}", name, show("phone", "phone", view)) for view, name in names.items())
    return Column((top_bar("Phone"), TabBar(tabs, f"phone/tab/{current}")))


def _pad(view: str, do: dict[str, Do]) -> Widget:
    keys = []
    for key, name in KEYS.items():
        face = PaddedBox(Label(key, 28, "bold", align="center", role=None), (0, 12), theme.TINT, 16)
        menu = (("+", do["+"]),) if key == "0" and "+" in do else ()
        keys.append(Tile(f"phone/{view}/{name}", key, face, do[key], role="button", menu=menu))
    return Wall(keys, 3, 12)


def _type(key: str) -> Do:
    def do(state: WorldState) -> WorldState:
        number = str(state.phone.values.get(NUMBER, ""))
        state = remember("phone", NUMBER, (number + key)[:20])(state)
        return state if key == "+" else press(key)(state)

    return do


def _erase(state: WorldState) -> WorldState:
    return remember("phone", NUMBER, str(state.phone.values.get(NUMBER, ""))[:-1])(state)


def _keypad(ctx: Ctx) -> Widget:
    number = str(ctx.value(NUMBER))
    person = caller(ctx.account, number) if len(number) > 9 else None
    line = Row(
        (
            Gap(44),
            Label(number or " ", 28, align="center", role="status", id="phone/keypad/number", flex=1),
            IconButton("phone/keypad/erase", "back", "Erase", _erase, enabled=bool(number)),
        )
    )
    call = both(dial(number), forget("phone", "phone/keypad/"))
    pad = Column(
        (
            line,
            Label(person.name if person else " ", 14, color=theme.MUTED, align="center", id="phone/keypad/name"),
            Gap(8),
            _pad("keypad", {key: _type(key) for key in (*KEYS, "+")}),
            Gap(12),
            Button("phone/keypad/call", "Call", call, "call", "filled", enabled=bool(number)),
        ),
        8,
    )
    return Column((_tabs(ctx, "keypad"), ScrollView("phone/keypad/scroll", PaddedBox(pad, (40, 24)))))


def _recents(ctx: Ctx) -> Widget:
    only = bool(ctx.value(MISSED, False))
    rows = [
        list_row(
            f"phone/recents/{call.id}",
            shown_name(ctx.account, call.number),
            go("phone", "phone", "info", call.id),
            subtitle=f"{KINDS[call.kind]} · {when(ctx.state, call.time)}",
            avatar=True,
            trailing=(
                IconButton(
                    f"phone/recents/{call.id}/call",
                    "call",
                    f"Call {shown_name(ctx.account, call.number)}",
                    dial(call.number),
                    theme.ACCENT,
                ),
            ),
            menu=(("Delete", remove("calls", call.id)),),
        )
        for call in sorted(ctx.account.calls, key=lambda call: (-call.time, call.id))
        if not only or call.kind == "missed"
    ]
    choose = TabBar(
        (
            ("phone/recents/all", "All calls", remember("phone", MISSED, False)),
            ("phone/recents/missed", "Missed", remember("phone", MISSED, True)),
        ),
        "phone/recents/missed" if only else "phone/recents/all",
    )
    body = ScrollView("phone/recents/scroll", Column(rows or [empty("No calls")]))
    return Column((_tabs(ctx, "recents"), choose, body))


def _info(ctx: Ctx) -> Widget:
    call = ctx.account.find("calls", ctx.arg)
    if call is None:
        return page("phone", "info", "Call", [empty("This call is gone")])
    person = caller(ctx.account, call.number)
    facts = [
        fact("Name", person.name if person else "Not among your contacts"),
        fact("Number", call.number, "phone/info/number"),
        fact("When", f"{KINDS[call.kind]}, {when(ctx.state, call.time)}"),
        fact("Length", clock_time(call.seconds)),
    ]
    found = [Button("phone/info/call", "Call", dial(call.number), "call", "filled")]
    if person is not None:
        text = jump("messages", View("threads"), View("thread", person.id))
        found.append(Button("phone/info/text", "Message", text, "message", "outline"))
    gone = both(back("phone", "phone"), remove("calls", call.id))
    bin = IconButton("phone/info/delete", "trash", "Delete from history", gone)
    return page("phone", "info", "Call", [card(Column(facts, 14)), buttons(*found)], [bin])


def _call(ctx: Ctx) -> Widget:
    call = ctx.account.find("calls", ctx.arg)
    if call is None:
        return page("phone", "call", "Call", [empty("This call is gone")])
    name, length = shown_name(ctx.account, call.number), ctx.state.time - call.time if call.live else call.seconds
    pad = bool(ctx.value(PAD, False))
    parts: list[Widget] = [
        Column((Avatar(name, 72), Label(name, 22, "bold", align="center", role="heading")), 12, align="center"),
        Label(call.number, 14, color=theme.MUTED, align="center"),
        Label(
            clock_time(length) if call.live else "Call ended", 16, align="center", role="status", id="phone/call/time"
        ),
    ]
    if call.live:
        toggle = Button(
            "phone/call/pad", "Hide keypad" if pad else "Keypad", remember("phone", PAD, not pad), style="outline"
        )
        end = both(hang_up, back("phone", "phone"))
        if pad:
            parts.append(Label(call.keys or " ", 22, "bold", align="center", role="status", id="phone/call/keys"))
            parts.append(PaddedBox(_pad("call", {key: press(key) for key in KEYS}), (40, 0)))
        parts.append(buttons(toggle, Button("phone/call/end", "End call", end, "close", "danger")))
    shown = page("phone", "call", "Call", parts)
    return Ticking(shown, call.time) if call.live else shown


def incoming_screen(ctx: Ctx, ringing: Ringing) -> Widget:
    """The screen in front of everything during an incoming call."""
    call = ctx.account.find("calls", ringing.alarm)
    number = call.number if call else ""
    face = (
        Gap(flex=2),
        Row((Gap(flex=1), Glyph("call", 64, theme.ON_ACCENT), Gap(flex=1))),
        Label(ringing.label, 28, "bold", theme.ON_ACCENT, align="center", role="heading"),
        Label(number, 16, color=(190, 204, 230), align="center"),
        Gap(flex=3),
        buttons(
            Button("phone/ringing/decline", "Decline", decline, "close", "danger"),
            Button("phone/ringing/answer", "Answer", answer, "call", "filled"),
        ),
        Gap(flex=1),
    )
    return PaddedBox(Column(face, 16), (40, 24), theme.DARK)


def _voicemail(ctx: Ctx) -> Widget:
    return voicemail_screen(ctx, _tabs(ctx, "voicemail"))


VIEWS = {"keypad": _keypad, "recents": _recents, "voicemail": _voicemail}
PHONE = App(
    "phone",
    "Phone",
    "call",
    (46, 125, 66),
    "phone",
    {**VIEWS, "info": _info, "message": message_screen, "call": _call},
)
