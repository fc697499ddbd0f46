"""Where to look for something not in view: names in the instruction, expandable elements, next pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from omnipilot.envs import Element
from omnipilot.envs.types import FIELDS, fold
from omnipilot.planners.rules.matching.elements import matching_elements, operable

_NEXT = re.compile(r"^(?:>|›|»|→|next(?: page)?|more|show more|older|load more)$", re.IGNORECASE)
_LEAVES = re.compile(r"^(?:home|start)$|^(?:close|minimi[sz]e|maximi[sz]e)\b", re.IGNORECASE)
_UNFOLDING = frozenset({"tab", "treeitem"})
_CHOICES = frozenset({"option", "radio", "checkbox", "switch", "slider", "menuitemradio", "menuitemcheckbox"})
"""Roles that hide nothing: to click one changes what it stands for."""


def key(env: str, element: Element) -> str:
    """A key that identifies an element on later screens."""
    return f"{env}/{element.role}/{element.name}" + ("" if element.name else f"/{element.id}{element.box.center}")


def next_unexplored(
    env: str,
    elements: Sequence[Element],
    instruction: str,
    sought: str,
    later: Sequence[str],
    tried: Collection[str],
    apps: Collection[str] = (),
) -> Element | None:
    """The element most likely to lead to what is not in view; None if all have been tried.

    Args:
        sought: phrase for something that was to be found on the way; "" for nothing.
        later: phrases that later clauses ask for, so that they are not touched too early.
        tried: keys of elements that were tried already.
        apps: names of applications: what starts or hides them leads nowhere.
    """
    kept = {id(element) for phrase in later if phrase for element in matching_elements(phrase, elements)[:1]}
    fresh = [e for e in elements if key(env, e) not in tried and id(e) not in kept and "disabled" not in e.states]
    fresh = [e for e in fresh if e.name not in apps and not _LEAVES.match(e.name) and e.role not in _CHOICES]
    found = [element for element in matching_elements(sought, fresh) if element.name] if sought else []
    unfolds = [element for element in fresh if _unfolds(element)]
    onwards = [element for element in fresh if _NEXT.match(element.name.strip()) and operable(element)]
    mentioned = [element for element in fresh if operable(element) and _mentioned(element.name, instruction)]
    nameless = [element for element in fresh if operable(element) and not element.name and element.role not in FIELDS]
    return next(iter([*found, *mentioned, *unfolds, *onwards, *nameless]), None)


def _mentioned(name: str, instruction: str) -> bool:
    # What is counted beside a name ("Cart (2)") is no part of it.
    words = fold(re.sub(r"\s*\(\d+\)$", "", name))
    return len(words) >= 3 and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", fold(instruction)) is not None


def _unfolds(element: Element) -> bool:
    if "collapsed" in element.states:
        return True
    open_already = element.states & {"expanded", "selected", "current"}
    return element.role in _UNFOLDING and not open_already and bool(element.name)
