"""Instructions in other English words, by rules: the same request, and nothing that a judge or a screen hangs on.

What stands in quotes or in braces is never touched: names, labels, texts to type, and the places for them; nor is a
word with a capital within a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

PHRASES: tuple[tuple[str, str], ...] = (
    (r"on the phone", "on my phone"),
    (r"on the desktop", "on my computer"),
    (r"calls the phone", "rings my phone"),
    (r"latest", "most recent"),
    (r"watch for", "look out for"),
    (r"listen to", "pay attention to"),
    (r"once more", "another time"),
    (r"chosen", "picked"),
    (r"typing", "entering"),
    (r"at once", "straight away"),
    (r"instead of", "in place of"),
    (r"each on a line of its own", "each on a separate line"),
    (r"type each of these on a line of its own", "enter each of these on a separate line"),
    (r"as a line of its own", "as a separate line"),
    (r"in this order", "in the order given"),
    (r"to its end", "and let it reach the end"),
    (r"at its end", "after everything else in it"),
    (r"within", "in less than"),
    (r"its details", "the details of it"),
    (r"and see (?=when|where|who|how|which|what)", "and check "),
)
"""Words that may stand anywhere, and others for them."""
VERBS: tuple[tuple[str, str], ...] = (
    (r"wait until", "hold on until"),
    (r"wait", "hold on"),
    (r"look up", "find out"),
    (r"look for", "hunt for"),
    (r"find out", "work out"),
    (r"find", "track down"),
    (r"watch (?=which|in which|how|where)", "notice "),
    (r"watch", "keep an eye on"),
    (r"count how often", "tell how many times"),
    (r"count", "tally"),
    (r"open it", "bring it up"),
    (r"open", "bring up"),
    (r"play it again", "let it run a second time"),
    (r"play", "start"),
    (r"start", "switch on"),
    (r"press", "hit"),
    (r"type", "enter"),
    (r"save it", "keep the change"),
    (r"save", "keep"),
    (r"add (\{\w+\}) to", r"put \1 on"),
    (r"add (\{\w+\}) in Terminal", r"use Terminal to append \1"),
    (r"add an?", "set up a new"),
    (r"add", "put in"),
    (r"delete", "get rid of"),
    (r"remove", "take away"),
    (r"write (?=an? )", "draft "),
    (r"write", "put"),
    (r"read (?=the\b)", "take a look at "),
    (r"read", "take in"),
    (r"choose", "pick"),
    (r"rename", "change the name of"),
    (r"move", "transfer"),
    (r"make an? new", "create a new"),
    (r"make", "create"),
    (r"name it", "call it"),
    (r"reply to it with", "answer it with"),
    (r"reply", "answer"),
    (r"replace", "overwrite"),
    (r"join", "connect to"),
    (r"forget", "drop"),
    (r"pause", "halt"),
    (r"stop", "end"),
    (r"send", "dispatch"),
    (r"show", "bring out"),
    (r"let it begin", "have it begin"),
    (r"set", "adjust"),
    (r"change", "alter"),
    (r"turn on", "switch on"),
    (r"turn off", "switch off"),
    (r"put", "place"),
    (r"buy", "order"),
    (r"copy", "duplicate"),
    (r"mark", "flag"),
    (r"answer", "take"),
    (r"archive", "put away"),
    (r"block", "bar"),
    (r"tap", "touch"),
    (r"click", "hit"),
    (r"go to", "head for"),
    (r"use", "take"),
)
"""Verbs where an imperative can begin: at the start, and behind a comma, a full stop, "and" or "then"."""
_KEPT = re.compile(r'"[^"]*"|“[^”]*”|\{\w+\}|[^\W_]+|.', re.DOTALL)
_STARTS = re.compile(r'(?:^|[.!?]["”]?\s+)$')
"""Where a capital is that of a sentence; elsewhere it is that of a name, such as Mark."""
_BEGINS = re.compile(r"(?:^|[,.;:] |\b(?:and|then|that|to) )$", re.IGNORECASE)
_RULES: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(pattern + ("" if pattern.endswith((" ", ")")) else r"\b"), re.IGNORECASE), words, verb)
    for table, verb in ((PHRASES, False), (VERBS, True))
    for pattern, words in table
)


@lru_cache(maxsize=4096)
def reword(text: str) -> str:
    """A text in other words, by `PHRASES` and `VERBS`; quotes, places for values, and capitals stay as they are."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """The text from its start to its end, piece by piece, each as it was or in other words."""
    at = 0
    while at < len(text):
        begins = bool(_BEGINS.search(text, 0, at))
        is_name = text[at].isupper() and not _STARTS.search(text, 0, at)
        for pattern, words, verb in () if is_name else _RULES:
            found = pattern.match(text, at) if begins or not verb else None
            if found is not None:
                told = found.expand(words)
                yield told[:1].upper() + told[1:] if found[0][:1].isupper() else told
                break
        else:
            found = _KEPT.match(text, at)
            assert found is not None
            yield found[0]
        at = found.end()
