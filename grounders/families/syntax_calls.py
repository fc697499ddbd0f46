"""Answers in calls and tags: `click(start_box='…')`, `pyautogui.click(x=…, y=…)`, `<point>x y</point>`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omnipilot.memory.models.replies.numbers import N, Numbers, Read, Verdict, corners, value

_XY = re.compile(rf"\bx\s*+=\s*+['\"]?({N})['\"]?\s*+,\s*+y\s*+=\s*+['\"]?({N})(?=[,)'\"\s\]])", re.ASCII)
_X = re.compile(r"\b[xy]\s*+=", re.ASCII)
_CALL = re.compile(rf"[Cc]lick\w{{0,20}}+\s*+\(\s*+({N})\s*+,\s*+({N})\s*+[,)]", re.ASCII)
_DOUBLE = re.compile(
    rf"\[\[\s*+({N})\s*+,\s*+({N})(?:\s*+,\s*+({N})\s*+,\s*+({N}))?+\s*+\]\s*+\]",
    re.ASCII,
)
_TAGS = re.compile(r"<(?=[pb|])(?:point>|box>|bbox>|\|box_start\|>)")
_ARGUMENT = r"\b(?:{})\s*+=\s*+"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call, by name: `start_box='(x,y)'`, `point='<point>x y</point>'`, `box=[[x1,y1,x2,y2]]`."""

    names: tuple[str, ...] = ("start_box", "point", "start_point", "end_box", "end_point")

    def read(self, text: str) -> Read:
        """The numbers of the first such argument; broken where it is there and holds none."""
        match = re.search(_ARGUMENT.format("|".join(self.names)), text, re.ASCII)
        if match is None:
            return None
        return leading(text[match.end() :]) or Verdict.BROKEN


def leading(text: str) -> Numbers | None:
    """The numbers of the quoted or bracketed value with which a text begins; None where it is cut off or no value."""
    text = text[:400]
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        return value(text[1:end] if end > 0 else _bracketed(text[1:]))
    return value(_bracketed(text))


def _bracketed(text: str) -> str:
    """A leading value up to the bracket that closes it; "" where it is never closed."""
    match = re.match(r"\s*+[(\[]{1,2}[^()\[\]\n]{0,200}+[)\]]{1,2}", text)
    return match[0] if match else ""


@dataclass(frozen=True, slots=True)
class XY:
    """`x=…, y=…` in a call."""

    def read(self, text: str) -> Read:
        """The numbers; broken where an `x=` or `y=` is there without the other."""
        match = _XY.search(text)
        if match:
            return float(match[1]), float(match[2])
        return Verdict.BROKEN if _X.search(text) else None


@dataclass(frozen=True, slots=True)
class Positional:
    """`click(350, 342)`, with or without further arguments."""

    def read(self, text: str) -> Read:
        """The first two numbers of the first click."""
        match = _CALL.search(text)
        return (float(match[1]), float(match[2])) if match else None


@dataclass(frozen=True, slots=True)
class Tag:
    """`<point>x y</point>`, `<box>x1 y1 x2 y2</box>`, `<bbox>`, `<|box_start|>(x1,y1),(x2,y2)<|box_end|>`."""

    def read(self, text: str) -> Read:
        """The numbers of the first tag up to the next one, of whatever name; broken where there are none."""
        match = _TAGS.search(text)
        if match is None:
            return None
        end = text.find("<", match.end())
        return (value(text[match.end() : end]) if end >= 0 else None) or Verdict.BROKEN


@dataclass(frozen=True, slots=True)
class Corners:
    """`(x1,y1),(x2,y2)`: what is left of a box where the server strips its tokens."""

    def read(self, text: str) -> Read:
        """The first such box."""
        return corners(text)


@dataclass(frozen=True, slots=True)
class DoubleBrackets:
    """`[[x,y]]` or `[[x1,y1,x2,y2]]`, the last in the text."""

    def read(self, text: str) -> Read:
        """Its numbers; broken where double brackets are there and hold none."""
        found = _DOUBLE.findall(text)
        if found:
            return tuple(float(number) for number in found[-1] if number)
        return Verdict.BROKEN if "[[" in text else None
