"""Which element a described place means, in words for which there is one; and what lies at a point."""

from __future__ import annotations

from omnipilot.envs.types.element_query import Description, describe, lies_in, likeness, matches
from omnipilot.envs.types.fields import Described, Ref
from omnipilot.envs.types.geometry import Point
from omnipilot.envs.types.observation import Element, Elements
from omnipilot.envs.types.roles import INTERACTIVE, ROLE_WORDS

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_EXACT = 0.95
"""`likeness` of names that are equal but for case, spaces and punctuation."""


def read_target(elements: Elements, target: Described) -> Element | str:
    """The element that a described place means, or why that cannot be told.

    By id where one is given (also as "#id"). Words are read strictly: a name must be that of exactly one visible
    element, but for case and punctuation, and of the kind that the words say; "the second …" counts the elements that
    match equally well. What a looser reading might mean is left open.
    """
    shown: list[Element] = [element for element in elements if "offscreen" not in element.states]
    id = target.id if isinstance(target, Ref) else target[1:].strip() if target.startswith("#") else None
    if id is not None:
        found = next((element for element in shown if element.id == id), None)
        if found is not None:
            return found
        if isinstance(target, Ref):
            return f"no element on the screen has the id {id!r}"
    description = describe(str(target))
    named = [element for element in matches(description, shown) if _is_meant(description, element)]
    if len(named) == 1:
        return named[0]
    return f"{len(named)} elements answer to it" if named else "no element on the screen is called that"


def describe_element(elements: Elements, element: Element) -> str | None:
    """Words by which `read_target` finds an element again, such as 'the second button "Save"'.

    Returns:
        None if no words of this form mean it alone.
    """
    kind = _WORDS.get(element.role, "")
    quoted = f"“{element.name}”" if '"' in element.name else f'"{element.name}"'
    plain = " ".join(filter(None, ("the", kind, quoted if element.name else "")))
    phrases = [plain] if element.name or kind else []
    if kind:
        phrases += [plain.replace("the ", f"the {ordinal} ", 1) for ordinal in (*_ORDINALS, "last")]
    return next((phrase for phrase in phrases if read_target(elements, phrase) == element), None)


def element_at(elements: Elements, point: Point) -> Element | None:
    """What a press at a point reaches: of the elements there the topmost that can be operated, else the topmost."""
    there: list[Element] = [
        element for element in elements if "offscreen" not in element.states and element.box.contains(point)
    ]
    operable = [element for element in there if element.role in INTERACTIVE]
    return operable[-1] if operable else there[-1] if there else None


def lies_on(elements: Elements, element: Element, point: Point) -> bool:
    """Whether a point lies on an element, and not on a control within it that lies beside its centre."""
    if not element.box.contains(point):
        return False
    hit = element_at(elements, point)
    if hit is None or hit == element or hit.role not in INTERACTIVE or hit.box.contains(element.box.center):
        return True
    order = list(elements)
    return element in order and order.index(hit) < order.index(element)


def _is_meant(description: Description, element: Element) -> bool:
    if description.roles and element.role not in description.roles:
        return False
    if description.region and not lies_in(element, description.region):
        return False
    if not description.name:
        return bool(description.roles) or likeness(description.phrase, element.name) >= _EXACT
    return max(likeness(description.name, element.name), likeness(description.phrase, element.name)) >= _EXACT


_WORDS: dict[str, str] = {}
for _word, _roles in ROLE_WORDS.items():
    for _role in _roles:
        if _role not in _WORDS or _word == _role:
            _WORDS[_role] = _word
"""A word for each role: its own name where that is one, else the first that may mean it."""
