"""How the answers of a model family look: where they stand, which forms they take, and how to write one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from omnipilot.memory.models.replies.numbers import Numbers, Read, Verdict, pair, value
from omnipilot.memory.models.replies.text import WHOLE, Region


class Form(Protocol):
    """One way to write a place."""

    def read(self, text: str) -> Read:
        """The numbers, a verdict that ends the search, or None where nothing of this form is there."""
        ...


@dataclass(frozen=True, slots=True)
class Pair:
    """`(x, y)`, `[x, y]`, `[x1, y1, x2, y2]` or `[x1, y1], [x2, y2]`, the first in the text."""

    def read(self, text: str) -> Read:
        """The numbers, or None."""
        return pair(text)


@dataclass(frozen=True, slots=True)
class Syntax:
    """How an answer looks.

    Attributes:
        reply: a whole reply that points at {x}, {y} (the first and the second number, in the model's own order).
        forms: tried in turn; after them a text of nothing but numbers, then the first pair in brackets.
        region: where the answer stands.
        digits: decimals of a number as the model writes it.
        refusals: words by which the model says that the place is not there.
    """

    reply: str
    forms: tuple[Form, ...] = ()
    region: Region = WHOLE
    digits: int = 0
    refusals: tuple[str, ...] = ()

    def read(self, region: str) -> Numbers | Verdict | None:
        """The two or four numbers of an answer, a verdict, or None where there is no answer."""
        for form in (*self.forms, _ONLY, _ANY):
            found = form.read(region)
            if found is Verdict.REFUSED or _no_place(found):
                return Verdict.REFUSED
            if found is not None:
                return found
        if self.refusals and re.search(rf"\b(?:{'|'.join(map(re.escape, self.refusals))})\b", region, re.IGNORECASE):
            return Verdict.REFUSED
        return None

    def write(self, first: float, second: float) -> str:
        """A whole reply that says these two numbers, rounded to the model's own grid."""
        x, y = (f"{number:.{self.digits}f}" for number in (first, second))
        return self.reply.replace("{x}", x).replace("{y}", y)

    @property
    def unit(self) -> float:
        """The step between two numbers that the model can write."""
        return float(10**-self.digits)


class _Only:
    """Nothing but two or four numbers: what is left where a server strips the tokens around a box."""

    def read(self, text: str) -> Read:
        return value(text)


_ONLY, _ANY = _Only(), Pair()


def _no_place(found: Read) -> bool:
    """(-1, -1) is how models trained to refuse do so; nobody means a place by it."""
    return isinstance(found, tuple) and set(found) == {-1.0}
