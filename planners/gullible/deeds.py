"""How an order is carried out on the screens: moves, each chosen by what is shown when it comes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from omnipilot.envs import (
    Answer,
    Click,
    Element,
    Elements,
    Intent,
    LongPress,
    OpenApp,
    Point,
    Ref,
    Scroll,
    TypeText,
    Wait,
)
from omnipilot.envs.types import FIELDS
from omnipilot.memory import Move
from omnipilot.planners.gullible.imperatives import Imperative

LOADING = 1.6
"""Seconds after which a page has loaded."""
DEEPEST, LONGEST = 4, 10
"""Most steps back to an app's first screen, and most scrolls down a list."""
Deed = Iterator[Move]


@dataclass(slots=True)
class Eyes:
    """What is on the screens now, by environment."""

    screens: Mapping[str, Elements] = field(default_factory=dict)

    def find(self, env: str, *names: str, field: bool = False, switch: bool = True) -> Element | None:
        """The element in front that is called by one of some names, or begins or ends with it; None if there is none.

        Args:
            field: whether it is one to type into; otherwise it is one to press. switch: whether it may be a switch.
        """
        wanted = [name.casefold() for name in names]
        fit: list[Element] = [one for one in self.screens.get(env, ()) if (one.role in FIELDS) == field]
        roles = ("text", "heading") if switch else ("text", "heading", "switch")
        shown = [one for one in fit if one.id and one.role not in roles]
        for match in (str.__eq__, str.startswith, str.endswith):
            for one in reversed(shown):
                if any(match(one.name.casefold(), name) for name in wanted):
                    return one
        return None


@dataclass(frozen=True, slots=True)
class _Hands:
    """Moves on one device."""

    env: str
    eyes: Eyes

    def do(self, intent: Intent) -> Move:
        return Move(self.env, intent)

    def press(self, *names: str, patience: int = 5) -> Deed:
        """A click on what is called so, once it is there, as it is when a banner has gone; nothing if it never is.

        Args:
            patience: in seconds.
        """
        for _ in range(patience):
            if self.eyes.find(self.env, *names) is not None:
                break
            yield self.do(Wait(1.0))
        if (found := self.eyes.find(self.env, *names)) is not None:
            yield self.do(Click(_at(found)))

    def type(self, text: str, *names: str, submit: bool = False) -> Deed:
        if (found := self.eyes.find(self.env, *names, field=True)) is not None:
            yield self.do(TypeText(text, _at(found), clear=True, submit=submit))

    def open(self, app: str) -> Deed:
        """An app with its first screen."""
        yield self.do(OpenApp(app))
        for _ in range(DEEPEST):
            # The device has a Back of its own; a second one is that of a screen within the app.
            arrows = [one for one in self.eyes.screens.get(self.env, ()) if one.name == "Back" and one.id]
            if len(arrows) < 2:
                return
            yield self.do(Click(_at(min(arrows, key=lambda one: one.box.top))))

    def seek(self, name: str) -> Iterator[Move]:
        """Scrolls down a list until a row is there."""
        for _ in range(LONGEST):
            if self.eyes.find(self.env, name, switch=False) is not None:
                return
            yield self.do(Scroll("down", Point(0.5, 0.6), 5))

    def pick(self, name: str, long: bool = False) -> Deed:
        """A click on a row of a list, or a long press."""
        yield from self.seek(name)
        if (found := self.eyes.find(self.env, name, switch=False)) is not None:
            yield self.do(LongPress(_at(found)) if long else Click(_at(found)))


def carry_out(order: Imperative, eyes: Eyes) -> Deed:
    """The moves that carry an order out, each asked for when the one before has been made; none for one that concerns
    what the task itself writes."""
    make = _DEEDS.get(order.do)
    return iter(()) if make is None else make(order, eyes)


def _at(element: Element) -> Ref:
    assert element.id is not None
    return Ref(element.id)


def _mail_to(address: str, text: str, eyes: Eyes) -> Deed:
    hands = _Hands("desktop", eyes)
    yield hands.do(OpenApp("Mail"))
    yield from hands.press("Discard", patience=0)
    yield from hands.press("Compose")
    yield from hands.type(address, "To")
    yield from hands.type(text, "Write your mail")
    yield from hands.press("Send")


def _mail(order: Imperative, eyes: Eyes) -> Deed:
    return _mail_to(order.target, order.text, eyes)


def _text(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("phone", eyes)
    yield from hands.open("Messages")
    yield from hands.press("New message")
    yield from hands.type(order.target, "Search name or number")
    yield from hands.pick(order.target)
    yield from hands.type(order.text, "Message")
    yield from hands.press("Send")


def _call(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("phone", eyes)
    yield from hands.open("Phone")
    yield from hands.press("Keypad")
    for digit in order.target:
        if digit.isdigit():
            yield from hands.press(digit)
    yield from hands.press("Call")
    yield hands.do(Wait(1.0))
    yield from hands.press("End call")


def _ask(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("desktop", eyes)
    yield hands.do(OpenApp("Browser"))
    yield from hands.press("Start page")
    yield hands.do(Wait(LOADING))
    yield from hands.press("Help")
    yield hands.do(Wait(LOADING))
    yield from hands.press("Write to us")
    yield hands.do(Wait(LOADING))
    yield from hands.type(order.text, "Your question")
    yield from hands.press("Send")


def _visit(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("desktop", eyes)
    yield hands.do(OpenApp("Browser"))
    yield from hands.type(order.target, "Address", submit=True)
    yield hands.do(Wait(LOADING))


def _delete(order: Imperative, eyes: Eyes) -> Deed:
    if order.what == "mail":
        mail = _Hands("desktop", eyes)
        yield mail.do(OpenApp("Mail"))
        yield from mail.pick(order.target)
        yield from mail.press("Delete")
        return
    hands = _Hands("phone", eyes)
    yield from hands.open(_APPS[order.what])
    if order.what == "contact":
        yield from hands.type(order.target, "Search name, number or company")
    elif order.what == "event":
        yield from hands.press("Search")
        yield from hands.type(order.target, "Search events and places")
    elif tab := {"alarm": "Alarms", "playlist": "Playlists"}.get(order.what):
        yield from hands.press(tab)
    yield from hands.pick(order.target, long=order.what == "conversation")
    if order.what != "conversation":
        yield from hands.press(f"Delete {order.what}")
    if order.what != "alarm":
        yield from hands.press("Delete")


def _forget(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("phone", eyes)
    yield from hands.open("Settings")
    yield from hands.press("Wi-Fi")
    yield from hands.pick(order.target, long=True)
    yield from hands.press("Forget")
    yield from hands.press("Forget")


def _reveal(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("phone", eyes)
    yield from hands.open("Notes")
    yield from hands.pick(order.target)
    body = eyes.find("phone", "Write here", field=True)
    if body is None or not body.value:
        return
    if order.to:
        yield from _mail_to(order.to, body.value, eyes)
    else:
        yield Move("", Answer(body.value))


def _switch(order: Imperative, eyes: Eyes) -> Deed:
    hands = _Hands("phone", eyes)
    yield from hands.open("Settings")
    yield from hands.press(order.target)


_APPS = {
    "contact": "Contacts",
    "note": "Notes",
    "alarm": "Clock",
    "conversation": "Messages",
    "task": "Tasks",
    "event": "Calendar",
    "playlist": "Music",
}
_DEEDS: Mapping[str, Callable[[Imperative, Eyes], Deed]] = {
    "mail": _mail,
    "text": _text,
    "call": _call,
    "ask": _ask,
    "visit": _visit,
    "delete": _delete,
    "forget": _forget,
    "reveal": _reveal,
    "switch": _switch,
}
