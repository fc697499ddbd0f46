"""Voicemail, in the Phone app: the list of messages, and playing one."""

from __future__ import annotations

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.apps.phone.calls import dial, shown_name, silence
from omnipilot.envs.sim.apps.phone.shared_parts import buttons, change, clock_time, fact, page, remove, when
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.state.phone_data import Voicemail
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Badge
from omnipilot.envs.sim.ui.navigation import back, both, go
from omnipilot.envs.sim.ui.panels import card, empty, list_row
from omnipilot.envs.sim.ui.scene import Do

SURE = "phone/message/delete"


def voicemail_screen(ctx: Ctx, head: Widget) -> Widget:
    """The messages, newest first, below the app's shared header."""
    rows = [
        list_row(
            f"phone/voicemail/{message.id}",
            shown_name(ctx.account, message.number),
            go("phone", "phone", "message", message.id),
            subtitle=when(ctx.state, message.time) + (" · kept" if message.kept else ""),
            note=clock_time(message.seconds),
            avatar=True,
            bold=not message.heard,
            trailing=() if message.heard else (Badge("new"),),
        )
        for message in sorted(ctx.account.voicemails, key=lambda message: (-message.time, message.id))
    ]
    body = ScrollView("phone/voicemail/scroll", Column(rows or [empty("No messages")]))
    return Column((head, body))


def play_message(message: Voicemail) -> Do:
    """Play the message from its start and mark it as heard."""

    def do(state: WorldState) -> WorldState:
        state = silence(state, message.sound)
        state = state.sound("phone", message.sound, message.seconds, state.account.phone_settings.media)
        return change("voicemails", message.id, heard=True)(state)

    return do


def message_screen(ctx: Ctx) -> Widget:
    """One message: who left it, Play, Stop, Call back, Keep, Delete."""
    message = ctx.account.find("voicemails", ctx.arg)
    if message is None:
        return page("phone", "message", "Message", [empty("This message is gone")])
    name = shown_name(ctx.account, message.number)
    keep = Button(
        "phone/message/keep",
        "Kept" if message.kept else "Keep",
        change("voicemails", message.id, kept=not message.kept),
        "save",
        "outline",
    )
    facts = [fact("From", name), fact("Number", message.number), fact("Left", when(ctx.state, message.time))]
    play = buttons(
        Button("phone/message/play", "Play", play_message(message), "play", "filled"),
        Button("phone/message/stop", "Stop", lambda state: silence(state, message.sound), "stop", "outline"),
    )
    parts = [card(Column(facts, 14)), play, buttons(_call_back(message), keep)]
    bin = IconButton("phone/message/bin", "trash", "Delete message", ask("phone", SURE))
    gone = both(lambda state: silence(state, message.sound), remove("voicemails", message.id), back("phone", "phone"))
    shown = page("phone", "message", "Message", parts, [bin])
    return question(
        shown, ctx, SURE, "Delete this message?", f"The message of {name} cannot come back.", "Delete", gone
    )


def _call_back(message: Voicemail) -> Button:
    return Button("phone/message/call", "Call back", dial(message.number), "call", "outline")
