"""A grounder without a model: looks up the described place among the elements of the screen."""

from __future__ import annotations

import difflib

from omnipilot.envs import Absent, Element, Elements, Modality, Observation
from omnipilot.envs.types import describe, fold, matches
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding

_LISTED = 6


class ElementsGrounder(Grounder):
    """Finds an element by its id, or by the name, role and ordinal in a description; uses no model.

    It points at the centre of the element's visible part. If several elements match equally well, it abstains and
    names them, so that the planner can choose.
    """

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})
    reads: frozenset[Modality] = needs

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place, or an element by its id; a description may give an id after #.

        A planner that does not see the screen only has words, and cannot tell ids from descriptions.
        """
        elements = observation.elements
        if isinstance(elements, Absent):
            why = f"{elements.reason}{': ' if elements.detail else ''}{elements.detail}"
            return Abstention("no_view", f"the elements of {observation.env} are not there ({why})")
        if isinstance(target, Ref):
            return _by_id(elements, target.id)
        if target.startswith("#") and elements.by_id(target[1:].strip()) is not None:
            return _by_id(elements, target[1:].strip())
        return _by_words(elements, target)


def _by_id(elements: Elements, id: str) -> Grounding | Abstention:
    found = elements.by_id(id)
    if found is not None:
        return _point_at(found)
    return Abstention("not_found", f"no element has the id {id!r} any more{_cut(elements)}")


def _by_words(elements: Elements, target: str) -> Grounding | Abstention:
    shown = [element for element in elements if "offscreen" not in element.states]
    description = describe(target)
    found = matches(description, shown)
    if len(found) == 1:
        return _point_at(found[0])
    if found:
        listed = "; ".join(_element_words(element) for element in found[:_LISTED])
        return Abstention("ambiguous", f"{len(found)} elements answer to it: {listed}; say which (first, second, …)")
    hidden = [element for element in elements if "offscreen" in element.states]
    if beyond := matches(description, hidden):
        return Abstention("not_found", f"{_element_words(beyond[0])} lies outside the visible part; scroll to it")
    near = _nearest(description.name or target, shown)
    hint = f"the nearest are {'; '.join(near)}" if near else "the screen names no element"
    return Abstention("not_found", f"{hint}{_cut(elements)}")


def _point_at(element: Element) -> Grounding | Abstention:
    if "offscreen" in element.states:
        return Abstention("not_found", f"{_element_words(element)} lies outside the visible part; scroll to it")
    return Grounding(element.box.center, element.box)


def _nearest(name: str, elements: list[Element]) -> list[str]:
    names = {fold(element.name): element for element in elements if element.name}
    close = difflib.get_close_matches(fold(name), list(names), n=_LISTED, cutoff=0.3)
    return [_element_words(names[match]) for match in close or list(names)[:_LISTED]]


def _element_words(element: Element) -> str:
    x, y = element.box.center.to_permille()
    return f"{element.role} {element.name[:60]!r} at ({x:.0f}, {y:.0f})‰"


def _cut(elements: Elements) -> str:
    return f"; the list of elements is not complete ({elements.detail})" if elements.truncated else ""
