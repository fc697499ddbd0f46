"""The syntax of a model family's answers: where they are in a reply, their forms, and how to write one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from omnipilot.grounders.families.reading import GENERAL, ReadingRule
from omnipilot.memory.models.replies.absence import (
    OBJECT_SAYS_NO,
    says_absent,
    says_absent_before_place,
    says_no_place,
)
from omnipilot.memory.models.replies.action_text import last_fence, without_fences
from omnipilot.memory.models.replies.keyword_calls import end_of_quote
from omnipilot.memory.models.replies.numbers import N, Numbers, NumbersVerdict, Read, Written, corners, of, pair, value
from omnipilot.memory.models.replies.structured import dicts, end_of_object, load
from omnipilot.memory.models.replies.text import WHOLE, AnswerRegion
from omnipilot.memory.models.replies.xml_calls import call_without_brackets


class PlaceForm(Protocol):
    """One way to write a place."""

    def read(self, text: str) -> Read:
        """The numbers, a verdict that ends the search, or None if the text has nothing of this form."""
        ...


@dataclass(frozen=True, slots=True)
class NumberPair:
    """`(x, y)`, `[x, y]`, `[x1, y1, x2, y2]` or `[x1, y1], [x2, y2]`, the first in the text."""

    def read(self, text: str) -> Read:
        """The numbers, or None."""
        return pair(text)


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of an answer.

    Attributes:
        reply: a complete reply that points at {x}, {y} (the first and the second number, in the model's own order).
        forms: tried in order; then a text of only numbers, then the first pair in brackets.
        region: which part of the reply has the answer.
        digits: decimals of the numbers the model writes.
        refusals: words with which the model says that the target is not there.
        rule: what four numbers mean; as in the family's released code, if there is any.
    """

    reply: str
    forms: tuple[PlaceForm, ...] = ()
    region: AnswerRegion = WHOLE
    digits: int = 0
    refusals: tuple[str, ...] = ()
    rule: ReadingRule = GENERAL

    def read(self, region: str) -> Numbers | NumbersVerdict | None:
        """The two or four numbers of an answer, a verdict, or None if there is no answer.

        A refusal in words counts before any place after it. Then structure counts before prose: what the last code
        fence holds, then the family's own forms, then a line of only numbers, and last what stands amid words. What
        four numbers mean is told by `rule`; of two places the first counts.
        """
        region = without_said(region)
        if says_absent_before_place(region):
            return NumbersVerdict.REFUSED
        for part in _marked(region):
            found = self._place(part)
            if isinstance(found, tuple) or found is NumbersVerdict.REFUSED:
                return found
        return self._place(without_fences(region))

    def _place(self, text: str) -> Numbers | NumbersVerdict | None:
        for form in (*self.forms, _ONLY, _CALLED, _ANY):
            found = form.read(text)
            if found is NumbersVerdict.REFUSED or _no_place(found):
                return NumbersVerdict.REFUSED
            if isinstance(found, tuple):
                return self.rule.place(found, value(text) is not None, self.boxes)
            if found is not None:
                return found
        if self.refusals and re.search(rf"\b(?:{'|'.join(map(re.escape, self.refusals))})\b", text, re.IGNORECASE):
            return NumbersVerdict.REFUSED
        return None

    def write(self, first: float, second: float) -> str:
        """A complete reply with these two numbers, rounded to the model's own grid."""
        x, y = (f"{number:.{self.digits}f}" for number in (first, second))
        return self.reply.replace("{x}", x).replace("{y}", y)

    @property
    def boxes(self) -> bool:
        """Whether a reply is a box."""
        return self.reply.count("{x}") > 1

    @property
    def unit(self) -> float:
        """The smallest difference between two numbers the model can write."""
        return float(10**-self.digits)


_ANSWER = re.compile(r"<answer>|\\boxed\{|^[ \t*#]{0,8}(?:final )?answer\**+:", re.IGNORECASE | re.MULTILINE)


def _marked(text: str) -> Iterator[str]:
    """The parts of an answer that are marked as the answer: in the last code fence, and after the last such mark."""
    if (fence := last_fence(text)) is not None:
        yield fence[1]
    if marks := list(_ANSWER.finditer(text[:_LINES])):
        yield without_fences(text[marks[-1].end() :])


class _Only:
    """Only two or four numbers, as the whole text or as a line of it: what a server leaves that strips box tokens."""

    def read(self, text: str) -> Read:
        """The numbers of the whole text, else of the first line that has nothing else."""
        return value(text) or next(
            (found for line in text[:_LINES].splitlines() if (found := value(line.strip(" \t*`"))) is not None), None
        )


class _Named:
    """`x=412, y=88` or `y: 88, x: 412`, the first in the text; names win over the family's order."""

    def read(self, text: str) -> Read:
        """The numbers, across first; broken if a bracket before them is not closed."""
        match = _NAMED.search(text)
        if match is None:
            return None
        opened = text[max(0, match.start() - 1) : match.start()] in tuple("([{")
        if opened and text[match.end() : match.end() + 1] not in tuple(")]}"):
            return NumbersVerdict.BROKEN
        x, y = (match[1], match[2]) if match[1] is not None else (match[4], match[3])
        return Written((float(x), float(y)), named=True)


_LINES = 4_000
"""Characters at the start of an answer that are searched for a line of only numbers."""
_GAP = r"\s{0,4}+"


def _in_order(first: str, second: str) -> str:
    one, other = (rf"{name}{_GAP}[=:]{_GAP}({N})" for name in (first, second))
    return rf"{one}{_GAP}[,;]?+{_GAP}{other}(?![\w.]*\w)"


_NAMED = re.compile(rf"(?<![\w\"'])(?:{_in_order('x', 'y')}|{_in_order('y', 'x')}){_GAP}", re.ASCII | re.IGNORECASE)
_ONLY, _ANY, _CALLED = _Only(), NumberPair(), _Named()


def _no_place(found: Read) -> bool:
    """Whether the answer is (-1, -1), with which models trained to refuse say so."""
    return isinstance(found, tuple) and set(found) == {-1.0}


_PLACE_NAME = re.compile(
    r"(?:(?:start|end)_(?:box|point)|points?|b?box|[xy]\d?|coordinates?|position|click_point|name)", re.IGNORECASE
)
"""Arguments whose quoted value is a place, or names one."""
_NAME = re.compile(r"([A-Za-z_]\w{0,40})\s{0,8}\Z")
_SAID = re.compile(
    r"=\s{0,8}+(['\"])"
    r"|\b(?:finished|type|write|typewrite|answer|response|terminate|call_?user|hotkey|press)\s{0,8}+\(\s{0,8}+(['\"])"
    r"|^[ \t]{0,8}+(?:TYPE|OPEN_APP|HOTKEY|ANSWER|INPUT)\s{0,8}+(\[)",
    re.MULTILINE | re.IGNORECASE,
)
"""What begins a text to type, to answer or to open, or a quoted value."""
_SAID_END = re.compile(r"\](?=[ \t]{0,8}+(?:<|\n|\Z))")
MOST_SAID = 20
"""Texts in one reply that are left out."""
MOST_QUOTED = 200
"""Quoted values in one reply that are looked at."""


def without_said(text: str) -> str:
    """An answer without the texts that it types or says, and without quoted values of arguments that are no place.

    A text that does not end goes to the end of the answer.
    """
    if not any(mark in text for mark in "'\"["):
        return text
    pieces: list[str] = []
    at = looked = 0
    for _ in range(MOST_QUOTED):
        start = _SAID.search(text, looked)
        if start is None:
            return "".join([*pieces, text[at:]]) if pieces else text
        looked = start.end()
        if start[1] and not _is_said(text[max(0, start.start() - 50) : start.start()]):
            continue
        pieces.append(text[at : start.end()])
        if start[3]:
            closing = _SAID_END.search(text, start.end())
            end = None if closing is None else closing.start()
        else:
            end = end_of_quote(text, start.end(), start[1] or start[2])
        if end is None:
            return "".join(pieces)
        if len(pieces) == MOST_SAID:
            break
        at = looked = end
    return "".join(pieces)


def _is_said(before: str) -> bool:
    """Whether the text before `=` ends in the name of an argument that is no place."""
    name = _NAME.search(before)
    return name is not None and _PLACE_NAME.fullmatch(name[1]) is None


_CALL_LINE = re.compile(
    r"^[ \t]{0,8}+(?:[A-Za-z_]\w{0,30}\.)?[A-Za-z_]\w{0,30}+\((?=[^\n]{0,300}\)[ \t;]{0,8}$)", re.MULTILINE | re.ASCII
)


def _from_call(text: str) -> str:
    """A text from the first line that is a call; all of it without one."""
    match = _CALL_LINE.search(text)
    return text[match.start() :] if match else text


_COORD = rf"\s*+=\s*+['\"]?({N})['\"]?"
_XY = re.compile(
    rf"\bx{_COORD}\s*+,[^()'\"\n]{{0,60}}?\by{_COORD}(?=[,)'\"\s\]])"
    rf"|\by{_COORD}\s*+,[^()'\"\n]{{0,60}}?\bx{_COORD}(?=[,)'\"\s\]])",
    re.ASCII,
)
_X = re.compile(r"\b[xy]\s*+=", re.ASCII)
_CALL = re.compile(rf"[Cc]lick\w{{0,20}}+\s*+\(\s*+({N})\s*+,\s*+({N})\s*+[,)]", re.ASCII)
_DOUBLE = re.compile(
    rf"\[\[\s*+({N})\s*+,\s*+({N})(?:\s*+,\s*+({N})\s*+,\s*+({N}))?\s*+\]\s*+\]",
    re.ASCII,
)
_TAGS = re.compile(r"<(?=[pb|])(?:point>|box>|bbox>|\|box_start\|>)")
_ARGUMENT = r"\b(?:{})\s*+=\s*+"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call, by name: `start_box='(x,y)'`, `point='<point>x y</point>'`, `box=[[x1,y1,x2,y2]]`."""

    names: tuple[str, ...] = ("start_box", "point", "start_point", "end_box", "end_point")

    def read(self, text: str) -> Read:
        """The numbers of the first such argument; broken if it has none, or two `<point>`s without a comma between."""
        match = re.search(_ARGUMENT.format("|".join(self.names)), text, re.ASCII)
        if match is None:
            return None
        found = leading(text[match.end() :])
        return _boxed(found) if found is not None and "box" in match[0] else found or NumbersVerdict.BROKEN


def _boxed(found: Numbers) -> Numbers:
    """Numbers that are called a box; two pairs stay two places."""
    if len(found) != 4 or isinstance(found, Written):
        return found
    return Written(found, box=True)


def leading(text: str) -> Numbers | None:
    """The numbers of the quoted or bracketed value at the start of a text; None if it is cut off or not a value."""
    text = text[:400]
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        return value(text[1:end] if end > 0 else _bracketed(text[1:]))
    return value(_bracketed(text))


def _bracketed(text: str) -> str:
    """A leading value up to its closing bracket; "" if it is never closed."""
    match = re.match(r"\s*+[(\[]{1,2}[^()\[\]\n]{0,200}+[)\]]{1,2}", text)
    return match[0] if match else ""


@dataclass(frozen=True, slots=True)
class XY:
    """`x=…, y=…` in a call, in either order: names win."""

    def read(self, text: str) -> Read:
        """The numbers; broken if only one of `x=` and `y=` is there."""
        text = _from_call(text)
        match = _XY.search(text)
        if match:
            x, y = (match[1], match[2]) if match[1] is not None else (match[4], match[3])
            return Written((float(x), float(y)), named=True)
        return NumbersVerdict.BROKEN if _X.search(text) else None


@dataclass(frozen=True, slots=True)
class Positional:
    """`click(350, 342)`.

    Attributes:
        alone: the two numbers are all its arguments; else others may follow.
    """

    alone: bool = False

    def read(self, text: str) -> Read:
        """The first two numbers of the first click; broken if others follow that may not."""
        match = _CALL.search(_from_call(text))
        if match is None:
            return None
        if self.alone and match[0].endswith(","):
            return NumbersVerdict.BROKEN
        return float(match[1]), float(match[2])


@dataclass(frozen=True, slots=True)
class Tag:
    """`<point>x y</point>`, `<box>x1 y1 x2 y2</box>`, `<bbox>`, `<|box_start|>(x1,y1),(x2,y2)<|box_end|>`."""

    def read(self, text: str) -> Read:
        """The numbers from the first tag up to the next one of any name; broken if there are none."""
        match = _TAGS.search(text)
        if match is None:
            return None
        end = text.find("<", match.end())
        found = value(text[match.end() : end]) if end >= 0 else None
        return NumbersVerdict.BROKEN if found is None else _boxed(found) if "box" in match[0] else found


@dataclass(frozen=True, slots=True)
class BoxShares:
    """A box in `<box>` tags whose numbers are parts of `whole`, where the family's points are shares of the sides."""

    whole: float

    def read(self, text: str) -> Read:
        """The edges as shares; broken if there are none between the tags."""
        match = _BOX.search(text)
        if match is None:
            return None
        found = value(match[1])
        return NumbersVerdict.BROKEN if found is None else Written((number / self.whole for number in found), box=True)


_BOX = re.compile(r"<box>([^<>]{0,200}+)</box>")


@dataclass(frozen=True, slots=True)
class Corners:
    """`(x1,y1),(x2,y2)`: what is left of a box if the server strips its tokens."""

    def read(self, text: str) -> Read:
        """The first such box."""
        return corners(text)


@dataclass(frozen=True, slots=True)
class DoubleBrackets:
    """`[[x,y]]` or `[[x1,y1,x2,y2]]`, the last in the text."""

    def read(self, text: str) -> Read:
        """The numbers; broken if double brackets contain none."""
        found = _DOUBLE.findall(text)
        if found:
            return tuple(float(number) for number in found[-1] if number)
        return NumbersVerdict.BROKEN if "[[" in text else None


KEYS = (
    "coordinate",
    "coordinates",
    "point_2d",
    "bbox_2d",
    "box_2d",
    "point",
    "points",
    "POINT",
    "position",
    "click_point",
    "start_box",
    "start_point",
    "bbox",
    "box",
)
"""Keys of a place in JSON, in order of preference."""
_TAIL = re.compile(rf"\s*+({N})\s*+,\s*+({N})(?:\s*+,\s*+({N})\s*+,\s*+({N}))?\s*+\]", re.ASCII)
_PARAMETER = re.compile(r"<parameter(?:=|\s{1,8}name=)\s{0,8}['\"]?(\w{1,40})['\"]?\s{0,8}>")
_FAILED = frozenset({"failure", "fail", "failed", "infeasible", "impossible"})


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON answer (or a Python literal) with a place under one of the keys, under `x` and `y`, or as four edges.

    If it cannot be decoded, the first such key in the text is read; a tail without its opening (the answer to a
    prefilled opening) is read too.
    """

    keys: tuple[str, ...] = KEYS

    def read(self, text: str) -> Read:
        """The numbers; broken if an object or a key has no readable place."""
        data = load(text)
        if (data == [] and text.strip() == "[]") or OBJECT_SAYS_NO.fullmatch(text):
            return NumbersVerdict.REFUSED
        words = isinstance(data, list) and not any(isinstance(item, dict) for item in data)
        if data is not None and not words and (self._names_place(data) or not self._key(text)):
            return self.place(data)
        if data is not None and not words:
            # What the first object holds was looked at; a key in it is part of a text that is said or typed.
            text = text[end_of_object(text) :]
        if match := self._key(text):
            # The object around the key: brackets or other objects stand before it.
            around = load(text[start:]) if (start := text.rfind("{", 0, match.start())) >= 0 else None
            if around is not None:
                return self.place(around)
            return leading(text[match.end() :]) or NumbersVerdict.BROKEN
        if words and _PARAMETER.search(text):
            return None
        if data is not None and not words:
            return NumbersVerdict.BROKEN
        if words and "{" in text and isinstance(around := load(text[text.index("{") :]), dict):
            found = self.place(around)
            if found is not NumbersVerdict.BROKEN:
                return found
        if words:
            return of(data)
        if match := _TAIL.match(text):
            return tuple(float(number) for number in match.groups() if number is not None)
        return None

    def _key(self, text: str) -> re.Match[str] | None:
        return re.search(rf"['\"](?:{'|'.join(self.keys)})['\"]\s*+:\s*+", text)

    def _names_place(self, data: Any) -> bool:
        return any(key in item for item in dicts(data) for key in (*self.keys, "x", "y"))

    def place(self, data: Any) -> Read:
        """The place in a decoded answer; broken if it has objects but none has a place."""
        if isinstance(data, list) and not any(isinstance(item, dict) for item in data):
            return of(data)
        for item in dicts(data):
            if _refuses(item):
                return NumbersVerdict.REFUSED
            for key in self.keys:
                if key in item:
                    if (key == "points" and item[key] == []) or says_absent(item[key]):
                        return NumbersVerdict.REFUSED
                    found = _or_broken(of(item[key]))
                    return _boxed(found) if isinstance(found, tuple) and "box" in key else found
            if (numbers := of(item)) or "x" in item or "y" in item:
                if numbers is None and says_absent(item.get("x")) and says_absent(item.get("y")):
                    return NumbersVerdict.REFUSED
                return _or_broken(numbers)
        return NumbersVerdict.REFUSED if any(map(says_no_place, dicts(data))) else NumbersVerdict.BROKEN


@dataclass(frozen=True, slots=True)
class Xml:
    """A tool call in XML: `<function=click><parameter=coordinate>[x, y]</parameter></function>`."""

    keys: tuple[str, ...] = KEYS

    def read(self, text: str) -> Read:
        """The numbers; broken if there are parameters but none has a place."""
        tags = list(_PARAMETER.finditer(text))
        if not tags:
            return None
        ends = [*(tag.start() for tag in tags[1:]), len(text)]
        given: dict[str, str] = {}
        for tag, end in zip(tags, ends, strict=True):
            inner, closed, _ = text[tag.end() : end].partition("</parameter")
            # An unclosed parameter may be cut off in the middle of a number.
            given.setdefault(tag[1], inner.strip() if closed else "")
        return Json(self.keys).place(given)


@dataclass(frozen=True, slots=True)
class WithoutBrackets:
    """`click>point>point>112 56`, a tool call in XML whose tags lost their brackets."""

    def read(self, text: str) -> Read:
        """The numbers; broken if there are none behind it."""
        call = call_without_brackets(text)
        return None if call is None else _or_broken(value(next(iter(call.named.values()))))


def _or_broken(numbers: Numbers | None) -> Numbers | NumbersVerdict:
    return numbers or NumbersVerdict.BROKEN


def _refuses(item: dict[Any, Any]) -> bool:
    """Whether it is a call of `terminate` with a failure status, or only such a status."""
    said = {str(key).lower(): str(value).strip().lower() for key, value in item.items() if isinstance(value, str)}
    ends = "terminate" in (said.get("action"), said.get("name"), said.get("action_type")) or "STATUS" in item
    return ends and said.get("status") in _FAILED
