"""Parsing one phrase, a verb and its complements, into clauses."""

from __future__ import annotations

import re
from dataclasses import replace

from omnipilot.envs.types import QUOTED
from omnipilot.planners.rules.reading.sound_matching import BY_EAR
from omnipilot.planners.rules.reading.typing import copying, searching, typing_clauses
from omnipilot.planners.rules.reading.verbs import other_verb_clauses, sender_of, switch_clauses
from omnipilot.planners.rules.words import UNTIL, VERBS, Clause, object_of, quoted_texts, split, verb_of

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
    """The clauses of one piece; empty if it only leads to the next."""
    said, piece = piece, _LATE.sub("", piece)
    verb, rest = verb_of(piece)
    made: list[Clause]
    if UNTIL.match(piece):
        made = [_condition(UNTIL.sub("", piece))]
    elif verb == "wait":
        seconds = re.search(r"(\d+(?:\.\d+)?)\s*(s\b|sec|min)", rest)
        made = [Clause("wait", text=str(float(seconds[1]) * (60 if seconds[2] == "min" else 1)) if seconds else "1")]
    else:
        made = _BUILDERS[VERBS[verb]](verb, rest) if verb in VERBS else other_verb_clauses(verb, rest)
    return [replace(clause, verb=verb, said=clause.said or said) for clause in made]


def _near(phrase: str) -> tuple[str, str]:
    match = re.search(
        r"\s+(?:next to|beside|near|belonging to|of the (?:post|message|email|row) (?:by|from))\s+", phrase
    )
    return (phrase[: match.start()], phrase[match.end() :]) if match else (phrase, "")


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
    names = quoted_texts(target)
    if len(names) > 1:
        kinds = QUOTED.sub(" ", target).replace(" and ", " ").replace(",", " ")
        return [Clause("click", f'"{name}" {kinds}', near=near) for name in names]
    return [Clause("click", target, near=near)]


_FROM = re.compile(r"\s+(?:from|in|on|using|with(?!\s+the\s+\w+\s+that)|as)\s+(?=the\b|a\b|its\b)", re.IGNORECASE)


_AS = re.compile(
    r"^(.+?)\s+as\s+(?:a\s+)?(done|completed?|finished|read|unread|favou?rite|important|junk|spam|paid)$", re.I
)


def _selecting(verb: str, rest: str) -> list[Clause]:
    if marked := _AS.match(rest):
        return [Clause("act", marked[2].casefold(), text=marked[1])]
    if (
        verb in ("tick", "check")
        and (ticked := re.match(r"^(?:off\s+)?(.+?)(?:\s+off)?$", rest))
        and quoted_texts(rest)
    ):
        rest = ticked[1]
    parts = split(rest, _FROM)
    if not parts:
        return [Clause("unknown")]
    listed = " ".join(parts[1:])
    if re.search(r"\bas\s+(?:the|its)\b", rest[len(parts[0]) :], re.I):
        if BY_EAR.match(parts[0]):
            return [Clause("tune", target=listed, source=parts[0])]
        if len(quoted_texts(parts[0])) == 1:
            return [Clause("select", target=parts[0], text=listed)]
        return [Clause("type", target=listed, text=parts[0])]
    items = [item for item in split(parts[0], re.compile(r",\s*(?:and\s+)?|\s+and\s+")) if item]
    made = []
    for item in items:
        if item.casefold() in ("nothing", "none"):
            continue
        for step in item.split(">"):
            made.append(Clause("select", target=step.strip(), text=listed))
    return made


_ASKS = re.compile(r"\b(?:which|where|when|how (?:often|many times)|in which order|at which|highest|largest|lowest)\b")
_HAPPENS = re.compile(
    r"\b(?:blinks?|flash(?:es)?|waits?|rests?|stops?|moves?|opens?|reach(?:es)?|passes|turns|lights|counts)\b"
)


def _is_watched(rest: str) -> bool:
    """Whether the answer is an event, so that it must be watched."""
    bare = QUOTED.sub(" ", rest)
    return bool(_ASKS.search(bare) and _HAPPENS.search(bare))


def _finding(verb: str, rest: str) -> list[Clause]:
    if re.match(r"(?:out\s+)?(?:the|which)\s+(?:one|of these)\b", rest):
        return []
    if _is_watched(rest):
        return [Clause("still", target=rest)]
    target = re.sub(r"^(?:the\s+\w+\s+(?:by|from|of)\s+)", "", object_of(rest), flags=re.I)
    target = re.sub(r"\s+in\s+the\s+.*$", "", target)
    return [Clause("find", target)] if target and verb != "use" else []


def _opening(verb: str, rest: str) -> list[Clause]:
    if verb == "switch" and re.match(r"between\b", rest):
        return [Clause("find", "")]
    if verb == "switch" and (turned := re.match(r"^(on|off)\s+(.+)$|^(.+)\s+(on|off)$", rest)):
        return switch_clauses(turned[2] or turned[3], turned[1] or turned[4])
    if verb == "start" and rest.casefold() in ("it", "them", "that"):
        return [Clause("act", verb)]
    if verb == "start" and re.match(r"^(?:the|a|its)\s+[a-z]", rest) and not re.search(r"\bapp\b", rest):
        return [Clause("act", verb, text=object_of(rest))]
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


_WAY = re.compile(
    r"^(?:up\s+)?(?:in\s+(?:its|the)\s+(\w+)\s+)?.*?\bfrom\s+(\"[^\"]*\")\s+to\s+(\"[^\"]*\")"
    r"(?:.*?\bwith\s+(\"[^\"]*\")\s+(?:chosen|selected|picked))?"
)
"""What is looked up by filling in where from and where to."""


def _reading(_: str, rest: str) -> list[Clause]:
    if re.search(r"\b(?:beeps|tones|rings|chimes)\b", QUOTED.sub(" ", rest)):
        return [Clause("listen", target=rest)]
    if _is_watched(rest):
        return [Clause("still", target=rest)]
    if form := _WAY.search(rest):
        opened = [Clause("open", form[1])] if form[1] else []
        chosen = [Clause("select", target=form[4])] if form[4] else []
        ends = [Clause("type", target=field, text=form[at][1:-1]) for at, field in ((2, "From"), (3, "To"))]
        return [*opened, *ends, *chosen, Clause("read", QUOTED.sub("", rest))]
    names = quoted_texts(rest)
    sender = re.search(r"\s+(?:from|by|of|with)\s+(?:the\s+)?(.+)$", rest, re.IGNORECASE)
    if sender and (len(names) != 1 or not quoted_texts(sender[1])):
        return [Clause("read", rest[: sender.start()], near=sender[1].strip('"“”'))]
    return [Clause("read", f'"{names[0]}"' if names else rest)]


def _attending(verb: str, rest: str) -> list[Clause]:
    return [Clause(VERBS[verb], target=rest)]


def _focusing(_: str, rest: str) -> list[Clause]:
    return [Clause("focus", object_of(rest))]


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


_SOUND = re.compile(
    r"\b(?:rings?|ringing|sounds?|hears?|heard|beeps?|chimes?|buzz(?:es)?|goes off|tone|bell|plays?|noise|alarm|"
    r"melody|ding|sounded|rung|rang)\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:stops?|stopped|stands? still|is still|comes? to (?:a )?(?:rest|halt|stop)|finish(?:es|ed)|ends?|ended|"
    r"complet(?:es|ed|e))\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"\b(?:appears?|shows?(?: up)?|is shown|is visible|arrives?|pops up|opens)\b", re.IGNORECASE)
_MOTION = re.compile(
    r"\b(?:moves?|moving|changes?|changed|flash(?:es)?|blinks?|turns?|starts?|spins?|animation)\b", re.IGNORECASE
)


def _condition(words: str) -> Clause:
    """The clause that waits until a condition holds, `unknown` if no sense can detect it."""
    names = quoted_texts(words)
    if _STILL.search(words) and not re.search(r"\b(?:ring|sound|hear|tone|alarm|melody)", words, re.I):
        return Clause("still", target=words)
    if _SOUND.search(words):
        return Clause("hear", target=words)
    if names or _SHOWN.search(words):
        near = names[1] if len(names) > 1 and re.search(r"\bfrom\b", words) else ""
        return Clause("shown", near=near, target=f'"{names[0]}"' if names else _SHOWN.sub("", words).strip())
    if _MOTION.search(words):
        return Clause("motion", target=words)
    return Clause("unknown")
