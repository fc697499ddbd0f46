"""What is done in a past besides what matters: apps are opened, mails are read, pages are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from omnipilot.bench.suites.duet_memory.stage import Stage
from omnipilot.envs import Click, OpenApp, Ref, System, TypeText, Wait
from omnipilot.envs.types import place_fields
from omnipilot.memory import Move

LOADING = 1.5
SETTLING = 3
"""Turns at the end in which windows are closed and the phone goes home, so that nothing is left on the screens."""
OFTEN, MOST = 9, 25
"""Turns from one distraction to the next, unless there would be more than so many."""
DESKTOP = (
    ("mail", "Mail", "mail/list/"),
    ("files", "Files", "files/tree/"),
    ("editor", "Text Editor", "editor/files/"),
    ("sheets", "Sheets", "sheets/list/sheet"),
    ("browser", "Browser", "browser/shop/item/"),
    ("terminal", "Terminal", ""),
)
"""Apps of the desktop: id, title, and how the ids of what can be opened in them begin."""
PHONE = (
    ("Messages", "messages/threads/"),
    ("Notes", "notes/notes/document"),
    ("Contacts", "contacts/list/"),
    ("Tasks", ""),
    ("Calendar", ""),
    ("Gallery", "gallery/photos/photo"),
    ("Music", ""),
    ("Clock", ""),
)


def wander(
    stage: Stage, dice: Random, turns: int, distract: Callable[[Stage, Random], Iterator[Move]]
) -> Iterator[Move]:
    """So many turns of visits to apps on both devices, with a distraction now and then.

    Args:
        distract: one turn in which something like the needed fact is seen or heard.
    """
    left, every = turns, max(OFTEN, turns // MOST)
    visit: list[Move] = []
    while left > SETTLING:
        left -= 1
        if left % every == every // 2:
            yield from distract(stage, dice)
            continue
        if not visit or not _possible(stage, visit[0]):
            visit = _visit(stage, dice)
        yield visit.pop(0)
    for _ in range(left):
        yield _settle(stage)


def _visit(stage: Stage, dice: Random) -> list[Move]:
    """The moves of one visit, from whatever is on the screens."""
    if front := stage.world.state().desktop.front:
        return [Move("desktop", Click(Ref(f"window/{front.app}/close")))]
    if not stage.world.state().phone.home:
        return [Move("phone", System("home"))]
    if dice.random() < 0.5:
        app, title, rows = dice.choice(DESKTOP)
        begin = [Move("desktop", OpenApp(title))]
        if app == "browser":
            address = TypeText("shop.example", Ref("browser/address"), clear=True, submit=True)
            begin += [Move("desktop", address), Move("", Wait(LOADING))]
        return [*begin, *_row(stage, dice, "desktop", rows)]
    title, rows = dice.choice(PHONE)
    back = [Move("phone", System("back"))] if rows else []
    return [Move("phone", OpenApp(title)), *_row(stage, dice, "phone", rows), *back]


def _row(stage: Stage, dice: Random, env: str, rows: str) -> list[Move]:
    """A click on one of the first rows of a list; which, is settled now, and whether it is there when it comes."""
    if not rows:
        return []
    account = stage.world.state().account
    known = {
        "mail/list/": [mail.id for mail in account.folder("inbox")][:7],
        "files/tree/": ["Documents", "Reports", "Travel", "Work"],
        "editor/files/": ["document-8", "document-9", "document-10", "document-11", "document-13"],
        "sheets/list/sheet": [f"-{number}" for number in range(1, 7)],
        "browser/shop/item/": [one.id for one in sorted(account.products, key=lambda one: one.name)[:8]],
        "messages/threads/": [thread.contact for thread in account.threads],
        "notes/notes/document": [f"-{number}" for number in range(1, 8)],
        "contacts/list/": [person.id for person in account.contacts[:8]],
        "gallery/photos/photo": [f"-{number}" for number in range(20, 31)],
    }[rows]
    return [Move(env, Click(Ref(rows + dice.choice(known))))]


def _possible(stage: Stage, move: Move) -> bool:
    places = (getattr(move.intent, name) for name in place_fields(move.intent))
    return all(stage.shows(move.env, place.id) for place in places if isinstance(place, Ref))


def _settle(stage: Stage) -> Move:
    """A step towards empty screens."""
    state = stage.world.state()
    if state.desktop.front is not None:
        return Move("desktop", Click(Ref(f"window/{state.desktop.front.app}/close")))
    return Move("phone", System("home")) if not state.phone.home else Move("", Wait(2.0))
