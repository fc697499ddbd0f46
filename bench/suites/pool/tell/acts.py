"""What kind of thing a subtask does: it learns, tells, keeps, plans, files, sets, …

It follows from the effect that exploration found and from the device's application. A subtask without a known effect,
as the hand-written ones are, is read by its first verb that changes something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.bench.suites.pool.tell.clauses import TaskClause

ACTS = (
    "learn",
    "tell",
    "call",
    "react",
    "keep",
    "plan",
    "file",
    "remove",
    "mark",
    "order",
    "ask",
    "set",
    "reckon",
    "play",
)
"""All kinds: finds out; sends words to somebody; calls; answers what comes; writes down; enters a date, a time or a
task; moves or renames; deletes or archives; makes a favourite or blocks; buys; asks a help desk; changes a setting;
computes in a table; plays or starts something."""

_QUOTED = re.compile(r'"[^"]*"')
_LEARNING = re.compile(r"\b(read|see|look up|listen|watch|count|find|open the picture)\b", re.I)
_CHANGING = re.compile(
    r"\b(write|type|add|make|new|append|archive|delete|rename|move|order one|send|reply|save|sort|block|favourites|"
    r"answer|press|choose|join|into|call (it|them|X))\b"
)
_ACTS_BY_APP: Mapping[str, str] = {
    "messages": "tell",
    "mail": "tell",
    "phone": "call",
    "contacts": "keep",
    "notes": "keep",
    "editor": "keep",
    "sheets": "keep",
    "tasks": "plan",
    "calendar": "plan",
    "clock": "plan",
    "files": "file",
    "gallery": "file",
    "terminal": "file",
    "settings": "set",
    "prefs": "set",
    "browser": "ask",
    "music": "mark",
    "player": "play",
    "signals": "play",
}
_BY_WORDS: tuple[tuple[str, str], ...] = (
    (r"\b(wait (until|for)|at once|a few seconds after the start|within \d+ seconds)\b", "react"),
    (r"\bin Settings\b", "set"),
    (r"\border one\b|\binto the cart\b", "order"),
    (r"\bthe question and press|\bpress \"No\"|\bto the help desk\b", "ask"),
    (r"\b(delete|archive|remove|forget|the archive|to the bin)\b", "remove"),
    (r"\b(favourites?|(un)?block|playlist|in Music)\b", "mark"),
    (r"(^|, )((no longer )?(save|keep) it|bookmark the page)$", "keep"),
    (r"\b(call|dial)\b", "call"),
    (r"\b(send|reply|write a mail|press \"Send\")", "tell"),
    (r"\b(sum|sort|put \S+ into the empty cell)\b", "reckon"),
    (r"\b(rename|move|album|its name in|change its name|make a new folder|make a folder)\b", "file"),
    (r"\b(alarm|event|invitation|timer|task)\b", "plan"),
    (r"\b(save the (place|route))\b", "keep"),
    (r"\b(write|type|add|make|new|append)\b", "keep"),
    (r"\b(play|start|press)\b", "play"),
)


def only_learns(clause: TaskClause) -> bool:
    """Whether a clause finds something out and changes nothing."""
    return act_of(clause.template, clause.app, clause.effect, bool(clause.yields)) == "learn"


def act_of(template: str, app: str, effect: tuple[str, ...] = (), yields: bool = False) -> str:
    """The kind of a subtask.

    Args:
        template: its clause. app: its application's name. effect: what it changes, where that is known.
        yields: whether another subtask can take something from it.

    Returns:
        One of `ACTS`.
    """
    said = re.sub(r"\{\w+\}", "it", template)
    plain = _QUOTED.sub('"X"', said) if '"Send"' not in said and '"No"' not in said else said
    by_words = next((act for pattern, act in _BY_WORDS if re.search(pattern, plain, re.I)), "")
    name = app.rpartition("/")[2].casefold()
    if effect:
        if all(change.startswith("-") for change in effect):
            return "remove"
        return by_words if by_words not in ("", "learn", "play") else _ACTS_BY_APP.get(name, "set")
    if yields and _learns_by_words(said):
        return "learn"
    return by_words or _ACTS_BY_APP.get(name, "set")


def _learns_by_words(said: str) -> bool:
    """Whether a clause asks to find something out, and for nothing that changes anything."""
    plain = _QUOTED.sub("X", said)
    return not _CHANGING.search(plain) and bool(_LEARNING.search(plain))
