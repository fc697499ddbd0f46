r"""Locating a secret in a text: as it is, and as JSON, URLs, HTML and Base64 write it, whole or cut.

A text is first read as a decoder would read it: `\/`, `\n`, `\u0073`, `\x73`, `%73` and `&#115;` become what they stand
for, however often they were escaped (`%2573`, `\\u0073`), three kinds inside each other. JSON and HTML are there beside
percent because servers answer in the one, and proxies before them in the other.

In what was read, each secret is looked for as it is, and as Base64 at each of the three alignments (so `user:secret`,
too) in both alphabets. Of a secret that was cut, its first or its last characters are found: 8 that mix digits and
letters, or small letters and capitals, and are no hexadecimal number; else 16; of Base64 12, which are 9 of the secret.

Not found: pieces from the middle, hexadecimal, and a secret with characters put between its own. No server or library
was seen to write one so.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from omnipilot.memory.secrets.escapes import decode, decode_located

LEAST, LONG, LEAST_BASE64 = 8, 16, 12
_URLS = str.maketrans("+/", "-_")


@dataclass(frozen=True, slots=True)
class SecretForm:
    """One form of a secret to search for.

    Attributes:
        text: the form. head, tail: its shortest beginning and end that can hardly be ordinary text.
        name: replacement for what is found.
    """

    text: str
    head: str
    tail: str
    name: str

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it is, whole or cut; a span may be found twice."""
        at = text.find(self.head)
        while at >= 0:
            end = at + len(self.head)
            while end < len(text) and end - at < len(self.text) and text[end] == self.text[end - at]:
                end += 1
            yield at, end
            at = text.find(self.head, end)
        at = text.find(self.tail)
        while at >= 0:
            start, end = at, at + len(self.tail)
            while start > 0 and end - start < len(self.text) and text[start - 1] == self.text[start - 1 - end]:
                start -= 1
            yield start, end
            at = text.find(self.tail, end)


class Found(NamedTuple):
    """A span of a text to replace by `name`."""

    start: int
    end: int
    name: str


class SecretForms:
    """All forms of some secrets.

    Args:
        secrets: values of at least 8 characters (`bare`), and the names that replace them.
    """

    def __init__(self, secrets: Sequence[tuple[str, str]]) -> None:
        self._forms = [form for value, name in secrets for form in forms_of(value, name)]

    def find(self, text: str) -> list[Found]:
        """The spans to replace, in order and without overlap."""
        read = bare(text)
        there = [form for form in self._forms if form.head in read or form.tail in read]
        if not there:
            return []
        read, starts, ends = _located(text)
        spans = sorted(((*span, form.name) for form in there for span in form.spans(read)), key=lambda s: (s[0], -s[1]))
        found: list[Found] = []
        done = 0
        for start, end, name in spans:
            if end > done:
                found.append(Found(starts[max(start, done)], ends[end - 1], name))
                done = end
        return found


def bare(text: str) -> str:
    """A text without escapes, and without the backslashes of those that stand for themselves."""
    return decode(text).replace("\\", "")


def forms_of(value: str, name: str) -> Iterator[SecretForm]:
    """The forms of one secret."""
    yield _form(bare(value), name, is_telling)
    sent = value.encode()
    for before in range(3):
        # Characters that encode bits of a neighbour belong to another secret as well.
        whole = base64.b64encode(b"\0" * before + sent).decode()
        inner = whole[(before * 8 + 5) // 6 : (before + len(sent)) * 8 // 6]
        for written in dict.fromkeys((inner, inner.translate(_URLS))):
            yield _form(written, name, lambda piece: len(piece) >= LEAST_BASE64)


def is_telling(piece: str) -> bool:
    """Whether a piece of a secret looks like neither a word, a number nor a digest."""
    if len(piece) < LEAST:
        return False
    mixed = any(char.isdigit() for char in piece) or not (piece[1:].islower() or piece.isupper())
    return len(piece) >= LONG or (mixed and not re.fullmatch(r"[0-9a-f]*|[0-9A-F]*", piece))


def _form(text: str, name: str, tells: Callable[[str], bool]) -> SecretForm:
    head = next((text[:size] for size in range(1, len(text)) if tells(text[:size])), text)
    tail = next((text[-size:] for size in range(1, len(text)) if tells(text[-size:])), text)
    return SecretForm(text, head, tail, name)


def _located(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """What `bare` reads, and the start and end of each of its characters in the text."""
    read, starts, ends = decode_located(text)
    if "\\" not in read:
        return read, starts, ends
    kept = [at for at, char in enumerate(read) if char != "\\"]
    return "".join(read[at] for at in kept), [starts[at] for at in kept], [ends[at] for at in kept]
