"""What an executed action implies: what anybody who does it expects to see afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.agents.wrappers.checks.screens import element_words, focused_element
from omnipilot.agents.wrappers.episode_facts import elements, place_of
from omnipilot.envs import (
    Action,
    Browser,
    Click,
    Context,
    Drag,
    Element,
    Elements,
    LongPress,
    Observation,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Select,
    System,
    TypeText,
)
from omnipilot.envs.types import FIELDS
from omnipilot.envs.types.element_reading import element_at
from omnipilot.memory import Expectation
from omnipilot.memory.expectations import LONGEST

TOGGLES = frozenset({"checkbox", "switch", "menuitemcheckbox", "togglebutton"})
CHOICES = frozenset({"radio", "menuitemradio"})
PICKED = frozenset({"tab"})
CELLS = frozenset({"cell", "gridcell"})


@dataclass(frozen=True, slots=True)
class Implied:
    """An expectation that a verb implies.

    Attributes:
        element: what was operated, as it was before; None if it is not known.
    """

    expectation: Expectation
    element: Element | None = None


def implied_by(action: Action, before: Observation | None, env: str, edited: bool = False) -> Implied | None:
    """What an action implies; None for verbs after which nothing need be different.

    Args:
        before: what the role saw just before it; None if it did not look.
        edited: whether something was typed in this environment since it was last saved.
    """
    element = _operated(action, before)
    if isinstance(action, TypeText):
        return _of_typing(action, element, before, env)
    if isinstance(action, OpenApp):
        return Implied(Expectation("app", value=action.app[:LONGEST], env=env)) if action.app.strip() else None
    if isinstance(action, OpenUrl):
        return Implied(Expectation("address", value=action.url[:LONGEST], env=env)) if action.url.strip() else None
    if isinstance(action, Select):
        what = element_words(element) if element is not None else "the list"
        return Implied(Expectation("field", what, action.value[:LONGEST], env), element)
    if isinstance(action, Click):
        return _of_click(action, element, before, env)
    if isinstance(action, LongPress | Drag):
        return Implied(Expectation("changed", env=env), element)
    if isinstance(action, System):
        return Implied(Expectation("changed", env=env)) if action.name in ("back", "recents") else None
    if isinstance(action, Browser):
        return Implied(Expectation("changed", env=env)) if action.op in ("new_tab", "close_tab") else None
    if isinstance(action, Press) and saves(action) and (edited or (before is not None and shows_unsaved(before))):
        return Implied(Expectation("changed", env=env))
    return None


def saves(action: Press) -> bool:
    """Whether it is Ctrl+S."""
    keys = {key.lower() for key in action.keys}
    return "s" in keys and bool(keys & {"ctrl", "meta"})


def shows_unsaved(seen: Observation) -> bool:
    """Whether a window says that what it holds is not saved."""
    title = seen.context.title if isinstance(seen.context, Context) else ""
    marks = [title, *(one.name for one in elements(seen) if one.role in ("text", "status", "heading", "tab", "window"))]
    return any(_is_mark(mark) for mark in marks)


def _is_mark(text: str) -> bool:
    said = text.strip().casefold()
    return said in ("unsaved", "not saved", "modified") or said[:1] in _DIRTY or said[-1:] in _DIRTY


_DIRTY = ("*", "●")


def _operated(action: Action, before: Observation | None) -> Element | None:
    if before is None or not isinstance(before.elements, Elements):
        return None
    point = place_of(action)
    if point is None:
        return focused_element(before) if isinstance(action, TypeText) else None
    return element_at(before.elements, point)


def _of_typing(
    action: TypeText[Point], element: Element | None, before: Observation | None, env: str
) -> Implied | None:
    if not action.text.strip():
        return None
    field = element if element is not None and element.role in FIELDS else None
    what = element_words(field) if field is not None else "the screen"
    if action.submit and (field is None or before is None):
        return Implied(Expectation("changed", env=env), element)
    return Implied(Expectation("field", what, action.text[:LONGEST], env), field)


def _of_click(action: Click[Point], element: Element | None, before: Observation | None, env: str) -> Implied | None:
    if element is None:
        return Implied(Expectation("changed", env=env))
    if "disabled" in element.states or (element.role in FIELDS and "focused" in element.states):
        return None
    single = action.count == 1 and action.button == "left"
    if element.role in TOGGLES and single:
        kind = "unchecked" if "checked" in element.states else "checked"
        return Implied(Expectation(kind, element_words(element), env=env), element)  # type: ignore[arg-type]
    if element.role in CHOICES and single:
        return Implied(Expectation("checked", element_words(element), env=env), element)
    if single and (element.role in PICKED or (element.role in CELLS and _one_is_picked(element.role, before))):
        return Implied(Expectation("selected", element_words(element), env=env), element)
    if element.states & {"selected", "checked"} and single:
        return None
    return Implied(Expectation("changed", env=env), element)


def _one_is_picked(role: str, before: Observation | None) -> bool:
    """Whether one element of a role is selected, so that the next one will be."""
    return any(one.role == role and "selected" in one.states for one in elements(before))
