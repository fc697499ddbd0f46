"""Finds the element for a phrase, and describes an element so that any grounder can find it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from omnipilot.envs import Element, Ref
from omnipilot.envs.types import FIELDS, INTERACTIVE, Place, describe, likeness, matches, score
from omnipilot.planners.rules.words import quoted_texts

GOOD = 0.5
"""Minimum score at which an element matches a phrase."""
_WORDS = frozenset(
    {"text", "label", "heading", "generic", "cell", "listitem", "paragraph", "columnheader", "rowheader"}
)
_SAID = {"textbox": "text field", "searchbox": "search field", "combobox": "dropdown", "spinbutton": "spinner"}
_SAID |= {role: role for role in ("button", "link", "tab", "checkbox", "switch", "slider", "image", "heading")}
_SAID |= {"radio": "radio button", "option": "option", "menuitem": "menu item", "listitem": "list item"}


def said_role(role: str) -> str:
    """How a role is said in a place; "" for one that is left out."""
    return _SAID.get(role, "")


def operable(element: Element) -> bool:
    """Whether the element can be operated."""
    return element.role in INTERACTIVE or "clickable" in element.states


def legible(elements: Iterable[Element], instruction: str) -> list[Element]:
    """The visible elements, except those that only repeat the instruction (some pages show it)."""
    shown = [element for element in elements if "offscreen" not in element.states]
    said = _bare(instruction)
    start = 0
    while said and start < len(shown):
        end = _repeats(shown, start, said)
        if end > start:
            return legible([*shown[:start], *shown[end:]], instruction)
        start += 1
    return shown


def _repeats(shown: Sequence[Element], start: int, said: str) -> int:
    """The end of a run of texts that spells out most of the instruction from its start; `start` if there is none."""
    spelt, end = "", start
    while end < len(shown) and not operable(shown[end]):
        longer = spelt + _bare(shown[end].name)
        if not said.startswith(longer):
            break
        spelt, end = longer, end + 1
    return end if len(spelt) >= 0.6 * len(said) else start


def _bare(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold()))


def matching_elements(phrase: str, elements: Sequence[Element], near: str = "") -> list[Element]:
    """The elements that match a phrase well enough, most likely first.

    Args:
        near: phrase for an element that lies beside the wanted one; it decides between those that answer alike.
    """
    description = describe(phrase)
    found = [element for element in matches(description, elements) if score(description, element) >= GOOD]
    if len(found) > 1 and near:
        name = describe(near).name or near
        own = [e for e in found if max(likeness(name, e.name), likeness(name, e.value)) >= GOOD]
        beside = matching_elements(near, elements)
        if own:
            found = own
        elif beside:
            middle = beside[0].box.center
            # What belongs to a name stands below it or in its row, rarely above.
            found.sort(key=lambda e: (e.box.bottom < beside[0].box.top, abs(e.box.center.y - middle.y)))
    found.sort(key=lambda element: not operable(element))
    return found


_LONG = frozenset({"text", "body", "content", "message", "note"})
"""What the largest field of a form is for."""


_ALSO: dict[str, tuple[str, ...]] = {
    "number": ("phone", "phone number", "mobile"),
    "phone number": ("phone", "mobile", "number"),
    "address": ("place", "where", "street", "to", "email"),
    "place": ("where", "location", "address"),
    "title": ("name", "subject", "heading"),
    "name": ("title", "subject", "label"),
    "subject": ("title",),
    "text": ("message", "body", "note", "content"),
    "note": ("notes", "details", "description", "text"),
    "question": ("message", "text", "write"),
    "recipient": ("to",),
    "comment": ("note", "text"),
}
"""Other names that a field may have."""


def field_for(phrase: str, elements: Sequence[Element]) -> Element | None:
    """The field to type into: by name, label, order or focus, or the only one."""
    fields = [e for e in elements if e.role in FIELDS and not e.states & {"disabled", "readonly"}]
    description = describe(phrase)
    if not fields:
        return None
    if description.ordinal is not None:
        place = description.ordinal - 1 if description.ordinal > 0 else description.ordinal
        return fields[place] if -len(fields) <= place < len(fields) else None
    own = re.sub(r"^(?:its|the|his|her|their|your|a|an)\s+", "", phrase.strip(), flags=re.IGNORECASE)
    if (
        not description.name
        and own
        and own != phrase
        and (said := [f for f in fields if likeness(own, f.name) >= GOOD])
    ):
        return said[0]
    if description.name:
        labels = labels_of(elements)
        for called in (description.name, *_ALSO.get(description.name.casefold(), ())):
            ranked = [(max(likeness(called, name) for name in (f.name, labels[id(f)])), f) for f in fields]
            best = max(ranked, key=lambda pair: pair[0])
            if best[0] >= GOOD:
                return best[1]
    named = [f for f in fields if score(description, f) >= GOOD] or fields
    # A list shows what was chosen: text goes elsewhere where there is another field.
    named = [f for f in named if f.role != "combobox" or not f.value] or ([] if len(fields) > 1 else named)
    named = named or fields
    if own in _LONG:
        return max(named, key=lambda f: f.box.bottom - f.box.top)
    focused = [f for f in named if "focused" in f.states]
    empty = [f for f in named if not f.value]
    return ([f for f in focused if f in empty] or (empty if own else focused) or focused or empty or named)[0]


def labels_of(elements: Sequence[Element]) -> dict[int, str]:
    """For each field (by identity) the words before it."""
    labels, last = {}, ""
    for element in elements:
        if element.role in FIELDS:
            labels[id(element)], last = last, ""
        elif element.role in _WORDS and element.name:
            last = element.name
    return labels


def list_for(phrase: str, elements: Sequence[Element]) -> Element | None:
    """The drop-down list that a phrase refers to, or the only one."""
    lists = [element for element in elements if element.role in ("combobox", "listbox", "select")]
    named = [element for element in lists if phrase and score(describe(phrase), element) >= GOOD]
    return next(iter(named or lists), None)


SEARCH = re.compile(r"\b(?:search|find|filter)\b", re.IGNORECASE)
"""What a field is called that finds things."""
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_SHAPES = {
    "code": r"\b\d{3,10}\b",
    "pin": r"\b\d{3,10}\b",
    "phone": r"\+?\d[\d ()/-]{5,}\d",
    "number": r"\b\d+\b",
    "digits": r"\b\d+\b",
    "time": r"\b\d{1,2}:\d{2}\b",
    "date": r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b",
    "price": r"[$€£]\s?\d+(?:[.,]\d+)?",
    "address": rf"\b\d{{1,5}} (?!{_MONTHS})[A-Z][\w']*(?: [A-Z][\w']*)*|\b(?:[A-Z][\w'-]+ ){{1,3}}\d{{1,4}}\b",
    "email": r"\b[\w.+-]+@[\w-]+\.[\w.]+\b",
}
"""What the things that people refer to look like."""


def shape_of(phrase: str) -> str | None:
    """The expected text pattern of a phrase ("the door code of …": digits); None if anything is possible."""
    words = _head(phrase)
    if "phone" in words:
        return _SHAPES["phone"]
    return next((_SHAPES[word] for word in reversed(words) if word in _SHAPES), None)


def _head(phrase: str) -> list[str]:
    return re.findall(r"\w+", re.split(r"\s+(?:from|that|which|of|who|in|you|sent)\b", phrase)[0].casefold())


def value_of(phrase: str, elements: Sequence[Element], read: Sequence[str]) -> str | None:
    """The text that a phrase refers to: a field's content, a text read earlier, or the text next to a label.

    Args:
        read: texts to find it in, the likeliest first.
    """
    description = describe(phrase)
    fields = [e for e in elements if e.role in FIELDS and e.value]
    named = [e for e in matching_elements(phrase, elements) if e in fields] or (fields if description.roles else [])
    if named:
        return named[0].value
    words, shape = _head(phrase), shape_of(phrase)
    telling = [text for text in read if words and all(re.search(rf"\b{word}\b", text, re.I) for word in words)]
    if unit := re.match(r"(?:the\s+)?number of ([a-z]{3})[a-z]*", phrase, re.I):
        # "400 m, 3 minutes" tells three.
        counted = (re.search(rf"(\d+)\s*{unit[1]}", text, re.I) for text in read)
        if found := next((found for found in counted if found), None):
            return found[1]
    for text in telling:
        said = re.search(r"(?:\b(?:is|are|was)\b|[:=])\s*(.+?)(?:[.!?](?:\s|$)|$)", text)
        if found := re.search(shape, text) if shape else said:
            return found[0] if shape else found[1]
    if shape and (shaped := next((found for text in read if (found := re.search(shape, text))), None)):
        return shaped[0]
    return _beside(phrase, elements)


def exactly(phrase: str, found: Sequence[Element]) -> list[Element]:
    """The elements whose name is exactly what a phrase quotes ("Ann", not "Ann Lee"); all if it quotes nothing."""
    names = quoted_texts(phrase)
    if len(names) != 1:
        return list(found)
    name = names[0].casefold().strip()
    own = [f"{e.name}\n{e.value}".casefold() for e in found]
    called = re.compile(rf"(?m)^\W*{re.escape(name)}(?:\W*$|\s*[,:;·(…\n-])")
    return [element for element, texts in zip(found, own, strict=True) if called.search(texts)]


def _beside(phrase: str, elements: Sequence[Element]) -> str | None:
    for label in matching_elements(phrase, elements):
        row = [e for e in elements if abs(e.box.center.y - label.box.center.y) < 0.02 and e.name]
        beside = [e for e in row if e.box.left >= label.box.right - 0.01 and not operable(e)]
        if beside:
            return min(beside, key=lambda e: e.box.left).name
    return None


def place_of(element: Element, elements: Sequence[Element], tries: int = 0) -> Place:
    """A description of an element for a grounder: words if they are unambiguous, else its id, else its point.

    Args:
        elements: all of the screen, as the grounder may see it.
        tries: how often this element could not be reached before; each time, another way is chosen.
    """
    ways: list[Place] = []
    if element.name and len(element.name) <= 80 and not re.search(r"[\"“”]", element.name):
        words = f'the "{element.name}" {said_role(element.role)}'.strip()
        shown = [other for other in elements if "offscreen" not in other.states]
        if [other.box for other in matches(describe(words), shown)] == [element.box]:
            ways.append(words)
    if element.id is not None:
        ways.append(Ref(element.id))
    ways.append(element.box.center)
    return ways[min(tries, len(ways) - 1)]
