"""Where words come from: the kinds, how an environment says it, and what an observation's elements say of theirs.

An origin is written `KIND` or `KIND:WHO`, such as `mail:ann@example.org` or `web:shop.example`. An environment says it
of an element (`Element.origin`) or of all that is on the screen (`Context.origin`), as far as it knows: from the
program, the browser or the tree, and never from what the words say. Whoever says nothing gets `screen`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import urlsplit

from omnipilot.envs.types.observation import Context, Element

OriginKind: TypeAlias = Literal[
    "screen",  # on a screen, nobody knows from where
    "app",  # an application's own words; WHO is its name
    "web",  # a web page; its host
    "mail",  # a mail, or its line in a list; the sender's address
    "file",  # a file: its name or what is in it; its path or name
    "notification",  # a notification; the application that shows it
    "film",  # a film's subtitle, or what is said in it; its name
    "clipboard",  # what was copied
    "speech",  # what was heard
    "note",  # the agent's own note
    "user",  # the instruction, and what the user answers
]
ORIGIN_KINDS: tuple[OriginKind, ...] = get_args(OriginKind)
SHOWN_KINDS: frozenset[OriginKind] = frozenset({"screen", "app", "web", "mail", "file", "notification", "film"})
"""Kinds of what stands on a screen, which an environment may say of it."""
LONGEST_WHO = 200
"""Characters of a name in an origin."""
_SPACES = re.compile(r"[\s;]+")


@dataclass(frozen=True, slots=True)
class WordsOrigin:
    """Where words come from.

    Attributes:
        who: the host, sender, path or name that its kind has; "" where nobody knows. app: the application in front, or
            whose words they are; "" if unknown.
    """

    kind: OriginKind = "screen"
    who: str = ""
    app: str = ""

    def __str__(self) -> str:
        """As environments write it: `mail:ann@example.org`."""
        return f"{self.kind}:{self.who}" if self.who else self.kind


def write_origin(kind: OriginKind, who: str = "") -> str:
    """An origin as environments say it, with a name that may be anything."""
    return str(WordsOrigin(kind, tidy_name(who)))


def read_origin(text: str, app: str = "", kinds: Collection[OriginKind] = ORIGIN_KINDS) -> WordsOrigin:
    """An origin from how it is written; `screen` for what is of no known kind.

    Args:
        app: the application in front. kinds: those that whoever wrote it may say.
    """
    said, _, who = text.partition(":")
    if said not in kinds:
        return WordsOrigin("screen", app=tidy_name(app))
    kind = cast(OriginKind, said)
    who = tidy_name(who)
    if kind == "web":
        who = who.lower().rstrip(".")
    return WordsOrigin(kind, who, who if kind in ("app", "notification") else tidy_name(app))


def origin_of(element: Element | None, context: object) -> WordsOrigin:
    """Where an element's words come from, as its environment says of it, else of the screen.

    Args:
        element: None for the screen as a whole. context: of the observation; anything else than a `Context` says
            nothing.
    """
    front = context if isinstance(context, Context) else Context()
    if element is not None and element.origin:
        return read_origin(element.origin, front.app, SHOWN_KINDS)
    if front.origin:
        return read_origin(front.origin, front.app, SHOWN_KINDS)
    host = _host(front.url)
    return WordsOrigin("web" if host else "screen", host, tidy_name(front.app))


def tidy_name(name: str) -> str:
    """A name on one line, cut, and without what separates the parts of an origin."""
    return _SPACES.sub(" ", name).strip()[:LONGEST_WHO]


def _host(url: str) -> str:
    """The host of a page of the web; "" of any other address."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").rstrip(".") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""
