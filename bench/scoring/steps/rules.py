"""When a step matches, in the four step benchmarks scored by OS-Atlas.

An action is a line such as "CLICK <point>[[120,340]]</point>" or "TYPE [hello]", with places in thousandths. Input on
which the released scripts raise, such as an action without its argument, does not match here.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Benchmark: TypeAlias = Literal["android_control", "guiact_web", "gui_odyssey", "omniact"]
HEADER = "actions:\n"
ENDING = "<|im_end|>"
"""Stripped as a set of characters, from both ends: an action that ends in lower-case "den" loses it, too."""
REACH = 140.0
"""14 % of thousandths: how far from the right place a click may be."""
NOWHERE = (-100, -100)
LEAST = 0.5
"""A text matches where its F1 is above this."""

_PRESSES = frozenset(("CLICK", "LONG_PRESS"))
_OMNIACT_PRESSES = frozenset((*_PRESSES, "MOVETO", "RIGHTCLICK", "DOUBLECLICK"))
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ActionMatch:
    """Whether an action matches in kind, completely, and completely under the strict rule for texts.

    Strict: the texts of OPEN_APP and TYPE are compared as a whole, by the words they share.
    """

    kind: bool
    full: bool
    strict: bool


MISS = ActionMatch(False, False, False)


def after_header(reply: str) -> str | None:
    """The actions of a reply: the text after "actions:" and a newline; None without that header."""
    parts = reply.split(HEADER)
    return parts[1].strip(ENDING) if len(parts) > 1 else None


def kind(action: str, benchmark: Benchmark) -> str:
    """The action's kind: its first word; in GUI-Odyssey without the surrounding colons."""
    if benchmark == "android_control":
        return (action.split() or [""])[0]
    first = action.split(" ")[0]
    return first.strip(":") if benchmark == "gui_odyssey" else first


def compare(truth: str, said: str, benchmark: Benchmark) -> ActionMatch:
    """Compare two actions by one benchmark's rule.

    Raises:
        ValueError: the right action is a click without two numbers.
    """
    right = truth.split(" ")[0] if benchmark == "gui_odyssey" else kind(truth, benchmark)
    if right != kind(said, benchmark):
        return MISS
    if right in (_OMNIACT_PRESSES if benchmark == "omniact" else _PRESSES):
        near = _near(truth, said, benchmark)
        return ActionMatch(True, near, near)
    if right == "TYPE" or (right == "OPEN_APP" and benchmark == "android_control"):
        strict = truth == said or same_words(argument(said), argument(truth))
        return ActionMatch(True, _same_text(truth, said, benchmark), strict)
    full = _other(truth, said, right, benchmark)
    return ActionMatch(True, full, full)


def _near(truth: str, said: str, benchmark: Benchmark) -> bool:
    right, given = _NUMBER.findall(truth), _NUMBER.findall(said)
    if len(right) < 2:
        raise ValueError(f"{truth!r} contains no place; a click needs two numbers, in thousandths of the sides")
    exact = benchmark in ("gui_odyssey", "omniact")
    if len(given) == 2 or (len(given) > 2 and not exact):
        x, y = _number(given[0]), _number(given[1])
    else:
        # GUI-Odyssey takes the corner for an unreadable place, and so a click near the corner for matched.
        x, y = (0, 0) if benchmark == "gui_odyssey" else NOWHERE
    return math.hypot(x - int(right[0]), y - int(right[1])) <= REACH


def _number(digits: str) -> int:
    """Parse digits; a number too long for any screen becomes the farthest distance."""
    return int(digits.lstrip("0")[:9] or "0")


def _same_text(truth: str, said: str, benchmark: Benchmark) -> bool:
    if benchmark == "gui_odyssey":
        return same_words(said, truth)  # the word TYPE counts among them
    if truth == said:
        return True
    ours, theirs = said.split(), truth.split()
    # Only the second word is looked at: "Google Play" passes for "Google Maps".
    return len(ours) > 1 and len(theirs) > 1 and same_words(ours[1], theirs[1])


def _other(truth: str, said: str, right: str, benchmark: Benchmark) -> bool:
    if benchmark == "gui_odyssey":
        return right != "SCROLL" or truth == said
    if right == "SCROLL" and benchmark != "android_control":
        ours, theirs = said.split(" "), truth.split(" ")
        return len(ours) > 1 and len(theirs) > 1 and (ours[1] in theirs[1] or theirs[1] in ours[1])
    return truth == said


def word_f1(said: str, truth: str) -> float:
    """F1 of the two sets of words, ignoring case; 0 if they share none."""
    ours, theirs = set(said.lower().split()), set(truth.lower().split())
    common = len(ours & theirs)
    if not common:
        return 0.0
    precision, recall = common / len(ours), common / len(theirs)
    return 2 * (precision * recall) / (precision + recall)


def same_words(said: str, truth: str) -> bool:
    """Whether more than half of the words agree, by F1."""
    return word_f1(said, truth) > LEAST


def argument(action: str) -> str:
    """The text after an action's name, without brackets: "Google Play" of "OPEN_APP [Google Play]"."""
    rest = action.strip().partition(" ")[2].strip()
    return rest[1:-1].strip() if rest.startswith("[") and rest.endswith("]") else rest
