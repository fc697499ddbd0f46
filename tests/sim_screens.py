"""Screens of the embedded world."""

from __future__ import annotations

from collections.abc import Iterator

from sim_hands import Hands, hands

from omnipilot.envs.actions import Drag, LongPress, Press, Swipe, System, TypeText
from omnipilot.envs.geometry import Point
from omnipilot.envs.sim.events import AlarmRings, MailArrives, MessageArrives


def screens() -> Iterator[tuple[str, Hands]]:
    """A tour past every kind of screen; the caller looks at each before the next."""
    world, phone, desktop = hands(5)
    account = world.state().account
    contact, note = account.threads[0].contact, max(account.notes, key=lambda note: note.saved).id
    yield "home", phone
    phone.tap("home/messages")
    yield "threads", phone
    phone.do(LongPress(phone.at(f"messages/threads/{contact}")))
    yield "menu", phone
    phone.do(System("back"))
    phone.tap(f"messages/threads/{contact}")
    yield "thread", phone
    phone.type(f"messages/thread/{contact}/text", "Hello")
    yield "draft", phone
    phone.do(System("back"))
    phone.tap("messages/threads/new")
    yield "new message", phone
    phone.do(Swipe("up"))
    yield "scrolled", phone
    world.prepare(lambda s: s.later(0.1, MessageArrives(contact, "Now")))
    world.wait(0.2)
    yield "banner", phone
    phone.open("clock")
    world.wait(5)
    yield "alarms", phone
    phone.tap("clock/alarms/new")
    yield "new alarm", phone
    phone.open("notes")
    yield "notes", phone
    phone.tap(f"notes/notes/{note}")
    yield "note", phone
    phone.tap("notes/edit/delete")
    yield "dialog", phone
    world.prepare(lambda s: s.later(0.1, AlarmRings(s.account.alarms[0].id)))
    world.wait(0.2)
    yield "ringing", phone
    yield "desktop", desktop
    desktop.open("mail")
    yield "mail", desktop
    mail = world.state().account.folder("inbox")[1].id
    desktop.tap(f"mail/list/{mail}")
    yield "reading", desktop
    desktop.tap(f"mail/list/{mail}", button="right")
    yield "context menu", desktop
    desktop.do(Press(("esc",)))
    desktop.tap("mail/order")
    yield "options", desktop
    desktop.do(Press(("esc",)))
    desktop.open("editor")
    yield "two windows", desktop
    document = next(id for id in desktop.ids() if id.startswith("editor/files/")).rpartition("/")[2]
    desktop.tap(f"editor/files/{document}")
    desktop.do(TypeText("More"))
    yield "unsaved", desktop
    desktop.tap(f"editor/files/{document}", button="right")
    desktop.tap(f"editor/files/{document}/delete")
    yield "dialog in a window", desktop
    desktop.open("signals")
    yield "three windows", desktop
    title = desktop.at("window/signals/title")
    desktop.do(Drag(Point(0.3, 0.5), start=title))
    yield "moved", desktop
    desktop.tap("taskbar/mail")
    desktop.tap("mail/read/reply")
    yield "compose", desktop
    world.prepare(lambda s: s.later(0.1, MailArrives("a@b.example", "Hi", "There")))
    world.wait(0.2)
    yield "mail banner", desktop
