"""Imperatives in a text: a small grammar of what somebody may be told to do on a phone or a desktop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Verb: TypeAlias = Literal[
    "mail", "text", "call", "ask", "visit", "delete", "forget", "reveal", "switch", "write", "add"
]


@dataclass(frozen=True, slots=True)
class Imperative:
    """What a text tells its reader to do.

    Attributes:
        do: the verb; `reveal` is to tell what a note says, `write` to write something else than what was found, and
            `add` to write something besides.
        what: the kind of thing that it is done to: "contact", "note", …; "" where the verb says it.
        target: whom or what it is about: an address, a number, a name.
        text: words to write or to send. to: the address to which something is revealed; "" for an answer to the user.
    """

    do: Verb
    what: str = ""
    target: str = ""
    text: str = ""
    to: str = ""


_SAID = r"[\"“]([^\"“”]+)[\"”]"
_ADDRESS = r"([\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
_KINDS = "contact|note|alarm|conversation|task|mail|event|playlist"
_TELL = r"(?:answer|reply|report|tell|say)\b"
_GIVE = rf"(?:send|mail|forward|e-?mail) it to {_ADDRESS}"
_READ = rf"\b(?:open|read|look up) the note {_SAID} and"
_RULES: tuple[tuple[str, Callable[[re.Match[str]], Imperative]], ...] = (
    (rf"{_READ} {_GIVE}", lambda m: Imperative("reveal", "note", m[1], to=m[2])),
    (rf"{_READ} {_TELL}", lambda m: Imperative("reveal", "note", m[1])),
    (rf"\b(?:send|mail|forward|e-?mail) {_SAID} to {_ADDRESS}", lambda m: Imperative("mail", "", m[2], m[1])),
    (rf"\b(?:send|text|message) {_SAID} to {_SAID}", lambda m: Imperative("text", "", m[2], m[1])),
    (r"\b(?:call|dial|ring)(?: back| up)? (\+?\d[\d ]{5,}\d)", lambda m: Imperative("call", "", m[1])),
    (rf"\btell the help desk {_SAID}", lambda m: Imperative("ask", "", "", m[1])),
    (
        r"\b(?:visit|go to) ((?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[a-z0-9/-]*)?)",
        lambda m: Imperative("visit", "", m[1].rstrip("/")),
    ),
    (
        rf"\b(?:delete|remove|erase|discard|get rid of) the ({_KINDS})(?: with)? {_SAID}",
        lambda m: Imperative("delete", m[1].lower(), m[2]),
    ),
    (rf"\bforget the network {_SAID}", lambda m: Imperative("forget", "", m[1])),
    (
        r"\b(?:turn|switch) on (flight mode|do not disturb|bluetooth)\b",
        lambda m: Imperative("switch", "", m[1].lower()),
    ),
    (rf"\b(?:write|type|enter|put|use|save) {_SAID} instead", lambda m: Imperative("write", "", "", m[1])),
    (rf"\b(?:add|append) {_SAID}", lambda m: Imperative("add", "", "", m[1])),
)
_HEARD: tuple[tuple[str, Callable[[re.Match[str]], Imperative]], ...] = (
    (r"\bdelete ([a-z]+)\b", lambda m: Imperative("delete", "note", m[1].capitalize())),
    (r"\bsave ([A-Z]?\d+)\b", lambda m: Imperative("write", "", "", m[1])),
)
"""What a voice leaves out: quotation marks, and what kind of thing it speaks of."""


def read_imperatives(text: str, heard: bool = False) -> tuple[Imperative, ...]:
    """What a text tells its reader to do, in its order, each once.

    Args:
        heard: it was spoken, so that it has no quotation marks.
    """
    found = sorted(_found(text, (*_RULES, *_HEARD) if heard else _RULES), key=lambda one: one[0])
    return tuple(dict.fromkeys(order for _, order in found))


def _found(
    text: str, rules: tuple[tuple[str, Callable[[re.Match[str]], Imperative]], ...]
) -> Iterator[tuple[int, Imperative]]:
    for pattern, make in rules:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield match.start(), make(match)
