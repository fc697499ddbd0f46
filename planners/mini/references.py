"""What a prompt numbers, so that a reply can name it: elements, values in the task, notes, what was heard.

A reply never spells out what is in the prompt: `<r12>` stands for the thing that the prompt shows behind `<r12>`. So
copying a name is pointing at it, and the text that is typed is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omnipilot.envs import Element

MOST_REFERENCES = 160
"""Numbers that the vocabulary has words for."""
VALUES = re.compile(
    r'"(?P<quoted>[^"]+)"'
    r"|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<phone>\+\d[\d ]{6,}\d)"
    r"|(?P<site>\w+\.example\b)"
    r"|(?P<place>(?:\d+ )(?:[A-Z][a-z]+ )[A-Z][a-z]+\b|\b[A-Z][a-z]+ [A-Z][a-z]+ \d+\b)"
    r"|(?P<coded>[a-z]+-\d+)"
    r"|(?P<number>[A-Za-z]*\d[\w]*(?:[.:,/-]\w*\d\w*)*)"
)
"""Values in a text: what is quoted, addresses, and whatever contains digits."""
_NUMBER = re.compile(r"<r(\d+)>")
_WORDS = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_LITERALS = re.compile(r"[A-Za-z]+|\d|\n| |.", re.DOTALL)
SPACE, NEWLINE = "_", "<nl>"


@dataclass(frozen=True, slots=True)
class Reference:
    """One numbered thing: its exact text, and the element that it is, if it is one."""

    text: str
    env: str = ""
    element: Element | None = None


class References:
    """The numbered things of one prompt, in order.

    Args:
        first: number of the first one; numbers continue from 0 behind the last. Training starts anywhere, so that every
            number is practised.
    """

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self.all: list[Reference] = []

    def add(self, text: str, env: str = "", element: Element | None = None) -> str:
        """Number a thing; returns its word, "" if there are no numbers left."""
        if len(self.all) >= MOST_REFERENCES:
            return ""
        self.all.append(Reference(text, env, element))
        return self.word(len(self.all) - 1)

    def word(self, index: int) -> str:
        """The word of the thing at an index."""
        return f"<r{(self._first + index) % MOST_REFERENCES}>"

    def by_word(self, word: str) -> Reference | None:
        """The thing that a word such as `<r12>` stands for; None if it stands for none."""
        match = _NUMBER.fullmatch(word)
        if match is None:
            return None
        index = self._index(int(match[1]))
        return self.all[index] if index < len(self.all) else None

    def canonical(self, words: Sequence[str]) -> tuple[str, ...]:
        """Words with each number as it would be if numbers began at 0: of prompts that number the same things from
        different numbers on, equal replies are equal then."""
        return tuple(_NUMBER.sub(lambda match: f"<r{self._index(int(match[1]))}>", word) for word in words)

    def _index(self, number: int) -> int:
        return (number - self._first) % MOST_REFERENCES

    def of_element(self, id: str) -> str:
        """The word of the element with an id; "" if it is not numbered."""
        for index, one in enumerate(self.all):
            if one.element is not None and one.element.id == id:
                return self.word(index)
        return ""

    def spell(self, text: str) -> list[str]:
        """A text as words of a reply: references wherever one covers a part of it, the rest spelt out."""
        words: list[str] = []
        at = 0
        for index, one in enumerate(self.all):
            if one.element is not None and one.text == text and not any(o.text == text for o in self.all[:index]):
                return [self.word(index)]
        quotable = sorted(
            ((one.text, index) for index, one in enumerate(self.all) if one.element is None and one.text),
            key=lambda pair: -len(pair[0]),
        )
        while at < len(text):
            for value, index in quotable:
                if text.startswith(value, at) and _is_whole(text, at, at + len(value)):
                    words.append(self.word(index))
                    at += len(value)
                    break
            else:
                match = _LITERALS.match(text, at)
                assert match is not None
                words.append({" ": SPACE, "\n": NEWLINE}.get(match[0], match[0]))
                at = match.end()
        return words

    def read(self, words: Sequence[str]) -> str:
        """The text that words of a reply spell; the inverse of `spell`."""
        found = []
        for word in words:
            named = self.by_word(word)
            found.append(named.text if named is not None else {SPACE: " ", NEWLINE: "\n"}.get(word, word))
        return "".join(found)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a text does not begin or end within a word."""
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not before and not after


def values_in(text: str) -> list[str]:
    """The values in a text, see `VALUES`; what is quoted without its quotation marks."""
    return [match["quoted"] or match[0] for match in VALUES.finditer(text)]


def plain_words(text: str) -> list[str]:
    """A text as words of a prompt: in lower case, digits and punctuation marks apart."""
    return _WORDS.findall(text.lower())


def numbered_words(text: str, references: References, most: int = 1000) -> Iterator[str]:
    """The words of a text, each value in it after its number; at most so many words."""
    left = most
    at = 0
    for match in VALUES.finditer(text):
        before = plain_words(text[at : match.start()])[:left]
        yield from before
        left -= len(before)
        if left <= 0:
            return
        value = match["quoted"] or match[0]
        yield references.add(value) or ""
        words = plain_words(value)[: max(1, min(left, 8))]
        yield from words
        left -= len(words) + 1
        at = match.end()
        if left <= 0:
            return
    yield from plain_words(text[at:])[: max(0, left)]
