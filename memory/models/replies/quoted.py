"""Hides what is quoted in a reply, so that reasoning, labels, fences and tags in it are not taken for the reply's own.

A model may type anything: a code fence, `</think>`, `Action:`, a tool call. The structure of a reply is therefore read
from a copy in which each quoted value is a placeholder, and the values are put back, byte for byte, before the call is
read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from omnipilot.memory.models.replies.reasoning import TAG

Span: TypeAlias = tuple[int, int]
Find: TypeAlias = Callable[[str, re.Match[str]], "tuple[list[Span], int] | None"]
"""The quoted values of a call that begins at a match, and where the call ends; None if it is not closed."""

MOST_FAILURES = 12
"""Calls without an end that are looked at in one reply."""
MOST_CALLS = 400
"""Calls whose values are hidden; more of them are refused when they are read."""
LOOKED_THROUGH = 60_000
"""Characters that are looked through in vain for the ends of calls, in one reply."""
# Noncharacters: no text holds them, and none that did could be shown.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_PLACE = re.compile(f"{_OPEN}([0-9]{{1,6}}){_CLOSE}")
_STRAY = re.compile(f"[{_OPEN}{_CLOSE}]")


@dataclass(frozen=True, slots=True)
class Veiled:
    """A reply whose quoted values are placeholders."""

    text: str
    values: tuple[str, ...] = ()

    def restore(self, text: str) -> str:
        """A part of the text with its values put back."""
        if not self.values:
            return text
        return _PLACE.sub(lambda place: self.values[int(place[1])], text)


def veil(reply: str, begins: re.Pattern[str], find: Find, arms: re.Pattern[str] | None = None) -> Veiled:
    """Hide the quoted values of the calls in a reply; calls in its reasoning are not looked at.

    Args:
        begins: how a call begins.
        find: its quoted values.
        arms: what comes before the calls that are meant; those before it are words. Without any in the reply, every
            call counts.
    """
    reply = reply.replace("\ufeff", "")
    spans = _spans(reply, begins, find, arms)
    if not spans and arms is not None:
        spans = _spans(reply, begins, find, None)
    if not spans:
        return Veiled(_STRAY.sub("", reply))
    pieces: list[str] = []
    values: list[str] = []
    at = 0
    for start, end in spans:
        pieces += [_STRAY.sub("", reply[at:start]), f"{_OPEN}{len(values)}{_CLOSE}"]
        values.append(reply[start:end])
        at = end
    return Veiled("".join([*pieces, _STRAY.sub("", reply[at:])]), tuple(values))


def _spans(reply: str, begins: re.Pattern[str], find: Find, arms: re.Pattern[str] | None) -> list[Span]:
    spans: list[Span] = []
    at = 0 if arms is None else _outside_thoughts(reply, arms)
    if at is None:
        return []
    tags = _Cursor(TAG.finditer(reply, at))
    start = begins.search(reply, at)
    calls, failures, in_vain = 0, 0, 0
    while start is not None and calls < MOST_CALLS and failures < MOST_FAILURES and in_vain < LOOKED_THROUGH:
        tag = tags.next_from(at)
        if tag is not None and tag.start() < start.start():
            at = tag.end()
            if not tag[1]:
                closing = tags.closing_from(at)
                # A thought that never closes may still be followed by a call.
                at = at if closing is None else closing.end()
        else:
            found = find(reply, start)
            if found is None:
                failures += 1
                in_vain += len(reply) - start.end()
                at = start.end()
            else:
                calls += 1
                spans += found[0]
                at = max(found[1], start.end())
        if start.start() < at:
            start = begins.search(reply, at)
    return spans


def _outside_thoughts(reply: str, arms: re.Pattern[str]) -> int | None:
    """Where the first match begins that is in no thought; None if there is none."""
    tags = _Cursor(TAG.finditer(reply))
    inside = False
    for match in arms.finditer(reply):
        for tag in tags.until(match.start()):
            inside = not tag[1]
        if not inside:
            return match.start()
    return None


class _Cursor:
    """The tags of a reply, each looked at once."""

    def __init__(self, tags: Iterable[re.Match[str]]) -> None:
        self._tags = list(tags)
        self._index = 0
        self._unclosed = len(self._tags)

    def next_from(self, at: int) -> re.Match[str] | None:
        while self._index < len(self._tags) and self._tags[self._index].start() < at:
            self._index += 1
        return self._tags[self._index] if self._index < len(self._tags) else None

    def until(self, at: int) -> Iterable[re.Match[str]]:
        """The tags that begin before `at` and were not looked at yet."""
        first = self._index
        self.next_from(at)
        return self._tags[first : self._index]

    def closing_from(self, at: int) -> re.Match[str] | None:
        """The first closing tag at or after `at`; looked for once where there is none."""
        self.next_from(at)
        if self._index >= self._unclosed:
            return None
        found = next((tag for tag in self._tags[self._index :] if tag[1]), None)
        if found is None:
            self._unclosed = self._index
        return found
