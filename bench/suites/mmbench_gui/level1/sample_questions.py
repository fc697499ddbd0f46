"""Questions about a screen, made from its elements: what can be seen, what a button does, what is switched on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from omnipilot.bench.suites.pointing.functions import FUNCTIONS
from omnipilot.envs import Element
from omnipilot.envs.types.element_query import fold

_ENTRIES = ("listitem", "treeitem", "row", "link")
_FRAME = ("Back", "Home", "Start", "Mail", "Text Editor", "Signals", "Files", "Browser")
"""Buttons that are on every screen; others are asked about first."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screenshot as PNG, its width and height in pixels, and what is on it."""

    png: bytes
    size: tuple[int, int]
    elements: tuple[Element, ...]

    @property
    def entries(self) -> list[str]:
        """Names of the entries of its lists, from the top, each once."""
        return _names(element for element in self.elements if element.role in _ENTRIES and not self._cut(element))

    def _cut(self, element: Element) -> bool:
        """Whether it stands in a last row that is lower than the others: its name may be below the edge."""
        boxes = [other.box for other in self.elements if other.role == element.role]
        lowest, tallest = max(box.bottom for box in boxes), max(box.bottom - box.top for box in boxes)
        return element.box.bottom > lowest - 1e-6 and element.box.bottom - element.box.top < 0.9 * tallest

    def shows(self, name: str) -> bool:
        """Whether a name stands anywhere on it."""
        return any(fold(name) in f"{fold(element.name)} {fold(element.value)}" for element in self.elements)


def easy(screen: Screen, others: Sequence[Screen], rng: random.Random) -> dict[str, Any]:
    """Which entry can be seen?"""
    right = rng.choice(screen.entries)
    pool = sorted({name for other in others for name in other.entries if not screen.shows(name)})
    return _group("easy", "Which of these entries can be seen on this screen?", right, pool, rng, "It is in the list.")


def medium(screen: Screen, rng: random.Random) -> dict[str, Any]:
    """What is a button good for?"""
    known = _names(element for element in screen.elements if element.role == "button" and element.name in FUNCTIONS)
    name = rng.choice([one for one in known if one not in _FRAME] or known)
    right = FUNCTIONS[name]
    pool = sorted(set(FUNCTIONS.values()) - {right})
    return _group("medium", f'What does the button "{name}" do?', right, pool, rng, f"{name}: it {right}.")


def hard(screen: Screen, rng: random.Random) -> dict[str, Any]:
    """Which switch is on, which entry is selected, or else: which entry follows another?"""
    for role, state, words in (("switch", "checked", "switched on"), ("treeitem", "selected", "selected")):
        same = [element for element in screen.elements if element.role == role]
        on = _names(element for element in same if state in element.states)
        off = [name for name in _names(same) if name not in on]
        if on and len(off) >= 3:
            return _group("hard", f"Which of these is {words}?", rng.choice(on), off, rng, f"Only this one is {words}.")
    rows, what = screen.entries, "entry"
    if len(rows) < 5:
        rows, what = _names(element for element in screen.elements if element.role == "button"), "button"
    place = rng.randrange(len(rows) - 1)
    pool = [name for name in rows if name not in rows[place : place + 2]]
    question = f'Which {what} comes right after "{rows[place]}" in reading order?'
    return _group("hard", question, rows[place + 1], pool, rng, f"It follows {rows[place]}.")


def _names(elements: Iterable[Element]) -> list[str]:
    """Names in order, each once, without those that quotes would spoil."""
    found: dict[str, str] = {}
    for element in elements:
        if "offscreen" not in element.states and element.name.strip() and '"' not in element.name:
            found.setdefault(fold(element.name), element.name)
    return list(found.values())


def _group(
    level: str, question: str, right: str, pool: Sequence[str], rng: random.Random, explanation: str
) -> dict[str, Any]:
    """A question with three to five wrong options, in random order."""
    wrong = rng.sample(list(pool), min(len(pool), rng.randint(3, 5)))
    texts = [right, *wrong]
    rng.shuffle(texts)
    options = dict(zip("ABCDEF", texts, strict=False))
    answer = next(letter for letter, text in options.items() if text == right)
    return {
        "question": question,
        "options": options,
        "answer": answer,
        "explanation": explanation,
        "difficulty": level,
    }
