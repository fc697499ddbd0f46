"""What an agent has seen and done so far, and what its instruction names. No judge is involved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from omnipilot.envs import (
    Action,
    Click,
    Context,
    Element,
    Elements,
    LongPress,
    MouseDown,
    MouseUp,
    Observation,
    OpenApp,
    Point,
    Press,
    Scroll,
    Select,
    TypeText,
)
from omnipilot.envs import MouseMove as PointerMove
from omnipilot.envs.types import FIELDS, INTERACTIVE, fold
from omnipilot.memory import Step, Turn

QUOTED = re.compile(r"\"([^\"]{2,})\"|“([^”]{2,})”")
_EXAMPLE = re.compile(r"\((?:as in|such as|for example|like|e\.g\.)\s[^)]*\)", re.IGNORECASE)
COMMITS = frozenset(
    "save send ok done add create submit join connect post apply confirm reply rename publish update".split()
)
"""First words of buttons that commit typed text."""


def quoted_texts(text: str) -> tuple[str, ...]:
    """The distinct texts an instruction quotes, in order, without format examples (`as in "12.90"`)."""
    found = (next(filter(None, match.groups())) for match in QUOTED.finditer(_EXAMPLE.sub("", text)))
    return tuple(dict.fromkeys(found))


def elements(seen: Observation | None) -> tuple[Element, ...]:
    """The elements of an observation; none if they are withheld."""
    return seen.elements.items if seen is not None and isinstance(seen.elements, Elements) else ()


def words(seen: Observation | None) -> Iterator[str]:
    """All text on a screen: names and values of its elements, and its context (title, URL, …)."""
    for element in elements(seen):
        yield from filter(None, (element.name, element.value))
    if seen is not None and isinstance(seen.context, Context):
        yield from filter(None, (seen.context.app, seen.context.title, seen.context.url, *seen.context.tabs))
        yield from filter(None, (seen.context.clipboard,))


def fields(seen: Observation | None) -> tuple[Element, ...]:
    """The text fields on a screen."""
    return tuple(element for element in elements(seen) if element.role in FIELDS)


def control_at(seen: Observation | None, point: Point | None) -> Element | None:
    """The control at a point, or the dialog that covers it; None if nothing there can be operated."""
    if point is None:
        return None
    for element in reversed(elements(seen)):
        if element.box.contains(point) and (element.role in INTERACTIVE or element.role == "dialog"):
            return element
    return None


def target(action: Action | None, seen: Observation | None) -> Element | None:
    """The control that an action operates, if it points at one."""
    point = place_of(action)
    return None if point is None else control_at(seen, point)


def place_of(action: Action | None) -> Point | None:
    """The point that an action is aimed at; None for an action without one, such as a key press."""
    if isinstance(action, Click | LongPress | PointerMove | MouseDown | MouseUp | Scroll | TypeText | Select):
        return action.at
    return None


def commits(action: Action | None, element: Element | None) -> bool:
    """Whether an action commits typed text: Enter, Ctrl+S, or a button such as Save."""
    if isinstance(action, TypeText):
        return action.submit
    if isinstance(action, Press):
        pressed = frozenset(action.keys)
        return "enter" in pressed or (bool(pressed & {"ctrl", "meta"}) and "s" in pressed)
    return is_commit(element) and isinstance(action, Click)


def is_commit(element: Element | None) -> bool:
    """Whether a control is a button such as Save or Send."""
    if element is None or element.role not in ("button", "menuitem", "link"):
        return False
    return fold(element.name).split(" ")[0] in COMMITS


@dataclass
class EpisodeEvidence:
    """What was seen and done in one episode, limited to what the role may see.

    Attributes:
        seen: all text seen so far, case-folded for comparison. typed: typed texts, in order.
        operated: names of operated controls and opened apps.
        carried: executed actions. last: the last step.
    """

    seen: set[str] = field(default_factory=set)
    typed: list[str] = field(default_factory=list)
    operated: list[str] = field(default_factory=list)
    carried: int = 0
    last: Step | None = None

    def look(self, observations: Mapping[str, Observation]) -> None:
        """Add the text on the screens."""
        for seen in observations.values():
            self.seen.update(fold(word) for word in words(seen))

    def learn(self, turn: Turn) -> None:
        """Add a completed turn."""
        self.look(turn.observations)
        for step in turn.steps:
            self.last = step
            if step.executed is None:
                continue
            self.carried += step.counts
            seen = step.seen or (turn.observations.get(step.proposed.env) if step.proposed else None)
            if step.seen is not None:
                self.look({step.seen.env: step.seen})
            self._did(step.executed, target(step.executed, seen))

    def was_seen(self, text: str) -> bool:
        """Whether a text was seen anywhere, also as part of a longer one."""
        wanted = fold(text)
        return any(wanted in word for word in self.seen)

    def was_typed(self, text: str) -> bool:
        """Whether a text was typed, also as part of a longer one."""
        return any(fold(text) in fold(typed) for typed in self.typed)

    def was_operated(self, text: str) -> bool:
        """Whether a control, option or app of that name was operated."""
        wanted = fold(text)
        return any(wanted in fold(name) for name in self.operated)

    def _did(self, action: Action, element: Element | None) -> None:
        if element is not None and element.name:
            self.operated.append(element.name)
        if isinstance(action, TypeText):
            self.typed.append(action.text)
        elif isinstance(action, OpenApp):
            self.operated.append(action.app)
        elif isinstance(action, Select):
            self.operated.append(action.value)
        elif isinstance(action, Press) and set(action.keys) & {"ctrl", "meta"} and "s" in action.keys:
            self.operated.append("Save")
        if (isinstance(action, Press) and "enter" in action.keys) or (isinstance(action, TypeText) and action.submit):
            self.operated.append("Enter")
