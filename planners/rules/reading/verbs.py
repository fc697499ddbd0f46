"""Clauses for verbs without their own rule: their object, time, and follow-up confirmation."""

from __future__ import annotations

import re
from collections.abc import Callable

from omnipilot.envs.types import QUOTED
from omnipilot.planners.rules.reading.making import adding, joining, making, moving, renaming
from omnipilot.planners.rules.reading.sound_matching import samples_of
from omnipilot.planners.rules.reading.sources import referring
from omnipilot.planners.rules.words import OTHER, Clause, object_of, quoted_texts

_SENDER = re.compile(
    r"^(.*[\"”].*?)\s+(?:from|by|of|with)\s+(?:the\s+\w+\s+)?[\"“]?([^\"”]+)[\"”]?(?:\s+(?:on|at|of)\b.*)?$"
)


def sender_of(phrase: str) -> tuple[str, str]:
    """Split a quoted name and its stated sender."""
    match = _SENDER.match(phrase)
    return (match[1], match[2].strip()) if match else (phrase, "")


def other_verb_clauses(verb: str, rest: str) -> list[Clause]:
    """A verb without its own rule: perhaps there is a control of that name."""
    if verb not in OTHER:
        return [Clause("unknown")]
    if special := _special(verb, rest):
        return special
    if verb in ("add", "put") and (added := adding(rest)):
        return added
    if verb in ("add", "remove") and (liked := _LIKED.match(rest)):
        return [Clause("act", "favourite" if verb == "add" else "unstar", text=liked[1])]
    if verb in ("remove", "delete", "take") and (listed := _FROM_LIST.match(rest)):
        out = "remove" if verb == "take" else verb
        return [Clause("open", listed[2]), Clause("act", out, text=listed[1]), Clause("confirm", out)]
    if verb in _MAKING and (made := making(verb, rest)) and len(made) > 1:
        return made
    if verb in ("send", "reply", "forward", "answer"):
        texts = quoted_texts(rest)
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
    if verb == "turn" and (turned := re.match(r"^(on|off)\s+(.+)$|^(.+)\s+(on|off)$", rest)):
        return switch_clauses(turned[2] or turned[3], turned[1] or turned[4])
    if verb == "play" and (several := samples_of(rest)):
        return [made for name, by in several for made in _sampling(name, by)]
    if verb in ("play", "watch") and (whole := re.match(r"^(.+?)\s+to\s+(?:its|the)\s+end$", rest)):
        return [*other_verb_clauses(verb, whole[1]), Clause("still", target=rest)]
    if meanwhile := re.match(r"^(.+?)\s+(?:just\s+)?while\s+(.+)$", rest):
        return [Clause("moment", verb, text=meanwhile[2])]
    rest = re.sub(r"\s+(?:again|once more)$", "", rest)
    if verb in ("set", "turn", "change", "move", "drag") and (level := _LEVEL.match(rest)):
        return [Clause("slide", level[1], text=level[2])]
    if verb in _TIMED and (found := _SET.search(rest)):
        kind = "time" if found[1] else "date" if found[2] else "length"
        before, after = rest[: found.start()], rest[found.end() :]
        rest = f"{before}{after}".strip(" ,")
        made = [] if verb in ("let", "set") and _PRONOUN.match(rest) else other_verb_clauses(verb, rest)
        if verb == "set" and made:
            made = [Clause("open", object_of(re.sub(r"^(?:a|an|the)\s+(?:new\s+)?", "", rest)))]
        if verb in ("change", "move") and quoted_texts(rest):
            names = quoted_texts(rest)
            made = [Clause("open", f'"{names[0]}"', near=sender_of(rest)[1])]
        return [*made, Clause("set", kind, found[1] or found[2] or found[3])]
    pronoun = rest.casefold() in ("it", "them", "that", "when done", "")
    made = [Clause("act", verb, text="" if pronoun else object_of(rest))]
    return [*made, Clause("confirm", verb)] if verb in _GRAVE else made


def _sampling(name: str, by: str) -> list[Clause]:
    said = f'play "{name}"'
    played = Clause("act", "play", text=f'"{name}"', near=by, said=said)
    return [played, Clause("sample", target=name, text=_SAMPLE, said=said)]


_SAMPLE = "5"
"""Seconds for which one of several sounds is listened to."""
_FROM_LIST = re.compile(r"^(.*[\"“][^\"”]*[\"”])\s+from\s+(?:the\s+)?(?:play)?list\s+([\"“][^\"”]*[\"”])$")
_LIKED = re.compile(r"^(.+?)\s+(?:to|from)\s+(?:the\s+|your\s+)?favou?rites$", re.IGNORECASE)
_LEVEL = re.compile(r"^(?:the\s+)?(.+?)(?:\s+(?:up|down))?\s+to\s+(\d+)\s*(?:%|percent)$", re.IGNORECASE)
_SET = re.compile(
    r",?\s+(?:for|at|to|from)\s+(\d{1,2}:\d{2})\b"
    r"|,?\s+(?:on|for|to)\s+(?=[^\"]*\d)((?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?\d{1,2}\s+[A-Z][a-z]{2,8})\b"
    r"|,?\s+(?:for|of|lasting)\s+(\d+\s+min(?:utes)?)\b"
)
"""When something is to be: at a time, on a day, for how long."""
_TIMED = frozenset("add create make set let schedule book change move start plan".split())
_PRONOUN = re.compile(r"^(?:it|this|that|its\s+\w+|the\s+(?:time|date|day|start|begin\w*|length|duration))\b")


def switch_clauses(thing: str, state: str) -> list[Clause]:
    return [Clause("switch", object_of(re.sub(r"^the\s+", "", thing)), text=state)]


def _naming(rest: str) -> list[Clause]:
    names = quoted_texts(rest)
    if not names or not re.match(r"^(?:it|this|the)\b", rest):
        return []
    return [Clause("type", target="name", text=names[0]), Clause("confirm", "name")]


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
