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
    at, failures = 0, 0
    if arms is not None:
        first = next((match for match in arms.finditer(reply) if not _inside_thought(reply, match.start())), None)
        if first is None:
            return []
        at = first.start()
    tags = _Cursor(TAG.finditer(reply, at))
    while failures < MOST_FAILURES:
        start = begins.search(reply, at)
        if start is None:
            break
        tag = tags.next_from(at)
        if tag is not None and tag.start() < start.start():
            at = tag.end()
            if not tag[1]:
                closing = tags.closing_from(at)
                # A thought that never closes may still be followed by a call.
                at = at if closing is None else closing.end()
            continue
        found = find(reply, start)
        if found is None:
            failures += 1
            at = start.end()
        else:
            spans += found[0]
            at = max(found[1], start.end())
    return spans


def _inside_thought(reply: str, at: int) -> bool:
    inside = False
    for tag in TAG.finditer(reply, 0, at):
        inside = not tag[1]
    return inside


class _Cursor:
    """The tags of a reply, each looked at once."""

    def __init__(self, tags: Iterable[re.Match[str]]) -> None:
        self._tags = list(tags)
        self._index = 0

    def next_from(self, at: int) -> re.Match[str] | None:
        while self._index < len(self._tags) and self._tags[self._index].start() < at:
            self._index += 1
        return self._tags[self._index] if self._index < len(self._tags) else None

    def closing_from(self, at: int) -> re.Match[str] | None:
        self.next_from(at)
        return next((tag for tag in self._tags[self._index :] if tag[1]), None)
