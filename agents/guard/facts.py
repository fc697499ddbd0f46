"""What a move does, as a policy asks: from the action, what is on the screen, and what went before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from omnipilot.agents.guard.policy import NOTHING, UNKNOWN, KnownSide, MoveFacts
from omnipilot.agents.guard.read_policy import SYSTEM, write_chord
from omnipilot.agents.guard.words import is_within
from omnipilot.envs import (
    Action,
    Box,
    Browser,
    Click,
    Context,
    Custom,
    Drag,
    Element,
    Elements,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseMove,
    MouseUp,
    Observation,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Select,
    Swipe,
    System,
    TypeText,
)
from omnipilot.envs.types import CONTROL_VERBS, FIELDS, INTERACTIVE, place_fields
from omnipilot.envs.types.element_reading import element_at

_MODIFIERS = frozenset({"ctrl", "alt", "meta"})
_PASTES = frozenset({"ctrl+v", "meta+v", "shift+insert", "ctrl+shift+v", "meta+shift+v"})
_EDITS = frozenset("ctrl+a ctrl+c ctrl+x ctrl+z ctrl+home ctrl+end ctrl+left ctrl+right meta+a meta+c meta+x".split())
"""Chords that act on the text of a field alone."""
_MOVES = frozenset("up down left right home end pageup pagedown tab esc shift+tab backspace delete insert".split())
_HOST = re.compile(r"(?!\d+$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_DOTTED = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}")
_ALSO: dict[str, tuple[str, ...]] = {
    "long_press": ("click",),
    "mouse_down": ("click", "drag", "long_press"),
    "mouse_up": ("click", "drag", "long_press"),
    "drag": ("swipe", "click"),
    "swipe": ("drag", "click"),
    "select": ("click",),
    "key_down": ("press",),
    "key_up": ("press",),
}
"""What a verb may come to besides."""
PASSWORD = "password"
"""The state of a field that hides what is typed; rules name it among the roles."""
_LONGEST, _CUT = 10_000, 200


@dataclass(slots=True)
class HandState:
    """What an agent holds, and where it is, on one device; learned from the moves that were carried out.

    Attributes:
        cursor: None where that is not known. held: keys that are down. keyed: the characters that were pressed one by
            one. moved: whether the caret moved between them.
    """

    cursor: Point | None = None
    held: frozenset[str] = frozenset()
    keyed: str = ""
    moved: bool = False

    def follow(self, action: Action) -> None:
        """Take in a move that was carried out, or may have been in part."""
        if isinstance(action, KeyDown):
            self.held |= frozenset(action.keys)
        elif isinstance(action, KeyUp):
            self.held -= frozenset(action.keys)
        points = _points(action)
        self.cursor = points[-1] if points else self.cursor
        if isinstance(action, Press) and all(_is_character(key) for key in action.keys):
            self.keyed = (self.keyed + _characters(action.keys) * action.repeat)[-_LONGEST:]
        elif isinstance(action, Press):
            self.moved = bool(self.keyed)
        elif isinstance(action, TypeText) and action.at is None:
            self.keyed = (self.keyed + action.text)[-_LONGEST:]
        elif points:
            self.keyed, self.moved = "", False


@dataclass(slots=True)
class _Reach:
    """The elements that a move reaches, as they are found."""

    elements: Elements | None
    found: list[Element] = field(default_factory=list)
    whole: bool = True

    def press(self, point: Point | None) -> None:
        """A place that is pressed; None for one that is not known."""
        hit = element_at(self.elements, point) if self.elements is not None and point is not None else None
        if self.elements is None or point is None or hit is None:
            self.whole = False
            return
        self.found.append(hit)
        self.found += [one for one in self.elements if one.role in INTERACTIVE and one.box.contains(point)]
        if hit.role in INTERACTIVE or not hit.name:
            self.found += [
                one for one in self.elements if one.role not in INTERACTIVE and one.name and hit.box.encloses(one.box)
            ]

    def focus(self, enter: bool = False) -> tuple[Element, ...]:
        """What has the focus; with Enter also all that it may press."""
        if self.elements is None:
            self.whole = False
            return ()
        focused = tuple(one for one in self.elements if "focused" in one.states)
        self.found += focused
        self.whole &= bool(focused)
        if enter:
            self.found += [one for one in self.elements if one.role in INTERACTIVE - FIELDS and one.name]
        return focused

    def roles(self) -> KnownSide:
        roles = [role for one in self.found for role in (one.role, *({PASSWORD} & one.states))]
        return KnownSide(tuple(dict.fromkeys(roles)), self.whole)

    def text(self) -> KnownSide:
        words = [word for one in self.found for word in (one.name, "" if one.role in FIELDS else one.value) if word]
        return KnownSide(tuple(dict.fromkeys(words)), self.whole and (bool(words) or not self.found))


def facts_of(action: Action, seen: Observation | None, hands: HandState) -> MoveFacts:
    """What an action does.

    Args:
        seen: what is on the screen of its device, elements and context; None where nobody can tell.
        hands: what went before on this device.
    """
    if action.kind in CONTROL_VERBS:
        return MoveFacts(KnownSide((action.kind,)), control=True)
    elements = seen.elements if seen is not None and isinstance(seen.elements, Elements) else None
    reach = _Reach(None if elements is None or elements.truncated else elements)
    context = seen.context if seen is not None and isinstance(seen.context, Context) else None
    apps, hosts = _apps(context), _here(context)
    if isinstance(action, Custom):
        words = tuple(_texts(action.arguments))
        return MoveFacts(
            KnownSide((f"custom:{action.name}",)), _open(apps), UNKNOWN, UNKNOWN, UNKNOWN, KnownSide(words, False)
        )
    verbs: tuple[str, ...] = (action.kind,)
    typed = keys = NOTHING
    if isinstance(action, OpenApp):
        apps = KnownSide((*apps.values, action.app), apps.whole)
        reach.whole = True
    elif isinstance(action, OpenUrl):
        typed = KnownSide((action.url,))
        host = host_of(action.url)
        hosts = KnownSide((host,)) if host else UNKNOWN
    elif isinstance(action, Browser):
        hosts = hosts if action.op in ("reload", "new_tab") else _open(hosts)
        typed = NOTHING
    elif isinstance(action, System):
        keys = KnownSide((SYSTEM + action.name,))
    elif isinstance(action, Press | KeyDown | KeyUp):
        keys, typed, more = _keyed(action, reach, hands, context)
        verbs += more
    elif isinstance(action, TypeText):
        keys, typed = _typing(action, reach, hands)
        verbs += ("press",) if keys.values else ()
    else:
        typed = _pointing(action, reach, hands, context)
    also = _ALSO.get(action.kind, ()) + (("click",) if isinstance(action, TypeText) and action.at else ())
    return MoveFacts(KnownSide(verbs, True, also), apps, reach.roles(), reach.text(), hosts, typed, keys)


def host_of(url: str) -> str:
    """The host of an address in lower case; "" where programs may disagree on it, or it is none of the web."""
    text = url if "://" in url else f"https://{url}"
    if not text.isascii() or any(one <= " " or one in "\\%@" for one in text.partition("://")[2].partition("/")[0]):
        return ""
    if any(one <= " " or one == "\\" for one in text):
        return ""
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").rstrip(".")
        _ = parts.port
    except ValueError:
        return ""
    numeric = host.replace(".", "").isdigit() or host.rpartition(".")[2].startswith("0x")
    named = _DOTTED.fullmatch(host) if numeric else _HOST.fullmatch(host)
    return host if parts.scheme in ("http", "https") and named else ""


def _pointing(action: Action, reach: _Reach, hands: HandState, context: Context | None) -> KnownSide:
    """The places of a move of the pointer; returns what it enters."""
    places = _points(action)
    for point in places or (hands.cursor,):
        if not (isinstance(action, Swipe) and not places):
            reach.press(point)
    if isinstance(action, Swipe) and not places:
        reach.press(Point(0.5, 0.5))
    if isinstance(action, Drag | MouseDown | MouseUp) and getattr(action, "start", None) is None:
        # From where the pointer is; what is held comes along.
        reach.press(hands.cursor)
    if hands.held & _MODIFIERS:
        reach.whole = False
    if isinstance(action, Select):
        # The option is what it presses.
        reach.found.append(Element("option", action.value, reach.found[0].box if reach.found else _anywhere()))
        return KnownSide((action.value,))
    if isinstance(action, Drag | MouseUp):
        return UNKNOWN if any(one.role in FIELDS for one in reach.found) or not reach.whole else NOTHING
    if isinstance(action, Click | MouseDown) and action.button == "middle":
        # On some desktops it pastes what is selected.
        return UNKNOWN
    if not isinstance(action, MouseMove) and any(is_within("paste", one.name) for one in reach.found):
        return _pasted(context, [one.value for one in reach.elements or () if "focused" in one.states and one.value])
    return NOTHING


def _typing(action: TypeText[Point], reach: _Reach, hands: HandState) -> tuple[KnownSide, KnownSide]:
    """The keys and the text of typing."""
    target: Sequence[Element] = ()
    if action.at is not None:
        reach.press(action.at)
        target = reach.found
    else:
        target = reach.focus()
    enters = action.submit or "\n" in action.text or "\r" in action.text
    if enters:
        reach.focus(enter=True)
        reach.whole &= bool(target)
    into = [one for one in target if one.role in FIELDS]
    if not into or "\t" in action.text or any(ord(one) < 32 and one not in "\n\r\t" for one in action.text):
        # No field takes it: each letter may be a shortcut; and a tab goes to another field.
        reach.whole = False
    before = [one.value for one in into if one.value and not action.clear]
    keyed = [hands.keyed] if action.at is None and hands.keyed else []
    words = [action.text, *(text + action.text for text in (*before, *keyed)), *(action.text + text for text in before)]
    known = not (hands.held & _MODIFIERS) and not (hands.moved and action.at is None)
    reach.whole &= not (hands.held & _MODIFIERS)
    keys = KnownSide(("enter",) if enters else (), not (hands.held & _MODIFIERS))
    return keys, KnownSide(tuple(dict.fromkeys(words)), known)


def _keyed(
    action: Press | KeyDown | KeyUp, reach: _Reach, hands: HandState, context: Context | None
) -> tuple[KnownSide, KnownSide, tuple[str, ...]]:
    """The chords and the text of pressing keys, and what verb it comes to."""
    down = hands.held if not isinstance(action, KeyUp) else hands.held - set(action.keys)
    chords = tuple(dict.fromkeys((write_chord(action.keys), write_chord(tuple(sorted(down)) + action.keys))))
    chords = tuple("+".join(dict.fromkeys(chord.split("+"))) if not chord.endswith("+") else chord for chord in chords)
    keys = KnownSide(chords)
    # A modifier that joins a letter which is held down makes a chord with it.
    if {*action.keys, *down} <= _MODIFIERS | {"shift"} and not isinstance(action, Press):
        return keys, NOTHING, ()
    focused = reach.focus(enter="enter" in action.keys)
    in_field = bool(focused) and all(one.role in FIELDS for one in focused)
    times = action.repeat if isinstance(action, Press) else 1
    before = [one.value for one in focused if one.value]
    if any(chord in _PASTES for chord in chords):
        return keys, _pasted(context, before, times), ("type",)
    if all(_is_character(key) for key in (*action.keys, *down)):
        reach.whole &= in_field
        text = _characters(action.keys) * times
        words = (text, hands.keyed + text, *(value + text for value in before))
        return keys, KnownSide(words, not hands.moved), ("type",)
    known = all(chord in _EDITS or chord in _MOVES or chord == "enter" for chord in chords)
    reach.whole &= known and (bool(focused) or "enter" not in action.keys)
    if "delete" in action.keys or "backspace" in action.keys:
        # In a field it edits; anywhere else it may remove what is selected.
        reach.whole &= in_field
    elif known and not focused and "enter" not in action.keys:
        reach.whole = True
    return keys, NOTHING, ()


def _is_character(key: str) -> bool:
    return len(key) == 1 or key in ("space", "shift")


def _characters(keys: Iterable[str]) -> str:
    return "".join(" " if key == "space" else key for key in keys if key != "shift")


def _points(action: Action) -> list[Point]:
    """The places of an action in the order in which it comes to them."""
    found: list[Point] = []
    for name in sorted(place_fields(action), key=("start", "at", "path", "end").index):
        value = getattr(action, name)
        found += [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Point)]
    return found


def _anywhere() -> Box:
    return Box(0.0, 0.0, 1.0, 1.0)


def _apps(context: Context | None) -> KnownSide:
    words = tuple(word for word in ((context.app, context.title) if context is not None else ()) if word)
    app = context is not None and bool(context.app)
    # A title is for rules that restrict: it is whatever the page says.
    return KnownSide(words[:1] if app else (), app, words[1:] if app else words)


def _here(context: Context | None) -> KnownSide:
    host = host_of(context.url) if context is not None and context.url else ""
    return KnownSide((host,)) if host else UNKNOWN


def _pasted(context: Context | None, before: Sequence[str], times: int = 1) -> KnownSide:
    """What pasting enters.

    Args:
        before: what stands in the fields that it may go into. times: how often it is pasted.
    """
    held = context.clipboard if context is not None else None
    # A long one may have been cut.
    if held is None or len(held) >= _CUT:
        return UNKNOWN
    text = held * times
    words = (text, *(value + text for value in before), *(text + value for value in before))
    return KnownSide(tuple(dict.fromkeys(words)))


def _open(known: KnownSide) -> KnownSide:
    return KnownSide(known.values, False, known.perhaps)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield str(name)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    else:
        yield json.dumps(value, default=str)
