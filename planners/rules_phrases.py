"""From one piece of a sentence, a verb and what follows it, to clauses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.describe import QUOTED
from omnipilot.planners.rules_conditions import condition
from omnipilot.planners.rules_making import joining, making, moving, renaming
from omnipilot.planners.rules_sources import referring
from omnipilot.planners.rules_typing import copying, searching, typing_clauses
from omnipilot.planners.rules_words import OTHER, UNTIL, VERBS, Clause, object_of, quoted, split, verb_of

_KEYS = re.compile(
    r"^(?:the\s+)?((?:(?:ctrl|control|alt|shift|cmd|command|meta)\s*[+-]\s*)*"
    r"(?:enter|return|tab|escape|esc|space(?:bar)?|backspace|delete|home|end|page ?up|page ?down|f\d+|"
    r"(?<=[+-])\s*\w))(?:\s+key)?$",
    re.IGNORECASE,
)


_LATE = re.compile(
    r",?\s+(?:within\s+(?:\d+|half|a|one)\b[^\"“]*|before\s+the\s+\d+[^\"“]*|at\s+once|right\s+away|immediately)$", re.I
)


def clauses_of(piece: str) -> list[Clause]:
    """The clauses of one piece; none where it only leads over to the next."""
    said, piece = piece, _LATE.sub("", piece)
    verb, rest = verb_of(piece)
    made: list[Clause]
    if UNTIL.match(piece):
        made = [condition(UNTIL.sub("", piece))]
    elif verb == "wait":
        seconds = re.search(r"(\d+(?:\.\d+)?)\s*(s\b|sec|min)", rest)
        made = [Clause("wait", text=str(float(seconds[1]) * (60 if seconds[2] == "min" else 1)) if seconds else "1")]
    else:
        made = _BUILDERS[VERBS[verb]](verb, rest) if verb in VERBS else _other(verb, rest)
    return [replace(clause, verb=verb, said=said) for clause in made]


def _near(phrase: str) -> tuple[str, str]:
    match = re.search(
        r"\s+(?:next to|beside|near|belonging to|of the (?:post|message|email|row) (?:by|from))\s+", phrase
    )
    return (phrase[: match.start()], phrase[match.end() :]) if match else (phrase, "")


_SENDER = re.compile(
    r"^(.*[\"”].*?)\s+(?:from|by|of|with)\s+(?:the\s+\w+\s+)?[\"“]?([^\"”]+)[\"”]?(?:\s+(?:on|at|of)\b.*)?$"
)


def sender_of(phrase: str) -> tuple[str, str]:
    """A quoted name and whom or what it is said to be from, apart."""
    match = _SENDER.match(phrase)
    return (match[1], match[2].strip()) if match else (phrase, "")


_SPELT = re.compile(
    r"^(?:the\s+)?((?:digits|code|numbers?|keys)\s+(?:that|which|from|of)\b.*?)(?:\s+on\s+(?:it|.*keypad))?$", re.I
)


def _click(verb: str, rest: str) -> list[Clause]:
    keys = _KEYS.match(rest.strip(" .\"'")) if verb in ("press", "hit", "push") else None
    if keys:
        return [Clause("press", text=keys[1])]
    if spelt := re.match(
        r"^(?:the\s+)?((?:digits|code|number|keys|numbers)\s+(?:that|which|from|of)\b.*?)(?:\s+on\s+(?:it|.*keypad))?$",
        rest,
    ):
        return [Clause("click", source=spelt[1])]
    target, near = _near(object_of(rest))
    names = quoted(target)
    if len(names) > 1:
        kinds = QUOTED.sub(" ", target).replace(" and ", " ").replace(",", " ")
        return [Clause("click", f'"{name}" {kinds}', near=near) for name in names]
    return [Clause("click", target, near=near)]


_FROM = re.compile(r"\s+(?:from|in|on|using|with|as)\s+(?=the\b|a\b)", re.IGNORECASE)


def _selecting(_: str, rest: str) -> list[Clause]:
    parts = split(rest, _FROM)
    if not parts:
        return [Clause("unknown")]
    listed = " ".join(parts[1:])
    if re.search(r"\bas\s+the\b", rest[len(parts[0]) :], re.I):
        return [Clause("type", target=listed, text=parts[0])]
    items = [item for item in split(parts[0], re.compile(r",\s*(?:and\s+)?|\s+and\s+")) if item]
    made = []
    for item in items:
        if item.casefold() in ("nothing", "none"):
            continue
        for step in item.split(">"):
            made.append(Clause("select", target=step.strip(), text=listed))
    return made


def _finding(verb: str, rest: str) -> list[Clause]:
    target = re.sub(r"^(?:the\s+\w+\s+(?:by|from|of)\s+)", "", object_of(rest), flags=re.I)
    target = re.sub(r"\s+in\s+the\s+.*$", "", target)
    return [Clause("find", target)] if target and verb != "use" else []


def _opening(verb: str, rest: str) -> list[Clause]:
    if verb == "switch" and re.match(r"between\b", rest):
        return [Clause("find", "")]
    target = re.sub(r"^(?:on|into|in|at|to|over to)\s+", "", rest, flags=re.I)
    target, near = sender_of(target)
    return [Clause("open", target, near=near)]


def _scrolling(_: str, rest: str) -> list[Clause]:
    direction = re.search(r"\b(up|down|left|right|top|bottom)\b", rest, re.I)
    target = re.search(r"\bof\s+(.+)$|\b(?:the|in)\s+(?!top|bottom)(.+?)\s+(?:to|up|down)\b", rest)
    phrase = (target[1] or target[2]) if target else ""
    return [Clause("scroll", re.sub(r"^the\s+", "", phrase), direction[1].casefold() if direction else "down")]


def _expanding(_: str, rest: str) -> list[Clause]:
    return [Clause("expand", object_of(rest))]


def _reading(_: str, rest: str) -> list[Clause]:
    if re.search(r"\b(?:beeps|tones|rings|chimes)\b", QUOTED.sub(" ", rest)):
        return [Clause("listen", target=rest)]
    names = quoted(rest)
    sender = re.search(r"\s+(?:from|by|of|with)\s+(?:the\s+)?(.+)$", rest, re.IGNORECASE)
    if sender and (len(names) != 1 or not quoted(sender[1])):
        return [Clause("read", rest[: sender.start()], near=sender[1].strip('"“”'))]
    return [Clause("read", f'"{names[0]}"' if names else rest)]


def _attending(verb: str, rest: str) -> list[Clause]:
    return [Clause(VERBS[verb], target=rest)]


def _focusing(_: str, rest: str) -> list[Clause]:
    return [Clause("focus", object_of(rest))]


def _other(verb: str, rest: str) -> list[Clause]:
    """A verb without a rule of its own: perhaps there is a control of that name."""
    if verb not in OTHER:
        return [Clause("unknown")]
    if special := _special(verb, rest):
        return special
    if verb in _MAKING and (made := making(verb, rest)) and len(made) > 1:
        return made
    if verb in ("send", "reply", "forward", "answer"):
        texts = quoted(rest)
        to = re.search(r"\bto\s+(?!them\b|it\b|him\b|her\b)(.+?)(?:\s+with\b.*)?$", QUOTED.sub(" ", rest), re.I)
        person = to[1].strip() if to else ""
        if verb == "send":
            made = [Clause("open", person)] if person else []
            return [*made, *[Clause("type", text=text) for text in texts[:1]], Clause("act", "send")]
        made = [Clause("act", verb)]
        source = re.search(r"\bwith\s+(.+)$", rest)
        if source and (refers := referring(source[1])):
            return [*made, Clause("type", source=refers[0]), Clause("act", "send")]
        if verb == "forward" and person:
            made.append(Clause("type", target="to", text=person))
        made += [Clause("type", text=text) for text in texts[:1]]
        return [*made, Clause("act", "send")] if len(made) > 1 else made
    time = re.search(r"\s+(?:for|at|to)\s+(\d{1,2}:\d{2})\b", rest)
    if time:
        return [*_other(verb, rest[: time.start()]), Clause("set", "time", time[1])]
    pronoun = rest.casefold() in ("it", "them", "that", "when done", "")
    made = [Clause("act", verb, text="" if pronoun else object_of(rest))]
    return [*made, Clause("confirm", verb)] if verb in _GRAVE else made


def _naming(rest: str) -> list[Clause]:
    names = quoted(rest)
    return [Clause("type", target="name", text=names[0])] if names and re.match(r"^(?:it|this|the)\b", rest) else []


def _special(verb: str, rest: str) -> list[Clause]:
    builder = _SPECIAL.get(verb)
    return builder(rest) if builder else []


_MAKING = frozenset({"add", "create", "make"})
_SPECIAL: dict[str, Callable[[str], list[Clause]]] = {
    "move": moving,
    "rename": renaming,
    "join": joining,
    "connect": joining,
    "name": _naming,
}
_GRAVE = frozenset("delete forget remove block clear reset empty restore discard".split())
"""What a dialog may ask about before it is done."""
_BUILDERS = {
    "click": _click,
    "type": typing_clauses,
    "select": _selecting,
    "find": _finding,
    "open": _opening,
    "scroll": _scrolling,
    "expand": _expanding,
    "search": searching,
    "copy": copying,
    "focus": _focusing,
    "read": _reading,
    "still": _attending,
    "listen": _attending,
}
