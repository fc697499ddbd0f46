"""Parses an instruction into clauses: the things to do, in order, as data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omnipilot.envs.types import QUOTED, fold
from omnipilot.planners.rules.reading.applications import take_app
from omnipilot.planners.rules.reading.phrases import clauses_of
from omnipilot.planners.rules.words import ANY_VERB, OFFERED, PLACES, UNTIL, VERBS, Clause, split, verb_of

_BREAK = re.compile(
    r"[.;!?](?=\s|$)"
    rf"|,?\s+(?:and\s+)?then,?\s+(?=(?:on|in|at)\s|{ANY_VERB})"
    rf"|,?\s+and\s+(?={ANY_VERB})"
    rf"|,\s+(?={ANY_VERB})"
    r"|\s+when\s+(?:you\s+are\s+)?(?:done|finished)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(rf",?\s+(?:in\s+order\s+)?to\s+(?={ANY_VERB})", re.IGNORECASE)
_BY = re.compile(rf"\s+by\s+(?={ANY_VERB})", re.IGNORECASE)
_WHEN = re.compile(r"^(?:and\s+)?(?:when|whenever|once|after|as soon as)\s+(?!done|finished)", re.IGNORECASE)
_LATER_WHEN = re.compile(r",?\s+(?:when|once|after|as soon as)\s+(?!done|finished|you are done)", re.IGNORECASE)
_NOTICING = re.compile(r"^(?:watch|see|find out|look up|note|check|count|read|know|learn)\b", re.IGNORECASE)
_FOR = re.compile(r"^for\s+(?:the\s+)?(.+?),\s+", re.IGNORECASE)


def parse(instruction: str, apps: bool = True) -> tuple[Clause, ...]:
    """The clauses of an instruction, in order of execution.

    Args:
        apps: whether there are applications that can be opened by name, so that "in Name" may mean one.
    """
    where = ""
    clauses: list[Clause] = []
    for sentence in split(" ".join(instruction.split()), re.compile(r"[.;!?](?=\s|$)")):
        near, sentence = _take(sentence, _FOR)
        place, sentence = _place(sentence)
        where = place or where
        for piece in _pieces(sentence):
            place, words = _place(piece)
            where = place or where
            if not words.strip(" ,"):
                continue
            app, words = take_app(words) if apps else ("", words)
            made = clauses_of(words)
            clauses += [replace(clause, where=where, near=clause.near or near, app=app) for clause in made]
    return tuple(_joined(clauses))


def _joined(clauses: list[Clause]) -> Iterator[Clause]:
    """The clauses with "it" resolved to the last named object, and without implied steps that are stated next."""
    last = Clause("unknown")
    for at, clause in enumerate(clauses):
        following = clauses[at + 1] if at + 1 < len(clauses) else None
        if clause.kind == "open" and clause.target.casefold() in ("it", "that") and last.target:
            clause = replace(clause, target=last.target, near=last.near)
        said_it = clause.kind == "act" and not clause.text and re.search(r"\b(?:it|them|that)\b", clause.said)
        if said_it and clause.target in OFFERED and QUOTED.search(last.target):
            clause = replace(clause, text=last.target, near=last.near)
        if QUOTED.search(clause.target):
            last = clause
        again = following is not None and following.said != clause.said and fold(following.target) == clause.target
        if clause.kind == "act" and not clause.text and again:
            continue
        yield clause
        played = clause.kind == "act" and clause.verb == "play" and clause.text
        if played and following is not None and following.kind == "act" and following.verb == "play":
            # What follows would put an end to it.
            yield replace(clause, kind="listen", target=clause.text, text="")


def _take(text: str, start: re.Pattern[str]) -> tuple[str, str]:
    match = start.match(text)
    return (match.group(1), text[match.end() :]) if match else ("", text)


def _place(text: str) -> tuple[str, str]:
    """The environment named in a piece, and the piece without it."""
    words = "|".join(PLACES)
    pattern = re.compile(rf",?\s*\b(?:on|in|using|from|with)\s+(?:the|your|my|a)\s+({words})\b(?:'s\s+\w+)?,?", re.I)
    spans = [match.span() for match in QUOTED.finditer(text)]
    for match in pattern.finditer(text):
        if not any(first <= match.start() < last for first, last in spans):
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            return PLACES[match.group(1).casefold()], " ".join(rest.split())
    called = re.search(rf"\bcalls\s+(?:the|your|my)\s+({words})\b", text, re.I)
    return (PLACES[called[1].casefold()] if called else ""), text


def _pieces(sentence: str) -> Iterator[str]:
    """The clauses of a sentence as text, each condition before the clause that depends on it."""
    if _WHEN.match(sentence):
        condition, *rest = split(sentence, re.compile(r","))
        yield f"wait until {_WHEN.sub('', condition)}"
        sentence = ", ".join(rest)
    for piece in split(sentence, _BREAK):
        first, *conditions = split(piece, _LATER_WHEN)
        if UNTIL.match(first) or not conditions or _NOTICING.match(first):
            yield from _purposes(piece)
            continue
        for condition in conditions:
            yield f"wait until {condition}"
        yield from _purposes(first)


def _purposes(piece: str) -> Iterator[str]:
    """ "Use A to do B" and "do A by doing B" are B; "click A to get B" is A."""
    piece = split(piece, _BY)[-1]
    if UNTIL.match(piece):
        yield piece
        return
    first, *purposes = split(piece, _PURPOSE)
    kind = VERBS.get(verb_of(first)[0])
    if purposes and kind in ("find", "expand", "open", "scroll"):
        yield from [*([] if verb_of(first)[0] == "use" else [first]), *purposes]
        if verb_of(first)[0] == "use" and VERBS.get(verb_of(purposes[0])[0]) == "type":
            return
    else:
        yield first
