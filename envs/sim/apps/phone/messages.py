"""Messages, on the phone: threads, one thread, a new one."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import TextMessage
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, Layers, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import IconButton, Tile
from omnipilot.envs.sim.ui.display_widgets import Divider, Label
from omnipilot.envs.sim.ui.navigation import arrive, back, both, focus, forget, go, show
from omnipilot.envs.sim.ui.panels import empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField


def back_button(app: str, view: str) -> IconButton:
    """The arrow at the left of a phone's top bar."""
    return IconButton(f"{app}/{view}/back", "back", "Back", back("phone", app))


def _read(contact: str) -> Do:
    return lambda state: state.own(state.account.put(replace(state.account.thread(contact), unread=0)))


def _delete(contact: str) -> Do:
    return lambda state: state.own(state.account.drop(state.account.thread(contact)))


def _copy(text: str) -> Do:
    return lambda state: state.on("phone", clipboard=text)


def send(contact: str) -> Do:
    """Send the draft of a thread; an empty draft is not sent."""

    def do(state: WorldState) -> WorldState:
        text = typed_text(state, "phone", f"messages/thread/{contact}/text").strip()
        if not text:
            return state
        thread = state.account.thread(contact)
        state = state.own(
            state.account.put(replace(thread, messages=(*thread.messages, TextMessage(text, state.time, mine=True))))
        )
        return both(forget("phone", f"messages/thread/{contact}/"), focus("phone", f"messages/thread/{contact}/text"))(
            state
        )

    return do


def _open(view: View) -> Do:
    return both(_read(view.arg), arrive("phone", "messages", View("threads"), view))


def _threads(ctx: Ctx) -> Widget:
    threads = sorted(ctx.account.threads, key=lambda t: t.messages[-1].time if t.messages else -1e9, reverse=True)
    rows = []
    for thread in threads:
        person = ctx.account.contact(thread.contact)
        last = thread.messages[-1] if thread.messages else TextMessage("", 0.0)
        rows.append(
            list_row(
                f"messages/threads/{thread.contact}",
                person.name if person else thread.contact,
                both(_read(thread.contact), go("phone", "messages", "thread", thread.contact)),
                subtitle=f"You: {last.text}" if last.mine else last.text,
                note=ctx.state.clock(last.time),
                avatar=True,
                bold=thread.unread > 0,
                count=thread.unread,
                menu=(("Delete", _delete(thread.contact)),),
            )
        )
    new = IconButton(
        "messages/threads/new",
        "plus",
        "New message",
        go("phone", "messages", "new"),
        theme.ON_ACCENT,
        theme.ACCENT,
        56,
        floating=True,
    )
    corner = Column((Gap(flex=1), Row((Gap(flex=1), new, Gap(20))), Gap(20)))
    body = ScrollView("messages/threads/scroll", Column(rows or [empty("No conversations yet")]))
    return Column((top_bar("Messages"), Layers((body, corner), flex=1)))


def _thread(ctx: Ctx) -> Widget:
    person = ctx.account.contact(ctx.arg)
    bubbles: list[Widget] = [Gap(8)]
    for i, message in enumerate(ctx.account.thread(ctx.arg).messages):
        ink, fill = (theme.ON_ACCENT, theme.ACCENT) if message.mine else (theme.INK, theme.CARD)
        words = PaddedBox(Label(message.text, 14, color=ink, wrapped=True, role=None), (14, 9), fill, 16)
        width = min(words.fit(ctx.width - 100)[0], ctx.width - 100)
        name = message.text
        tile = Tile(
            f"messages/thread/{ctx.arg}/{i}",
            name,
            PaddedBox(words, width=width),
            role="article",
            menu=(("Copy", _copy(message.text)),),
        )
        stamp = Label(("You, " if message.mine else "") + ctx.state.clock(message.time), 11, color=theme.MUTED)
        side = "right" if message.mine else "left"
        bubbles.append(PaddedBox(Column((tile, stamp), 2, align="right" if side == "right" else "left"), (16, 5)))
    field = f"messages/thread/{ctx.arg}/text"
    ready = bool(ctx.typed(field).strip())
    do = send(ctx.arg)
    compose = Row(
        (
            TextField(field, "Message", submit=do, flex=1),
            IconButton(
                f"messages/thread/{ctx.arg}/send",
                "send",
                "Send",
                do,
                theme.ON_ACCENT if ready else theme.FAINT,
                theme.ACCENT,
                enabled=ready,
            ),
        ),
        8,
    )
    name = person.name if person else ctx.arg
    return Column(
        (
            top_bar(name, back_button("messages", "thread")),
            ScrollView(f"messages/thread/{ctx.arg}/scroll", Column(bubbles), at_end=True),
            Divider(),
            PaddedBox(compose, (12, 8), theme.CARD),
        )
    )


def _new(ctx: Ctx) -> Widget:
    wanted = ctx.typed("messages/new/search").lower()
    rows = [
        list_row(
            f"messages/new/{person.id}",
            person.name,
            both(forget("phone", "messages/new/"), _read(person.id), show("phone", "messages", "thread", person.id)),
            subtitle=person.phone,
            avatar=True,
        )
        for person in sorted(ctx.account.contacts, key=lambda person: person.name)
        if wanted in person.name.lower() or wanted in person.phone
    ]
    return Column(
        (
            top_bar("New message", back_button("messages", "new")),
            PaddedBox(TextField("messages/new/search", "Search name or number"), (16, 12)),
            ScrollView("messages/new/scroll", Column(rows or [empty("Nobody has this name")])),
        )
    )


MESSAGES = App(
    "messages",
    "Messages",
    "message",
    (37, 133, 90),
    "phone",
    {"threads": _threads, "thread": _thread, "new": _new},
    opens=_open,
    news=lambda state: any(thread.unread for thread in state.account.threads),
)
