"""Which element a described place means, in words for which there is one; and what lies at a point.

The reading is strict, so that a verdict on pointing can rest on it: whether it can be told what is meant depends on the
words and the screen alone, never on where anybody pointed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from omnipilot.envs.types.element_query import (
    ORDINAL_WORDS,
    QUOTED,
    REGION,
    fold,
    is_covered,
    lies_in,
    ordinal_of,
    region_of,
)
from omnipilot.envs.types.fields import Described, Ref
from omnipilot.envs.types.geometry import Point
from omnipilot.envs.types.observation import Element, Elements
from omnipilot.envs.types.roles import FIELDS, INTERACTIVE, roles_of

_ITEMS = frozenset({"listitem", "row", "article", "titlebar"})
"""Roles that hold others, and of which many can be pressed as a whole."""
_PRESSED = INTERACTIVE | _ITEMS - {"titlebar"}
"""Roles that are meant rather than others by a name without a kind."""
_NEUTRAL = frozenset(
    "the a an this that labeled labelled named called titled reading saying with label name title element control "
    "widget text".split()
)
"""Words that say nothing about which element is meant."""
_LISTS = frozenset({"combobox", "listbox", "select"})
_IMAGES = frozenset({"image", "img", "icon", "graphic"})
_KINDS: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for name in ("link", "tab", "checkbox", "switch", "slider", "heading", "option")},
    "button": frozenset({"button", "togglebutton", "menubutton"}),
    "dialog": frozenset({"dialog", "alertdialog"}),
    **dict.fromkeys(("radio", "radio button"), frozenset({"radio"})),
    **dict.fromkeys(("field", "input", "text field", "text box", "textbox", "input field", "text area"), FIELDS),
    **dict.fromkeys(("dropdown", "drop-down", "dropdown list", "combobox", "combo box"), _LISTS),
    **dict.fromkeys(("icon", "image", "picture"), _IMAGES),
    "list item": frozenset({"listitem"}),
    "menu item": frozenset({"menuitem", "menuitemcheckbox", "menuitemradio"}),
    "tree item": frozenset({"treeitem"}),
    "row": frozenset({"row", "listitem"}),
    "table row": frozenset({"row"}),
    "cell": frozenset({"cell", "gridcell"}),
}
"""Kinds that mean an element without a name: "the checkbox", "the third row"."""
_LOOSE = frozenset({"icon", "image", "picture", "row"})
"""Kinds that are said of other elements too, such as a button with a picture."""
_WORDS: dict[str, str] = {
    "textbox": "text field",
    "searchbox": "text field",
    "textarea": "text area",
    "spinbutton": "spinner",
    "combobox": "dropdown",
    "listbox": "list box",
    "listitem": "list item",
    "menuitem": "menu item",
    "menuitemcheckbox": "checkbox",
    "menuitemradio": "radio button",
    "radio": "radio button",
    "treeitem": "tree item",
    "togglebutton": "toggle",
    "menubutton": "button",
    "gridcell": "cell",
    "img": "image",
    "alertdialog": "dialog",
    "article": "item",
    "row": "table row",
}
"""A word for a role whose own name is none."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a phrase: an element of this name ("" for any) and kind; `ordinal` and `region` choose."""

    name: str
    kind: str = ""
    ordinal: int | None = None
    region: frozenset[str] = frozenset()


def read_target(elements: Elements, target: Described) -> Element | str:
    """The element that a described place means, or why that cannot be told.

    By id where one is given (also as "#id"). Words have to be a name, a kind, or both, with an ordinal or a side of the
    screen if they need one: 'the "Save" button', "the second checkbox", "Inbox at the left of the screen". The name has
    to be an element's whole name but for case and punctuation. A name without a kind means what can be operated or is a
    row, if there is exactly one such element. Every way to read the words has to lead to the same element.
    """
    shown: list[Element] = [element for element in elements if "offscreen" not in element.states]
    id = target.id if isinstance(target, Ref) else target[1:].strip() if target.startswith("#") else None
    if id is not None:
        found = next((element for element in shown if element.id == id), None)
        if found is not None:
            return found
        if isinstance(target, Ref):
            return f"no element on the screen has the id {id!r}"
    if elements.truncated:
        return f"the list of elements is cut ({elements.detail or 'too long'})"
    meant: list[Element] = []
    for reading in _readings(str(target)):
        one = _find(shown, reading)
        if isinstance(one, str):
            return one
        if one is not None and one not in meant:
            meant.append(one)
    if len(meant) == 1:
        return meant[0]
    return "it can be read in more than one way" if meant else "no element on the screen is called that"


def describe_element(elements: Elements, element: Element) -> str | None:
    """Words by which `read_target` finds an element again, such as 'the second "Save" button'.

    Returns:
        None if no words of this form mean it alone.
    """
    kind = _WORDS.get(element.role, element.role)
    kind = kind if roles_of(kind) else ""
    quoted = f"“{element.name}”" if '"' in element.name else f'"{element.name}"'
    rest = " ".join(filter(None, (quoted if element.name else "", kind)))
    if not rest:
        return None
    phrases = (f"the {rest}", *(f"the {ordinal} {rest}" for ordinal in (*ORDINAL_WORDS, "last")))
    return next((phrase for phrase in phrases if read_target(elements, phrase) == element), None)


def element_at(elements: Elements, point: Point) -> Element | None:
    """What a press at a point reaches: of the elements there the topmost that can be operated, else the topmost that
    holds others (a row, rather than the text in it), else the topmost.

    What lies below a larger element that is drawn later, such as a dialog, is not reached.
    """
    there: list[Element] = []
    for element in elements:
        if "offscreen" not in element.states and element.box.contains(point):
            there = [below for below in there if below.box.area >= element.box.area]
            there.append(element)
    for roles in (INTERACTIVE, _ITEMS):
        if among := [element for element in there if element.role in roles]:
            return among[-1]
    return there[-1] if there else None


def lies_on(elements: Elements, element: Element, point: Point) -> bool:
    """Whether a point lies on an element, and not on a control within it that lies beside its centre.

    A text within a control (the label of a button) is the control: a press on either does the same.
    """
    hit = element_at(elements, point)
    if not element.box.contains(point):
        return hit is not None and hit == _control_of(elements, element)
    if hit is None or hit == element or hit.role not in INTERACTIVE or hit.box.contains(element.box.center):
        return True
    order = list(elements)
    return element in order and order.index(hit) < order.index(element)


def _control_of(elements: Elements, element: Element) -> Element | None:
    """The control that an element without a function of its own is a part of."""
    if element.role in INTERACTIVE or element.role in _ITEMS:
        return None
    control = element_at(elements, element.box.center)
    return control if control is not None and control.role in INTERACTIVE and _holds(control, element) else None


def _readings(phrase: str) -> Iterator[_Reading]:
    """Every way to read a phrase as a name, a kind, or both; none if it says more than that."""
    phrase = " ".join(phrase.split())
    quotations = list(QUOTED.finditer(phrase))
    if not quotations:
        yield _Reading(phrase)
    if len(quotations) > 1:
        return
    name = next((group for match in quotations for group in match.groups() if group is not None), "")
    before, after = (phrase[: quotations[0].start()], phrase[quotations[0].end() :]) if quotations else ("", phrase)
    region: frozenset[str] = frozenset()
    if side := REGION.search(after):
        region = region_of(side[1])
        after = after[: side.start()] + after[side.end() :]
    if quotations:
        words = [word for word in (token.strip(" .,:;!?()") for token in f"{before} {after}".split()) if word]
        ordinals = [word for word in words if ordinal_of(word) is not None]
        rest = [word.casefold() for word in words if word not in ordinals]
        kind = next((kind for kind in _kinds_in(rest) if not kind or roles_of(kind)), None)
        if len(ordinals) <= 1 and kind is not None:
            yield _Reading(name, kind, ordinal_of(ordinals[0]) if ordinals else None, region)
        return
    words = after.strip(" .,:;!?").split()
    while words and words[0].casefold() in ("the", "a", "an", "this", "that"):
        words = words[1:]
        yield _Reading(" ".join(words), "", None, region)
    yield from _split(words, None, region)
    if words and (ordinal := ordinal_of(words[0])) is not None:
        yield from _split(words[1:], ordinal, region)


def _kinds_in(words: Sequence[str]) -> Iterator[str]:
    """The kind that words name when neutral ones are left out; "text" is left out last, for "text field"."""
    for neutral in (_NEUTRAL - {"text"}, _NEUTRAL):
        yield " ".join(word for word in words if word not in neutral)


def _split(words: Sequence[str], ordinal: int | None, region: frozenset[str]) -> Iterator[_Reading]:
    """Readings of words without quotation marks: a name and no kind, or a kind after or before it."""
    if not words:
        return
    yield _Reading(" ".join(words), "", ordinal, region)
    for length in range(min(3, len(words)), 0, -1):
        last, first = " ".join(words[-length:]).casefold(), " ".join(words[:length]).casefold()
        if roles_of(last):
            yield _Reading(" ".join(words[:-length]), last, ordinal, region)
        if roles_of(first):
            rest = list(words[length:])
            while rest and rest[0].casefold() in _NEUTRAL:
                rest = rest[1:]
            yield _Reading(" ".join(rest), first, ordinal, region)


def _find(shown: Sequence[Element], reading: _Reading) -> Element | str | None:
    """The element that a reading means, why that cannot be told, or None if there is none such."""
    if reading.name:
        wanted, roles = fold(reading.name), roles_of(reading.kind)
        alike = [e for e in shown if fold(e.name) == wanted and (not roles or e.role in roles)]
        if reading.kind in _KINDS and reading.kind not in _LOOSE:
            alike = [e for e in alike if e.role in _KINDS[reading.kind]] or alike
    elif reading.kind:
        kind = reading.kind if reading.kind in _KINDS else reading.kind.removesuffix("s")
        alike = [e for e in shown if e.role in _KINDS.get(kind, ())]
    else:
        return None
    alike = _one_a_control(alike) if reading.name else alike
    if reading.region:
        alike = [element for element in alike if lies_in(element, reading.region)]
    free = [element for element in alike if not is_covered(element, shown)]
    if not free:
        return "something else covers it" if alike else None
    alike = free
    if reading.ordinal is not None:
        place = reading.ordinal - 1 if reading.ordinal > 0 else reading.ordinal
        if not -len(alike) <= place < len(alike):
            return f"there are only {len(alike)}"
        return alike[place] if _in_reading_order(alike) else "they are listed in another order than they stand in"
    if len(alike) > 1 and not reading.kind:
        alike = [element for element in alike if element.role in _PRESSED] or alike
    return alike[0] if len(alike) == 1 else f"{len(alike)} elements answer to it"


def _one_a_control(alike: Sequence[Element]) -> list[Element]:
    """The elements of one name, without those that are part of another: a button and its text are one thing.

    Of these the one that can be operated is kept, else the one that holds the others. Controls in different places
    remain, also if one is within the other.
    """
    kept: list[Element] = []
    for element in sorted(alike, key=lambda e: (e.role not in INTERACTIVE, e.role not in _ITEMS, -e.box.area)):
        for other in kept:
            outer, inner = _holds(other, element), _holds(element, other)
            if (outer and inner) or ((outer or inner) and element.role not in INTERACTIVE):
                break
        else:
            kept.append(element)
    return [element for element in alike if any(element is one for one in kept)]


def _holds(outer: Element, inner: Element) -> bool:
    """Whether an element lies within another one, but for a few pixels."""
    return outer.box.encloses(inner.box, 0.004)


def _in_reading_order(elements: Sequence[Element]) -> bool:
    """Whether elements are listed as they are read: from top to bottom, and on one line from left to right."""
    for one, other in pairwise(elements):
        a, b = one.box, other.box
        shared = min(a.bottom, b.bottom) - max(a.top, b.top)
        if shared > 0.5 * min(a.bottom - a.top, b.bottom - b.top):
            if b.center.x <= a.center.x:
                return False
        elif b.center.y <= a.center.y:
            return False
    return True
