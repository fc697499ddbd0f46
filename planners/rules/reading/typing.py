"""Clauses that type text into fields."""

from __future__ import annotations

import re
from dataclasses import replace

from omnipilot.envs.types import QUOTED
from omnipilot.planners.rules.reading.making import adding, copying_into, making
from omnipilot.planners.rules.reading.sources import referring
from omnipilot.planners.rules.words import Clause, object_of, quoted_texts, split

_INTO = re.compile(r"\s+(?:into|in|inside|to|on|as)\s+(?=(?:the|both|a|an|all|each|your|its|it\b)\s*)", re.IGNORECASE)
_CASED = re.compile(r"\s*\b(?:in\s+)?(?:all\s+)?(upper|lower)[ -]?case(?:\s+letters)?", re.IGNORECASE)
_NO_LABEL = frozenset("text word words string message phrase following number value letters content sentence".split())
_ARTICLE = r"^(?:the|a|an|his|her|your|this|that|with)\s+"
_AT_END = re.compile(r",?\s+(?:at|to|after)\s+(?:its|the|their)\s+(?:very\s+)?end(?:\s+of\s+(.+))?$", re.IGNORECASE)


def typing_clauses(verb: str, rest: str) -> list[Clause]:
    """Enter, type, write, fill in: one clause per text, each with its field."""
    if end := _AT_END.search(QUOTED.sub(lambda match: "_" * len(match[0]), rest)):
        field = rest[end.start(1) : end.end(1)] if end[1] else ""
        typed = [replace(clause, append=True) for clause in typing_clauses(verb, rest[: end.start()])]
        return [Clause("focus", field or "text field"), Clause("press", text="ctrl+end"), *typed]
    if verb == "put" and (added := adding(rest)):
        return added
    if verb == "write" and (made := making(verb, rest)):
        return made
    if placed := _placed(rest):
        return [clause for text, cell in placed for clause in typing_clauses(verb, f"{text} into the cell {cell}")]
    cased = _CASED.search(QUOTED.sub(lambda match: "_" * len(match[0]), rest))
    if cased:
        rest = rest[: cased.start()] + rest[cased.end() :]
    if verb == "replace" and (put := re.match(r"^(.+?)\s+(?:by|with)\s+(?:typing\s+|entering\s+)?(.+)$", rest)):
        rest = f"{put[2]} into {put[1]}"
    filling = re.match(r"^(?:in|out)?\s*(.+?)\s+with\s+(.+)$", rest, re.IGNORECASE)
    if filling and not re.search(r"[\"“]", filling[1]):
        rest = f"{filling[2]} into {filling[1]}"
    value = re.match(
        r"^the\s+(?:value|text|content|number(?!\s+of)|word)s?\s+(?:of|in|for|from)\s+(?:the\s+)?(.+)$", rest, re.I
    )
    parts = split(value[1] if value else rest, _INTO)
    field = " ".join(parts[1:])
    if value or parts[0].casefold() in ("it", "them", "that"):
        return [Clause("type", target=field, source=parts[0] if value else "it")]
    if refers := referring(rest):
        return _into(Clause("type", target=refers[1], source=refers[0]))
    if referred := re.match(
        r"^(?:the|its|his|her|their)\s+([^\"“]*?\b(?:that|which|where|who|as in|like)\b.*)$", rest, re.I
    ):
        parts = split(rest, re.compile(r"\s+(?:into|in)\s+(?=the\s)"))
        return [Clause("type", target=" ".join(parts[1:]), source=referred[1])]
    pairs = [_labelled(match, rest) for match in QUOTED.finditer(rest)]
    if not pairs:
        if referred := re.match(r"^(?:the|its|his|her|their)\s+(.+)$", parts[0], re.I):
            return _into(Clause("type", target=field, source=referred[1]))
        pairs = [("", parts[0])]
    transform = {"upper": str.upper, "lower": str.lower}.get(cased[1].casefold()) if cased else None
    made = []
    for label, text in pairs:
        target = label if label and label.casefold() not in _NO_LABEL else field
        text = transform(text) if transform else text
        both = len(pairs) == 1 and re.match(r"both\b", field, re.I)
        places = [f"{nth} field" for nth in ("first", "second")] if both else [target]
        made += [Clause("type", target=place, text=text) for place in places]
    return made


_ITEM = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_IN_CELL = re.compile(r"^(.+)\s+(?:in)?to\s+(?:the\s+)?(?:cell\s+)?([A-Z]{1,2}\d{1,3})$")


def _placed(rest: str) -> list[tuple[str, str]]:
    """Texts with the table cell of each; empty if some have no cell."""
    found = [_IN_CELL.match(item) for item in split(rest, _ITEM)]
    return [(match[1], match[2]) for match in found if match] if all(found) and len(found) > 1 else []


def _into(clause: Clause) -> list[Clause]:
    """Click a table cell, type into it and leave it."""
    if cell := re.search(r"\bcell\b.*|^[A-Z]{1,2}\d+$", clause.target):
        return [Clause("click", cell[0]), replace(clause, target="", append=True), Clause("press", text="enter")]
    return [clause]


def _labelled(match: re.Match[str], text: str) -> tuple[str, str]:
    before = re.split(r"[\"“”‘’,]|\band\b", text[: match.start()])[-1].strip()
    words = re.sub(_ARTICLE, "", before, flags=re.IGNORECASE)
    label = words if len(words.split()) <= 3 else ""
    return label, next(group for group in match.groups() if group is not None)


def copying(_: str, rest: str) -> list[Clause]:
    """Copy a field's content, or an object to another place."""
    if copied := copying_into(rest):
        return copied
    inside = re.search(r"\b(?:in|from|of)\s+(?:the\s+)?(.+)$", rest, re.I)
    return [Clause("copy", source=inside[1] if inside else rest)]


def searching(_: str, rest: str) -> list[Clause]:
    """Search for something."""
    names = quoted_texts(rest)
    text = names[0] if names else re.split(r"\s+(?:in|on|using)\s+the\s+", object_of(rest))[0]
    return [Clause("search", text=text)]
