"""Mail, on the desktop: folders, a list, one mail, and composing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import Weight
from omnipilot.envs.sim.state.account import FOLDERS, Folder, Mail, fresh_id
from omnipilot.envs.sim.state.events import MailArrives
from omnipilot.envs.sim.state.world_state import Field, View, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget, WordsFrom
from omnipilot.envs.sim.ui.controls import Button, Dropdown, Tile
from omnipilot.envs.sim.ui.display_widgets import Avatar, Badge, Divider, Glyph, Label
from omnipilot.envs.sim.ui.navigation import arrive, back, both, focus, forget, go, remember, show
from omnipilot.envs.sim.ui.panels import empty
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.shortcuts import Shortcuts
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.types.words_origin import write_origin

ICONS = {"inbox": "inbox", "sent": "send", "archive": "folder", "trash": "trash"}
TO, SUBJECT, BODY, PROBLEM = "mail/compose/to", "mail/compose/subject", "mail/compose/body", "mail/compose/problem"
ORDERS = ("Newest first", "Oldest first")


def _name(ctx: Ctx, address: str) -> str:
    person = ctx.account.contact(address)
    return person.name if person else address


def _move(id: str, folder: Folder) -> Do:
    def do(state: WorldState) -> WorldState:
        mail = state.account.mail(id)
        return state if mail is None else state.own(state.account.put(replace(mail, folder=folder)))

    return do


def _into(folder: Folder) -> Callable[[WorldState, str], WorldState]:
    return lambda state, id: _move(id, folder)(state)


def _mark(id: str, read: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        mail = state.account.mail(id)
        return state if mail is None else state.own(state.account.put(replace(mail, read=read)))

    return do


def write(to: str = "", subject: str = "", body: str = "") -> Do:
    """Start a new mail with the given content, focusing the first empty field."""
    texts = {key: text for key, text in ((TO, to), (SUBJECT, subject), (BODY, body)) if text}

    def do(state: WorldState) -> WorldState:
        state = both(forget("desktop", "mail/compose/"), go("desktop", "mail", "compose"))(state)
        fields = state.desktop.fields
        for key, text in texts.items():
            at = 0 if key == BODY else len(text)
            fields = fields.set(key, Field(text, at, at))
        return focus("desktop", BODY if to else TO)(state.on("desktop", fields=fields))

    return do


def _open(view: View) -> Do:
    return both(arrive("desktop", "mail", view), _mark(view.arg, True))


def _reply(ctx: Ctx, mail: Mail) -> Do:
    subject = mail.subject if mail.subject.startswith("Re: ") else f"Re: {mail.subject}"
    quoted = "\n".join(f"> {line}" for line in mail.body.split("\n"))
    return write(_name(ctx, mail.sender), subject, f"\n\n{quoted}")


def send(state: WorldState) -> WorldState:
    """Send the draft to a contact's name or an address; an unknown name shows an error next to the field."""
    wanted = typed_text(state, "desktop", TO).strip()
    person = state.account.contact(wanted)
    address = person.email if person else wanted
    if "@" not in address or " " in address:
        return remember("desktop", PROBLEM, "Write an address, or a contact's full name")(state)
    account = state.account
    subject, body = (typed_text(state, "desktop", key) for key in (SUBJECT, BODY))
    id = fresh_id("mail", account.mails)
    mail = Mail(id, account.owner.email, address, subject.strip(), body, state.time, "sent", True)
    state = back("desktop", "mail")(state.own(account.put(mail)))
    if address == account.owner.email:
        state = state.later(2.0, MailArrives(address, mail.subject, mail.body))
    return state


def _folders(ctx: Ctx) -> Widget:
    rows: list[Widget] = [
        PaddedBox(Button("mail/compose", "Compose", write(), "plus", "filled"), (12, 12)),
    ]
    for folder in FOLDERS:
        unread = sum(not mail.read for mail in ctx.account.folder(folder)) if folder == "inbox" else 0
        name = folder.capitalize()
        chosen = folder == ctx.view.name
        parts: list[Widget] = [
            Glyph(ICONS[folder], 18, theme.ACCENT if chosen else theme.MUTED),
            Label(name, 14, "bold" if chosen else "regular", role=None, flex=1),
        ]
        if unread:
            parts.append(Badge(str(unread)))
        rows.append(
            Tile(
                f"mail/folder/{folder}",
                name,
                PaddedBox(Row(parts, 12), (16, 10)),
                show("desktop", "mail", folder),
                role="treeitem",
                selected=chosen,
                drop=_into(folder),
            )
        )
    return PaddedBox(Column(rows), color=theme.PAGE, width=180)


def _list(ctx: Ctx) -> Widget:
    mails = list(ctx.account.folder(ctx.view.name))
    if ctx.value("mail/order", ORDERS[0]) == ORDERS[1]:
        mails.reverse()
    rows: list[Widget] = []
    for mail in mails:
        who = _name(ctx, mail.to if ctx.view.name == "sent" else mail.sender)
        weight: Weight = "regular" if mail.read else "bold"
        first = Row((Label(who, 14, "bold", flex=1), Label(ctx.state.clock(mail.time), 12, color=theme.MUTED)), 8)
        content = Column((first, Label(mail.subject or "(no subject)", 14, weight, role=None)), 2)
        away: tuple[tuple[str, Do], ...] = (
            ("Archive", _move(mail.id, "archive")),
            ("Move to trash", _move(mail.id, "trash")),
            ("Mark as unread", _mark(mail.id, False)),
        )
        line = Tile(
            f"mail/list/{mail.id}",
            mail.subject or "(no subject)",
            Column((PaddedBox(content, (14, 9)), Divider())),
            both(show("desktop", "mail", ctx.view.name, mail.id), _mark(mail.id, True)),
            menu=away,
            payload=mail.id,
            selected=mail.id == ctx.arg,
            value=who,
        )
        rows.append(WordsFrom(line, write_origin("mail", mail.sender)))
    order = Dropdown(
        "mail/order",
        "Order",
        str(ctx.value("mail/order", ORDERS[0])),
        [(name, remember("desktop", "mail/order", name)) for name in ORDERS],
    )
    head = PaddedBox(Row((Label(ctx.view.name.capitalize(), 18, "bold", role="heading", flex=1), order)), (14, 10))
    scroll = ScrollView(f"mail/list/{ctx.view.name}/scroll", Column(rows or [empty("Nothing here")]))
    return PaddedBox(Column((head, Divider(), scroll)), color=theme.CARD, width=320)


def _reading(ctx: Ctx) -> Widget:
    mail = ctx.account.mail(ctx.arg)
    if mail is None:
        return PaddedBox(
            Column((Gap(flex=1), empty("Choose a mail to read it"), Gap(flex=2))), color=theme.CARD, flex=1
        )
    gone = show("desktop", "mail", ctx.view.name)
    actions = Row(
        (
            Button("mail/read/reply", "Reply", _reply(ctx, mail), "reply", "outline"),
            Button("mail/read/archive", "Archive", both(_move(mail.id, "archive"), gone), "folder", "outline"),
            Button("mail/read/trash", "Delete", both(_move(mail.id, "trash"), gone), "trash", "outline"),
        ),
        8,
    )
    sender = _name(ctx, mail.sender)
    who = Column((Label(sender, 14, "bold"), Label(f"{mail.sender}  to  {mail.to}", 12, color=theme.MUTED)), flex=1)
    origin = write_origin("mail", mail.sender)
    subject = Label(mail.subject or "(no subject)", 18, "bold", wrapped=True, role="heading", id="mail/read/subject")
    head = Column(
        (
            WordsFrom(subject, origin),
            Row(
                (Avatar(sender, 36), WordsFrom(who, origin), Label(ctx.state.clock(mail.time), 12, color=theme.MUTED)),
                12,
            ),
            actions,
        ),
        12,
    )
    words = WordsFrom(Label(mail.body, 14, wrapped=True, id="mail/read/body"), origin)
    body = ScrollView("mail/read/scroll", PaddedBox(words, (24, 16)))
    return PaddedBox(Column((PaddedBox(head, (24, 16)), Divider(), body)), color=theme.CARD, flex=1)


def _folder(ctx: Ctx) -> Widget:
    parts = (_folders(ctx), Divider(upright=True), _list(ctx), Divider(upright=True), _reading(ctx))
    return Shortcuts(Row(parts, align="fill"), {"ctrl+n": write()})


def _compose(ctx: Ctx) -> Widget:
    def line(name: str, id: str) -> Widget:
        label = PaddedBox(Label(name, 14, color=theme.MUTED, role=None), width=64)
        return Row((label, TextField(id, name, flex=1)))

    problem = str(ctx.value(PROBLEM))
    rows: list[Widget] = [line("To", TO), line("Subject", SUBJECT)]
    if problem:
        rows.insert(1, PaddedBox(Label(problem, 12, color=theme.DANGER, role="alert"), (64, 0)))
    buttons = Row(
        (
            Button("mail/compose/send", "Send", send, "send", "filled", bool(ctx.typed(TO).strip())),
            Button("mail/compose/discard", "Discard", back("desktop", "mail"), style="outline"),
        ),
        8,
    )
    rows += [TextField(BODY, "Write your mail", rows=0, flex=1), buttons]
    head = Label("New mail", 18, "bold", role="heading")
    form = PaddedBox(Column((head, *rows), 12), (24, 20), theme.CARD)
    return Shortcuts(form, {"ctrl+enter": send})


MAIL = App(
    "mail",
    "Mail",
    "mail",
    (24, 98, 214),
    "desktop",
    {**dict.fromkeys(FOLDERS, _folder), "compose": _compose},
    (70, 34, 1010, 640),
    opens=_open,
)
