"""Web pages as a world that can be explored: what is visible is all that is known, and the way back is to start over.

A control is named by its role and its name, "button/Save"; a further one of the same name has a number, as in
"button/Save/2".
Names of entries of lists and of rows are items. What changed is told by the elements: a text is new (`+texts`), one is
gone, a box was ticked; what stands in text fields is a draft, and no change. On another page, only that it is another
one is a change, because everything differs there. So is it where a page ends the episode, as MiniWoB's do
(`~page.ended`); nothing is done after that.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omnipilot.bench.suites.pool.explore.general_ids import Holes, general_id
from omnipilot.bench.suites.pool.explore.typed_values import FORMS, form_of
from omnipilot.bench.suites.pool.records import Operation, SituationRecord
from omnipilot.bench.suites.pool.worlds import ExplorableWorld, StateChange
from omnipilot.envs import ActionRejected, Click, ConfigError, Element, NotFound, Point, TypeText
from omnipilot.memory import Move

if TYPE_CHECKING:
    from omnipilot.bench.suites.miniwob.world import MiniwobWorld
    from omnipilot.envs.web import BrowserWorld

ENV = "browser"
CLICKED = frozenset({"button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option"})
FIELDS = frozenset({"textbox", "searchbox", "spinbutton"})
ITEMS = frozenset({"listitem", "row", "option"})
"""Roles whose names are those of items."""
SET = frozenset({"checked", "selected", "pressed", "expanded"})
"""States that a click may change."""


@dataclass(frozen=True)
class WebMark:
    """A place on the way through pages.

    Attributes:
        path: the operations that led there from the start.
        title, controls: of the page there; elements by the names of controls, in the order of the page.
        ended: why the page has ended the episode; "" while it goes on.
    """

    path: tuple[Operation, ...]
    title: str
    controls: Mapping[str, Element]
    ended: str = ""


class WebExplorable(ExplorableWorld):
    """A site in a browser.

    Args:
        world: whose resets open the first page of the site, the same for the same instance.
        name: of the site.
    """

    def __init__(self, world: BrowserWorld | MiniwobWorld, name: str = "site") -> None:
        self.world = self._world = world
        self._name = f"{ENV}/{name}"
        self._instance = 0
        self._path: tuple[Operation, ...] = ()
        self._seen: Mapping[str, Element] | None = None
        self._items: dict[str, str] = {}

    def apps(self) -> Sequence[str]:
        """The site alone."""
        return [self._name]

    def views(self, app: str) -> Sequence[str]:  # noqa: ARG002
        """The pages of a site are not known."""
        return ()

    def start(self, app: str, instance: int = 0) -> None:
        """Open the first page anew.

        Raises:
            ConfigError: no such site.
        """
        if app != self._name:
            raise ConfigError(f"there is no site {app!r}; there is {self._name}")
        self._instance, self._items = instance, {}
        self._reset()

    def operations(self) -> Sequence[Operation]:
        """What can be clicked, and two texts for each field; one control of each kind; nothing once it has ended."""
        found: list[Operation] = []
        if self._world.ended():
            return found
        kinds: set[str] = set()
        for id, element in self._controls().items():
            general = f"{general_id(id, self._items)} {sorted(element.states & SET)}"
            if "disabled" in element.states or general in kinds:
                continue
            kinds.add(general)
            if element.role in CLICKED:
                found.append(Operation("click", ENV, id))
            elif element.role in FIELDS:
                found += [Operation("type", ENV, id, text) for text in FORMS[form_of(element.name)]]
        return found

    def situation(self) -> SituationRecord:
        """The page in the abstract, by its elements that can be used or are items."""
        shown = {id: one for id, one in self._controls().items() if one.role in CLICKED | FIELDS | ITEMS}
        controls = tuple(sorted({f"{one.role} {general_id(id, self._items)}" for id, one in shown.items()}))
        enabled = {general_id(id, self._items) for id, one in shown.items() if "disabled" not in one.states}
        drafts = {general_id(id, self._items) for id, one in shown.items() if one.role in FIELDS and one.value}
        chosen = {general_id(id, self._items) for id, one in shown.items() if one.states & SET}
        title = self._title()
        page = [title, *controls, *(["ended"] if self._world.ended() else [])]
        whole = [*page, "enabled", *sorted(enabled), "drafts", *sorted(drafts), "chosen", *sorted(chosen)]
        return SituationRecord(
            id=_digest(whole),
            page=_digest(page),
            env=ENV,
            app=self._name.partition("/")[2],
            view=title,
            title=title,
            controls=controls,
            enabled=tuple(sorted(enabled)),
            drafts=tuple(sorted(drafts)),
            chosen=tuple(sorted(chosen)),
        )

    def subject(self) -> str:
        """Not known of a page."""
        return ""

    def perform(self, operation: Operation) -> Sequence[Move] | None:
        """Click or type; the browser waits until the page is still. Refused once the page has ended the episode."""
        if self._world.ended():
            return None
        try:
            element = self._find(operation.control)
            place = element.box.center
            self._world.browser.act(_action(operation, place))
        except (NotFound, ActionRejected):
            return None
        self._seen = None
        self._path = (*self._path, operation)
        return [Move(ENV, _action(operation, f"the {element.role} {element.name!r}"))]

    def values(self, operation: Operation) -> Sequence[tuple[str, str]]:
        """Values of all forms, that which the field's name suggests first."""
        own = form_of(operation.control)
        return [FORMS[own], *(pair for form, pair in FORMS.items() if form != own)]

    def label(self, operation: Operation) -> str:
        """The name of the control, which is a part of its id."""
        return operation.control.partition("/")[2]

    def moves(self, operation: Operation) -> Sequence[Move]:
        """The move that carries out an operation; its place is put in words.

        Raises:
            NotFound: the control is not on the page.
        """
        element = self._find(operation.control)
        return [Move(ENV, _action(operation, f"the {element.role} {element.name!r}"))]

    def generalise(self, operations: Sequence[Operation]) -> tuple[tuple[Operation, ...], Mapping[str, str]]:
        """Operations with holes for items and typed texts."""
        holes = Holes(self._items)
        return tuple(holes.open(operation) for operation in operations), holes.bindings

    def seconds(self) -> float:
        """Of the wall clock, since the start: pages run all the time."""
        return self._world.now

    def mark(self) -> WebMark:
        """The operations so far, and what is visible."""
        return WebMark(self._path, self._title(), dict(self._controls()), self._world.ended())

    def back(self, mark: WebMark) -> None:
        """Open the first page anew and do everything again, unless that was all that was done.

        Raises:
            NotFound: the site did something else this time.
        """
        if self._path == mark.path:
            return
        self._reset()
        for operation in mark.path:
            if self.perform(operation) is None:
                raise NotFound(f"{operation.control} is not there any more: this site does not do the same each time")

    def changes(self, before: WebMark, after: WebMark) -> Sequence[StateChange]:
        """What differs visibly; fields apart."""
        if before.title != after.title:
            return [StateChange("~", "page", "", "title", before.title, after.title)]
        if before.ended != after.ended:
            return [StateChange("~", "page", "", "ended", before.ended, after.ended)]
        was, now = (_contents(mark.controls) for mark in (before, after))
        found = [
            StateChange(sign, f"{role}s", name)
            for sign, more, less in (("+", now, was), ("-", was, now))
            for (role, name), number in sorted((more - less).items())
            for _ in range(number)
        ]
        for id, element in after.controls.items():
            old = before.controls.get(id)
            if old is not None and old.states & SET != element.states & SET:
                name = min(old.states & SET ^ element.states & SET)
                found.append(StateChange("~", element.role, id, name, name in old.states, name in element.states))
        return found

    def _reset(self) -> None:
        self._world.reset(self._instance)
        self._path, self._seen = (), None

    def _title(self) -> str:
        return str(self._world.browser.ask_page("() => document.title"))

    def _controls(self) -> Mapping[str, Element]:
        """The elements by the names of their controls."""
        if self._seen is None:
            found: dict[str, Element] = {}
            numbers: Counter[str] = Counter()
            for element in self._world.browser.ui_tree():
                name = f"{element.role}/{element.name.replace('/', ' ')}"
                numbers[name] += 1
                found[name if numbers[name] == 1 else f"{name}/{numbers[name]}"] = element
                if element.role in ITEMS and element.name:
                    self._items.setdefault(element.name.replace("/", " "), f"{element.role}s")
            self._seen = found
        return self._seen

    def _find(self, control: str) -> Element:
        element = self._controls().get(control)
        if element is None:
            raise NotFound(f"no {control} on the page")
        return element


def _action(operation: Operation, place: Point | str) -> Any:
    if operation.verb == "type":
        return TypeText(operation.text, place, clear=True, submit=operation.submit)
    return Click(place)


def _contents(controls: Mapping[str, Element]) -> Counter[tuple[str, str]]:
    return Counter((one.role, one.name) for one in controls.values() if one.name and one.role not in FIELDS)


def _digest(parts: Sequence[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
