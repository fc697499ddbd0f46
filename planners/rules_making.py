"""Clauses for making something new that has parts: "write a letter to Ann with the subject X"."""

from __future__ import annotations

import re

from omnipilot.planners.rules_words import Clause, quoted

_NEW = re.compile(
    r"^(?:a|an)\s+(?:new\s+)?([a-z][\w-]*(?:\s+[a-z][\w-]*)?)\b(?=\s+(?:to|with|for|on|at|named|called)\b|$)"
)
_PART = re.compile(
    r"\bwith\s+(?:the|a|an)\s+([a-z][\w ]*?)\s+[\"“]([^\"”]*)[\"”]|\band\s+the\s+([a-z]\w*)\s+[\"“]([^\"”]*)[\"”]"
)
_TO = re.compile(r"\bto\s+[\"“]([^\"”]*)[\"”]")
_TEXTS = frozenset("text word message sentence line comment title number code few".split())


def making(verb: str, rest: str) -> list[Clause]:
    """Start something new and fill in what is said of it; empty where the words do not speak of such a thing."""
    match = _NEW.match(rest)
    if match is None or match[1].split()[0] in _TEXTS:
        return []
    made = [Clause("act", verb, text=match[1])]
    if to := _TO.search(rest):
        made.append(Clause("type", target="to", text=to[1]))
    for part in _PART.finditer(rest):
        made.append(Clause("type", target=part[1] or part[3], text=part[2] or part[4]))
    if named := re.search(r"\b(?:named|called)\s+[\"“]([^\"”]*)[\"”]", rest):
        made.append(Clause("type", target="name", text=named[1]))
    return made


def moving(rest: str) -> list[Clause]:
    """Take something to another place."""
    to = re.search(r"\s+(?:in)?to\s+(?:the\s+)?(.+)$", rest)
    thing = rest[: to.start()] if to else rest
    names = quoted(thing)
    made = [Clause("click", f'"{names[0]}"' if names else thing), Clause("act", "move")]
    if to:
        place = quoted(to[1])
        made += [Clause("open", f'"{place[0]}"' if place else to[1]), Clause("act", "insert")]
    return made


def renaming(rest: str) -> list[Clause]:
    """Give something another name."""
    match = re.search(r"^(.*?)\s+(?:to|as|into)\s+[\"“]([^\"”]*)[\"”]$", rest)
    if match is None:
        return []
    names = quoted(match[1])
    thing = f'"{names[0]}"' if names else match[1]
    return [
        Clause("click", thing),
        Clause("act", "rename"),
        Clause("type", target="name", text=match[2]),
        Clause("confirm", "rename"),
    ]


def joining(rest: str) -> list[Clause]:
    """Join something that asks for a password."""
    match = re.search(r"^(.*?)\s+with\s+(.+?)\s+as\s+(?:the|its)\s+(.+)$", rest)
    if match is None:
        return []
    texts = quoted(match[2]) if match[2].startswith(('"', "“")) else []
    typed = (
        Clause("type", target=match[3], text=texts[0]) if texts else Clause("type", target=match[3], source=match[2])
    )
    return [Clause("click", match[1]), typed, Clause("act", "join")]
