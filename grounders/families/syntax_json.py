"""Structured answers: JSON with a coordinate somewhere inside, and tool calls in XML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from omnipilot.grounders.families.syntax_calls import leading
from omnipilot.memory.models.replies.numbers import N, Numbers, Read, Verdict, of
from omnipilot.memory.models.replies.structured import dicts, load

KEYS = (
    *("coordinate", "coordinates", "point_2d", "bbox_2d", "box_2d", "point", "points", "POINT", "position"),
    *("click_point", "start_box", "start_point", "bbox", "box"),
)
"""Under which a place is found, the first one first."""
_TAIL = re.compile(rf"\s*+({N})\s*+,\s*+({N})(?:\s*+,\s*+({N})\s*+,\s*+({N}))?+\s*+\]", re.ASCII)
_PARAMETER = re.compile(r"<parameter(?:=|\s{1,8}name=)\s{0,8}['\"]?(\w{1,40})['\"]?\s{0,8}>")
_FAILED = frozenset({"failure", "fail", "failed", "infeasible", "impossible"})


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON answer (or a Python literal) that holds a place under one of the keys, or under `x`
    and `y` or the names of four edges.

    Where it cannot be decoded, the first such key in the text is read; a tail without its opening (what a model
    answers to an opening put into its mouth) is read too.
    """

    keys: tuple[str, ...] = KEYS

    def read(self, text: str) -> Read:
        """The numbers; broken where an object or a key is there without a readable place."""
        data = load(text)
        if data is not None and (found := self.place(data)) is not None:
            return found
        if match := re.search(rf"['\"](?:{'|'.join(self.keys)})['\"]\s*+:\s*+", text):
            return leading(text[match.end() :]) or Verdict.BROKEN
        if match := _TAIL.match(text):
            return tuple(float(number) for number in match.groups() if number is not None)
        return None

    def place(self, data: Any) -> Read:
        """The place in a decoded answer; broken where it has objects and none of them holds one."""
        if isinstance(data, list) and not any(isinstance(item, dict) for item in data):
            return of(data)
        for item in dicts(data):
            if _refuses(item):
                return Verdict.REFUSED
            for key in self.keys:
                if key in item:
                    return Verdict.REFUSED if key == "points" and item[key] == [] else _or_broken(of(item[key]))
            if (numbers := of(item)) or "x" in item or "y" in item:
                return _or_broken(numbers)
        return Verdict.BROKEN


@dataclass(frozen=True, slots=True)
class Xml:
    """A tool call in XML: `<function=click><parameter=coordinate>[x, y]</parameter></function>`."""

    keys: tuple[str, ...] = KEYS

    def read(self, text: str) -> Read:
        """The numbers; broken where there are parameters and none of them holds a place."""
        tags = list(_PARAMETER.finditer(text))
        if not tags:
            return None
        ends = [*(tag.start() for tag in tags[1:]), len(text)]
        given: dict[str, str] = {}
        for tag, end in zip(tags, ends, strict=True):
            inner, closed, _ = text[tag.end() : end].partition("</parameter")
            # What is not closed may be cut off in the middle of a number.
            given.setdefault(tag[1], inner.strip() if closed else "")
        return Json(self.keys).place(given)


def _or_broken(numbers: Numbers | None) -> Numbers | Verdict:
    return numbers or Verdict.BROKEN


def _refuses(item: dict[Any, Any]) -> bool:
    """A call of `terminate` with a status of failure, or nothing but a status that says so."""
    said = {str(key).lower(): str(value).strip().lower() for key, value in item.items() if isinstance(value, str)}
    ends = "terminate" in (said.get("action"), said.get("name"), said.get("action_type")) or "STATUS" in item
    return ends and said.get("status") in _FAILED
