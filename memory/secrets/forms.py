r"""Locating a secret in a text in any form: escaped, encoded, split or truncated.

A text is first read as a decoder would read it: `\/`, `\n`, `\u0073`, `\x73`, `%73` and `&#115;` become what they stand
for, however often they were escaped (`%2573`, `\\u0073`), three kinds inside each other. Then all but ASCII letters and
digits is left out. What is left is searched for pieces of each secret, of its Base64 (at each of the three alignments,
so `user:secret`, too) and of its hexadecimal form: quotes, line ends, hyphens and zero-width characters between two
pieces, and the two alphabets and the padding of Base64, are gone by then.

A piece counts where it can hardly be ordinary text:

* of the secret itself 8 characters that mix digits and letters, or small letters and capitals, and are no hexadecimal
  number; 16 of any kind, for a word, a number or a digest has as many by chance; 8 at its beginning or end that are
  written as in the secret, with a sign among them (`sk-abcde`); or the whole, written as it is;
* of its Base64 12 characters, of its hexadecimal form 16: both are 8 or 9 of the secret.

Between two neighbours of a piece stand at most `WIDEST` other characters. Not found: pieces of fewer than 8 characters
with letters in between, and other ciphers (Base32, reversed, another case).

The search is linear in the text. Where nothing is found, which is nearly always, it stays inside C code.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import NamedTuple

from omnipilot.memory.secrets.escapes import decode, decode_located

LEAST, LONG, LEAST_BASE64, LEAST_HEX = 8, 16, 12, 16
WIDEST = 32
SEED, GRAM = 4, 7
"""Every piece of 7 characters contains 4 that start at a multiple of 4."""
_ALNUM = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_OTHERS = bytes(code for code in range(128) if chr(code) not in _ALNUM)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a secret to search for.

    Attributes:
        text: text of the form. chars: its letters and digits. at: positions of these in the text.
        plain: whether it is the secret itself, whose pieces must not look like words. least: see above.
        name: replacement for what is found.
    """

    text: str
    chars: bytes
    at: tuple[int, ...]
    plain: bool
    least: int
    name: str

    def may_count(self, start: int, end: int) -> bool:
        """Whether the piece from `start` to `end` may be a match, judging by its letters and digits."""
        count = end - start
        if not self.plain:
            return count >= min(self.least, len(self.chars))
        at_an_end = start == 0 or end == len(self.chars)
        return count >= LONG or at_an_end or (count >= LEAST and is_mixed(self.chars[start:end].decode()))


class Found(NamedTuple):
    """A span of a text to remove; `name` is the replacement, "" for none."""

    start: int
    end: int
    name: str


class Forms:
    """All forms of some secrets, compiled for searching.

    Args:
        secrets: values of at least 8 characters, and the names that replace them.
    """

    def __init__(self, secrets: Sequence[tuple[str, str]]) -> None:
        self._grams: dict[bytes, list[tuple[Form, int]]] = {}
        self._seeds: set[int] = set()
        for value, name in secrets:
            for form in forms_of(value, name):
                for at in range(len(form.chars) - GRAM + 1):
                    self._grams.setdefault(form.chars[at : at + GRAM], []).append((form, at))
                self._seeds |= {_number(form.chars[at : at + SEED]) for at in range(len(form.chars) - SEED + 1)}

    def find(self, text: str) -> list[Found]:
        """The spans to remove, in order and without overlap."""
        chars = letters_of(decode(text))
        words = memoryview(chars[: len(chars) // SEED * SEED]).cast("I")
        if self._seeds.isdisjoint(words):
            return []
        runs = list(self._runs(chars, words))
        if not runs:
            return []
        located = _Located(text)
        found: list[Found] = []
        for form, at, start, end in runs:
            found += located.pieces(form, at, start, end)
        found.sort(key=lambda piece: piece.start)
        return [piece for i, piece in enumerate(found) if i == 0 or piece.start >= found[i - 1].end]

    def _runs(self, chars: bytes, words: memoryview) -> Iterator[tuple[Form, int, int, int]]:
        """The longest pieces: form, offset in the form, and range in `chars`. They may still turn out to be words."""
        done = 0
        for number, word in enumerate(words):
            seed = number * SEED
            if word not in self._seeds or seed < done:
                continue
            best: tuple[Form, int, int, int] | None = None
            for at in range(max(0, seed - GRAM + SEED), seed + 1):
                for form, offset in self._grams.get(chars[at : at + GRAM], ()):
                    start, end = _extent(chars, at, form.chars, offset)
                    first = offset - (at - start)
                    longer = best is None or end - start > best[3] - best[2]
                    if longer and form.may_count(first, first + end - start):
                        best = form, first, start, end
            if best is not None:
                yield best
                done = best[3]


class _Located:
    """A text with the positions of its letters and digits."""

    def __init__(self, text: str) -> None:
        self.text, self.starts, self.ends = decode_located(text)
        self.at = list(compress(range(len(self.text)), map(_ALNUM.__contains__, self.text)))

    def pieces(self, form: Form, first: int, start: int, end: int) -> Iterator[Found]:
        """The spans to remove for a run of letters and digits; none if it may be ordinary text."""
        places = self.at[start:end]
        written = form.text[form.at[first] : form.at[first + end - start - 1] + 1]
        if self.text[places[0] : places[-1] + 1] == written:
            if self._counts(form, first, first + end - start, len(written)):
                yield from self._cut(form, first, first + end - start, [(places[0], places[-1] + 1)])
            return
        cut = 0
        for i in range(1, len(places) + 1):
            if i == len(places) or places[i] - places[i - 1] > WIDEST:
                yield from self._split(form, first + cut, places[cut:i])
                cut = i

    def _split(self, form: Form, first: int, places: Sequence[int]) -> Iterator[Found]:
        last = first + len(places)
        if not self._counts(form, first, last, 0):
            return
        # Characters in between are kept: they may be part of the JSON syntax.
        pieces: list[tuple[int, int]] = []
        begin = places[0]
        for (low, high), (ours, next_of_ours) in zip(pairwise(places), pairwise(form.at[first:last]), strict=True):
            own, between = form.text[ours + 1 : next_of_ours], self.text[low + 1 : high]
            if between != own and not _is_own(form.plain, own, between):
                pieces.append((begin, low + 1))
                begin = high
        yield from self._cut(form, first, last, [*pieces, (begin, places[-1] + 1)])

    def _cut(self, form: Form, first: int, last: int, pieces: list[tuple[int, int]]) -> Iterator[Found]:
        """The pieces, extended by the punctuation at the secret's start and end."""
        head, tail = form.text[: form.at[0]], form.text[form.at[-1] + 1 :]
        if first == 0 and head and self.text.endswith(head, 0, pieces[0][0]):
            pieces[0] = (pieces[0][0] - len(head), pieces[0][1])
        if last == len(form.chars) and tail and self.text.startswith(tail, pieces[-1][1]):
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + len(tail))
        for i, (low, high) in enumerate(pieces):
            yield Found(self.starts[low], self.ends[high - 1], "" if i else form.name)

    def _counts(self, form: Form, first: int, last: int, as_written: int) -> bool:
        """Whether a piece is not ordinary text; `as_written`: its number of characters, 0 if interrupted."""
        count = last - first
        if not form.plain:
            return form.may_count(first, last)
        if count >= LONG or (count >= LEAST and is_mixed(form.chars[first:last].decode())):
            return True
        if count == len(form.chars):
            return as_written > 0
        return (first == 0 or last == len(form.chars)) and as_written >= LEAST and as_written > count


def forms_of(value: str, name: str) -> Iterator[Form]:
    """The forms of one secret."""
    plain = decode(value)
    yield _form(plain, True, LEAST, name)
    sent = value.encode()
    yield _form(sent.hex(), False, LEAST_HEX, name)
    yield _form(sent.hex().upper(), False, LEAST_HEX, name)
    for before in range(3):
        # Characters that encode bits of a neighbour belong to another secret as well.
        whole = base64.b64encode(b"\0" * before + sent).decode()
        inner = whole[(before * 8 + 5) // 6 : (before + len(sent)) * 8 // 6]
        yield _form(inner, False, LEAST_BASE64, name)


def is_mixed(text: str) -> bool:
    """Whether letters and digits look like neither a word, a number nor a digest."""
    if re.fullmatch(r"[0-9a-f]*|[0-9A-F]*", text):
        return False
    digit = any(char.isdigit() for char in text)
    return digit or not (text[1:].islower() or text.isupper())


def letters_of(text: str) -> bytes:
    """The ASCII letters and digits of a text."""
    return text.encode("ascii", "ignore").translate(None, _OTHERS)


def _form(text: str, plain: bool, least: int, name: str) -> Form:
    at = tuple(i for i, char in enumerate(text) if char in _ALNUM)
    return Form(text, letters_of(text), at, plain, least, name)


def _is_own(plain: bool, own: str, between: str) -> bool:
    """Whether the text between two characters belongs to the form, which has `own` there."""
    if not plain:
        return set(between) <= set("+/-_\\")
    return bool(own) and between.replace("\\", "") == own.replace("\\", "")


def _extent(chars: bytes, at: int, form: bytes, offset: int) -> tuple[int, int]:
    """The range around these positions where `chars` and `form` agree."""
    start, end, most = at, at + GRAM, at + len(form) - offset
    while start > 0 and start > at - offset and chars[start - 1] == form[offset - (at - start) - 1]:
        start -= 1
    while end < len(chars) and end < most and chars[end] == form[offset + end - at]:
        end += 1
    return start, end


def _number(seed: bytes) -> int:
    return memoryview(seed).cast("I")[0]
