"""Where remembered words come from: what a screen holds in one line, and an origin in the words of a prompt.

Words of one event may come from several places; their origins are joined by "; ".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.envs import Absent, Element, Observation
from omnipilot.envs.types import OriginKind, WordsOrigin, origin_of, read_origin
from omnipilot.memory.quoting import plain

JOINT = "; "
"""Between origins."""
_MOST = 3
"""Origins of one screen that are told by name."""
_PLAIN: frozenset[OriginKind] = frozenset({"screen", "app"})
"""Kinds of what the application in front shows of itself, or nobody knows better."""
_WORDS: Mapping[OriginKind, tuple[str, str]] = {
    "app": ("", "in"),
    "web": ("web page", "web page of"),
    "mail": ("mail", "mail from"),
    "file": ("file", ""),
    "notification": ("notification", "notification from"),
    "film": ("film", ""),
    "clipboard": ("clipboard", ""),
}
"""How a prompt says a kind, without and with a name. What others name files and films is not said again."""


def origin_on_screen(seen: Observation) -> str:
    """Where the words on a screen come from: the mails, pages, files and so on in it, else the application, if any."""
    front = origin_of(None, seen.context)
    items = () if isinstance(seen.elements, Absent) else seen.elements.items
    every = [origin_of(one, seen.context) for one in items if one.name or one.value] or [front]
    fine = list(dict.fromkeys(str(one) for one in every if one.kind not in _PLAIN))
    if len(fine) > _MOST:
        fine = list(dict.fromkeys(one.partition(":")[0] for one in fine))
    return JOINT.join(fine) or str(front if front.kind != "screen" or not front.app else WordsOrigin("app", front.app))


def origin_of_sound(seen: Observation) -> str:
    """Where words come from that are heard: from a film, where the environment says that one is on the screen."""
    front = origin_of(None, seen.context)
    return str(front) if front.kind == "film" else "speech"


def origin_words(origin: str) -> str:
    """An origin in a short phrase, such as `mail from ann@example.org`; "" where there is nothing to say of it."""
    return ", ".join(dict.fromkeys(filter(None, (_phrase(read_origin(one)) for one in origin.split(JOINT) if one))))


def says_more(origin: str) -> bool:
    """Whether an origin says more than whose screen it is."""
    return any(read_origin(one).kind not in _PLAIN for one in origin.split(JOINT) if one)


def drop_plain_origin(element: Element) -> Element:
    """An element as others are shown it: with its origin where that says more than whose screen it is."""
    return element if not element.origin or says_more(element.origin) else replace(element, origin="")


def _phrase(origin: WordsOrigin) -> str:
    alone, named = _WORDS.get(origin.kind, ("", ""))
    return f"{named} {plain(origin.who)}" if named and origin.who else alone
