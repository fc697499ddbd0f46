"""Clauses for creating something with parts: "write a letter to Ann with the subject X"."""

from __future__ import annotations

import re

from omnipilot.planners.rules.words import Clause, quoted_texts

_NEW = re.compile(
    r"^(?:a|an)\s+(?:new\s+)?([a-z][\w-]*(?:\s+[a-z][\w-]*)?)\b(?=\s+(?:to|with|for|on|at|named|called)\b|$)"
)
_PART = re.compile(
    r"\bwith\s+(?:the|a|an)\s+([a-z][\w ]*?)\s+[\"“]([^\"”]*)[\"”]|\band\s+the\s+([a-z]\w*)\s+[\"“]([^\"”]*)[\"”]"
)
_TO = re.compile(r"\bto\s+[\"“]([^\"”]*)[\"”]")
_TEXTS = frozenset("text word message sentence line comment title number code few".split())


def making(verb: str, rest: str) -> list[Clause]:
    """Create something and fill in its stated parts; empty if the words do not describe that."""
    match = _NEW.match(rest)
    if match is None or match[1].split()[0] in _TEXTS:
        return []
    made = [Clause("act", verb, text=match[1])]
    if to := _TO.search(rest):
        made.append(Clause("type", target="to", text=to[1]))
    if named := re.search(r"\b(?:named|called)\s+[\"“]([^\"”]*)[\"”]", rest):
        made.append(Clause("type", target="name", text=named[1]))
        if not _PART.search(rest):
            made.append(Clause("confirm", verb))
    for part in _PART.finditer(rest):
        made.append(Clause("type", target=part[1] or part[3], text=part[2] or part[4]))
    return made


_TO_LIST = re.compile(r"^(.+?)\s+to\s+(?:the\s+|your\s+)?([a-z][\w ]*?)\s+([\"“][^\"”]*[\"”])$")


_COUNTS = ["", "one", "two", "three", "four", "five", "six"]
_CART = re.compile(
    r"^(?:(a|one|two|three|four|five|six|\d)\s+)?(?:pieces\s+of\s+)?([\"“][^\"”]*[\"”])\s+(?:in|to|into)\s+(?:the|your)\s+(cart|basket|bag)$"
)


def adding(rest: str) -> list[Clause]:
    """Add something to a named list or to the cart."""
    if bought := _CART.match(rest):
        count = _COUNTS.index(bought[1]) if bought[1] in _COUNTS else int(bought[1] or 1)
        more = [Clause("act", "more")] * (max(count, 1) - 1)
        return [Clause("open", bought[2]), *more, Clause("act", "add", text=f"to {bought[3]}")]
    match = _TO_LIST.match(rest)
    if match is None:
        return []
    thing = quoted_texts(match[1])
    if thing and match[2].split()[-1] == "list":
        # What stands in a list of things to do is new.
        opened, typed = Clause("open", match[3]), Clause("type", text=thing[0])
        return [opened, Clause("act", "add"), typed, Clause("confirm", "add")]
    first = Clause("act", "add", text=f'"{thing[0]}"') if thing else Clause("act", "add", source=match[1])
    return [first, Clause("click", match[3]), Clause("confirm", "add")]


_AWAY = {"archive": "archive", "trash": "delete", "bin": "delete", "recycle bin": "delete"}
"""Places that have a verb of their own."""


def moving(rest: str) -> list[Clause]:
    """Move something to another place."""
    to = re.search(r"\s+(?:in)?to\s+(?:the\s+)?(.+)$", rest)
    thing = rest[: to.start()] if to else rest
    if to and (away := _AWAY.get(to[1].casefold())):
        return [Clause("act", away, text=re.sub(r"\s+from\s+the\s+\w+$", "", thing)), Clause("confirm", away)]
    names = quoted_texts(thing)
    made = [Clause("click", f'"{names[0]}"' if names else thing), Clause("act", "move")]
    if to:
        place = quoted_texts(to[1])
        made += [Clause("open", f'"{place[0]}"' if place else to[1]), Clause("act", "insert")]
    return made


def copying_into(rest: str) -> list[Clause]:
    """Copy something to another place; empty if the words name no place."""
    into = re.search(r"\s+(?:in)?to\s+(?:the\s+)?(?:folder|directory)\s+([\"“][^\"”]*[\"”])$", rest)
    names = quoted_texts(rest[: into.start()]) if into else []
    if into is None or not names:
        return []
    return [
        Clause("click", f'"{names[0]}"'),
        Clause("act", "copy"),
        Clause("open", into[1]),
        Clause("act", "insert"),
    ]


def renaming(rest: str) -> list[Clause]:
    """Rename something."""
    match = re.search(r"^(.*?)\s+(?:to|as|into)\s+[\"“]([^\"”]*)[\"”]$", rest)
    if match is None:
        return []
    names = quoted_texts(match[1])
    thing = f'"{names[0]}"' if names else match[1]
    return [
        Clause("click", thing),
        Clause("act", "rename"),
        Clause("type", target="name", text=match[2]),
        Clause("confirm", "rename"),
    ]


def joining(rest: str) -> list[Clause]:
    """Join something that requires a password."""
    match = re.search(r"^(.*?)\s+with\s+(.+?)\s+as\s+(?:the|its)\s+(.+)$", rest)
    if match is None:
        return []
    texts = quoted_texts(match[2]) if match[2].startswith(('"', "“")) else []
    typed = (
        Clause("type", target=match[3], text=texts[0]) if texts else Clause("type", target=match[3], source=match[2])
    )
    return [Clause("click", match[1]), typed, Clause("act", "join")]
